import type { Database } from '../db/pool.ts'
import { sortHouses } from '../houses/reach.ts'
import { enqueue, type TaskContext } from '../jobs/queue.ts'
import { deleteRows } from './statements.ts'

const dayInMilliseconds = 24 * 60 * 60 * 1000
const batchSize = 5_000

/** Queues the daily clean-up of the journal, unless it is already queued. */
export async function scheduleForgetting(db: Database): Promise<void> {
  await enqueue(db, 'forget_journal', {}, { key: 'forget_journal', keepTime: true })
}

/** The task that deletes rows older than `days` (0: none), except bids and results, and queues itself again. */
export const forgetJournal =
  (days: number) =>
  async ({ db, clock }: Pick<TaskContext, 'db' | 'clock'>): Promise<void> => {
    const before = new Date(clock().getTime() - days * dayInMilliseconds)
    if (days > 0)
      for (const house of (await sortHouses(db)).reached)
        while ((await deleteRows({ db, house }, before, batchSize)) === batchSize);
    await enqueue(db, 'forget_journal', {}, { key: 'forget_journal', delay: dayInMilliseconds })
  }
