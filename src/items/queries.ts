import { sql } from 'kysely'
import type { Context } from '../context.ts'
import { newestFirst } from '../db/keyset.ts'
import { makeOnce, readOne, readPage, type Page, type PageRequest } from '../db/reads.ts'
import { joinItemDocument } from './document.ts'

/** What `expand[]` may inflate in an item. */
export type ItemExpansion = 'images'

/** Items `i` with their documents. */
export const items = makeOnce((context, expand: readonly ItemExpansion[]) => {
  const joins = joinItemDocument(context, 'i', 'document', { images: expand.includes('images') })
  return { table: sql`catalogue.items`, as: 'i', joins }
})

/** A page of the house's items, archived ones left out (section 4.4). */
export async function listItems(
  context: Context,
  filters: { external_reference?: string },
  expand: readonly ItemExpansion[] | undefined,
  page: PageRequest,
): Promise<Page> {
  const byReference =
    filters.external_reference === undefined ? sql`` : sql`and i.external_reference = ${filters.external_reference}`
  const where = sql`i.house_id = ${context.house.id} and not i.archived ${byReference}`
  return readPage(context.db, items(context, expand), where, newestFirst('i'), page)
}

/** The item with this public UUID. */
export async function readItem(context: Context, uuid: string, expand?: readonly ItemExpansion[]): Promise<string> {
  const where = sql`i.house_id = ${context.house.id} and i.public_id = ${uuid} and not i.archived`
  return readOne(context.db, items(context, expand), where)
}
