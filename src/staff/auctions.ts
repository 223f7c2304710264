import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { AuctionQuery } from '../auctions/schema.ts'
import { changeAuction } from '../backoffice/sales/auctions.ts'
import { parseBody } from '../http/body/validation.ts'
import { pathId } from '../http/path.ts'
import { contextOf } from '../reads/context.ts'
import { IdParameters, single } from '../values/shapes.ts'
import { sendWritten } from '../writes/writes.ts'
import { AuctionChange, checkOnlyTrue } from './schema.ts'

/** What staff do with an auction. */
export const auctionRoutes: FastifyPluginAsyncTypebox = async (app) => {
  app.patch(
    '/auctions/:id',
    {
      config: {
        permissions: ['staff', 'auctions.read'],
        expands: { sessions: ['auctions.read'] },
        accepts: 'application/json',
        problems: ['conflict', 'validation-failed'],
      },
      schema: {
        operationId: 'changeAuction',
        summary: 'Publish an auction, take it back, or archive it',
        tags: ['Auctions'],
        params: IdParameters,
        querystring: AuctionQuery,
        body: AuctionChange,
        response: { 200: single('Auction') },
      },
    },
    async (request, reply) => {
      const change = parseBody(AuctionChange, request.body, 'PATCH', checkOnlyTrue('archived'))
      const uuid = pathId('auction', request.params.id)
      const written = await changeAuction(contextOf(request), uuid, change, request.query['expand[]'])
      return sendWritten(request, reply, written)
    },
  )
}
