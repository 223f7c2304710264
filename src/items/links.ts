import type { Scope } from '../context.ts'
import type { RecordKind } from '../kinds.ts'
import { parseId } from '../values/ids.ts'
import type { Found, RelationChanges, Relations } from './relations.ts'
import { lockConsignment, lockLinked } from './statements.ts'

const nothingFound: Omit<Found, 'consignment'> = {
  seller: null,
  delivery_class: null,
  inherited: null,
  categories: {},
  makers: {},
}

const uuidOf = (kind: RecordKind, id: string | null | undefined) => (id ? parseId(kind, id)! : null)

/**
 * Finds the records that a change names, and locks them until the transaction ends. No other transaction can archive or
 * delete them meanwhile.
 */
export async function findRelations(tx: Scope, stored: Relations, changes: RelationChanges): Promise<Found> {
  const consignment = await findConsignment(tx, stored, changes)
  const wanted = {
    seller: uuidOf('seller', changes.seller),
    inherited: changes.seller === undefined && stored.seller === null ? (consignment?.seller ?? null) : null,
    delivery_class: uuidOf('delivery_class', changes.delivery_class),
    categories: (changes.categories ?? []).map((id) => parseId('category', id)!),
    makers: (changes.makers ?? []).map((id) => parseId('maker', id)!),
  }
  const { seller, inherited, delivery_class, categories, makers } = wanted
  const isNothing = !seller && !inherited && !delivery_class && categories.length + makers.length === 0
  return { ...(isNothing ? nothingFound : await lockLinked(tx, wanted)), consignment }
}

async function findConsignment(tx: Scope, stored: Relations, changes: RelationChanges): Promise<Found['consignment']> {
  const named = uuidOf('consignment', changes.consignment)
  if (named) return lockConsignment(tx, { public_id: named })
  const kept = changes.seller && changes.consignment === undefined ? stored.consignment : null
  return kept === null ? null : lockConsignment(tx, { id: kept })
}
