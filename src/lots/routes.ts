import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { serveList, serveRecord } from '../reads/operations.ts'
import { parsedByRule, serveWrite } from '../writes/operations.ts'
import { single } from '../values/shapes.ts'
import { setLotActive, setLotsOfSessionActive } from './switching.ts'
import { selectLot, selectLots } from './queries.ts'
import { lotExpands as expands, LotListQuery, LotQuery, LotUpdate, SessionLotsUpdate } from './schema.ts'

const tags = ['Lots']

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
  serveWrite(app, 'PATCH', '/lots/:id', {
    operationId: 'updateLot',
    summary: 'Switch a lot on or off while its session is prepared',
    tags,
    permissions: ['lots.write', 'lots.read'],
    expands,
    problems: ['lot-not-changeable'],
    query: LotQuery,
    body: LotUpdate,
    answer: single('Lot'),
    write: (context, { id, body, query }) => setLotActive(context, id, body.active, query['expand[]']),
  })
  serveWrite(app, 'PATCH', '/sessions/:id/lots', {
    operationId: 'updateLotsOfSession',
    summary: 'Switch lots of a session on or off together while it is prepared',
    description: 'All of them or none, by the rules of one lot.',
    tags,
    permissions: ['lots.write', 'lots.read'],
    guarded: false,
    problems: ['lot-not-changeable'],
    body: SessionLotsUpdate,
    parse: parsedByRule,
    answer: single('SwitchedLots'),
    write: (context, { id, body }) => setLotsOfSessionActive(context, id, body),
  })
}
