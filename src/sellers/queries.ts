import { sql } from 'kysely'
import type { Context } from '../context.ts'
import { idOf, timeOf } from '../db/documents.ts'
import { newestFirst } from '../db/keyset.ts'
import { readOne, readPage, type Documents, type Page, type PageRequest } from '../db/reads.ts'

/** Sellers `s` with their documents. A seller's name falls back to its account's. */
export const sellers: Documents = {
  table: sql`catalogue.sellers`,
  as: 's',
  joins: sql`cross join lateral (
    select row_to_json(r) as json,
      case when s.public_id is null then 'has no public id'
        when s.seller_number is null then 'has no seller number' end as defect
    from (select ${idOf('seller', 's')} as id, s.seller_number, coalesce(s.profile_name, s.account_name) as name,
      ${timeOf('s.created_at')} as created_at, ${timeOf('s.updated_at')} as updated_at) r
  ) document`,
}

/** A page of the house's sellers (section 4.5). */
export async function listSellers(
  { db, house }: Context,
  filters: { seller_number?: number },
  page: PageRequest,
): Promise<Page> {
  const byNumber = filters.seller_number === undefined ? sql`` : sql`and s.seller_number = ${filters.seller_number}`
  const where = sql`s.house_id = ${house.id} and not s.archived ${byNumber}`
  return readPage(db, sellers, where, newestFirst('s'), page)
}

/** The seller with this public UUID. */
export async function readSeller({ db, house }: Context, uuid: string): Promise<string> {
  return readOne(db, sellers, sql`s.house_id = ${house.id} and s.public_id = ${uuid} and not s.archived`)
}
