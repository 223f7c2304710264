import { Type } from 'typebox'
import { idFilter, pageParameters, textFilter } from '../http/query.ts'
import { Id, Nullable, recordTimes } from '../values/shapes.ts'

/** An artist, brand or workshop (section 2.10). */
export const Maker = Type.Object(
  { id: Id('maker'), name: Type.String(), active: Type.Boolean(), ...recordTimes },
  { $id: 'Maker' },
)

/** Delivery and collection instructions. */
export const DeliveryClass = Type.Object(
  { id: Id('delivery_class'), name: Type.String(), instructions: Nullable(Type.String()), ...recordTimes },
  { $id: 'DeliveryClass' },
)

/** The steps of an increment strategy: each applies from an amount on. */
export const IncrementStrategy = Type.Object(
  {
    id: Id('increment_strategy'),
    name: Type.String(),
    steps: Type.Array(Type.Object({ from: Type.Ref('Money'), increment: Type.Ref('Money') })),
    ...recordTimes,
  },
  { $id: 'IncrementStrategy' },
)

/** A seller's consignment, without commission and private notes. */
export const Consignment = Type.Object(
  {
    id: Id('consignment'),
    number: Type.String(),
    seller: Nullable(Id('seller')),
    locked: Type.Boolean(),
    ...recordTimes,
  },
  { $id: 'Consignment' },
)

export const NamedListQuery = Type.Object({
  ...pageParameters,
  name: textFilter('Only records with exactly this name.'),
})

export const ConsignmentListQuery = Type.Object({
  ...pageParameters,
  number: textFilter('Only consignments with exactly this number.'),
  seller: idFilter('seller', 'Only consignments of this seller.'),
})
