import { sortHouses } from '../houses/reach.ts'
import { enqueueRepeated, type TaskContext } from '../jobs/queue.ts'
import { deleteRows } from './statements.ts'

const dayInMilliseconds = 24 * 60 * 60 * 1000
const batchSize = 5_000

/** The task that deletes rows older than `days` (0: none), except bids and results, and queues itself again. */
export const forgetJournal =
  (days: number) =>
  async ({ db, clock }: Pick<TaskContext, 'db' | 'clock'>): Promise<void> => {
    const before = new Date(clock().getTime() - days * dayInMilliseconds)
    if (days > 0)
      for (const house of (await sortHouses(db)).reached)
        while ((await deleteRows({ db, house }, before, batchSize)) === batchSize);
    await enqueueRepeated(db, 'forget_journal', { delay: dayInMilliseconds })
  }
