import { Type, type Static, type TStringOptions } from 'typebox'
import { choiceFilter, expansions, idFilter, pageParameters, textFilter } from '../http/query.ts'
import type { RecordKind } from '../kinds.ts'
import { mostLinks, shortBytes } from '../values/bounds.ts'
import { idPattern } from '../values/ids.ts'
import { lackable, offers } from '../values/offers.ts'
import { mostEstimate } from '../values/money.ts'
import { forTexts, textBytes, titleCharacters, checkLengths, checkTexts } from './texts.ts'
import { ByLocale, Id, Nullable, recordTimes } from '../values/shapes.ts'
import type { FieldError } from '../problems.ts'
import { fieldsOf, fieldError, parseBody, type Fields } from '../http/body/validation.ts'
import type { Context, House, Permission } from '../context.ts'

/** The stored texts of one locale. A text that is not stored is absent. */
export const Translation = Type.Object(forTexts(Type.Optional(Type.String())), {
  $id: 'Translation',
  additionalProperties: false,
})

/** Bounds in the house's currency. Either may be absent (section 2.1). */
export const Estimate = Type.Object(
  { low: Type.Optional(Type.Ref('Money')), high: Type.Optional(Type.Ref('Money')) },
  { $id: 'Estimate' },
)

/** One of the pictures that `srcset` lists. */
export const ImageSource = Type.Object(
  {
    url: Type.String({ format: 'uri' }),
    width: Type.Integer({ minimum: 1 }),
    height: Type.Integer({ minimum: 1 }),
    type: Type.String({ description: 'The media type: image/webp.' }),
  },
  { $id: 'ImageSource' },
)

const pixels = Nullable(Type.Integer({ minimum: 1 }), 'Of the upright original; null until it was decoded.')

/** The fields of a gallery image and of a managed image that say how to show it (section 2.4). */
export const shownFields = {
  width: pixels,
  height: pixels,
  placeholder: Nullable(
    Type.String({ contentEncoding: 'base64' }),
    'A ThumbHash, to show before the picture; null until the sources are made.',
  ),
  sources: Type.Array(Type.Ref('ImageSource'), {
    description: 'The picture in several widths, narrowest first; empty until they are made.',
  }),
  alt: Nullable(Type.String(), "What the picture shows, in the house's language."),
  alt_translations: ByLocale(Type.String(), { description: 'The same by locale, the default one too.' }),
}

/** An entry of an item's public gallery (section 2.4). */
export const GalleryImage = Type.Object(
  {
    id: Id('image'),
    url: Nullable(Type.String({ format: 'uri', description: 'Up to 900x1200.' })),
    preview_url: Nullable(Type.String({ format: 'uri', description: 'Up to 250x250.' })),
    thumbnail_url: Nullable(Type.String({ format: 'uri', description: 'Exactly 250x250.' })),
    mini_url: Nullable(Type.String({ format: 'uri', description: 'Exactly 70x70.' })),
    ...shownFields,
    position: Type.Integer({ minimum: 0 }),
    featured: Type.Boolean(),
  },
  { $id: 'GalleryImage' },
)

/** Section 2.3. */
export const Item = Type.Object(
  {
    id: Id('item'),
    external_reference: Nullable(Type.String()),
    ...forTexts(Nullable(Type.String())),
    title: Type.String(),
    estimate: Nullable(Type.Ref('Estimate')),
    images: Type.Union([Type.Array(Id('image')), Type.Array(Type.Ref('GalleryImage'))], {
      description: 'The public gallery, in its order.',
    }),
    translations: ByLocale(Type.Ref('Translation'), { description: 'Stored translations by locale.' }),
    seller: Nullable(Id('seller')),
    categories: Type.Array(Id('category')),
    makers: Type.Array(Id('maker')),
    delivery_class: Nullable(Id('delivery_class')),
    consignment: Nullable(Id('consignment')),
    ...recordTimes,
  },
  { $id: 'Item' },
)

export const ItemQuery = Type.Object(expansions('images'))

export const ItemListQuery = Type.Object({
  ...pageParameters,
  external_reference: textFilter('The item with exactly this reference.'),
  ...expansions('images'),
})

/** The filters of items that only staff have. */
export const staffItemFilters = {
  consignment: idFilter('consignment', 'Only items of this consignment.'),
  seller: idFilter('seller', 'Only items of this seller.'),
  offered: choiceFilter(
    offers,
    'Only items that are in no unarchived lot (never), in one without a result (open), sold, or unsold or withdrawn (unsold).',
  ),
  without: choiceFilter(lackable, 'Only items without a public image, an estimate, or a text in this language.'),
}

const visible = { pattern: '\\S' }
const kibibytes = `${textBytes / 1024} KiB of UTF-8`

// The bounds of a new item's texts are in its schema. Those of a change depend on the stored texts: see texts.ts.
function textsOf($id: string, free: TStringOptions, title: TStringOptions) {
  const freeTexts = forTexts(Type.Optional(Nullable(Type.String(free))))
  const translation = Type.Object(
    { ...freeTexts, title: Type.Optional(Nullable(Type.String({ ...visible, ...title }))) },
    { $id, additionalProperties: false, 'x-null': 'wrong_type' },
  )
  return {
    ...freeTexts,
    title: Type.Optional(Type.String({ ...visible, ...title })),
    translations: Type.Optional(
      ByLocale(translation, {
        'x-unknown': 'unsupported_locale',
        description: `All texts of an item, in all locales together, have at most ${kibibytes}.`,
      }),
    ),
  }
}

