import type { Scope, ServedHouse } from '../../context.ts'
import { readGeneration } from '../../db/generation.ts'
import type { Database } from '../../db/pool.ts'
import { sortHouses } from '../../houses/reach.ts'
import { doDuty } from '../../jobs/duty.ts'
import { enqueue, type Payloads, type TaskContext } from '../../jobs/queue.ts'
import { formatOf, writeDocuments } from '../document.ts'
import { countReady, findSessions, walkItems, walkSession } from './queries.ts'

// A worker that stops waits for one slice.
const sliceMilliseconds = 2_000
const pauseMilliseconds = 10 * 60_000
const mostWalked = 500
const mostTogether = 100
const taskOptions = { key: 'ready_documents', priority: 30_000 }

type Place = NonNullable<Payloads['ready_documents']['place']>

/** Queues the job that makes documents ready, to run now. */
export async function scheduleReadiness(db: Database): Promise<void> {
  await enqueue(db, 'ready_documents', {}, taskOptions)
}

/**
 * Stores the documents that no read has stored yet, so that the first reads after a load, a restore or an upgrade find
 * them. Of each house the items of the latest sales come first. Works for two seconds, then queues itself again: at once
 * while something is left, else in ten minutes.
 */
export async function readyDocuments(
  { db }: Pick<TaskContext, 'db'>,
  { place: begun, done = 0, all = 0 }: Payloads['ready_documents'],
): Promise<void> {
  const generation = await readGeneration(db)
  const { reached: houses } = await sortHouses(db)
  const first = houses.findIndex(({ id }) => id === begun?.house)
  let until: number | undefined
  for (const named of houses.slice(Math.max(0, first))) {
    const house: ServedHouse = { ...named, generation }
    const place = named.id === begun?.house ? begun : undefined
    const counted = place ? { done, all } : await countReady({ db, house }, formatOf({ house }))
    if (!place && counted.done === counted.all) continue
    // Counting is no step: a slice that only counts would be repeated for ever.
    until ??= performance.now() + sliceMilliseconds
    const left = await readyHouse({ db, house }, place, until)
    if (left.place) {
      const payload = { place: left.place, done: counted.done + left.written, all: counted.all }
      return enqueue(db, 'ready_documents', payload, taskOptions)
    }
  }
  // A load may have queued the job meanwhile, to run now.
  await enqueue(db, 'ready_documents', {}, { ...taskOptions, delay: pauseMilliseconds, keepTime: true })
}

// Returns how many documents it has written, and the place to go on from unless the walk has ended. After the lots of all
// sessions come all items, by their ids.
async function readyHouse(
  scope: Scope & { house: ServedHouse },
  begun: Place | undefined,
  until: number,
): Promise<{ written: number; place?: Place }> {
  const format = formatOf(scope)
  let written = 0
  const walks = [...(await findSessions(scope)), null]
  const first = begun ? walks.indexOf(begun.session) : 0
  for (const session of walks.slice(Math.max(0, first))) {
    let after = session === begun?.session ? begun.after : '0'
    for (;;) {
      if (performance.now() > until) return { written, place: { house: scope.house.id, session, after } }
      const walked =
        session === null
          ? await walkItems(scope, format, after, mostWalked)
          : await walkSession(scope, session, format, after, mostWalked)
      const lacking = walked.filter(({ isReady }) => !isReady)
      written += lacking.length
      for (let start = 0; start < lacking.length; start += mostTogether) {
        const items = lacking.slice(start, start + mostTogether).map(({ item }) => item)
        await doDuty(() => writeDocuments(scope, items))
      }
      if (walked.length < mostWalked) break
      after = walked.at(-1)!.place
    }
  }
  return { written }
}
