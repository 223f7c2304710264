import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { selectItems } from '../items/queries.ts'
import { archiveItem } from '../items/items.ts'
import { ItemQuery } from '../items/schema.ts'
import { pagingOf, readPage, sendPage } from '../reads/answers.ts'
import { contextOf } from '../reads/context.ts'
import { parseBody } from '../http/body/validation.ts'
import { pathId } from '../http/path.ts'
import { collection, IdParameters, single } from '../values/shapes.ts'
import { sendWritten } from '../writes/writes.ts'
import { checkOnlyTrue, ItemArchival, ItemSearch } from './schema.ts'

/** The items of the house. */
export const itemRoutes: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    '/items',
    {
      config: { permissions: ['staff', 'lots.read'], expands: { images: ['lots.read'] } },
      schema: {
        operationId: 'findItems',
        summary: 'List items',
        tags: ['Items'],
        querystring: ItemSearch,
        response: { 200: collection('Item') },
      },
    },
    async (request, reply) =>
      sendPage(request, reply, await readPage(selectItems(contextOf(request), request.query), pagingOf(request))),
  )
  app.patch(
    '/items/:id',
    {
      config: {
        permissions: ['staff', 'lots.read'],
        expands: { images: ['lots.read'] },
        accepts: 'application/json',
        problems: ['conflict', 'validation-failed'],
      },
      schema: {
        operationId: 'archiveItem',
        summary: 'Archive an item that no lot without a result offers',
        tags: ['Items'],
        params: IdParameters,
        querystring: ItemQuery,
        body: ItemArchival,
        response: { 200: single('Item') },
      },
    },
    async (request, reply) => {
      parseBody(ItemArchival, request.body, 'PATCH', checkOnlyTrue('archived'))
      const uuid = pathId('item', request.params.id)
      return sendWritten(request, reply, await archiveItem(contextOf(request), uuid, request.query['expand[]']))
    },
  )
}
