import { Type, type Static } from 'typebox'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { changeLot, changeLots, type LotChange as Change } from '../lots/changes.ts'
import type { House } from '../context.ts'
import {
  fieldError,
  fieldsOf,
  inList,
  type Fields,
  checkOnlyTrue,
  checkCurrency,
  checkRepeated,
} from '../http/body/validation.ts'
import { selectLot, selectLots } from '../lots/queries.ts'
import { lotExpands as expands, LotQuery, StaffLotListQuery, AddedLots, mostNamedLots } from '../lots/schema.ts'
import { serveList, serveRecord } from '../reads/operations.ts'
import type { LotTerms } from '../lots/terms.ts'
import { parseId, idPattern } from '../values/ids.ts'
import { single, Nullable, Int32, ByLocale, amountFrom, OnlyTrue, ReasonText } from '../values/shapes.ts'
import { serveWrite } from '../writes/operations.ts'
import type { FieldError } from '../problems.ts'
import { parseTimestamp, wholeSeconds } from '../values/timestamps.ts'
import { DecisionBody, toDecision } from './results.ts'

const notice = Nullable(Type.String({ pattern: '\\S', 'x-max-bytes': 1024 }))

// What staff set of a lot before its result.
const lotTerms = {
  starting_bid: Type.Optional(Nullable(amountFrom(0))),
  held: Type.Optional(Type.Boolean()),
  notice: Type.Optional(notice),
  notice_translations: Type.Optional(ByLocale(notice)),
}

/** The body of `PATCH /sessions/{id}/lots`. */
const LotsChange = Type.Object(
  {
    lots: Type.Array(
      Type.Object({ lot: Type.String({ pattern: idPattern('lot') }), ...lotTerms }, { additionalProperties: false }),
      {
        minItems: 1,
        maxItems: mostNamedLots,
      },
    ),
  },
  { $id: 'LotsChange', additionalProperties: false },
)

/** The body of `PATCH /lots/{id}`. `reason`, `closes_at` and `correct` are for a result that is taken back. */
const LotChange = Type.Object(
  {
    lot_number: Type.Optional(Int32),
    ...lotTerms,
    archived: OnlyTrue,
    result: Type.Optional(Nullable(DecisionBody)),
    reason: Type.Optional(ReasonText),
    closes_at: Type.Optional(Type.String({ format: 'date-time' })),
    correct: Type.Optional(Type.Boolean()),
  },
  { $id: 'LotChange', additionalProperties: false },
)

const terms = ['reason', 'closes_at', 'correct']

// A result is not recorded and taken back at once, and an archived lot has none.
function checkResult(house: House, body: Fields): FieldError[] {
  const { result, archived, held } = body
  const stray = result === null ? [] : terms.filter((name) => body[name] !== undefined)
  return [
    ...checkCurrency(house, 'result.amount', fieldsOf(result)['amount']),
    ...stray.map((name) => fieldError(name, 'invalid', 'is for a result of null')),
    ...(result !== undefined && archived !== undefined ? [fieldError('result', 'invalid', 'excludes archived')] : []),
    ...(result && held === true ? [fieldError('held', 'invalid', 'excludes a result')] : []),
  ]
}

// `before`: the path of the element of a list.
function checkTerms(house: House, body: Fields, before = ''): FieldError[] {
  const isTwice =
    body['notice'] !== undefined && fieldsOf(body['notice_translations'])[house.defaultLocale] !== undefined
  return [
    ...checkCurrency(house, `${before}starting_bid`, body['starting_bid']),
    ...(isTwice ? [fieldError(`${before}notice`, 'duplicate')] : []),
  ]
}

const checkLots = (house: House, { lots }: Fields): FieldError[] =>
  (Array.isArray(lots) ? lots : []).flatMap((lot, index) => checkTerms(house, fieldsOf(lot), `lots.${index}.`))

type Terms = Pick<Static<typeof LotChange>, 'starting_bid' | 'held' | 'notice' | 'notice_translations'>

function toTerms(house: House, { starting_bid, held, notice, notice_translations }: Terms): LotTerms {
  const hasNotices = notice !== undefined || notice_translations !== undefined
  return {
    held,
    ...(starting_bid !== undefined && { starting_bid: starting_bid?.amount ?? null }),
    ...(hasNotices && {
      notices: { ...notice_translations, ...(notice !== undefined && { [house.defaultLocale]: notice }) },
    }),
  }
}

function toChange(house: House, body: Static<typeof LotChange>): Change {
  const { archived, lot_number, result, reason, closes_at, correct } = body
  const closesAt = closes_at === undefined ? undefined : wholeSeconds(parseTimestamp(closes_at)!)
  return {
    ...toTerms(house, body),
    archived,
    lot_number,
    ...(result && { result: toDecision(result) }),
    ...(result === null && { reopening: { reason, correct, closesAt } }),
  }
}

/** What staff do with a lot. */
export const lotRoutes: FastifyPluginAsyncTypebox = async (app) => {
  const reading = { staff: true, tags: ['Lots'], expands } as const
  serveList(app, 'lot', { ...reading, query: StaffLotListQuery, select: selectLots })
  serveRecord(app, 'lot', {
    ...reading,
    one: 'a lot',
    query: LotQuery,
    select: (context, uuid, query) => selectLot(context, uuid, query['expand[]']),
  })
  serveWrite(app, 'PATCH', '/lots/:id', {
    operationId: 'changeLot',
    summary: 'Correct, number, hold, announce, decide or archive a lot',
    tags: ['Lots'],
    permissions: ['staff', 'lots.read'],
    expands,
    problems: ['conflict'],
    query: LotQuery,
    body: LotChange,
    check: (body, { house }) => [
      ...checkOnlyTrue('archived')(body),
      ...checkTerms(house, body),
      ...checkResult(house, body),
    ],
    answer: single('StaffLot'),
    write: (context, { id, body, query }) => changeLot(context, id, toChange(context.house, body), query['expand[]']),
  })
  serveWrite(app, 'PATCH', '/sessions/:id/lots', {
    operationId: 'changeLots',
    summary: 'Set starting bids, holds and notices of lots of a session, all or none',
    description: `At most ${mostNamedLots} lots, by the rules of one. Answers with the lots in the order of the body.`,
    tags: ['Sessions'],
    permissions: ['staff', 'lots.read'],
    guarded: false,
    bulk: true,
    problems: ['conflict'],
    body: LotsChange,
    check: (body, { house }) => [...checkRepeated(body, 'lots', 'lot'), ...checkLots(house, body)],
    answer: AddedLots,
    write(context, { id, body: { lots } }) {
      const changes = lots.map(({ lot, ...terms }) => ({ ...toTerms(context.house, terms), lot: parseId('lot', lot)! }))
      return inList('lots', changeLots(context, changes, id))
    },
  })
}
