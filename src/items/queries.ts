import { sql, type RawBuilder } from 'kysely'
import type { Context } from '../context.ts'
import { newestFirst } from '../db/keyset.ts'
import { readOne, readPage, type Page, type PageRequest } from '../db/reads.ts'
import { joinItemDocument } from './document.ts'

/** What `expand[]` may inflate in an item. */
export type ItemExpansion = 'images'

/** The house's items `i` with their documents. */
export function items(context: Context, expand: readonly ItemExpansion[] = []): RawBuilder<unknown> {
  return sql`catalogue.items i ${joinItemDocument(context, 'i', 'document', { images: expand.includes('images') })}`
}

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
  return readPage(context.db, { from: items(context, expand), where }, newestFirst('i'), page)
}

/** The item with this public UUID. */
export async function readItem(context: Context, uuid: string, expand?: readonly ItemExpansion[]): Promise<string> {
  const where = sql`i.house_id = ${context.house.id} and i.public_id = ${uuid} and not i.archived`
  return readOne(context.db, { from: items(context, expand), where })
}
