import { Type } from 'typebox'
import { booleanFilter, expansions, idFilter, integerFilter, pageParameters } from '../http/query.ts'
import { Id, Int32, Nullable, recordTimes, Timestamp } from '../values/shapes.ts'

/** Section 2.2. `timed` is present on lots of timed sessions only. */
export const Lot = Type.Object(
  {
    id: Id('lot'),
    lot_number: Nullable(Int32),
    active: Type.Boolean(),
    title: Type.String(),
    starting_bid: Nullable(Type.Ref('Money')),
    current_bid: Nullable(Type.Ref('Money')),
    sold: Type.Boolean(),
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

const lotExpansions = expansions('item', 'images', 'item.images', 'session')

export const LotQuery = Type.Object(lotExpansions)

export const LotListQuery = Type.Object({
  ...pageParameters,
  session: idFilter('session', 'Only the lots of this session.'),
  auction: idFilter('auction', 'Only the lots of this auction.'),
  lot_number: integerFilter('Only lots with this number; combine it with session.'),
  active: booleanFilter('Only active lots, or only inactive ones (an older unset value counts as inactive).'),
  ...lotExpansions,
})

/** The body of `PATCH /lots/{id}`. */
export const LotUpdate = Type.Object({ active: Type.Boolean() }, { $id: 'LotUpdate', additionalProperties: false })
