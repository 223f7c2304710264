import { Type } from 'typebox'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { AuctionQuery } from '../auctions/schema.ts'
import { changeAuction } from '../auctions/auctions.ts'
import { single, OnlyTrue } from '../values/shapes.ts'
import { serveWrite } from '../writes/operations.ts'
import { checkOnlyTrue } from '../http/body/validation.ts'

/** The body of `PATCH /auctions/{id}`. */
const AuctionChange = Type.Object(
  { published: Type.Optional(Type.Boolean()), archived: OnlyTrue },
  { $id: 'AuctionChange', additionalProperties: false },
)

/** What staff do with an auction. */
export const auctionRoutes: FastifyPluginAsyncTypebox = async (app) => {
  serveWrite(app, 'PATCH', '/auctions/:id', {
    operationId: 'changeAuction',
    summary: 'Publish an auction, take it back, or archive it',
    tags: ['Auctions'],
    permissions: ['staff', 'auctions.read'],
    expands: { sessions: ['auctions.read'] },
    problems: ['conflict'],
    query: AuctionQuery,
    body: AuctionChange,
    check: checkOnlyTrue('archived'),
    answer: single('Auction'),
    write: (context, { id, body, query }) => changeAuction(context, id, body, query['expand[]']),
  })
}
