import { sql } from 'kysely'
import type { Context } from '../context.ts'
import { idOf, timeOf } from '../reads/documents.ts'
import { newestFirst } from '../reads/keyset.ts'
import { memoize, type ListSelection, type Selection } from '../reads/selections.ts'

const order = newestFirst('s')

/** Sellers `s` with their documents. A seller's name falls back to its account's. */
export const sellers = memoize(() => ({
  table: sql`catalogue.sellers`,
  as: 's',
  tag: sql`s.id || '.' || s.revision`,
  joins: sql`cross join lateral (
    select row_to_json(r) as json,
      case when s.public_id is null then 'has no public id'
        when s.seller_number is null then 'has no seller number' end as defect
    from (select ${idOf('seller', 's')} as id, s.seller_number, coalesce(s.profile_name, s.account_name) as name,
      ${timeOf('s.created_at')} as created_at, ${timeOf('s.updated_at')} as updated_at) r
  ) document`,
}))

/** The house's sellers (section 4.5). */
export function selectSellers<Of extends Context>(
  context: Of,
  { seller_number }: { seller_number?: number },
): ListSelection<Of> {
  const byNumber = seller_number === undefined ? '' : 'and s.seller_number = asked.seller_number::integer'
  const where = `not s.archived ${byNumber}`
  return { context, documents: sellers(context), where, asked: { seller_number }, order }
}

/** The seller with this public UUID. */
export function selectSeller<Of extends Context>(context: Of, uuid: string): Selection<Of> {
  const where = 's.public_id = asked.uuid::uuid and not s.archived'
  return { context, documents: sellers(context), where, asked: { uuid } }
}
