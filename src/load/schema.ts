import { Type, type Static, type TProperties, type TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import type { TLocalizedValidationError } from 'typebox/error'
import { resultsModes } from '../context.ts'
import { altCharacters } from '../images/alts.ts'
import { forTexts } from '../items/texts.ts'
import { isRecordKind } from '../kinds.ts'
import { bareUuid, idPattern, parsePublicId } from '../values/ids.ts'
import { locales } from '../values/locales.ts'
import { int32, longBytes, mostLinks, mostSteps, shortBytes } from '../values/bounds.ts'
import { resultStates } from '../values/offers.ts'
import { parsePercentage } from '../values/percentages.ts'
import { byteLength, countCharacters, isBlank, isStorable } from '../values/text.ts'
import { parseTimestamp } from '../values/timestamps.ts'

// A text that no page shows.
const unseenBytes = 1024 * 1024

function fits(text: string, bytes: number): boolean {
  return text.length * 3 <= bytes || byteLength(text) <= bytes
}

// A refinement checks more than the keywords of JSON Schema can, and has a message of its own. The generated schema has
// the keywords in `published` instead, at most as strict. The validators ignore them.
function refined(accepts: (value: string) => boolean, problem: (value: string) => string, published: object) {
  return Type.Refine(
    Type.String({ '~published': published }),
    (value) => typeof value !== 'string' || accepts(value),
    problem,
  )
}

function text(bytes: number, description?: string) {
  return refined(
    (value) => fits(value, bytes) && isStorable(value),
    (value) =>
      fits(value, bytes) ? 'has a character that cannot be stored' : `is too long (more than ${bytes} bytes)`,
    { maxLength: bytes, description },
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
// Another rule checks the sum of an item's texts.
const freeText = text(unseenBytes)
const pointer = text(shortBytes, 'the ref of an earlier line, or the id of a stored record')
const locale = Type.Enum([...locales])
const integer = Type.Integer(int32)
const flag = Type.Optional(Type.Boolean())
const timestamp = refined(
  (value) => parseTimestamp(value) !== undefined,
  () => 'must be an RFC 3339 timestamp with an offset, such as 2026-11-21T10:00:00+01:00',
  {
    format: 'date-time',
    pattern:
      '^[0-9]{4}-[0-9]{2}-[0-9]{2}[Tt]([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](\\.[0-9]+)?([Zz]|[+-]([01][0-9]|2[0-3]):[0-5][0-9])$',
  },
)
const percentage = refined(
  (value) => parsePercentage(value) !== undefined,
  () => 'must be a decimal string from "0" to "100" with at most 4 decimals',
  { pattern: '^(0?[0-9]{1,2}(\\.[0-9]{1,4})?|100(\\.0{1,4})?)$' },
)
const slugPattern = '^[A-Za-z0-9][A-Za-z0-9._~-]*$'
const slugForm = new RegExp(slugPattern)
const slug = refined(
  (value) => slugForm.test(value) && fits(value, shortBytes),
  () => `must be letters, digits and - . _ ~, begin with a letter or digit, and have at most ${shortBytes} characters`,
  { pattern: slugPattern, maxLength: shortBytes, description: 'made from the title if left out' },
)
const resultsMode = Type.Enum([...resultsModes])
const localized = Type.Partial(Type.Record(locale, shortText), { additionalProperties: false })
const altText = refined(
  (value) => countCharacters(value) <= altCharacters && isStorable(value) && !isBlank(value),
  () => `must have a visible character, at most ${altCharacters} characters, and none that cannot be stored`,
  { maxLength: altCharacters, pattern: '\\S', description: 'what the picture shows' },
)
const money = closed({
  amount: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description: 'minor units (cents)' }),
  currency: text(shortBytes, 'the ISO 4217 code of the house'),
})
const texts = forTexts(nullable(freeText))

function record<Name extends string, Fields extends TProperties>(type: Name, fields: Fields) {
  const schema = closed({
    type: Type.Literal(type),
    ref: Type.Optional(text(shortBytes, 'a name in this file, by which later lines point to the record')),
    id: nullable(
      refined(
        (value) => parsePublicId(type, value) !== undefined,
        () => 'must be a UUID, bare or with the prefix of its type',
        { pattern: isRecordKind(type) ? idPattern(type) : bareUuid },
      ),
    ),
    created_at: nullable(timestamp),
    updated_at: nullable(timestamp),
    ...fields,
  })
  return Compile(schema)
}

/** The validator of each type of record. */
export const validators = {
  house: record('house', {
    slug: shortText,
    name: Type.Optional(shortText),
    default_locale: Type.Optional(shortText),
    currency: Type.Optional(shortText),
    time_zone: nullable(text(shortBytes, 'an IANA name, such as Europe/Amsterdam')),
    storage_limit: nullable(
      Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description: 'bytes; 0 is none' }),
    ),
    defaults: nullable(
      closed({
        buyer_premium_percentage: nullable(percentage),
        extension_threshold_seconds: nullable(integer),
        extension_seconds: nullable(integer),
        group_size: nullable(integer),
        interval_seconds: nullable(integer),
        results: nullable(resultsMode),
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
    parent: nullable(pointer),
  }),
  maker: record('maker', { name: nullable(shortText), active: flag }),
  delivery_class: record('delivery_class', { name: nullable(shortText), instructions: nullable(longText) }),
  increment_strategy: record('increment_strategy', {
    name: nullable(shortText),
    steps: nullable(Type.Array(closed({ from: money, increment: money }), { maxItems: mostSteps })),
  }),
  consignment: record('consignment', {
    number: nullable(shortText),
    seller: nullable(pointer),
    locked: flag,
    archived: flag,
    commission_percentage: nullable(percentage),
    private_notes: nullable(freeText),
  }),
  auction: record('auction', {
    external_reference: nullable(shortText),
    slug: Type.Optional(slug),
    title: nullable(shortText),
    description: nullable(longText),
    published: flag,
    archived: flag,
  }),
  session: record('session', {
    auction: pointer,
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
    increment_strategy: nullable(pointer),
    published: flag,
    hidden: flag,
    finished: flag,
    customer_bidding_enabled: flag,
    results: nullable(resultsMode),
    numbers_fixed: flag,
  }),
  item: record('item', {
    external_reference: nullable(shortText),
    ...texts,
    translations: nullable(
      Type.Union([
        Type.Partial(Type.Record(locale, closed(texts)), { additionalProperties: false }),
        Type.Array(closed({ locale, ...texts }), { maxItems: mostLinks }),
      ]),
    ),
    estimate: nullable(closed({ low: nullable(money), high: nullable(money) })),
    seller: nullable(pointer),
    categories: nullable(Type.Array(pointer, { maxItems: mostLinks })),
    makers: nullable(Type.Array(pointer, { maxItems: mostLinks })),
    delivery_class: nullable(pointer),
    consignment: nullable(pointer),
    archived: flag,
  }),
  image: record('image', {
    item: pointer,
    external_reference: nullable(shortText),
    file: nullable(text(unseenBytes, 'a path relative to this file, in its folder or below it')),
    public: flag,
    featured: flag,
    position: nullable(integer),
    alt: nullable(altText),
    alt_translations: nullable(Type.Partial(Type.Record(locale, nullable(altText)), { additionalProperties: false })),
    processing: flag,
    processing_failure: nullable(
      closed({ code: Type.Optional(Type.Literal('derivative_processing_failed')), at: timestamp }),
    ),
  }),
  lot: record('lot', {
    session: pointer,
    item: pointer,
    lot_number: nullable(integer),
    active: nullable(Type.Boolean()),
    starting_bid: nullable(money),
    current_bid: nullable(money),
    sold: flag,
    result: nullable(
      closed({
        state: Type.Enum([...resultStates]),
        amount: nullable(money),
        at: nullable(timestamp),
        after_sale: flag,
        with: nullable(pointer),
      }),
    ),
    held: flag,
    notice: nullable(shortText),
    notice_translations: nullable(localized),
    closes_at: nullable(timestamp),
    scheduled_closes_at: nullable(timestamp),
    archived: flag,
  }),
  bid: record('bid', {
    lot: pointer,
    amount: money,
    placed_at: nullable(timestamp),
    cancelled_at: nullable(timestamp),
    cancel_reason: nullable(shortText),
  }),
}

/** The thirteen record types of the load format. */
export type RecordType = keyof typeof validators

/** Their names. */
export const recordTypes = Object.keys(validators) as RecordType[]

// A program may set an optional field to undefined, which JSON.stringify omits.
type Writable<Fields> = {
  [Name in keyof Fields]: Fields[Name] | (object extends Pick<Fields, Name> ? undefined : never)
}

/** The fields of each type of record, as its line has them. */
export type Records = { [Type in RecordType]: Writable<Static<ReturnType<(typeof validators)[Type]['Type']>>> }

/** One line of the load format. */
export type LoadRecord = Records[RecordType]

type Validator = { Check(value: unknown): value is LoadRecord; Errors(value: unknown): TLocalizedValidationError[] }

/** The validator of a type of record; undefined for an unknown type. */
export function findValidator(type: string): Validator | undefined {
  const known: Record<RecordType, Validator> = validators
  return isRecordType(type) ? known[type] : undefined
}

function isRecordType(type: string): type is RecordType {
  return Object.hasOwn(validators, type)
}
