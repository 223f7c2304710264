import { isDeepStrictEqual } from 'node:util'
import type { Context } from '../context.ts'
import { noteChange } from '../writes/journal.ts'
import { touch } from '../writes/touch.ts'
import type { LockedAuction } from './statements.ts'

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
