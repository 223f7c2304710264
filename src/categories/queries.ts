import { sql } from 'kysely'
import type { Context } from '../context.ts'
import { idOf, timeOf } from '../reads/documents.ts'
import { newestFirst } from '../reads/keyset.ts'
import { memoize, type ListSelection, type Selection } from '../reads/selections.ts'

const order = newestFirst('c')

/** Categories `c` with their documents: named in the house's default locale. */
export const categories = memoize(({ house }) => {
  const joins = sql`
  left join catalogue.categories parent on parent.house_id = ${house.id} and parent.id = c.parent_id
  cross join lateral (
    select row_to_json(r) as json,
      case when c.public_id is null then 'has no public id'
        when c.slug is null then 'has no slug'
        when c.parent_id is not null and parent.public_id is null then 'has a parent without a public id' end as defect
    from (select ${idOf('category', 'c')} as id, c.names ->> ${house.defaultLocale} as name, c.slug, ${idOf('category', 'parent')} as parent,
      ${timeOf('c.created_at')} as created_at, ${timeOf('c.updated_at')} as updated_at) r
  ) document`
  return { table: sql`catalogue.categories`, as: 'c', tag: sql`c.id || '.' || c.revision`, joins }
})

/** The house's categories (section 4.6). */
export function selectCategories<Of extends Context>(context: Of, { slug }: { slug?: string }): ListSelection<Of> {
  const where = slug === undefined ? 'true' : 'c.slug = asked.slug'
  return { context, documents: categories(context), where, asked: { slug }, order }
}

/** The category with this public UUID. */
export function selectCategory<Of extends Context>(context: Of, uuid: string): Selection<Of> {
  return { context, documents: categories(context), where: 'c.public_id = asked.uuid::uuid', asked: { uuid } }
}
