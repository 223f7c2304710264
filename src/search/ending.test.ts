import assert from 'node:assert/strict'
import { once } from 'node:events'
import { after, before, beforeEach, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import type { Worker } from 'node:worker_threads'
import { openDatabase } from '../db/pool.ts'
import { findHouse } from '../houses/locks.ts'
import { Problem } from '../problems.ts'
import { lockWork } from '../writes/locks.ts'
import { inTransaction } from '../writes/transaction.ts'
import { houseLine, uuid } from '../../test/support/lines.ts'
import { untilWaiting } from '../../test/support/locks.ts'
import { countFound } from '../../test/support/searching.ts'
import { startService, type TestService } from '../../test/support/service.ts'
import { createSearcher } from './searcher.ts'

const items = (first: number, count: number) =>
  Array.from({ length: count }, (_, at) => ({ type: 'item', id: uuid(first + at), title: `Vaas ${first + at}` }))

let service: TestService
let threads: Worker[] = []
const note = (thread: Worker) => void threads.push(thread)

before(async () => {
  service = await startService({ records: [houseLine('north'), ...items(1, 2_000)] })
  process.on('worker', note)
})

after(() => {
  process.off('worker', note)
  return service.close()
})

beforeEach(() => (threads = []))

/** A search of its own, on a pool of its own. */
async function openSearch() {
  const { db, pool } = openDatabase(service.connection, 4)
  const house = (await findHouse(service.db, 'north'))!
  const searcher = createSearcher(Infinity, Infinity)
  return {
    house,
    search: () => countFound(searcher, db, house),
    close: () => searcher.close(),
    end: () => pool.end(),
    /** How many connections carry out a statement. */
    busy: () => pool.totalCount - pool.idleCount,
  }
}

const isUnavailable = (error: unknown) => error instanceof Problem && error.code === 'temporarily-unavailable'

test('the end of the search ends the searches that are under way, and starts no thread again', async () => {
  const own = await openSearch()
  const begun = once(process, 'worker')
  const refused = assert.rejects(own.search(), isUnavailable)
  await begun
  await own.close()
  assert.equal(own.busy(), 0)
  await refused
  await assert.rejects(own.search(), isUnavailable)
  await setImmediate()
  assert.equal(threads.length, 1)
  await own.end()
})

test('the end of the search waits for the changes that it numbers', async () => {
  const own = await openSearch()
  await own.search()
  await service.load([houseLine('north'), ...items(10_001, 2_100)])
  const { refused, ending } = await inTransaction(service, async ({ db }) => {
    await lockWork({ db, house: own.house }, 'changes')
    const refused = assert.rejects(own.search(), isUnavailable)
    await untilWaiting(service.db, 1)
    const ending = own.close().then(own.busy)
    await once(threads[0]!, 'exit')
    await setImmediate()
    return { refused, ending }
  })
  assert.equal(await ending, 0)
  await refused
  await own.end()
})

test('a search whose thread ends again and again is refused with 503', async () => {
  const own = await openSearch()
  const end = (thread: Worker) => void thread.terminate()
  process.on('worker', end)
  try {
    await assert.rejects(own.search(), isUnavailable)
  } finally {
    process.off('worker', end)
  }
  assert.equal(threads.length, 3)
  assert.ok((await own.search()).count >= 2_000)
  await own.close()
  await own.end()
})
