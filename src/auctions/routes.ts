import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { contextOf, pathId, sendPage, sendRecord } from '../http/pages.ts'
import { collection, IdParameters, single } from '../values/shapes.ts'
import { listAuctions, readAuction } from './queries.ts'
import { AuctionListQuery, AuctionQuery } from './schema.ts'

const tags = ['Auctions']
const expands = { sessions: ['auctions.read'] } as const

/** The auctions of section 4.2. */
export const auctionRoutes: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    '/auctions',
    {
      config: { permissions: ['auctions.read'], expands },
      schema: {
        operationId: 'listAuctions',
        summary: 'List auctions',
        tags,
        querystring: AuctionListQuery,
        response: { 200: collection('Auction') },
      },
    },
    (request, reply) =>
      sendPage(request, reply, (context, page) =>
        listAuctions(context, request.query, request.query['expand[]'], page),
      ),
  )
  app.get(
    '/auctions/:id',
    {
      config: { permissions: ['auctions.read'], expands },
      schema: {
        operationId: 'getAuction',
        summary: 'Read an auction',
        tags,
        params: IdParameters,
        querystring: AuctionQuery,
        response: { 200: single('Auction') },
      },
    },
    async (request, reply) =>
      sendRecord(
        reply,
        await readAuction(contextOf(request), pathId('auction', request.params.id), request.query['expand[]']),
      ),
  )
}
