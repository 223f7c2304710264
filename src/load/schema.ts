import { Type, type Static, type TProperties, type TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import type { TLocalizedValidationError } from 'typebox/error'
import { idPrefixes, parseId, type RecordKind } from '../values/ids.ts'
import { locales } from '../values/locales.ts'
import { parsePercentage } from '../values/percentages.ts'
import { byteLength, isStorable } from '../values/text.ts'
import { parseTimestamp } from '../values/timestamps.ts'

// What is indexed stays well below what an index entry holds; what a page shows a hundred times has a bound as well.
const shortBytes = 1024
const longBytes = 64 * 1024
const unseenBytes = 1024 * 1024

function fits(text: string, bytes: number): boolean {
  return text.length * 3 <= bytes || byteLength(text) <= bytes
}

// Refinements are asked about values of other types too, which the type itself has refused already.
function text(bytes: number) {
  return Type.Refine(
    Type.String(),
    (value) => typeof value !== 'string' || (fits(value, bytes) && isStorable(value)),
    (value) =>
      fits(value, bytes) ? 'has a character that cannot be stored' : `is too long (more than ${bytes} bytes)`,
  )
}

function refined(accepts: (value: string) => boolean, problem: string) {
  return Type.Refine(
    Type.String(),
    (value) => typeof value !== 'string' || accepts(value),
    () => problem,
  )
}

function nullable<Schema extends TSchema>(schema: Schema) {
  return Type.Optional(Type.Union([schema, Type.Null()]))
}

function closed<Fields extends TProperties>(fields: Fields) {
  return Type.Object(fields, { additionalProperties: false })
}

const shortText = text(shortBytes)
const longText = text(longBytes)
// Of an item's texts the sum is checked.
const freeText = text(unseenBytes)
const locale = Type.Enum([...locales])
const integer = Type.Integer({ minimum: -2147483648, maximum: 2147483647 })
const flag = Type.Optional(Type.Boolean())
const timestamp = refined(
  (value) => parseTimestamp(value) !== undefined,
  'must be an RFC 3339 timestamp with an offset',
)
const percentage = refined(
  (value) => parsePercentage(value) !== undefined,
  'must be a decimal string from "0" to "100" with at most 4 decimals',
)
const localized = Type.Partial(Type.Record(locale, shortText), { additionalProperties: false })
const money = closed({
  amount: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
  currency: Type.String(),
})
const texts = {
  title: nullable(freeText),
  description: nullable(freeText),
  condition: nullable(freeText),
  dimensions: nullable(freeText),
  weight: nullable(freeText),
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

function isRecordKind(type: string): type is RecordKind {
  return Object.hasOwn(idPrefixes, type)
}

/** The lower-case UUID of a record's `id`; houses and bids have no prefix. Undefined when it is none. */
export function parsePublicId(type: string, text: string): string | undefined {
  if (isRecordKind(type)) return parseId(type, text)
  return uuid.test(text) ? text.toLowerCase() : undefined
}

function record<Name extends string, Fields extends TProperties>(type: Name, fields: Fields) {
  const schema = closed({
    type: Type.Literal(type),
    ref: Type.Optional(shortText),
    id: nullable(
      refined(
        (value) => parsePublicId(type, value) !== undefined,
        'must be a UUID, bare or with the prefix of its type',
      ),
    ),
    created_at: nullable(timestamp),
    updated_at: nullable(timestamp),
    ...fields,
  })
  return Compile(schema)
}

const schemas = {
  house: record('house', {
    slug: shortText,
    name: Type.Optional(shortText),
    default_locale: Type.Optional(shortText),
    currency: Type.Optional(shortText),
    defaults: nullable(
      closed({
        buyer_premium_percentage: nullable(percentage),
        extension_threshold_seconds: nullable(integer),
        extension_seconds: nullable(integer),
        group_size: nullable(integer),
        interval_seconds: nullable(integer),
      }),
    ),
  }),
  seller: record('seller', {
    seller_number: nullable(integer),
    profile_name: nullable(shortText),
    account_name: nullable(shortText),
    archived: flag,
  }),
  category: record('category', {
    slug: nullable(shortText),
    names: nullable(localized),
    parent: nullable(shortText),
  }),
  maker: record('maker', { name: nullable(shortText), active: flag }),
  delivery_class: record('delivery_class', { name: nullable(shortText), instructions: nullable(longText) }),
  increment_strategy: record('increment_strategy', {
    name: nullable(shortText),
    steps: nullable(Type.Array(closed({ from: money, increment: money }), { maxItems: 1000 })),
  }),
  consignment: record('consignment', {
    number: nullable(shortText),
    seller: nullable(shortText),
    locked: flag,
    archived: flag,
    commission_percentage: nullable(percentage),
    private_notes: nullable(freeText),
  }),
  auction: record('auction', {
    external_reference: nullable(shortText),
    title: nullable(shortText),
    description: nullable(longText),
    published: flag,
    archived: flag,
  }),
  session: record('session', {
    auction: shortText,
    external_reference: nullable(shortText),
    titles: nullable(localized),
    kind: Type.Enum(['timed', 'live']),
    opens_at: nullable(timestamp),
    timed: nullable(
      closed({
        first_closes_at: nullable(timestamp),
        group_size: nullable(integer),
        interval_seconds: nullable(integer),
        extension_threshold_seconds: nullable(integer),
        extension_seconds: nullable(integer),
      }),
    ),
    live: nullable(closed({ closes_at: nullable(timestamp) })),
    settings: nullable(closed({ buyer_premium_percentage: nullable(percentage) })),
    increment_strategy: nullable(shortText),
    published: flag,
    hidden: flag,
    finished: flag,
    customer_bidding_enabled: flag,
  }),
  item: record('item', {
    external_reference: nullable(shortText),
    ...texts,
    translations: nullable(
      Type.Union([
        Type.Partial(Type.Record(locale, closed(texts)), { additionalProperties: false }),
        Type.Array(closed({ locale, ...texts })),
      ]),
    ),
    estimate: nullable(closed({ low: nullable(money), high: nullable(money) })),
    seller: nullable(shortText),
    categories: nullable(Type.Array(shortText)),
    makers: nullable(Type.Array(shortText)),
    delivery_class: nullable(shortText),
    consignment: nullable(shortText),
    archived: flag,
  }),
  image: record('image', {
    item: shortText,
    external_reference: nullable(shortText),
    file: nullable(freeText),
    public: flag,
    featured: flag,
    position: nullable(integer),
    processing: flag,
    processing_failure: nullable(
      closed({ code: Type.Optional(Type.Literal('derivative_processing_failed')), at: timestamp }),
    ),
  }),
  lot: record('lot', {
    session: shortText,
    item: shortText,
    lot_number: nullable(integer),
    active: nullable(Type.Boolean()),
    starting_bid: nullable(money),
    current_bid: nullable(money),
    sold: flag,
    closes_at: nullable(timestamp),
    scheduled_closes_at: nullable(timestamp),
    archived: flag,
  }),
  bid: record('bid', { lot: shortText, amount: money, placed_at: nullable(timestamp) }),
}

/** The thirteen record types of the load format. */
export type RecordType = keyof typeof schemas

/** The fields of each type of record, as its line has them. */
export type Records = { [Type in RecordType]: Static<ReturnType<(typeof schemas)[Type]['Type']>> }

/** One line of the load format. */
export type LoadRecord = Records[RecordType]

type Validator = { Check(value: unknown): value is LoadRecord; Errors(value: unknown): TLocalizedValidationError[] }

const validators: Record<RecordType, Validator> = schemas

/** The validator of a type of record; undefined for an unknown type. */
export function findValidator(type: string): Validator | undefined {
  return isRecordType(type) ? validators[type] : undefined
}

function isRecordType(type: string): type is RecordType {
  return Object.hasOwn(schemas, type)
}
