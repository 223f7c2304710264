import { Type, type TProperties, type TSchema } from 'typebox'
import { idFilter, integerFilter, pageParameters, textFilter } from '../http/query.ts'
import { longBytes, mostLevels, shortBytes } from '../values/bounds.ts'
import { idPattern } from '../values/ids.ts'
import { ByLocale, Id, Int32, Nullable, recordTimes } from '../values/shapes.ts'
import { pascalCase } from '../values/text.ts'
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
    seller_number: integerFilter('Only sellers with this number. Older sellers may share one.'),
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

/** The kinds of reference records that staff make one by one. */
export const madeKinds = ['seller', 'category', 'maker', 'delivery_class', 'consignment'] as const

/** One of them. */
export type MadeKind = (typeof madeKinds)[number]

const shortText = Type.String({ 'x-max-bytes': shortBytes, description: 'At most 1024 UTF-8 bytes.' })
const longText = Type.String({ 'x-max-bytes': longBytes, description: 'At most 64 KiB of UTF-8.' })
const known = Type.String({
  pattern: '\\S',
  'x-max-bytes': shortBytes,
  description: 'At most 1024 UTF-8 bytes, without spaces at its ends. No other unarchived record has it.',
})
const flag = Type.Optional(Type.Boolean())
const clearable = <T extends TSchema>(schema: T) => Type.Optional(Nullable(schema))

const localized = Type.Optional(
  ByLocale(Nullable(shortText), {
    'x-unknown': 'unsupported_locale',
    description: 'By locale. A locale that is left out stays, null removes its name.',
  }),
)

// A switch that is not taken back.
const archived = Type.Optional(Type.Unsafe<true>({ type: 'boolean', const: true }))

function bodiesOf<Key extends TProperties, Fields extends TProperties, Change extends TProperties>(
  kind: MadeKind,
  key: Key,
  fields: Fields,
  change: Change,
) {
  const name = pascalCase(kind)
  return {
    create: Type.Object({ ...key, ...fields }, { $id: `${name}Create`, additionalProperties: false }),
    change: Type.Object(
      { ...(Type.Partial(Type.Object(key)).properties as Key), ...fields, ...change },
      { $id: `${name}Change`, additionalProperties: false },
    ),
  }
}

/** The bodies that make and change the records that staff make. Fields as in the load format. */
export const bodies = {
  seller: bodiesOf(
    'seller',
    {
      seller_number: Type.Optional({
        ...Int32,
        description: 'No other unarchived seller has it. Left out by a new seller: the highest of the house, plus one.',
      }),
    },
    { profile_name: clearable(shortText), account_name: clearable(shortText) },
    { archived },
  ),
  category: bodiesOf(
    'category',
    { slug: Type.Optional({ ...known, description: 'Made from the name if a new category leaves it out.' }) },
    {
      names: localized,
      parent: clearable(
        Type.String({ pattern: idPattern('category'), description: `Categories have at most ${mostLevels} levels.` }),
      ),
    },
    {},
  ),
  maker: bodiesOf('maker', { name: known }, { active: flag }, {}),
  delivery_class: bodiesOf('delivery_class', { name: known }, { instructions: clearable(longText) }, {}),
  consignment: bodiesOf(
    'consignment',
    { number: known },
    {
      seller: clearable(Type.String({ pattern: idPattern('seller') })),
      locked: Type.Optional(Type.Boolean({ description: 'A locked consignment takes no more items.' })),
      commission_percentage: clearable(
        Type.String({ format: 'percentage', description: 'From "0" to "100", at most four decimals. Never shown.' }),
      ),
      private_notes: clearable(
        Type.String({ 'x-max-bytes': longBytes, description: 'At most 64 KiB of UTF-8. Never shown.' }),
      ),
    },
    { archived },
  ),
}

/** A step of an increment strategy: from this amount on, bids rise by the increment. Both in minor units of the house. */
export type Step = { from: number; increment: number }
