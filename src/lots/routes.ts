import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { contextOf } from '../reads/context.ts'
import { pathId } from '../http/path.ts'
import { serveList, serveRecord } from '../reads/operations.ts'
import { sendWritten } from '../writes/writes.ts'
import { parseBody } from '../http/body/validation.ts'
import { IdParameters, single } from '../values/shapes.ts'
import { setLotActive, setLotsOfSessionActive } from './lots.ts'
import { selectLot, selectLots } from './queries.ts'
import { LotListQuery, LotQuery, LotUpdate, SessionLotsUpdate } from './schema.ts'

const tags = ['Lots']
const expands = {
  item: ['lots.read'],
  images: ['lots.read'],
  'item.images': ['lots.read'],
  session: ['auctions.read'],
} as const

/** Section 4.3. */
export const lotRoutes: FastifyPluginAsyncTypebox = async (app) => {
  serveList(app, 'lot', { tags, expands, query: LotListQuery, select: selectLots })
  serveRecord(app, 'lot', {
    tags,
    one: 'a lot',
    expands,
    query: LotQuery,
    select: (context, uuid, query) => selectLot(context, uuid, query['expand[]']),
  })
  app.patch(
    '/lots/:id',
    {
      config: {
        permissions: ['lots.write', 'lots.read'],
        expands,
        accepts: 'application/json',
        problems: ['lot-not-changeable', 'validation-failed'],
      },
      schema: {
        operationId: 'updateLot',
        summary: 'Switch a lot on or off while its session is prepared',
        tags,
        params: IdParameters,
        querystring: LotQuery,
        body: LotUpdate,
        response: { 200: single('Lot') },
      },
    },
    async (request, reply) => {
      const { active } = parseBody(LotUpdate, request.body, 'PATCH')
      const uuid = pathId('lot', request.params.id)
      const written = await setLotActive(contextOf(request), uuid, active, request.query['expand[]'])
      return sendWritten(request, reply, written)
    },
  )
  app.patch(
    '/sessions/:id/lots',
    {
      config: {
        permissions: ['lots.write', 'lots.read'],
        accepts: 'application/json',
        guarded: false,
        problems: ['lot-not-changeable', 'validation-failed'],
      },
      schema: {
        operationId: 'updateLotsOfSession',
        summary: 'Switch lots of a session on or off together while it is prepared',
        description: 'All of them or none, by the rules of one lot.',
        tags,
        params: IdParameters,
        body: SessionLotsUpdate,
        response: { 200: single('SwitchedLots') },
      },
    },
    async (request, reply) => {
      const uuid = pathId('session', request.params.id)
      return sendWritten(request, reply, await setLotsOfSessionActive(contextOf(request), uuid, request.body))
    },
  )
}
