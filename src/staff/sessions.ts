import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { addLotsToSession } from '../backoffice/lots/lots.ts'
import { delaySession } from '../backoffice/sales/delay.ts'
import { renumberLots } from '../backoffice/sales/order.ts'
import { changeSession, deleteSession } from '../backoffice/sales/sessions.ts'
import { requirePermissions } from '../http/access/authentication.ts'
import { fieldError, fieldsOf, parseBody, type Fields } from '../http/body/validation.ts'
import { pathId } from '../http/path.ts'
import type { FieldError } from '../problems.ts'
import { contextOf } from '../reads/context.ts'
import { serveList, serveRecord } from '../reads/operations.ts'
import { selectSession, selectSessions } from '../sessions/queries.ts'
import { SessionListQuery, SessionQuery, SessionWriteQuery, StaffSessionWritten } from '../sessions/schema.ts'
import { parseId } from '../values/ids.ts'
import { IdParameters, single } from '../values/shapes.ts'
import { sendWritten } from '../writes/writes.ts'
import {
  AddedLots,
  checkCurrency,
  checkOnlyTrue,
  LotsAddition,
  LotsOrder,
  mostLots,
  SessionChange,
  SessionDelay,
} from './schema.ts'

const tags = ['Sessions']

// What the end accepts means nothing without the end.
const checkFinishing = ({ finished, ...body }: Fields): FieldError[] =>
  ['early', 'allow_without_result']
    .filter((name) => finished === undefined && body[name] !== undefined)
    .map((name) => fieldError(name, 'invalid', 'needs finished'))

// The last lot needs a number too.
const checkLast = ({ lots, from = 1 }: Fields): FieldError[] =>
  Array.isArray(lots) && typeof from === 'number' && from + lots.length - 1 > 2_147_483_647
    ? [fieldError('from', 'out_of_range', 'gives the last lot too large a number')]
    : []

// The configuration of a write that answers with the session.
const writes = {
  permissions: ['staff', 'auctions.read'],
  expands: { auction: ['auctions.read'] },
  accepts: 'application/json',
  problems: ['conflict', 'validation-failed'],
} as const

