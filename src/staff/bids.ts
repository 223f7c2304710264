import { Type } from 'typebox'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { cancelBid, placeBid } from '../lots/bids.ts'
import { pathId } from '../http/path.ts'
import { pagingOf, readPage, sendPage } from '../reads/answers.ts'
import { contextOf } from '../reads/context.ts'
import { printId } from '../values/ids.ts'
import { collection, IdParameters, single, Nullable, Id, Timestamp, amountFrom, ReasonText } from '../values/shapes.ts'
import { serveWrite } from '../writes/operations.ts'
import { selectBids, countBids } from '../lots/bid-queries.ts'
import { checkCurrency } from '../http/body/validation.ts'
import { pageParameters } from '../http/query.ts'

/** A bid. */
export const Bid = Type.Object(
  {
    id: Nullable(Type.String({ pattern: '^bid_[0-9a-f-]{36}$' })),
    lot: Id('lot'),
    amount: Type.Ref('Money'),
    placed_at: Nullable(Timestamp),
    cancelled_at: Nullable(Timestamp),
    cancel_reason: Nullable(Type.String()),
  },
  { $id: 'Bid' },
)

/** The answer of `GET /sessions/{id}/bids`. */
const BidCounts = Type.Object(
  { data: Type.Array(Type.Object({ lot: Id('lot'), bids: Type.Integer({ minimum: 1 }) })) },
  { $id: 'BidCounts' },
)

/** The body of `POST /lots/{id}/bids`. */
const BidCreate = Type.Object({ amount: amountFrom(1) }, { $id: 'BidCreate', additionalProperties: false })

/** The answer to a bid: the lot, with `staff` for a key that has not `bids` alone. */
const BiddenLot = Type.Object(
  { data: Type.Union([Type.Ref('StaffLot'), Type.Ref('Lot')]) },
  { $id: 'BiddenLotResponse' },
)

/** The body of `POST /bids/{id}/cancel`. */
const BidCancellation = Type.Object({ reason: ReasonText }, { $id: 'BidCancellation', additionalProperties: false })

const tags = ['Lots']

/** The bids on lots. */
export const bidRoutes: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    '/lots/:id/bids',
    {
      config: { permissions: ['staff', 'lots.read'] },
      schema: {
        operationId: 'listBids',
        summary: 'List the bids on a lot, the latest first',
        tags,
        params: IdParameters,
        querystring: Type.Object(pageParameters),
        response: { 200: collection('Bid') },
      },
    },
    async (request, reply) => {
      const selection = await selectBids(contextOf(request), pathId('lot', request.params.id))
      return sendPage(request, reply, await readPage(selection, pagingOf(request)))
    },
  )
  app.get(
    '/sessions/:id/bids',
    {
      config: { permissions: ['staff', 'lots.read'] },
      schema: {
        operationId: 'countBids',
        summary: 'Count the bids on the lots of a session',
        description: 'All lots that have bids, without pages. Cancelled bids and archived lots do not count.',
        tags: ['Sessions'],
        params: IdParameters,
        response: { 200: BidCounts },
      },
    },
    async (request, reply) => {
      const counts = await countBids(contextOf(request), pathId('session', request.params.id))
      return reply.send({ data: counts.map(({ lot, bids }) => ({ lot: printId('lot', lot), bids })) })
    },
  )
  serveWrite(app, 'POST', '/lots/:id/bids', {
    operationId: 'placeBid',
    summary: 'Place a bid on a lot',
    description:
      'Answers with the lot; for a key with `bids` alone without `staff`. A bid that is too low is `out_of_range` at `amount`, with the least amount as `minimum`. A refused bid has its row in the journal too.',
    tags,
    permissions: ['staff', 'lots.read'],
    orPermission: 'bids',
    problems: ['conflict'],
    body: BidCreate,
    check: ({ amount }, { house }) => checkCurrency(house, 'amount', amount),
    answer: BiddenLot,
    write: (context, { id, body }) => placeBid(context, { lot: id, amount: body.amount.amount }),
  })
  serveWrite(app, 'POST', '/bids/:id/cancel', {
    operationId: 'cancelBid',
    summary: 'Cancel a bid on a lot without a result',
    description: 'The bid stays, marked. Answers with the lot, whose highest bid is the highest one left.',
    tags,
    permissions: ['staff', 'lots.read'],
    problems: ['conflict'],
    body: BidCancellation,
    answer: single('StaffLot'),
    write: (context, { id, body }) => cancelBid(context, { bid: id, reason: body.reason }),
  })
}
