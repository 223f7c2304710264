import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { contextOf, pathId, sendPage, sendRecord } from '../http/pages.ts'
import { collection, IdParameters, single } from '../values/shapes.ts'
import { listSellers, readSeller } from './queries.ts'
import { SellerListQuery } from './schema.ts'

const tags = ['Sellers']
const config = { permissions: ['seller_profiles.read'] } as const

/** Section 4.5. */
export const sellerRoutes: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    '/sellers',
    {
      config,
      schema: {
        operationId: 'listSellers',
        summary: 'List sellers',
        tags,
        querystring: SellerListQuery,
        response: { 200: collection('Seller') },
      },
    },
    (request, reply) => sendPage(request, reply, (context, page) => listSellers(context, request.query, page)),
  )
  app.get(
    '/sellers/:id',
    {
      config,
      schema: {
        operationId: 'getSeller',
        summary: 'Read a seller',
        tags,
        params: IdParameters,
        response: { 200: single('Seller') },
      },
    },
    async (request, reply) =>
      sendRecord(reply, await readSeller(contextOf(request), pathId('seller', request.params.id))),
  )
}
