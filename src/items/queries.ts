import type { Context } from '../context.ts'
import { newestFirst } from '../reads/keyset.ts'
import type { ListSelection, Selection } from '../reads/selections.ts'
import { items, writtenItems, type ItemExpansion, type Lack } from './document.ts'

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

const byIdentity = 'i.public_id = asked.uuid::uuid and not i.archived'

/** The item with this public UUID. */
export function selectItem<Of extends Context>(
  context: Of,
  uuid: string,
  expand?: readonly ItemExpansion[],
): Selection<Of> {
  return { context, documents: items(context, expand), where: byIdentity, asked: { uuid } }
}

/** The item with this public UUID that the transaction has just written. `lacks`: what it is known not to have. */
export function selectWritten<Of extends Context>(
  context: Of,
  uuid: string,
  expand: readonly ItemExpansion[] = [],
  lacks: readonly Lack[] = [],
): Selection<Of> {
  const documents = writtenItems(context, [...expand, ...lacks.map((each) => `no ${each}` as const)])
  return { context, documents, where: byIdentity, asked: { uuid } }
}
