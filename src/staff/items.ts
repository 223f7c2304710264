import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { selectItems } from '../items/queries.ts'
import { ItemListQuery } from '../items/schema.ts'
import { pagingOf, readPage, sendPage } from '../reads/answers.ts'
import { contextOf } from '../reads/context.ts'
import { collection } from '../values/shapes.ts'

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
        querystring: ItemListQuery,
        response: { 200: collection('Item') },
      },
    },
    async (request, reply) =>
      sendPage(request, reply, await readPage(selectItems(contextOf(request), request.query), pagingOf(request))),
  )
}
