import type { Scope } from '../context.ts'
import { followedKinds, kinds, type Followed } from '../kinds.ts'
import { markChanged } from '../writes/touch.ts'
import type { Database } from '../db/pool.ts'
import { inTransaction } from '../writes/transaction.ts'
import { listHouses } from '../houses/houses.ts'
import { enqueue, type TaskContext } from '../jobs/queue.ts'
import {
  analyzeChanges,
  findAuctionsOf,
  findLastNumber,
  findLotsOf,
  findUnmarked,
  findVersions,
  lockNumbers,
  takeMarks,
  writeDeletions,
  writeNumbers,
  type Numbered,
} from './statements.ts'

// The commit order of transactions cannot be had from writers: neither a clock nor a sequence follows it, and whoever
// goes by PostgreSQL's order waits for the oldest open transaction. So readers number what they see.

const mostMarks = 1_000

/**
 * Gives the marked records of a house the next places in its feed, at most so many at a time. What was committed before
 * the call has a place after it, if the answer is true: no mark was left. A record that has its version's place keeps it.
 */
export async function numberChanges(context: Scope): Promise<boolean> {
  return inTransaction(context, async (tx) => {
    await lockNumbers(tx)
    const marks = await takeMarks(tx, mostMarks)
    if (marks.length === 0) return true
    const ids = followedKinds.map((_, kind) => marks.flatMap((mark) => (mark.kind === kind ? [mark.record_id] : [])))
    const of = (kind: Followed) => ids[kinds[kind].number]!
    if (of('item').length > 0) of('lot').push(...(await findLotsOf(tx, of('item'))))
    if (of('session').length > 0) of('auction').push(...(await findAuctionsOf(tx, of('session'))))
    let number = await findLastNumber(tx)
    const numbered: Numbered[] = []
    for (const kind of followedKinds) {
      if (of(kind).length === 0) continue
      for (const record of await findVersions(tx, kind, of(kind))) numbered.push({ ...record, kind, number: ++number })
    }
    await writeNumbers(
      tx,
      numbered.filter(({ version }) => version !== null),
    )
    await writeDeletions(
      tx,
      numbered.filter(({ version }) => version === null),
    )
    return marks.length < mostMarks
  })
}

const pauseMilliseconds = 10 * 60_000
const taskOptions = { key: 'number_changes' }

/** Queues the numbering of all houses, to run at once: a version without marks may have written until now. */
export async function scheduleNumbering(db: Database): Promise<void> {
  await enqueue(db, 'number_changes', {}, taskOptions)
}

/**
 * Numbers the changes of all houses, so that marks do not pile up where nobody reads, and those without a mark. Comes back
 * after ten minutes.
 */
export async function numberAllChanges({ db }: Pick<TaskContext, 'db'>): Promise<void> {
  const scopes = (await listHouses(db)).map(({ id }) => ({ db, house: { id } }))
  for (const scope of scopes) await numberMarked(scope)
  await analyzeChanges(db)
  for (const scope of scopes) await numberUnmarked(scope)
  await enqueue(db, 'number_changes', {}, { ...taskOptions, delay: pauseMilliseconds })
}

/** Numbers all marked changes of a house. */
export async function numberMarked(context: Scope): Promise<void> {
  while (!(await numberChanges(context)));
}

/** Numbers the changes without a mark, which an earlier version or a hand has made. It finds them by their revisions. */
export async function numberUnmarked(context: Scope): Promise<void> {
  for (const kind of followedKinds) {
    for (let isFull = true; isFull;) {
      const ids = await findUnmarked(context, kind, mostMarks)
      if (ids.length === 0) break
      await inTransaction(context, (tx) => markChanged(tx, kind, ids))
      await numberMarked(context)
      // Writers may go on for ever.
      isFull = ids.length === mostMarks
    }
  }
}
