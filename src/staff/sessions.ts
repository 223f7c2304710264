import { Type } from 'typebox'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { addLotsToSession } from '../lots/adding.ts'
import { delaySession } from '../sales/delay.ts'
import { renumberLots } from '../sales/order.ts'
import { changeSession, deleteSession } from '../sales/sessions.ts'
import { fieldError, inList, type Fields, checkOnlyTrue, checkCurrencies } from '../http/body/validation.ts'
import type { FieldError } from '../problems.ts'
import { serveList, serveRecord } from '../reads/operations.ts'
import { selectSession, selectSessions } from '../sessions/queries.ts'
import {
  permissionsOf,
  SessionListQuery,
  SessionQuery,
  SessionWriteQuery,
  StaffSessionWritten,
  SessionTerms,
} from '../sessions/schema.ts'
import { parseId, idPattern } from '../values/ids.ts'
import { single, Nullable, Int32, amountFrom, OnlyTrue, ReasonText } from '../values/shapes.ts'
import { serveWrite } from '../writes/operations.ts'
import { int32 } from '../values/bounds.ts'
import { AddedLots, mostNamedLots } from '../lots/schema.ts'
import { longestDelay } from '../values/timestamps.ts'
import { resultsModes, type ResultsMode } from '../context.ts'

/** The body of `PATCH /sessions/{id}`. */
const SessionChange = Type.Object(
  {
    published: Type.Optional(Type.Boolean()),
    customer_bidding_enabled: Type.Optional(Type.Boolean()),
    finished: OnlyTrue,
    early: Type.Optional(Type.Boolean({ description: 'Finish even while active timed lots have not closed.' })),
    allow_without_result: Type.Optional(Type.Boolean({ description: 'Finish even while lots have no result.' })),
    numbers_fixed: Type.Optional(
      Type.Boolean({
        description: 'The list is printed: the numbers of the lots no longer change. Only staff know it.',
      }),
    ),
    results: Type.Optional(
      Type.Unsafe<ResultsMode>({
        type: 'string',
        enum: [...resultsModes],
        description: 'Who records the results of its lots. It can change until the session opens. Only staff know it.',
      }),
    ),
    ...SessionTerms.properties,
  },
  { $id: 'SessionChange', additionalProperties: false },
)

/** The body of `POST /sessions/{id}/lots`. */
const LotsAddition = Type.Object(
  {
    lots: Type.Array(
      Type.Object(
        {
          item: Type.String({ pattern: idPattern('item') }),
          lot_number: Type.Optional(Int32),
          starting_bid: Type.Optional(Nullable(amountFrom(0))),
          again: Type.Optional(
            Type.Boolean({ description: 'The item may be sold, or in another lot without a result.' }),
          ),
          active: Type.Optional(Type.Boolean({ description: 'A late lot of a live session that has opened.' })),
        },
        { additionalProperties: false },
      ),
      { minItems: 1, maxItems: mostNamedLots },
    ),
  },
  { $id: 'LotsAddition', additionalProperties: false },
)

/** The body of `PATCH /sessions/{id}/order`. */
const LotsOrder = Type.Object(
  {
    lots: Type.Array(Type.String({ pattern: idPattern('lot') }), {
      maxItems: mostNamedLots,
      uniqueItems: true,
      description: 'Every unarchived lot of the session once, in the new order.',
    }),
    from: Type.Optional(Int32),
  },
  { $id: 'LotsOrder', additionalProperties: false },
)

/** The body of `POST /sessions/{id}/delay`. */
const SessionDelay = Type.Object(
  {
    seconds: Type.Integer({ minimum: 1, maximum: longestDelay, description: 'At most thirty days.' }),
    reason: ReasonText,
  },
  { $id: 'SessionDelay', additionalProperties: false },
)

// What the end accepts means nothing without the end.
const checkFinishing = ({ finished, ...body }: Fields): FieldError[] =>
  ['early', 'allow_without_result']
    .filter((name) => finished === undefined && body[name] !== undefined)
    .map((name) => fieldError(name, 'invalid', 'needs finished'))

// The last lot needs a number too.
const checkLast = ({ lots, from = 1 }: Fields): FieldError[] =>
  Array.isArray(lots) && typeof from === 'number' && from + lots.length - 1 > int32.maximum
    ? [fieldError('from', 'out_of_range', 'gives the last lot too large a number')]
    : []

