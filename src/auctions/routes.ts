import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { contextOf } from '../reads/context.ts'
import { pathId } from '../http/path.ts'
import { serveList, serveRecord } from '../reads/operations.ts'
import { sendWritten } from '../writes/writes.ts'
import { parseBody } from '../http/body/validation.ts'
import { IdParameters, single } from '../values/shapes.ts'
import { createAuction, updateAuction } from './auctions.ts'
import { selectAuction, selectAuctions } from './queries.ts'
import { AuctionCreate, AuctionListQuery, AuctionQuery, AuctionUpdate } from './schema.ts'

const tags = ['Auctions']
const expands = { sessions: ['auctions.read'] } as const
const writing = { permissions: ['auctions.write', 'auctions.read'], expands, accepts: 'application/json' } as const

/** The auctions of section 4.2. */
export const auctionRoutes: FastifyPluginAsyncTypebox = async (app) => {
  serveList(app, 'auction', { tags, expands, query: AuctionListQuery, select: selectAuctions })
  app.post(
    '/auctions',
    {
      config: { status: 201, ...writing, problems: ['duplicate-reference', 'validation-failed'] },
      schema: {
        operationId: 'createAuction',
        summary: 'Create a draft auction',
        tags,
        querystring: AuctionQuery,
        body: AuctionCreate,
        response: { 201: single('Auction') },
      },
    },
    async (request, reply) => {
      const body = parseBody(AuctionCreate, request.body, 'POST')
      return sendWritten(request, reply, await createAuction(contextOf(request), body, request.query['expand[]']))
    },
  )
  serveRecord(app, 'auction', {
    tags,
    one: 'an auction',
    expands,
    query: AuctionQuery,
    select: (context, uuid, query) => selectAuction(context, uuid, query['expand[]']),
  })
  app.patch(
    '/auctions/:id',
    {
      config: { ...writing, problems: ['auction-published', 'validation-failed'] },
      schema: {
        operationId: 'updateAuction',
        summary: 'Change the text of a draft auction',
        tags,
        params: IdParameters,
        querystring: AuctionQuery,
        body: AuctionUpdate,
        response: { 200: single('Auction') },
      },
    },
    async (request, reply) => {
      const uuid = pathId('auction', request.params.id)
      const written = await updateAuction(contextOf(request), uuid, request.body, request.query['expand[]'])
      return sendWritten(request, reply, written)
    },
  )
}
