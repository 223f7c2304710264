import type { Context } from '../context.ts'
import { newestFirst } from '../db/keyset.ts'
import type { ListSelection, Selection } from '../db/selections.ts'
import { items, type ItemExpansion } from './document.ts'

const order = newestFirst('i')

/** The house's items, without archived ones (section 4.4). */
export function selectItems<Of extends Context>(
  context: Of,
  {
    external_reference,
    'expand[]': expand,
  }: { external_reference?: string | undefined; 'expand[]'?: readonly ItemExpansion[] },
): ListSelection<Of> {
  const byReference = external_reference === undefined ? '' : 'and i.external_reference = asked.external_reference'
  const where = `not i.archived ${byReference}`
  return { context, documents: items(context, expand), where, asked: { external_reference }, order }
}

/** The item with this public UUID. */
export function selectItem<Of extends Context>(
  context: Of,
  uuid: string,
  expand?: readonly ItemExpansion[],
): Selection<Of> {
  const where = 'i.public_id = asked.uuid::uuid and not i.archived'
  return { context, documents: items(context, expand), where, asked: { uuid } }
}