// A write that answers with the session.
const writing = {
  tags: ['Sessions'],
  permissions: ['staff', 'auctions.read'],
  expands: { auction: ['auctions.read'] },
  problems: ['conflict'],
  query: SessionWriteQuery,
} as const

/** What staff do with a session. */
export const sessionRoutes: FastifyPluginAsyncTypebox = async (app) => {
  const { tags } = writing
  const expands = { ...writing.expands, counts: ['lots.read'] } as const
  const reading = { staff: true, tags, expands, weakens: ['counts'] } as const
  serveList(app, 'session', { ...reading, query: SessionListQuery, select: selectSessions })
  serveRecord(app, 'session', {
    ...reading,
    one: 'a session',
    query: SessionQuery,
    select: (context, uuid, query) => selectSession(context, uuid, query['expand[]']),
  })
  serveWrite(app, 'PATCH', '/sessions/:id', {
    ...writing,
    operationId: 'changeSession',
    summary: 'Prepare a session, publish it, let customers bid, or finish it',
    description:
      'Title, times, settings and increment strategy change until five minutes before the old and the new opening, and while no lot has had a bid; while the session is not published, and has no bid and no result, whatever its times are. The closing times of the lots change with them. An explicit increment_strategy also needs bidding_step_configurations.read.',
    body: SessionChange,
    check: (body) => [...checkOnlyTrue('finished')(body), ...checkFinishing(body)],
    needs: permissionsOf,
    answer: StaffSessionWritten,
    write(context, { id, body, query }) {
      const { early, allow_without_result: allowWithoutResult, ...changes } = body
      const { published, customer_bidding_enabled, finished, results, numbers_fixed, ...terms } = changes
      const flags = { published, customer_bidding_enabled, finished, results, numbers_fixed }
      const change = Object.keys(terms).length > 0 ? { ...flags, terms } : flags
      return changeSession(context, id, change, { early, allowWithoutResult }, query['expand[]'])
    },
  })
  serveWrite(app, 'DELETE', '/sessions/:id', {
    operationId: 'deleteSession',
    summary: 'Delete a session that is not published and has no lots',
    description: 'Its archived lots go with it, and its reference is free. A session with bids or results stays.',
    tags: writing.tags,
    permissions: writing.permissions,
    // It answers with nothing: the expansions are those whose tags If-Match may name.
    expands: { auction: [] },
    problems: ['conflict'],
    write: (context, { id }) => deleteSession(context, id),
  })
  serveWrite(app, 'PATCH', '/sessions/:id/order', {
    ...writing,
    operationId: 'orderLots',
    summary: 'Number the lots of a session while it is prepared',
    description: `Numbers follow one another, beginning at \`from\` (1 if it is left out). At most ${mostNamedLots} lots.`,
    bulk: true,
    body: LotsOrder,
    check: checkLast,
    answer: single('StaffSession'),
    write(context, { id, body: { lots, from = 1 }, query }) {
      const numbers = lots.map((lot, index) => ({ lot: parseId('lot', lot)!, lot_number: from + index }))
      return renumberLots(context, id, numbers, query['expand[]'])
    },
  })
  serveWrite(app, 'POST', '/sessions/:id/delay', {
    ...writing,
    operationId: 'delaySession',
    summary: 'Move the closes of all lots of a session that have not closed',
    description: 'By the same time, and never to an earlier one. Lots with bids move too.',
    body: SessionDelay,
    answer: single('StaffSession'),
    write: (context, { id, body, query }) => delaySession(context, id, body, query['expand[]']),
  })
  serveWrite(app, 'POST', '/sessions/:id/lots', {
    operationId: 'addLots',
    summary: 'Add lots to a session, all or none',
    description: `At most ${mostNamedLots}. A number that is left out is the highest of the session's and of the body's, plus one.`,
    tags: writing.tags,
    permissions: ['staff', 'lots.read'],
    status: 201,
    guarded: false,
    bulk: true,
    problems: ['conflict'],
    body: LotsAddition,
    check: (body, { house }) => checkCurrencies(house, body, 'lots', 'starting_bid'),
    answer: AddedLots,
    write(context, { id, body: { lots } }) {
      const added = lots.map(({ item, starting_bid, ...lot }) => {
        return { ...lot, item: parseId('item', item)!, starting_bid: starting_bid?.amount ?? null }
      })
      return inList('lots', addLotsToSession(context, id, added))
    },
  })
}
