import { sortHouses } from '../houses/reach.ts'
import type { Database } from '../db/pool.ts'
import { enqueue, type TaskContext } from '../jobs/queue.ts'
import { completeIndex } from './indexing.ts'

const pauseMilliseconds = 10 * 60_000
const taskOptions = { key: 'index_search' }

/** Queues the indexing of all houses, to run now: an earlier version may have written without marks. */
export async function scheduleIndexing(db: Database): Promise<void> {
  await enqueue(db, 'index_search', {}, taskOptions)
}

/** Brings the index of every house up to date, and queues itself again in ten minutes. */
export async function indexAll({ db }: Pick<TaskContext, 'db'>): Promise<void> {
  for (const house of (await sortHouses(db)).reached) await completeIndex({ db, house })
  await enqueue(db, 'index_search', {}, { ...taskOptions, delay: pauseMilliseconds })
}
