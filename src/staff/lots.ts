import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { Static } from 'typebox'
import { changeLot, type LotChange as Change } from '../backoffice/lots/changes.ts'
import type { House } from '../context.ts'
import { fieldError, fieldsOf, type Fields } from '../http/body/validation.ts'
import { selectLot, selectLots } from '../lots/queries.ts'
import { LotQuery, StaffLotListQuery } from '../lots/schema.ts'
import { serveList, serveRecord } from '../reads/operations.ts'
import { single } from '../values/shapes.ts'
import { serveWrite } from '../writes/operations.ts'
import type { FieldError } from '../problems.ts'
import { parseTimestamp, wholeSeconds } from '../values/timestamps.ts'
import { toDecision } from './results.ts'
import { checkCurrency, checkOnlyTrue, LotChange } from './schema.ts'

const expands = {
  item: ['lots.read'],
  images: ['lots.read'],
  'item.images': ['lots.read'],
  session: ['auctions.read'],
} as const

const terms = ['reason', 'closes_at', 'correct']

// A result is not recorded and taken back at once, and an archived lot has none.
function checkResult(house: House, body: Fields): FieldError[] {
  const { result, archived, held, notice, notice_translations: notices } = body
  const stray = result === null ? [] : terms.filter((name) => body[name] !== undefined)
  const isTwice = notice !== undefined && fieldsOf(notices)[house.defaultLocale] !== undefined
  return [
    ...checkCurrency(house, 'result.amount', fieldsOf(result)['amount']),
    ...stray.map((name) => fieldError(name, 'invalid', 'is for a result of null')),
    ...(result !== undefined && archived !== undefined ? [fieldError('result', 'invalid', 'excludes archived')] : []),
    ...(result && held === true ? [fieldError('held', 'invalid', 'excludes a result')] : []),
    ...(isTwice ? [fieldError('notice', 'duplicate')] : []),
  ]
}

function toChanges(house: House, body: Static<typeof LotChange>): Change {
  const { archived, lot_number, starting_bid, held, notice, notice_translations, result, reason, closes_at, correct } =
    body
  const closesAt = closes_at === undefined ? undefined : wholeSeconds(parseTimestamp(closes_at)!)
  const hasNotices = notice !== undefined || notice_translations !== undefined
  return {
    archived,
    lot_number,
    held,
    ...(starting_bid !== undefined && { starting_bid: starting_bid?.amount ?? null }),
    ...(hasNotices && {
      notices: { ...notice_translations, ...(notice !== undefined && { [house.defaultLocale]: notice }) },
    }),
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
      ...checkCurrency(house, 'starting_bid', body['starting_bid']),
      ...checkResult(house, body),
    ],
    answer: single('StaffLot'),
    write: (context, { id, body, query }) => changeLot(context, id, toChanges(context.house, body), query['expand[]']),
  })
}
