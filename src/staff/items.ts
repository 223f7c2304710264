import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { selectItems } from '../items/queries.ts'
import { archiveItem } from '../items/items.ts'
import { ItemQuery } from '../items/schema.ts'
import { pagingOf, readPage, sendPage } from '../reads/answers.ts'
import { contextOf } from '../reads/context.ts'
import { collection, single } from '../values/shapes.ts'
import { serveWrite } from '../writes/operations.ts'
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
  serveWrite(app, 'PATCH', '/items/:id', {
    operationId: 'archiveItem',
    summary: 'Archive an item that no lot without a result offers',
    tags: ['Items'],
    permissions: ['staff', 'lots.read'],
    expands: { images: ['lots.read'] },
    problems: ['conflict'],
    query: ItemQuery,
    body: ItemArchival,
    check: checkOnlyTrue('archived'),
    answer: single('Item'),
    write: (context, { id, query }) => archiveItem(context, id, query['expand[]']),
  })
}
