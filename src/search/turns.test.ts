import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { openDatabase, type Database } from '../db/pool.ts'
import { findHouse } from '../houses/locks.ts'
import { houseLine, uuid } from '../../test/support/lines.ts'
import { countFound, openGate } from '../../test/support/searching.ts'
import { startService, type TestService } from '../../test/support/service.ts'
import { createSearcher } from './searcher.ts'

const itemsOf = (slug: string, first: number, count: number) => [
  houseLine(slug),
  ...Array.from({ length: count }, (_, at) => ({ type: 'item', id: uuid(first + at), title: 'Vaas' })),
]
const most = 5_000
let service: TestService

before(async () => {
  service = await startService({
    records: [...itemsOf('huge', 1, most), ...itemsOf('small', 20_001, 300), ...itemsOf('other', 30_001, 1_100)],
  })
})

after(() => service.close())

const pages = 'limit 500)'

/** Searches of all items of a house. `order`: the statements in their order, with the way that they took. */
async function openSearch(gate: Awaited<ReturnType<typeof openGate>>) {
  const order: string[] = []
  const searcher = createSearcher(Infinity, Infinity)
  const ways = [gate.connection, service.connection].map((connection, at) =>
    openDatabase(connection, 4, {
      logStatement: ({ statement }) => void order.push(`${at === 0 ? 'gated' : 'free'} ${statement}`),
    }),
  )
  const search = async (slug: string, db: Database) => countFound(searcher, db, (await findHouse(service.db, slug))!)
  return {
    order,
    searchGated: (slug: string) => search(slug, ways[0]!.db),
    search: (slug: string) => search(slug, ways[1]!.db),
    async close() {
      gate.open()
      await searcher.close()
      for (const { pool } of ways) await pool.end()
      await gate.close()
    },
  }
}

test('a house of few items does not wait for the index of a house of many', async () => {
  const gate = await openGate(service.connection, pages)
  const { search, searchGated, close } = await openSearch(gate)
  const huge = searchGated('huge')
  await gate.held
  assert.deepEqual(await search('small'), { count: 300, isComplete: true })
  gate.open()
  assert.deepEqual(await huge, { count: most, isComplete: true })
  await close()
})

test('many changes of a house are followed while a house of many items is indexed', async () => {
  const gate = await openGate(service.connection, pages)
  const { order, search, searchGated, close } = await openSearch(gate)
  assert.deepEqual(await search('other'), { count: 1_100, isComplete: true })
  await service.load(itemsOf('other', 40_001, 2_100))
  const huge = searchGated('huge')
  await gate.held
  order.length = 0
  const other = search('other')
  while (!order.some((statement) => statement.includes('marked as materialized'))) await sleep(5)
  gate.open()
  assert.deepEqual(await other, { count: 3_200, isComplete: true })
  assert.deepEqual(await huge, { count: most, isComplete: true })
  const numbered = order.findIndex((statement) => statement.includes('pg_advisory_xact_lock'))
  assert.ok(numbered < order.findLastIndex((statement) => statement.startsWith('gated') && statement.includes(pages)))
  await close()
})
