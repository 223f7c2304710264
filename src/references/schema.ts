import { Type, type TSchema } from 'typebox'
import { idFilter, integerFilter, pageParameters, textFilter } from '../http/query.ts'
import { Id, Int32, Nullable, recordTimes } from '../values/shapes.ts'
import type { ReferenceKind } from './document.ts'

/** Section 2.6. */
export const Seller = Type.Object(
  { id: Id('seller'), seller_number: Int32, name: Nullable(Type.String()), ...recordTimes },
  { $id: 'Seller' },
)

/** Section 2.7. */
export const Category = Type.Object(
  {
    id: Id('category'),
    name: Nullable(Type.String()),
    slug: Type.String(),
    parent: Nullable(Id('category')),
    ...recordTimes,
  },
  { $id: 'Category' },
)

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

const NamedListQuery = Type.Object({
  ...pageParameters,
  name: textFilter('Only records with exactly this name.'),
})

/** The query of the list of each kind. */
export const listQueries = {
  seller: Type.Object({
    ...pageParameters,
    seller_number: integerFilter('Only sellers with this number. Historical duplicates can exist.'),
  }),
  category: Type.Object({
    ...pageParameters,
    slug: textFilter('Only categories with this slug, letter case included. Slugs are not unique.'),
  }),
  maker: NamedListQuery,
  delivery_class: NamedListQuery,
  increment_strategy: NamedListQuery,
  consignment: Type.Object({
    ...pageParameters,
    number: textFilter('Only consignments with exactly this number.'),
    seller: idFilter('seller', 'Only consignments of this seller.'),
  }),
} satisfies Record<ReferenceKind, TSchema>
