import { sql } from 'kysely'
import type { Context } from '../context.ts'
import { newestFirst } from '../db/keyset.ts'
import type { ListSelection, Selection } from '../db/reads.ts'
import { items, type ItemExpansion } from './document.ts'

/** The house's items, without archived ones (section 4.4). */
export function selectItems(
  context: Context,
  filters: { external_reference?: string | undefined },
  expand?: readonly ItemExpansion[],
): ListSelection {
  const byReference =
    filters.external_reference === undefined ? sql`` : sql`and i.external_reference = ${filters.external_reference}`
  const where = sql`i.house_id = ${context.house.id} and not i.archived ${byReference}`
  return { ...items(context, expand), where, order: newestFirst('i') }
}

/** The item with this public UUID. */
export function selectItem(context: Context, uuid: string, expand?: readonly ItemExpansion[]): Selection {
  const where = sql`i.house_id = ${context.house.id} and i.public_id = ${uuid} and not i.archived`
  return { ...items(context, expand), where }
}
