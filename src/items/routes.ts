import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { requirePermissions } from '../http/access/authentication.ts'
import { contextOf } from '../reads/context.ts'
import { pathId } from '../http/path.ts'
import { serveList, serveRecord } from '../reads/operations.ts'
import { sendWritten } from '../writes/writes.ts'
import { IdParameters, single } from '../values/shapes.ts'
import { parseItemCreate, parseItemUpdate, permissionsOf } from './bodies.ts'
import { createItem, updateItem } from './items.ts'
import { selectItem, selectItems } from './queries.ts'
import { ItemCreate, ItemListQuery, ItemQuery, ItemUpdate } from './schema.ts'

const tags = ['Items']
const expands = { images: ['lots.read'] } as const
const writing = { permissions: ['lots.write', 'lots.read'], expands, accepts: 'application/json' } as const
const attaching =
  'Attaching a seller or a consignment also needs seller_profiles.read, attaching categories categories.read.'

/** The items of section 4.4. */
export const itemRoutes: FastifyPluginAsyncTypebox = async (app) => {
  serveList(app, 'item', { tags, expands, query: ItemListQuery, select: selectItems })
  serveRecord(app, 'item', {
    tags,
    one: 'an item',
    expands,
    query: ItemQuery,
    select: (context, uuid, query) => selectItem(context, uuid, query['expand[]']),
  })
  app.post(
    '/items',
    {
      config: { status: 201, ...writing, problems: ['duplicate-reference', 'validation-failed'] },
      schema: {
        operationId: 'createItem',
        summary: 'Create an item',
        description: attaching,
        tags,
        querystring: ItemQuery,
        body: ItemCreate,
        response: { 201: single('Item') },
      },
    },
    async (request, reply) => {
      const context = contextOf(request)
      const body = parseItemCreate(context, request.body)
      requirePermissions(request.credentials, permissionsOf(body))
      return sendWritten(request, reply, await createItem(context, body, request.query['expand[]']))
    },
  )
  app.patch(
    '/items/:id',
    {
      config: { ...writing, problems: ['duplicate-reference', 'validation-failed'] },
      schema: {
        operationId: 'updateItem',
        summary: 'Change an item',
        description: attaching,
        tags,
        params: IdParameters,
        querystring: ItemQuery,
        body: ItemUpdate,
        response: { 200: single('Item') },
      },
    },
    async (request, reply) => {
      const context = contextOf(request)
      const body = parseItemUpdate(context, request.body)
      requirePermissions(request.credentials, permissionsOf(body))
      const uuid = pathId('item', request.params.id)
      return sendWritten(request, reply, await updateItem(context, uuid, body, request.query['expand[]']))
    },
  )
}
