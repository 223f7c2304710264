import type { Context } from '../../context.ts'
import { enqueueDecision } from '../../jobs/queue.ts'
import { sessionOf } from '../../lots/journal.ts'
import { lockDecided, writeHeld } from '../../lots/result-statements.ts'
import { printId } from '../../values/ids.ts'
import { noteChange } from '../../writes/journal.ts'
import { inTransaction } from '../../writes/transaction.ts'
import { readLots } from './lots.ts'
import { describeMissing } from '../named-records.ts'
import type { RecordedResults } from './results.ts'
import { Refusal } from '../refusal.ts'

/**
 * Holds lots, so that a person decides about them, or releases them, all or none. Only staff see the flag. Repeating it
 * changes nothing. Returns the documents in the order of the lots.
 * @throws Refusal if there is no such lot, or one is to be held that has a result
 */
export async function setHeld(context: Context, uuids: string[], held: boolean): Promise<RecordedResults> {
  return inTransaction(context, (tx) => holdLots(tx, uuids, held))
}

/** As `setHeld`, in a transaction. */
export async function holdLots(tx: Context, uuids: string[], held: boolean): Promise<RecordedResults> {
  const lots = new Map((await lockDecided(tx, { uuids })).map((lot) => [lot.public_id, lot]))
  const changed = uuids.flatMap((uuid) => {
    const lot = lots.get(uuid)
    if (!lot) throw new Refusal(describeMissing('lot', uuid, tx.house), { isMissing: true })
    if (lot.held === held) return []
    if (held && lot.result)
      throw new Refusal(`the lot ${printId('lot', uuid)} is ${lot.result.state} already`, { reason: 'has_result' })
    return [lot]
  })
  for (const lot of changed) {
    const terms = uuids.length > 1 ? { about: sessionOf(lot) } : {}
    noteChange(tx, { kind: 'lot', uuid: lot.public_id }, { held: lot.held }, { held }, terms)
  }
  if (changed.length > 0)
    await writeHeld(
      tx,
      changed.map((lot) => lot.id),
      held,
    )
  // A released lot may close, or have closed, as the next one.
  const automatic = held ? [] : changed.filter((lot) => lot.results === 'automatic')
  for (const session of new Set(automatic.map((lot) => lot.session_id))) await enqueueDecision(tx, session)
  return { documents: await readLots(tx, uuids), changed: changed.length }
}
