import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { contextOf, pathId, sendPage, sendRecord } from '../http/pages.ts'
import { collection, IdParameters, single } from '../values/shapes.ts'
import { listItems, readItem } from './queries.ts'
import { ItemListQuery, ItemQuery } from './schema.ts'

const tags = ['Items']
const expands = { images: ['lots.read'] } as const

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
    (request, reply) =>
      sendPage(request, reply, (context, page) => listItems(context, request.query, request.query['expand[]'], page)),
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
    async (request, reply) =>
      sendRecord(
        reply,
        await readItem(contextOf(request), pathId('item', request.params.id), request.query['expand[]']),
      ),
  )
}
