import { isDeepStrictEqual } from 'node:util'
import type { Context } from '../context.ts'
import { noteChange } from '../writes/journal.ts'
import { touch } from '../writes/touch.ts'
import { insertAuction, type LockedAuction, type NewAuction } from './statements.ts'

/** Inserts an auction, and notes it for the journal. */
export async function addAuction(tx: Context, auction: NewAuction): Promise<void> {
  await insertAuction(tx, auction)
  const { uuid, ...fields } = auction
  noteChange(tx, { kind: 'auction', uuid }, {}, fields)
}

/** Changes a locked auction, and notes for the journal what differs. Writes nothing if nothing differs. */
export async function touchAuction(
  tx: Context,
  stored: LockedAuction,
  changes: Partial<Omit<LockedAuction, 'id' | 'uuid'>>,
): Promise<void> {
  const wanted = { ...stored, ...changes }
  if (isDeepStrictEqual(wanted, stored)) return
  await touch(tx, 'auctions', stored.id, changes)
  noteChange(tx, { kind: 'auction', uuid: stored.uuid }, stored, wanted)
}
