import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { contextOf } from '../reads/context.ts'
import { pathId } from '../http/path.ts'
import { conditionOf } from '../reads/conditional.ts'
import { pagingOf, readPage, sendPage } from '../reads/page.ts'
import { readRecord, sendAnswer } from '../reads/record.ts'
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
    async (request, reply) => {
      const page = await readPage(selectSellers(contextOf(request), request.query), pagingOf(request))
      return sendPage(request, reply, page)
    },
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
    async (request, reply) => {
      const record = await readRecord(
        selectSeller(contextOf(request), pathId('seller', request.params.id)),
        conditionOf(request),
      )
      return sendAnswer(request, reply, record)
    },
  )
}
