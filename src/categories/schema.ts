import { Type } from 'typebox'
import { pageParameters, textFilter } from '../http/query.ts'
import { Id, Nullable, recordTimes } from '../values/shapes.ts'

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

export const CategoryListQuery = Type.Object({
  ...pageParameters,
  slug: textFilter('Only categories with this slug, letter case included. Slugs are not unique.'),
})
