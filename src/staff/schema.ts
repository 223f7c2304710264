import { Type } from 'typebox'
import { fieldError, fieldsOf, type Fields } from '../http/body/validation.ts'
import { pageParameters, textFilter } from '../http/query.ts'
import { ItemListQuery, links, staffItemFilters } from '../items/schema.ts'
import { mostSteps, shortBytes } from '../values/bounds.ts'
import { resultsModes, type House, type ResultsMode } from '../context.ts'
import type { FieldError } from '../problems.ts'
import { SessionTerms } from '../sessions/schema.ts'
import { idPattern } from '../values/ids.ts'
import { mostEstimate } from '../values/money.ts'
import { resultStates, type ResultState } from '../values/offers.ts'
import { subjectPattern } from '../writes/journal.ts'
import { longestReason } from '../values/text.ts'
import { longestDelay } from '../values/timestamps.ts'
import { ByLocale, Id, Int32, Nullable, Timestamp } from '../values/shapes.ts'

// A switch that is not taken back.
const onlyTrue = Type.Optional(Type.Unsafe<true>({ type: 'boolean', const: true }))

/** Refuses false for switches that are not taken back. */
export function checkOnlyTrue(...names: string[]) {
  return (body: Fields): FieldError[] =>
    names.filter((name) => body[name] === false).map((name) => fieldError(name, 'invalid', 'can only be true'))
}

/** An amount in a body. */
const amountOf = (minimum: number, maximum = Number.MAX_SAFE_INTEGER) =>
  Type.Object({ amount: Type.Integer({ minimum, maximum }), currency: Type.String() }, { additionalProperties: false })

/** Refuses an amount of another currency than the house's. The value may have any shape. */
export function checkCurrency({ currency }: House, field: string, value: unknown): FieldError[] {
  const given = fieldsOf(value).currency
  return typeof given === 'string' && given !== currency
    ? [fieldError(`${field}.currency`, 'currency_mismatch', `must be ${currency}`)]
    : []
}

/** The body of `PATCH /auctions/{id}`. */
export const AuctionChange = Type.Object(
  { published: Type.Optional(Type.Boolean()), archived: onlyTrue },
  { $id: 'AuctionChange', additionalProperties: false },
)

