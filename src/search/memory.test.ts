import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { openDatabase, type Database } from '../db/pool.ts'
import { findHouse } from '../houses/locks.ts'
import { kinds } from '../kinds.ts'
import { houseLine, uuid } from '../../test/support/lines.ts'
import { countFound, openGate } from '../../test/support/searching.ts'
import { startService, type TestService } from '../../test/support/service.ts'
import { createSearcher, type Searcher } from './searcher.ts'

const houses = ['eerste', 'tweede', 'derde', 'vierde']
const items = 1_100
let service: TestService

before(async () => {
  service = await startService({
    searchBytes: 4 * 1024 * 1024,
    records: houses.flatMap((slug, house) => [
      houseLine(slug),
      ...Array.from({ length: items }, (_, at) => {
        return { type: 'item', id: uuid(house * 10_000 + at), title: `Vaas ${slug} ${at}` }
      }),
    ]),
  })
})

after(() => service.close())

test('houses that do not fit into the memory together are searched in turn and at once, at least their newest items', async () => {
  const keys = await Promise.all(houses.map((slug) => service.issueKey(slug)))
  const ask = async (at: number) => {
    const reply = await service.get(`/api/v2/items/search?q=${houses[at]!}+`, keys[at]!)
    assert.equal(reply.statusCode, 200, reply.payload)
    const { total, complete = true } = reply.json<{ total: number; complete?: false }>()
    assert.ok(complete ? total === items : total >= 1_000, `${total} ${complete}`)
  }
  for (let round = 0; round < 3; round++) for (const at of keys.keys()) await ask(at)
  for (let round = 0; round < 5; round++) await Promise.all([...keys.keys(), ...keys.keys()].map(ask))
})

test('what the indexes take is measured, and houses that are whole, displaced and too large are told apart', async () => {
  const { db } = service
  const found = await Promise.all(houses.map(async (slug) => (await findHouse(db, slug))!))
  const large = createSearcher(Infinity, Infinity)
  assert.deepEqual(large.measure(), { bytes: 0, houses: { whole: 0, displaced: 0, too_large: 0 } })
  await countFound(large, db, found[0]!)
  const { bytes } = large.measure()
  assert.ok(bytes > items * 100)
  await countFound(large, db, found[1]!)
  assert.deepEqual(large.measure().houses, { whole: 2, displaced: 0, too_large: 0 })
  assert.ok(large.measure().bytes > 1.5 * bytes)
  await large.close()

  const small = createSearcher(1.5 * bytes, Infinity)
  for (const house of [0, 1, 0]) await countFound(small, db, found[house]!)
  assert.deepEqual(small.measure().houses, { whole: 0, displaced: 1, too_large: 0 })
  await small.close()

  const partial: string[] = []
  const least = createSearcher(1024, Infinity, (slug) => partial.push(slug))
  for (const house of [0, 1, 0]) await countFound(least, db, found[house]!)
  assert.deepEqual(least.measure().houses, { whole: 0, displaced: 0, too_large: 1 })
  assert.deepEqual(partial, [houses[0], houses[1]])
  await least.close()
})

test('a house that grows beyond the memory is made anew with its newest items, and not at each search', async () => {
  const slug = 'groeiend'
  let created = 0
  const create = async (count: number) => {
    const numbers = Array.from({ length: count }, () => (created += 1))
    const lines = numbers.map((number) => {
      const words = Array.from({ length: 30 }, (_, at) => (number * 30 + at).toString(36))
      return { type: 'item', id: uuid(100_000 + number), title: 'Vaas', description: words.join(' ') }
    })
    await service.load([houseLine(slug), ...lines])
  }
  await create(2_000)
  const house = (await findHouse(service.db, slug))!
  let builds = 0
  const logStatement = ({ statement }: { statement: string }) =>
    void (builds += statement.includes('limit 1000)') ? 1 : 0)
  const { db, pool } = openDatabase(service.connection, 4, { logStatement })
  const find = (searcher: Searcher) => countFound(searcher, db, house)
  const whole = createSearcher(Infinity, Infinity)
  await find(whole)
  const most = 1.1 * whole.measure().bytes
  await whole.close()

  const searcher = createSearcher(most, Infinity)
  assert.equal((await find(searcher)).isComplete, true)
  // The last ones are more than a search follows with one statement.
  for (const count of [...Array.from({ length: 8 }, () => 400), 2_200]) {
    await create(count)
    const found = await find(searcher)
    assert.ok(found.count === created || (found.count >= 1_000 && !found.isComplete), `${found.count} of ${created}`)
    assert.ok(searcher.measure().bytes < 1.6 * most, `${searcher.measure().bytes} of ${most}`)
  }
  builds = 0
  for (let round = 0; round < 5; round++) assert.equal((await find(searcher)).isComplete, false)
  assert.equal(builds, 0)
  await searcher.close()
  await pool.end()
})

test('the index of a former language or generation of a house is dropped', async () => {
  const { db } = service
  const searcher = createSearcher(Infinity, Infinity)
  const house = (await findHouse(db, houses[0]!))!
  const generations = ['a', 'a', 'b', 'b'].map((generation, at) => {
    return { ...house, generation, defaultLocale: at === 0 ? 'fr' : house.defaultLocale } as const
  })
  const sizes: number[] = []
  for (const each of generations) {
    assert.deepEqual(await countFound(searcher, db, each), { count: items, isComplete: true })
    sizes.push(searcher.measure().bytes)
  }
  assert.ok(Math.max(...sizes) < 1.5 * sizes[0]!, sizes.join())
  await searcher.close()
})

