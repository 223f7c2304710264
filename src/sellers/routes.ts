import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { pathId } from '../request/path.ts'
import { sendPage } from '../response/page.ts'
import { sendRecord } from '../response/record.ts'
import { collection, IdParameters, single } from '../values/shapes.ts'
import { selectSeller, selectSellers } from './queries.ts'
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
    (request, reply) => sendPage(request, reply, (context) => selectSellers(context, request.query)),
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
    (request, reply) =>
      sendRecord(request, reply, (context) => selectSeller(context, pathId('seller', request.params.id))),
  )
}