/** The body of `PATCH /sessions/{id}`. */
export const SessionChange = Type.Object(
  {
    published: Type.Optional(Type.Boolean()),
    customer_bidding_enabled: Type.Optional(Type.Boolean()),
    finished: onlyTrue,
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

/** The body of `PATCH /items/{id}`. */
export const ItemArchival = Type.Object(
  { archived: Type.Unsafe<true>({ type: 'boolean', const: true }) },
  { $id: 'ItemArchival', additionalProperties: false },
)

/** The most items of one body. */
export const mostItems = 5_000

/** The body of `PATCH /items`. */
export const ItemsChange = Type.Object(
  {
    items: Type.Array(
      Type.Object({ item: Type.String({ pattern: idPattern('item') }), ...links }, { additionalProperties: false }),
      {
        minItems: 1,
        maxItems: mostItems,
      },
    ),
  },
  { $id: 'ItemsChange', additionalProperties: false },
)

/** The answer to `PATCH /items`: the items in the order of the body. */
export const ChangedItems = Type.Object({ data: Type.Array(Type.Ref('Item')) }, { $id: 'ChangedItems' })

/** The query of `GET /items`. */
export const ItemSearch = Type.Object({
  ...ItemListQuery.properties,
  ...staffItemFilters,
})

/** The most lots of one body. */
export const mostLots = 5_000

/** The body of `POST /sessions/{id}/lots`. */
export const LotsAddition = Type.Object(
  {
    lots: Type.Array(
      Type.Object(
        {
          item: Type.String({ pattern: idPattern('item') }),
          lot_number: Type.Optional(Int32),
          starting_bid: Type.Optional(Nullable(amountOf(0))),
          again: Type.Optional(
            Type.Boolean({ description: 'The item may be sold, or in another lot without a result.' }),
          ),
          active: Type.Optional(Type.Boolean({ description: 'A late lot of a live session that has opened.' })),
        },
        { additionalProperties: false },
      ),
      { minItems: 1, maxItems: mostLots },
    ),
  },
  { $id: 'LotsAddition', additionalProperties: false },
)

/** The answer to a write of many lots: the lots in the order of the body. */
export const AddedLots = Type.Object({ data: Type.Array(Type.Ref('StaffLot')) }, { $id: 'AddedLots' })

/** The body of `PATCH /sessions/{id}/order`. */
export const LotsOrder = Type.Object(
  {
    lots: Type.Array(Type.String({ pattern: idPattern('lot') }), {
      maxItems: mostLots,
      uniqueItems: true,
      description: 'Every unarchived lot of the session once, in the new order.',
    }),
    from: Type.Optional(Int32),
  },
  { $id: 'LotsOrder', additionalProperties: false },
)

const reason = Type.String({ pattern: '\\S', 'x-max-bytes': longestReason })
const lotId = Type.String({ pattern: idPattern('lot') })

/** What staff decided about a lot. */
const decision = {
  state: Type.Unsafe<ResultState>({ type: 'string', enum: [...resultStates] }),
  amount: Type.Optional(Nullable(amountOf(1))),
  after_sale: Type.Optional(Type.Boolean()),
  with: Type.Optional(Nullable(lotId)),
  correct: Type.Optional(Type.Boolean()),
  reason: Type.Optional(reason),
}

const notice = Nullable(Type.String({ pattern: '\\S', 'x-max-bytes': 1024 }))

/** The body of `POST /sessions/{id}/results`. */
export const ResultsRecord = Type.Object(
  {
    except: Type.Optional(Type.Array(lotId, { maxItems: mostLots })),
    unsold: Type.Optional(Type.Array(lotId, { maxItems: mostLots })),
    results: Type.Optional(
      Type.Array(Type.Object({ lot: lotId, ...decision }, { additionalProperties: false }), {
        minItems: 1,
        maxItems: mostLots,
      }),
    ),
  },
  { $id: 'ResultsRecord', additionalProperties: false },
)

/** The body of `POST /bids/{id}/cancel`. */
export const BidCancellation = Type.Object({ reason }, { $id: 'BidCancellation', additionalProperties: false })

/** The body of `POST /sessions/{id}/delay`. */
export const SessionDelay = Type.Object(
  {
    seconds: Type.Integer({ minimum: 1, maximum: longestDelay, description: 'At most thirty days.' }),
    reason,
  },
  { $id: 'SessionDelay', additionalProperties: false },
)

// What staff set of a lot before its result.
const lotTerms = {
  starting_bid: Type.Optional(Nullable(amountOf(0))),
  held: Type.Optional(Type.Boolean()),
  notice: Type.Optional(notice),
  notice_translations: Type.Optional(ByLocale(notice)),
}

/** The body of `PATCH /sessions/{id}/lots`. */
export const LotsChange = Type.Object(
  {
    lots: Type.Array(Type.Object({ lot: lotId, ...lotTerms }, { additionalProperties: false }), {
      minItems: 1,
      maxItems: mostLots,
    }),
  },
  { $id: 'LotsChange', additionalProperties: false },
)

/** The body of `PATCH /lots/{id}`. `reason`, `closes_at` and `correct` are for a result that is taken back. */
export const LotChange = Type.Object(
  {
    lot_number: Type.Optional(Int32),
    ...lotTerms,
    archived: onlyTrue,
    result: Type.Optional(Nullable(Type.Object(decision, { additionalProperties: false }))),
    reason: Type.Optional(reason),
    closes_at: Type.Optional(Type.String({ format: 'date-time' })),
    correct: Type.Optional(Type.Boolean()),
  },
  { $id: 'LotChange', additionalProperties: false },
)

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
export const BidCounts = Type.Object(
  { data: Type.Array(Type.Object({ lot: Id('lot'), bids: Type.Integer({ minimum: 1 }) })) },
  { $id: 'BidCounts' },
)

/** The body of `POST /lots/{id}/bids`. */
export const BidCreate = Type.Object({ amount: amountOf(1) }, { $id: 'BidCreate', additionalProperties: false })

/** The answer to a bid: the lot, with `staff` for a key that has not `bids` alone. */
export const BiddenLot = Type.Object(
  { data: Type.Union([Type.Ref('StaffLot'), Type.Ref('Lot')]) },
  { $id: 'BiddenLotResponse' },
)

const step = Type.Object({ from: amountOf(0), increment: amountOf(1, mostEstimate) }, { additionalProperties: false })

/** The body of `POST /increment_strategies`. */
export const StrategyCreate = Type.Object(
  {
    name: Type.String({ pattern: '\\S', 'x-max-bytes': shortBytes }),
    steps: Type.Array(step, { maxItems: mostSteps }),
  },
  { $id: 'IncrementStrategyCreate', additionalProperties: false },
)

/** The value of a field before and after a change, as the interface shows it. A long text is its length. */
const change = Type.Object({
  record: Nullable(Type.String()),
  field: Type.String({ description: 'A dotted path.' }),
  old: Type.Optional(Type.Unknown()),
  new: Type.Optional(Type.Unknown({ description: 'A text of more than 200 characters is `{length}`.' })),
})

/** A row of the journal. */
export const JournalEntry = Type.Object(
  {
    id: Type.String({ pattern: '^jrn_[0-9a-f-]{36}$' }),
    at: Timestamp,
    actor: Type.Object({
      type: Type.Unsafe<'key' | 'command' | 'job'>({ type: 'string', enum: ['key', 'command', 'job'] }),
      id: Nullable(Type.String()),
      name: Nullable(Type.String()),
    }),
    operation: Type.String({ description: 'The operationId, the words of the command, or the task.' }),
    record: Nullable(Type.String()),
    changes: Type.Array(change),
    reason: Nullable(Type.String()),
    request_id: Nullable(Type.String()),
  },
  { $id: 'JournalEntry' },
)

export const JournalQuery = Type.Object({
  ...pageParameters,
  record: Type.Optional(
    Type.String({
      pattern: subjectPattern,
      description: 'Only rows about this record, by its id. A UUID alone stands for records of any kind.',
    }),
  ),
  actor: textFilter('Only rows of this actor: the id of a key, or the name of a key, a user or a task.'),
  operation: textFilter('Only rows of this operation.'),
  since: Type.Optional(Type.String({ format: 'date-time', description: 'Only rows of this time or later.' })),
})

export const BidListQuery = Type.Object(pageParameters)
