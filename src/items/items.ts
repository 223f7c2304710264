import { isDeepStrictEqual } from 'node:util'
import type { Static } from 'typebox'
import type { Context, Written } from '../context.ts'
import { readWritten, requireLocked, inTransaction } from '../writes/transaction.ts'
import { refuseTaken } from '../writes/external-references.ts'
import { conflict, notFound, Problem } from '../problems.ts'
import type { ItemExpansion } from './document.ts'
import { findRelations, refuseItem } from './named.ts'
import { selectAnyItem, selectItem, selectWritten } from './queries.ts'
import type { ItemBody, ItemUpdate } from './schema.ts'
import { changeState, type ItemState } from './state.ts'
import { isOffered, lockItemState, type LockedItem } from './statements.ts'
import { touchItem } from './touch.ts'

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
    if (found?.state.archived) throw notFound('item', uuid, true)
    const item = await requireLocked(tx, found, select, 'item')
    if (item.unclear) throw new Problem('integrity-unavailable', 'The item holds a translation twice.')
    const wanted = await change(tx, item.state, body)
    if (isDeepStrictEqual(wanted, item.state)) return readWritten(tx, select(expand))
    await touchItem(tx, item, wanted)
    return readWritten(tx, selectWritten(tx, uuid, expand))
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

// The state after a change. Throws if the stored state does not allow the change.
async function change(tx: Context, stored: ItemState, body: ItemBody): Promise<ItemState> {
  const [found] = await findRelations(tx, [{ stored: stored.relations, changes: body }])
  const { state, errors } = changeState(stored, body, found!, tx.house.defaultLocale)
  if (errors.length > 0) await refuseItem(tx, stored, state, errors)
  return state
}
