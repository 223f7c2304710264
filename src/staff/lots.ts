import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { changeLot } from '../backoffice/lots.ts'
import { parseBody, type Fields } from '../http/body/validation.ts'
import { pathId } from '../http/path.ts'
import { LotQuery } from '../lots/schema.ts'
import { contextOf } from '../reads/context.ts'
import { IdParameters, single } from '../values/shapes.ts'
import { sendWritten } from '../writes/writes.ts'
import { checkCurrency, checkOnlyTrue, LotChange } from './schema.ts'

const expands = {
  item: ['lots.read'],
  images: ['lots.read'],
  'item.images': ['lots.read'],
  session: ['auctions.read'],
} as const

/** What staff do with a lot. */
export const lotRoutes: FastifyPluginAsyncTypebox = async (app) => {
  app.patch(
    '/lots/:id',
    {
      config: {
        permissions: ['staff', 'lots.read'],
        expands,
        accepts: 'application/json',
        problems: ['conflict', 'validation-failed'],
      },
      schema: {
        operationId: 'changeLot',
        summary: 'Correct the starting bid of a lot, or archive the lot',
        tags: ['Lots'],
        params: IdParameters,
        querystring: LotQuery,
        body: LotChange,
        response: { 200: single('Lot') },
      },
    },
    async (request, reply) => {
      const context = contextOf(request)
      const check = (body: Fields) => [
        ...checkOnlyTrue('archived')(body),
        ...checkCurrency(context.house, 'starting_bid', body['starting_bid']),
      ]
      const { starting_bid: bid, archived } = parseBody(LotChange, request.body, 'PATCH', check)
      const change = { archived, starting_bid: bid === undefined ? undefined : (bid?.amount ?? null) }
      const uuid = pathId('lot', request.params.id)
      return sendWritten(request, reply, await changeLot(context, uuid, change, request.query['expand[]']))
    },
  )
}