test('a house that found no memory beside one that was being searched is indexed as a whole after a minute', async (t) => {
  const ways = await Promise.all(
    [0, 1].map(async () => {
      const gate = await openGate(service.connection, 'marked as materialized')
      return { gate, ...openDatabase(gate.connection, 1) }
    }),
  )
  const [one, other] = await Promise.all(houses.map((slug) => findHouse(service.db, slug)))
  const measured = createSearcher(Infinity, Infinity)
  await countFound(measured, service.db, one!)
  const reports: string[] = []
  const searcher = createSearcher(1.5 * measured.measure().bytes, Infinity, (slug) => void reports.push(slug))
  await measured.close()

  const whole = { count: items, isComplete: true }
  const held: ReturnType<typeof countFound>[] = []
  // The second has no memory while the first is being searched.
  for (const [at, house] of [one!, other!].entries()) {
    held.push(countFound(searcher, ways[at]!.db, house))
    await ways[at]!.gate.held
  }
  ways[0]!.gate.open()
  assert.deepEqual(await held[0], whole)
  ways[1]!.gate.open()
  const found = await held[1]!
  assert.ok(found.count >= 1_000 && !found.isComplete, `${found.count} ${found.isComplete}`)

  const present = performance.now.bind(performance)
  t.mock.method(performance, 'now', () => present() + 60_000)
  assert.deepEqual(await countFound(searcher, service.db, other!), whole)
  assert.deepEqual(reports, [])
  await searcher.close()
  for (const { gate, pool } of ways) {
    await pool.end()
    await gate.close()
  }
})

test('a house that is displaced again and again is indexed as a whole a minute after it was', async (t) => {
  const { db } = service
  const [one, other] = await Promise.all(houses.map(async (slug) => (await findHouse(db, slug))!))
  const measured = createSearcher(Infinity, Infinity)
  await countFound(measured, db, one!)
  const searcher = createSearcher(1.5 * measured.measure().bytes, Infinity)
  await measured.close()
  const present = performance.now.bind(performance)
  let later = 0
  t.mock.method(performance, 'now', () => present() + later)
  const answers: boolean[] = []
  for (const house of [one!, other!, one!]) await countFound(searcher, db, house)
  for (; later < 61_000; later += 20_000) {
    await countFound(searcher, db, other!)
    answers.push((await countFound(searcher, db, one!)).isComplete)
  }
  assert.deepEqual(answers, [false, false, false, true])
  await searcher.close()
})

test('a house of a thousand items is complete where others have the memory for more', async () => {
  await service.load([
    houseLine('duizend'),
    ...Array.from({ length: 1_000 }, (_, at) => ({ type: 'item', id: uuid(90_000 + at), title: `Vaas ${at}` })),
  ])
  const thousand = (await findHouse(service.db, 'duizend'))!
  const other = (await findHouse(service.db, houses[0]!))!
  const measured = createSearcher(Infinity, Infinity)
  await countFound(measured, service.db, other)
  const searcher = createSearcher(1.5 * measured.measure().bytes, Infinity)
  await measured.close()
  for (const house of [thousand, other, thousand])
    assert.equal((await countFound(searcher, service.db, house)).count, house === other ? items : 1_000)
  assert.deepEqual(searcher.measure().houses, { whole: 1, displaced: 0, too_large: 0 })
  await searcher.close()
})

const mark = (db: Database, house: { id: string }, kind: 'item' | 'maker') =>
  sql`insert into catalogue.change_marks (house_id, kind, record_id) select ${house.id}, ${sql.lit(kinds[kind].number)}, id
    from ${sql.table(`catalogue.${kinds[kind].plural}`)} where house_id = ${house.id}`.execute(db)

const madeInOrder = (first: number, count: number, more: object = {}) =>
  Array.from({ length: count }, (_, at) => {
    return {
      type: 'item',
      id: uuid(first + at),
      title: `Vaas ${at}`,
      created_at: new Date(1e12 + (first + at) * 1000),
      ...more,
    }
  })

for (const [what, items, found] of [
  ['live', madeInOrder(80_000, 1_500), 1_000],
  ['archived', [...madeInOrder(60_000, 600), ...madeInOrder(61_000, 1_200, { archived: true })], 600],
] as const)
  test(`a house that does not fit takes up no old items that are changed, if they are ${what}`, async () => {
    await service.load([houseLine(`oud-${what}`), ...items])
    const house = (await findHouse(service.db, `oud-${what}`))!
    let reads = 0
    const logStatement = ({ statement }: { statement: string }) =>
      void (reads += statement.includes('ahead as materialized') ? 1 : 0)
    const { db, pool } = openDatabase(service.connection, 4, { logStatement })
    const searcher = createSearcher(1024, Infinity)
    assert.deepEqual(await countFound(searcher, db, house), { count: found, isComplete: false })
    const before = reads
    await sql`update catalogue.items set title = title || ' oud' where house_id = ${house.id} and archived = ${what === 'archived'}`.execute(
      db,
    )
    await mark(db, house, 'item')
    assert.deepEqual(await countFound(searcher, db, house, 'vaas '), { count: found, isComplete: false })
    assert.equal(reads, before)
    await searcher.close()
    await pool.end()
  })

test('a maker that is read again and again takes no more memory', async () => {
  await service.load([houseLine('makers'), { type: 'maker', id: uuid(95_000), name: 'Jan Müller' }])
  const { db } = service
  const house = (await findHouse(db, 'makers'))!
  await mark(db, house, 'maker')
  const searcher = createSearcher(Infinity, Infinity)
  const sizes = new Set<number>()
  for (let round = 0; round < 5; round++) {
    await countFound(searcher, db, house)
    sizes.add(searcher.measure().bytes)
  }
  assert.equal(sizes.size, 1)
  await searcher.close()
})
