import { Type } from 'typebox'
import { booleanFilter, idFilter, pageParameters, textFilter } from '../http/query.ts'
import { shownFields } from '../items/schema.ts'
import { idPattern } from '../values/ids.ts'
import { altCharacters } from './alts.ts'
import { ByLocale, Id, IdParameters, Nullable, recordTimes, Timestamp } from '../values/shapes.ts'

const url = Nullable(Type.String({ format: 'uri' }))

/** An image in the management view (section 2.5). Private and processing images have this shape too. */
export const ManagedImage = Type.Object(
  {
    id: Id('image'),
    item: Id('item'),
    external_reference: Nullable(Type.String()),
    public: Type.Boolean(),
    featured: Type.Boolean(),
    processing: Type.Boolean({ description: 'Work is pending. False does not prove that it succeeded.' }),
    processing_failure: Nullable(
      Type.Object({
        code: Type.Unsafe<string>({ type: 'string', enum: ['derivative_processing_failed'] }),
        at: Timestamp,
      }),
    ),
    gallery_position: Nullable(Type.Integer({ minimum: 0 })),
    url,
    preview_url: url,
    thumbnail_url: url,
    mini_url: url,
    original_url: url,
    ...shownFields,
    ...recordTimes,
  },
  { $id: 'ManagedImage' },
)

export const ItemParameters = Type.Object({
  item_id: Type.String({ description: 'The id of the item, prefixed or the bare UUID.' }),
})

export const ImageParameters = Type.Object({
  ...ItemParameters.properties,
  ...IdParameters.properties,
})

export const ImageListQuery = Type.Object({
  ...pageParameters,
  external_reference: textFilter('Only images with exactly this upload reference.'),
})

export const HouseImageListQuery = Type.Object({
  ...pageParameters,
  item: idFilter('item', 'Only images of this item.'),
  session: idFilter('session', 'Only images of the items that this session offers.'),
  public: booleanFilter('Only public images, or only private ones.'),
  processing: booleanFilter('Only images for which work is pending, or only others.'),
  failed: booleanFilter('Only images with a processing_failure, or only others.'),
})

const altText = Type.String({
  pattern: '\\S',
  maxLength: altCharacters,
  description: `What the picture shows, in at most ${altCharacters} characters.`,
})

/** The body of `PATCH /items/{item_id}/images/{id}`. */
export const ImageUpdate = Type.Object(
  {
    alt: Type.Optional(Nullable(altText)),
    alt_translations: Type.Optional(ByLocale(Nullable(altText), { 'x-unknown': 'unsupported_locale' })),
  },
  { $id: 'ImageUpdate', additionalProperties: false },
)

const uploadFields = {
  external_reference: Type.String({
    pattern: '\\S',
    'x-max-bytes': 1024,
    description: 'At most 1024 UTF-8 bytes, unique within the item.',
  }),
  public: Type.Optional(Type.String({ pattern: '^(true|false)$', default: 'true' })),
  alt: Type.Optional(altText),
  alt_translations: Type.Optional(
    ByLocale(altText, { 'x-unknown': 'unsupported_locale', description: 'The text by locale, as a JSON object.' }),
  ),
}

/** The parts of an upload, as documented. */
export const UploadForm = Type.Object(
  {
    file: Type.String({
      format: 'binary',
      contentMediaType: 'application/octet-stream',
      description:
        'JPEG, PNG, WebP, AVIF, TIFF or GIF; at most 50 MiB, 100 megapixels and 304 MiB of memory to decode it, which interlaced, progressive and AVIF pictures reach earlier.',
    }),
    ...uploadFields,
  },
  { $id: 'ImageUpload', additionalProperties: false },
)

/** The text fields of an upload. */
export const UploadFields = Type.Object(uploadFields)

const imageId = Type.String({ pattern: idPattern('image') })

/** The body of a gallery replacement. */
export const GalleryReplacement = Type.Object(
  {
    images: Type.Optional(
      Type.Array(imageId, {
        uniqueItems: true,
        maxItems: 1000,
        description:
          'The public gallery in its order; all other images become private. If omitted, the gallery is kept.',
      }),
    ),
    featured: Type.Optional(Nullable(imageId)),
  },
  { $id: 'GalleryReplacement', additionalProperties: false },
)

/** The body of an action without parameters: `{}`. */
export const NoFields = Type.Object({}, { $id: 'NoFields', additionalProperties: false })
