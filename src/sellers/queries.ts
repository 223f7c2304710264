import { sql } from 'kysely'
import type { Context } from '../context.ts'
import { idOf, timeOf } from '../db/documents.ts'
import { newestFirst } from '../db/keyset.ts'
import { memoize, type ListSelection, type Selection } from '../db/reads.ts'

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
export function selectSellers(context: Context, filters: { seller_number?: number }): ListSelection {
  const byNumber = filters.seller_number === undefined ? sql`` : sql`and s.seller_number = ${filters.seller_number}`
  const where = sql`s.house_id = ${context.house.id} and not s.archived ${byNumber}`
  return { ...sellers(context), where, order: newestFirst('s') }
}

/** The seller with this public UUID. */
export function selectSeller(context: Context, uuid: string): Selection {
  const where = sql`s.house_id = ${context.house.id} and s.public_id = ${uuid} and not s.archived`
  return { ...sellers(context), where }
}
