import { Type } from 'typebox'
import {
  booleanFilter,
  choiceFilter,
  expansions,
  idFilter,
  integerFilter,
  limitTo,
  pageParameters,
} from '../http/query.ts'
import { idPattern } from '../values/ids.ts'
import { ByLocale, Id, Int32, Nullable, recordTimes, Timestamp } from '../values/shapes.ts'
import { resultStates, type ResultState } from '../values/offers.ts'

/** What became of a lot (section 2.2). */
export const LotResult = Type.Object(
  {
    state: Type.Unsafe<ResultState>({ type: 'string', enum: [...resultStates] }),
    amount: Nullable(
      Type.Ref('Money'),
      'The price without premium; null unless the lot is sold and its price published.',
    ),
    at: Nullable(Timestamp, 'When it was recorded; null where a load says only that the lot is sold.'),
    after_sale: Type.Boolean({ description: 'Whether the lot was sold after its sale.' }),
    with: Nullable(Id('lot'), 'The lot that this one was sold together with. That one has the price of both.'),
  },
  { $id: 'LotResult' },
)

/** Section 2.2. `timed` is present on lots of timed sessions only. */
export const Lot = Type.Object(
  {
    id: Id('lot'),
    lot_number: Nullable(Int32),
    active: Type.Boolean(),
    title: Type.String(),
    starting_bid: Nullable(Type.Ref('Money')),
    current_bid: Nullable(Type.Ref('Money')),
    sold: Type.Boolean({ description: 'Whether the state of the result is sold.' }),
    result: Nullable(Type.Ref('LotResult')),
    notice: Nullable(Type.String(), 'What the house announces about the lot, in its default language.'),
    notice_translations: ByLocale(Type.String(), { description: 'Stored notices by locale, the default one too.' }),
    closes_at: Nullable(Timestamp),
    timed: Type.Optional(
      Type.Object(
        { scheduled_closes_at: Nullable(Timestamp) },
        { description: 'The closing time before any extension.' },
      ),
    ),
    item: Type.Union([Id('item'), Type.Ref('Item')]),
    session: Type.Union([Id('session'), Type.Ref('Session')]),
    ...recordTimes,
  },
  { $id: 'Lot' },
)

/** What only staff see of a lot. */
export const StaffLot = Type.Object(
  {
    ...Lot.properties,
    staff: Type.Object({
      held: Type.Boolean({ description: 'Whether a person decides about the lot, not the job.' }),
      bids: Type.Integer({ minimum: 0, description: 'How many bids stand.' }),
      has_had_bid: Type.Boolean({ description: 'Whether it has had a bid, cancelled ones too.' }),
    }),
  },
  { $id: 'StaffLot' },
)

/** The permissions that each expansion of a lot needs. */
export const lotExpands = {
  item: ['lots.read'],
  images: ['lots.read'],
  'item.images': ['lots.read'],
  session: ['auctions.read'],
} as const

const lotExpansions = expansions('item', 'images', 'item.images', 'session')

export const LotQuery = Type.Object(lotExpansions)

/** Only lots with a result, or without one. */
export const resultFilter = choiceFilter([...resultStates, 'none'], 'Only lots with this result; none: without one.')

/** Only lots that take bids, or only the others. */
export const openFilter = booleanFilter('Only lots that can get bids at the time of the request, or only the others.')

/** The filters of lots that only staff have. */
export const staffLotFilters = {
  held: booleanFilter('Only lots about which a person decides, or only the others.'),
  seller: idFilter('seller', 'Only lots of items of this seller.'),
  consignment: idFilter('consignment', 'Only lots of items of this consignment.'),
  number_from: integerFilter('Only lots with this number or a higher one.'),
  number_to: integerFilter('Only lots with this number or a lower one. Lots without a number are left out.'),
}

export const LotListQuery = Type.Object({
  ...pageParameters,
  session: idFilter('session', 'Only the lots of this session.'),
  auction: idFilter('auction', 'Only the lots of this auction.'),
  lot_number: integerFilter('Only lots with this number; combine it with session.'),
  active: booleanFilter('Only active lots, or only inactive ones (an older unset value counts as inactive).'),
  ...lotExpansions,
})

/** The query of staff's list of lots. */
export const StaffLotListQuery = Type.Object({
  ...LotListQuery.properties,
  limit: limitTo(1000),
  ...staffLotFilters,
  result: resultFilter,
  open: openFilter,
})

/** The body of `PATCH /lots/{id}`. */
export const LotUpdate = Type.Object({ active: Type.Boolean() }, { $id: 'LotUpdate', additionalProperties: false })

/** The most lots that one request names. */
export const mostNamedLots = 5_000

/** The body of `PATCH /sessions/{id}/lots`. */
export const SessionLotsUpdate = Type.Object(
  {
    active: Type.Boolean(),
    lots: Type.Union(
      [
        Type.Array(Type.String({ pattern: idPattern('lot') }), {
          minItems: 1,
          maxItems: mostNamedLots,
          uniqueItems: true,
        }),
        Type.Unsafe<'all'>({ type: 'string', enum: ['all'] }),
      ],
      { description: 'Lots of the session by their ids, or all that are not archived.' },
    ),
  },
  { $id: 'SessionLotsUpdate', additionalProperties: false },
)

/** How many of the lots of a request were switched, and how many had the value already. */
export const SwitchedLots = Type.Object({ changed: Type.Integer(), unchanged: Type.Integer() }, { $id: 'SwitchedLots' })

/** The answer to a write of many lots: the lots in the order of the body. */
export const AddedLots = Type.Object({ data: Type.Array(Type.Ref('StaffLot')) }, { $id: 'AddedLots' })
