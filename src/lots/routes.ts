import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { contextOf } from '../reads/context.ts'
import { pathId } from '../http/path.ts'
import { conditionOf } from '../reads/conditional.ts'
import { pagingOf, readPage, sendPage } from '../reads/page.ts'
import { readRecord, sendAnswer } from '../reads/record.ts'
import { sendWritten } from '../writes/written.ts'
import { parseBody } from '../http/body/validation.ts'
import { collection, IdParameters, single } from '../values/shapes.ts'
import { setLotActive } from './lots.ts'
import { selectLot, selectLots } from './queries.ts'
import { LotListQuery, LotQuery, LotUpdate } from './schema.ts'

const tags = ['Lots']
const expands = {
  item: ['lots.read'],
  images: ['lots.read'],
  'item.images': ['lots.read'],
  session: ['auctions.read'],
} as const

/** Section 4.3. */
export const lotRoutes: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    '/lots',
    {
      config: { permissions: ['lots.read'], expands },
      schema: {
        operationId: 'listLots',
        summary: 'List lots',
        tags,
        querystring: LotListQuery,
        response: { 200: collection('Lot') },
      },
    },
    async (request, reply) => {
      const page = await readPage(selectLots(contextOf(request), request.query), pagingOf(request))
      return sendPage(request, reply, page)
    },
  )
  app.get(
    '/lots/:id',
    {
      config: { permissions: ['lots.read'], expands },
      schema: {
        operationId: 'getLot',
        summary: 'Read a lot',
        tags,
        params: IdParameters,
        querystring: LotQuery,
        response: { 200: single('Lot') },
      },
    },
    async (request, reply) => {
      const record = await readRecord(
        selectLot(contextOf(request), pathId('lot', request.params.id), request.query['expand[]']),
        conditionOf(request),
      )
      return sendAnswer(request, reply, record)
    },
  )
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
}
