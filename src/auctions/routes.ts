import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { serveList, serveRecord } from '../reads/operations.ts'
import { parsedByRule, serveWrite } from '../writes/operations.ts'
import { single } from '../values/shapes.ts'
import { createAuction, changeDraftAuction } from './auctions.ts'
import { selectAuction, selectAuctions } from './queries.ts'
import { AuctionCreate, AuctionListQuery, AuctionQuery, AuctionUpdate } from './schema.ts'

const tags = ['Auctions']
const expands = { sessions: ['auctions.read'] } as const
const writing = {
  tags,
  permissions: ['auctions.write', 'auctions.read'],
  expands,
  query: AuctionQuery,
  answer: single('Auction'),
} as const

/** The auctions of section 4.2. */
export const auctionRoutes: FastifyPluginAsyncTypebox = async (app) => {
  serveList(app, 'auction', { tags, expands, query: AuctionListQuery, select: selectAuctions })
  serveWrite(app, 'POST', '/auctions', {
    ...writing,
    operationId: 'createAuction',
    summary: 'Create a draft auction',
    status: 201,
    problems: ['duplicate-reference'],
    body: AuctionCreate,
    write: (context, { body, query }) => createAuction(context, body, query['expand[]']),
  })
  serveRecord(app, 'auction', {
    tags,
    one: 'an auction',
    expands,
    query: AuctionQuery,
    select: (context, uuid, query) => selectAuction(context, uuid, query['expand[]']),
  })
  serveWrite(app, 'PATCH', '/auctions/:id', {
    ...writing,
    operationId: 'updateAuction',
    summary: 'Change the text of a draft auction',
    problems: ['auction-published'],
    body: AuctionUpdate,
    parse: parsedByRule,
    write: (context, { id, body, query }) => changeDraftAuction(context, id, body, query['expand[]']),
  })
}