/** What staff do with a session. */
export const sessionRoutes: FastifyPluginAsyncTypebox = async (app) => {
  const expands = { ...writes.expands, counts: ['lots.read'] } as const
  const reading = { staff: true, tags, expands, weakens: ['counts'] } as const
  serveList(app, 'session', { ...reading, query: SessionListQuery, select: selectSessions })
  serveRecord(app, 'session', {
    ...reading,
    one: 'a session',
    query: SessionQuery,
    select: (context, uuid, query) => selectSession(context, uuid, query['expand[]']),
  })
  app.patch(
    '/sessions/:id',
    {
      config: writes,
      schema: {
        operationId: 'changeSession',
        summary: 'Prepare a session, publish it, let customers bid, or finish it',
        description:
          'Title, times, settings and increment strategy change until five minutes before the old and the new opening, and while no lot has had a bid; while the session is not published, and has no bid and no result, whatever its times are. The closing times of the lots change with them. An explicit increment_strategy also needs bidding_step_configurations.read.',
        tags,
        params: IdParameters,
        querystring: SessionWriteQuery,
        body: SessionChange,
        response: { 200: StaffSessionWritten },
      },
    },
    async (request, reply) => {
      const check = (body: Fields) => [...checkOnlyTrue('finished')(body), ...checkFinishing(body)]
      const body = parseBody(SessionChange, request.body, 'PATCH', check)
      if (body.increment_strategy !== undefined)
        requirePermissions(request.credentials, ['bidding_step_configurations.read'])
      const { early, allow_without_result: allowWithoutResult, ...changes } = body
      const { published, customer_bidding_enabled, finished, numbers_fixed, ...terms } = changes
      const flags = { published, customer_bidding_enabled, finished, numbers_fixed }
      const change = Object.keys(terms).length > 0 ? { ...flags, terms } : flags
      const uuid = pathId('session', request.params.id)
      const accepted = { early, allowWithoutResult }
      const written = await changeSession(contextOf(request), uuid, change, accepted, request.query['expand[]'])
      return sendWritten(request, reply, written)
    },
  )
  app.delete(
    '/sessions/:id',
    {
      // It answers with nothing: the expansions are those whose tags If-Match may name.
      config: { status: 204, permissions: writes.permissions, expands: { auction: [] }, problems: ['conflict'] },
      schema: {
        operationId: 'deleteSession',
        summary: 'Delete a session that is not published and has no lots',
        description: 'Its archived lots go with it, and its reference is free. A session with bids or results stays.',
        tags,
        params: IdParameters,
        response: { 204: Type.Unsafe<undefined>({ type: 'null' }) },
      },
    },
    async (request, reply) => {
      const uuid = pathId('session', request.params.id)
      return sendWritten(request, reply, await deleteSession(contextOf(request), uuid))
    },
  )
  app.patch(
    '/sessions/:id/order',
    {
      config: { ...writes, bulk: true },
      schema: {
        operationId: 'orderLots',
        summary: 'Number the lots of a session while it is prepared',
        description: `Numbers follow one another, beginning at \`from\` (1 if it is left out). At most ${mostLots} lots.`,
        tags,
        params: IdParameters,
        querystring: SessionWriteQuery,
        body: LotsOrder,
        response: { 200: single('StaffSession') },
      },
    },
    async (request, reply) => {
      const { lots, from = 1 } = parseBody(LotsOrder, request.body, 'PATCH', checkLast)
      const uuid = pathId('session', request.params.id)
      const numbers = lots.map((lot, index) => ({ lot: parseId('lot', lot)!, lot_number: from + index }))
      const written = await renumberLots(contextOf(request), uuid, numbers, request.query['expand[]'])
      return sendWritten(request, reply, written)
    },
  )
  app.post(
    '/sessions/:id/delay',
    {
      config: writes,
      schema: {
        operationId: 'delaySession',
        summary: 'Move the closes of all lots of a session that have not closed',
        description: 'By the same time, and never to an earlier one. Lots with bids move too.',
        tags,
        params: IdParameters,
        querystring: SessionWriteQuery,
        body: SessionDelay,
        response: { 200: single('StaffSession') },
      },
    },
    async (request, reply) => {
      const delay = parseBody(SessionDelay, request.body, 'POST')
      const uuid = pathId('session', request.params.id)
      const written = await delaySession(contextOf(request), uuid, delay, request.query['expand[]'])
      return sendWritten(request, reply, written)
    },
  )
  app.post(
    '/sessions/:id/lots',
    {
      config: {
        status: 201,
        permissions: ['staff', 'lots.read'],
        accepts: 'application/json',
        guarded: false,
        bulk: true,
        problems: ['conflict', 'validation-failed'],
      },
      schema: {
        operationId: 'addLots',
        summary: 'Add lots to a session, all or none',
        description: `At most ${mostLots}. A number that is left out is the highest of the session's and of the body's, plus one.`,
        tags,
        params: IdParameters,
        body: LotsAddition,
        response: { 201: AddedLots },
      },
    },
    async (request, reply) => {
      const context = contextOf(request)
      const checkBids = ({ lots }: Fields) =>
        (Array.isArray(lots) ? lots : []).flatMap((lot, index) =>
          checkCurrency(context.house, `lots.${index}.starting_bid`, fieldsOf(lot)['starting_bid']),
        )
      const { lots } = parseBody(LotsAddition, request.body, 'POST', checkBids)
      const session = pathId('session', request.params.id)
      const added = lots.map(({ item, starting_bid, ...lot }) => {
        return { ...lot, item: parseId('item', item)!, starting_bid: starting_bid?.amount ?? null }
      })
      return sendWritten(request, reply, await addLotsToSession(context, session, added))
    },
  )
}
