import { randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type { Static } from 'typebox'
import type { Context, Scope, Written } from '../context.ts'
import { readWritten, requireLocked, inTransaction } from '../writes/transaction.ts'
import { requireFreeReference, refuseTaken } from '../writes/external-references.ts'
import { conflict, Problem, validationFailed } from '../problems.ts'
import type { RecordKind } from '../kinds.ts'
import { parseId, printId } from '../values/ids.ts'
import type { ItemExpansion, Lack } from './document.ts'
import { selectAnyItem, selectItem, selectWritten } from './queries.ts'
import type { Found, RelationChanges, Relations } from './relations.ts'
import type { ItemBody, ItemCreate, ItemUpdate } from './schema.ts'
import { changeState, noState, type ItemState } from './state.ts'
import { isOffered, lockConsignment, lockItemState, lockLinked, type LockedItem } from './statements.ts'
import { insertItem, touchItem } from './touch.ts'

/**
 * Creates an item with its texts and relations in one transaction (section 4.4).
 * @throws Problem validation-failed, duplicate-reference, integrity-unavailable
 */
export async function createItem(
  context: Context,
  body: Static<typeof ItemCreate>,
  expand?: readonly ItemExpansion[],
): Promise<Written> {
  const uuid = randomUUID()
  return inTransaction(context, async (tx) => {
    const { state, found } = await change(tx, noState, body)
    await insertItem(tx, uuid, state, { body, found })
    const written = selectWritten(tx, uuid, expand, ['images', ...lackedBy(state)])
    return { id: printId('item', uuid), ...(await readWritten(tx, written)) }
  }).catch(refuseTaken('item', body.external_reference))
}

/**
 * Changes an item (section 4.4). An omitted field is kept. A repeated value changes nothing, not even a timestamp.
 * @throws Problem not-found, precondition-failed, precondition-required, validation-failed, duplicate-reference,
 *   integrity-unavailable
 */
export async function changeItem(
  context: Context,
  uuid: string,
  body: Static<typeof ItemUpdate>,
  expand?: readonly ItemExpansion[],
): Promise<Written> {
  return inTransaction(context, async (tx) => {
    const select = (names?: readonly ItemExpansion[]) => selectItem(tx, uuid, names)
    const found = await lockItem(tx, uuid)
    const item = await requireLocked(tx, found?.state.archived ? undefined : found, select, 'item')
    if (item.unclear) throw new Problem('integrity-unavailable', 'The item holds a translation twice.')
    const { state: wanted } = await change(tx, item.state, body)
    if (isDeepStrictEqual(wanted, item.state)) return readWritten(tx, select(expand))
    await touchItem(tx, item, wanted)
    return readWritten(tx, selectWritten(tx, uuid, expand, lackedBy(wanted)))
  }).catch(refuseTaken('item', body.external_reference))
}

/**
 * Archives an item that no lot without a result offers. Repeating it changes nothing.
 * @throws Problem not-found, precondition-failed, precondition-required, conflict
 */
export async function archiveItem(context: Context, uuid: string, expand?: readonly ItemExpansion[]): Promise<Written> {
  return inTransaction(context, async (tx) => {
    const select = (names?: readonly ItemExpansion[]) => selectAnyItem(tx, uuid, names)
    const item = await requireLocked(tx, await lockItem(tx, uuid), select, 'item')
    if (!item.state.archived && (await isOffered(tx, item.id)))
      throw conflict({ reason: 'in_use', record: { kind: 'item', uuid } })
    await touchItem(tx, item, { ...item.state, archived: true })
    return readWritten(tx, select(expand))
  })
}

// If another write committed during the wait for the lock, the statement read the new row but its old links. The two
// revisions then differ, and the item is read again.
async function lockItem(tx: Context, uuid: string): Promise<LockedItem | undefined> {
  const item = await lockItemState(tx, uuid)
  return item?.revision === item?.seen ? item : lockItem(tx, uuid)
}

const nothingFound: Omit<Found, 'consignment'> = {
  seller: null,
  inherited: null,
  delivery_classes: {},
  categories: {},
  makers: {},
}

const uuidOf = (kind: RecordKind, id: string | null | undefined) => (id ? parseId(kind, id)! : null)

// Finds the records that a change names, and locks them until the transaction ends. No other transaction can archive or
// delete them meanwhile.
async function findRelations(tx: Scope, stored: Relations, changes: RelationChanges): Promise<Found> {
  const consignment = await findConsignment(tx, stored, changes)
  const wanted = {
    seller: uuidOf('seller', changes.seller),
    inherited: changes.seller === undefined && stored.seller === null ? (consignment?.seller ?? null) : null,
    delivery_classes: [uuidOf('delivery_class', changes.delivery_class) ?? []].flat(),
    categories: (changes.categories ?? []).map((id) => parseId('category', id)!),
    makers: (changes.makers ?? []).map((id) => parseId('maker', id)!),
  }
  const { seller, inherited, delivery_classes, categories, makers } = wanted
  const isNothing = !seller && !inherited && delivery_classes.length + categories.length + makers.length === 0
  return { ...(isNothing ? nothingFound : await lockLinked(tx, wanted)), consignment }
}

async function findConsignment(tx: Scope, stored: Relations, changes: RelationChanges): Promise<Found['consignment']> {
  const named = uuidOf('consignment', changes.consignment)
  if (named) return lockConsignment(tx, { public_id: named })
  const kept = changes.seller && changes.consignment === undefined ? stored.consignment : null
  return kept === null ? null : lockConsignment(tx, { id: kept })
}

// The state after a change, and the records that it names. Throws if the stored state does not allow the change.
async function change(tx: Context, stored: ItemState, body: ItemBody): Promise<{ state: ItemState; found: Found }> {
  const found = await findRelations(tx, stored.relations, body)
  const { state, errors } = changeState(stored, body, found, tx.house.defaultLocale)
  if (errors.length === 0) return { state, found }
  // A duplicate reference is reported before other errors: the item may exist already.
  const { external_reference: reference } = state
  if (reference !== null && reference !== stored.external_reference) await requireFreeReference(tx, 'item', reference)
  throw validationFailed(errors)
}

function lackedBy({ relations }: ItemState): Lack[] {
  const linked = Object.values(relations).flat()
  return linked.every((id) => id === null) ? ['links'] : []
}
