import { isDeepStrictEqual } from 'node:util'
import type { Context } from '../context.ts'
import { noteChange } from '../writes/journal.ts'
import { markChanged, touch } from '../writes/touch.ts'
import type { LockedAuction } from './statements.ts'

type NewAuction = {
  uuid: string
  external_reference: string
  title: string
  description: string | null
  slug: string
}

/** Inserts an auction of the house, created now, and notes it for the journal. */
export async function insertAuction(tx: Context, { uuid, ...fields }: NewAuction): Promise<void> {
  const { id } = await tx.db
    .insertInto('catalogue.auctions')
    .values({ ...fields, public_id: uuid, house_id: tx.house.id, created_at: tx.now, updated_at: tx.now })
    .returning('id')
    .executeTakeFirstOrThrow()
  await markChanged(tx, 'auction', [id])
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
