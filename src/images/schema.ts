import { Type } from 'typebox'
import { pageParameters, textFilter } from '../http/query.ts'
import { Id, Nullable, recordTimes, Timestamp } from '../values/shapes.ts'

const url = Nullable(Type.String({ format: 'uri' }))

/** What an importer sees of an image (section 2.5): private and processing ones included. */
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
    ...recordTimes,
  },
  { $id: 'ManagedImage' },
)

export const ItemParameters = Type.Object({
  item_id: Type.String({ description: 'The id of the item, prefixed or the bare UUID.' }),
})

export const ImageParameters = Type.Object({
  ...ItemParameters.properties,
  id: Type.String({ description: 'The id of the image, prefixed or the bare UUID.' }),
})

export const ImageListQuery = Type.Object({
  ...pageParameters,
  external_reference: textFilter('Only images with exactly this upload reference.'),
})
