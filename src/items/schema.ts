import { Type } from 'typebox'
import { expansions, pageParameters, textFilter } from '../http/query.ts'
import { locales } from '../values/locales.ts'
import { Id, Nullable, recordTimes } from '../values/shapes.ts'

const text = Type.Optional(Type.String())

/** The stored texts of one locale; a text that is not stored is absent. */
export const Translation = Type.Object(
  { title: text, description: text, condition: text, dimensions: text, weight: text },
  { $id: 'Translation', additionalProperties: false },
)

/** Bounds in the house's currency; either may be absent (section 2.1). */
export const Estimate = Type.Object(
  { low: Type.Optional(Type.Ref('Money')), high: Type.Optional(Type.Ref('Money')) },
  { $id: 'Estimate' },
)

/** An entry of an item's public gallery (section 2.4). */
export const GalleryImage = Type.Object(
  {
    id: Id('image'),
    url: Nullable(Type.String({ format: 'uri', description: 'Up to 900x1200.' })),
    preview_url: Nullable(Type.String({ format: 'uri', description: 'Up to 250x250.' })),
    thumbnail_url: Nullable(Type.String({ format: 'uri', description: 'Exactly 250x250.' })),
    mini_url: Nullable(Type.String({ format: 'uri', description: 'Exactly 70x70.' })),
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
    title: Type.String(),
    description: Nullable(Type.String()),
    condition: Nullable(Type.String()),
    dimensions: Nullable(Type.String()),
    weight: Nullable(Type.String()),
    estimate: Nullable(Type.Ref('Estimate')),
    images: Type.Union([Type.Array(Id('image')), Type.Array(Type.Ref('GalleryImage'))], {
      description: 'The public gallery, in its order.',
    }),
    translations: Type.Object(
      Object.fromEntries(locales.map((locale) => [locale, Type.Optional(Type.Ref('Translation'))])),
      {
        description: 'Stored translations by locale.',
      },
    ),
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
