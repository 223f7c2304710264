import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { requirePermissions } from '../http/access/authentication.ts'
import { contextOf } from '../reads/context.ts'
import { pathId } from '../http/path.ts'
import { conditionOf } from '../reads/conditional.ts'
import { pagingOf, readPage, sendPage } from '../reads/page.ts'
import { readRecord, sendAnswer } from '../reads/record.ts'
import { sendWritten } from '../writes/written.ts'
import { collection, IdParameters, single } from '../values/shapes.ts'
import { parseItemCreate, parseItemUpdate, permissionsOf } from './bodies.ts'
import { createItem, updateItem } from './items.ts'
import { selectItem, selectItems } from './queries.ts'
import { ItemCreate, ItemListQuery, ItemQuery, ItemUpdate } from './schema.ts'

const tags = ['Items']
const expands = { images: ['lots.read'] } as const
const writing = { permissions: ['lots.write', 'lots.read'], expands, accepts: 'application/json' } as const
const attaching =
  'Attaching a seller or a consignment also needs seller_profiles.read, attaching categories categories.read.'

/** Section 4.4. */
export const itemRoutes: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    '/items',
    {
      config: { permissions: ['lots.read'], expands },
      schema: {
        operationId: 'listItems',
        summary: 'List items',
        tags,
        querystring: ItemListQuery,
        response: { 200: collection('Item') },
      },
    },
    async (request, reply) => {
      const page = await readPage(selectItems(contextOf(request), request.query), pagingOf(request))
      return sendPage(request, reply, page)
    },
  )
  app.get(
    '/items/:id',
    {
      config: { permissions: ['lots.read'], expands },
      schema: {
        operationId: 'getItem',
        summary: 'Read an item',
        tags,
        params: IdParameters,
        querystring: ItemQuery,
        response: { 200: single('Item') },
      },
    },
    async (request, reply) => {
      const record = await readRecord(
        selectItem(contextOf(request), pathId('item', request.params.id), request.query['expand[]']),
        conditionOf(request),
      )
      return sendAnswer(request, reply, record)
    },
  )
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