const amount = Type.Integer({
  minimum: 0,
  maximum: mostEstimate,
  multipleOf: 100,
  description: 'Minor units, a multiple of 100.',
})
const bound = Type.Object({ amount, currency: Type.String() }, { $id: 'EstimateBound', additionalProperties: false })
const idOf = (kind: RecordKind) => Type.String({ pattern: idPattern(kind) })
const external_reference = Type.String({
  ...visible,
  'x-max-bytes': shortBytes,
  description: `At most ${shortBytes} UTF-8 bytes.`,
})

/** The links of an item that a body sets. */
export const links = {
  categories: Type.Optional(Type.Array(idOf('category'), { uniqueItems: true, maxItems: mostLinks })),
  makers: Type.Optional(Type.Array(idOf('maker'), { uniqueItems: true, maxItems: mostLinks })),
  delivery_class: Type.Optional(Nullable(idOf('delivery_class'))),
}

// Shared by POST and PATCH.
const relations = {
  seller: Type.Optional(Nullable(idOf('seller'))),
  ...links,
  consignment: Type.Optional(Nullable(idOf('consignment'))),
}

/** The body of `POST /items`. */
export const ItemCreate = Type.Object(
  {
    external_reference,
    ...textsOf('TranslationCreate', { 'x-max-bytes': textBytes }, { maxLength: titleCharacters }),
    estimate: Type.Optional(
      Nullable(Type.Object({ low: Type.Optional(bound), high: Type.Optional(bound) }, { additionalProperties: false })),
    ),
    ...relations,
  },
  { $id: 'ItemCreate', additionalProperties: false },
)

/** The body of `PATCH /items/{id}`. */
export const ItemUpdate = Type.Object(
  {
    external_reference: Type.Optional(external_reference),
    ...textsOf(
      'TranslationUpdate',
      {},
      { description: `At most ${titleCharacters} characters, or no more than are stored.` },
    ),
    estimate: Type.Optional(
      Nullable(
        Type.Object(
          { low: Type.Optional(Nullable(bound)), high: Type.Optional(Nullable(bound)) },
          { additionalProperties: false },
        ),
      ),
    ),
    ...relations,
  },
  { $id: 'ItemUpdate', additionalProperties: false },
)

/** The checked body of a POST or a PATCH. */
export type ItemBody = Static<typeof ItemCreate> | Static<typeof ItemUpdate>

/** The bounds of an estimate in minor units, or null. */
export type Bounds = { low: number | null; high: number | null }

/** Checks that both bounds are in the house's currency, and in order if both are given. The estimate may have any shape. */
function checkEstimate(estimate: unknown, currency: string): FieldError[] {
  const { low, high } = fieldsOf(estimate)
  const bounds = { low: fieldsOf(low), high: fieldsOf(high) }
  const errors = Object.entries(bounds)
    .filter(([, bound]) => typeof bound.currency === 'string' && bound.currency !== currency)
    .map(([name]) => fieldError(`estimate.${name}.currency`, 'currency_mismatch', `must be ${currency}`))
  const amountOf = ({ amount }: { amount?: unknown }) => (typeof amount === 'number' ? amount : null)
  return [...errors, ...checkOrder({ low: amountOf(bounds.low), high: amountOf(bounds.high) })]
}

/** Checks the order of two bounds. Either may come from the body or from the store. */
export function checkOrder({ low, high }: Bounds): FieldError[] {
  return low !== null && high !== null && low > high ? [fieldError('estimate', 'low_exceeds_high')] : []
}

/**
 * Checks the body of `POST /items` (section 4.4).
 * @throws Problem validation-failed
 */
export function parseItemCreate(body: unknown, { house }: Context): Static<typeof ItemCreate> {
  return parseBody(ItemCreate, body, 'POST', (item) => {
    const errors = [...checkItem(house, item, 'wrong_type'), ...checkLengths(item, house.defaultLocale)]
    const translated = fieldsOf(fieldsOf(item.translations)[house.defaultLocale])
    const titled = item.title !== undefined || translated.title !== undefined
    return titled ? errors : [fieldError('title', 'required'), ...errors]
  })
}

/**
 * Checks the body of `PATCH /items/{id}`, except for the rules that depend on the stored item.
 * @throws Problem validation-failed
 */
export function parseItemUpdate(body: unknown, { house }: Context): Static<typeof ItemUpdate> {
  return parseBody(ItemUpdate, body, 'PATCH', (item) => checkItem(house, item, 'not_clearable'))
}

function checkItem(house: House, body: Fields, nullCode: 'wrong_type' | 'not_clearable'): FieldError[] {
  return [...checkTexts(body, house.defaultLocale, nullCode), ...checkEstimate(body.estimate, house.currency)]
}

/** The permissions that a body needs beyond that of the write: to attach a record is to reveal it. */
export function permissionsOf(body: ItemBody): Permission[] {
  const needed: Permission[] = []
  if (body.seller) needed.push('seller_profiles.read')
  if (body.categories && body.categories.length > 0) needed.push('categories.read')
  if (body.consignment) needed.push('seller_profiles.read')
  return needed
}
