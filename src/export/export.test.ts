import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { PassThrough } from 'node:stream'
import { text as readAll } from 'node:stream/consumers'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { defectiveHouse } from '../../test/support/defects.ts'
import { comesBack, exportOf, linesOf } from '../../test/support/exports.ts'
import { catalogueOf, eur, houseLine, uuid, type Line } from '../../test/support/lines.ts'
import { everyType } from '../../test/support/loading.ts'
import { startService, type TestService } from '../../test/support/service.ts'
import { examine } from '../doctor/records.ts'
import { allKinds } from '../kinds.ts'
import { findHouse } from '../houses/locks.ts'
import { inTransaction } from '../writes/transaction.ts'
import { exportHouse, ExportError } from './exporter.ts'
import { selectRecords } from './statements.ts'

const every = everyType({ type: 'house', slug: 'every', name: 'A house', default_locale: 'nl', currency: 'EUR' })
const source = await startService({
  records: [...(every as Line[]), ...defectiveHouse('defects')],
})
const target = await startService()
after(async () => Promise.all([source, target].map((service) => service.close())))

test('a house with every field of every type comes back from its file: the same file, answers and rows', () =>
  comesBack(source, target, 'every', 20))

test('a house with every defect that a load takes comes back from its file: the same file, answers, rows and findings', async () => {
  await comesBack(source, target, 'defects', 40)
  const problems = async ({ db }: TestService) =>
    (await examine(db, [(await findHouse(db, 'defects'))!])).map(({ type, problem }) => `${type} ${problem}`)
  const found = await problems(source)
  assert.deepEqual((await problems(target)).toSorted(), found.toSorted())
  // All reasons that the documents of records know, except those of an expanded record, which the answers have.
  const src = path.join(import.meta.dirname, '..')
  const places = (await readdir(src, { recursive: true })).filter((file) => /(document|queries)\.ts$/.test(file))
  const documents = await Promise.all(places.map((place) => readFile(path.join(src, place), 'utf8')))
  const reasons = documents.flatMap((text) =>
    Array.from(
      text.matchAll(/then '((?:has|holds|offers|belongs to a session without|shares)[^']*)'/g),
      ([, reason]) => reason!,
    ),
  )
  assert.ok(reasons.length > 20)
  const missing = reasons.filter((reason) => !found.some((problem) => problem.includes(reason)))
  assert.deepEqual(missing, [])
})

test('lines are in the order of kind, creation and id, each ref is kind and number, and parents come before children', async () => {
  const at = (day: number) => ({ created_at: `2020-01-0${day}T00:00:00Z` })
  await source.load([
    houseLine('order'),
    { type: 'maker', id: uuid(301), name: 'second', ...at(2) },
    { type: 'maker', id: null, name: 'fourth', ...at(2) },
    { type: 'maker', id: uuid(302), name: 'third', ...at(2) },
    { type: 'maker', id: uuid(303), name: 'fifth', created_at: null },
    { type: 'maker', id: uuid(304), name: 'first', ...at(1) },
    { type: 'category', ref: 'top', slug: 'top', ...at(8) },
    { type: 'category', ref: 'middle', slug: 'middle', parent: 'top', ...at(9) },
    { type: 'category', slug: 'alone', ...at(2) },
    { type: 'category', slug: 'low', parent: 'middle', ...at(4) },
    { type: 'category', slug: 'other', parent: 'top', ...at(3) },
    { type: 'category', slug: 'last', ...at(7) },
    { type: 'seller', seller_number: 1 },
  ])
  const lines = linesOf((await exportOf(source, 'order')).text)
  assert.deepEqual(
    lines.map(({ ref, name, slug, parent }) => [ref, name ?? slug ?? null, parent ?? null]),
    [
      ['house-1', 'House order', null],
      ['seller-1', null, null],
      ['category-1', 'alone', null],
      ['category-2', 'top', null],
      ['category-3', 'other', 'category-2'],
      ['category-4', 'middle', 'category-2'],
      ['category-5', 'low', 'category-4'],
      ['category-6', 'last', null],
      ['maker-1', 'first', null],
      ['maker-2', 'second', null],
      ['maker-3', 'third', null],
      ['maker-4', 'fourth', null],
      ['maker-5', 'fifth', null],
    ],
  )
})

test('a file has the records of its house alone, and leaves out a parent in another house', async () => {
  const [one, two] = [catalogueOf(41), catalogueOf(42)]
  const child = { type: 'category', id: uuid(43_000), slug: 'child', parent: one.ids.category }
  await source.load([...one.lines, ...two.lines, child])
  const { text } = await exportOf(source, two.slug)
  const lines = linesOf(text)
  assert.equal(lines.length, two.lines.length + 1)
  assert.equal(lines.find(({ id }) => id === `cat_${uuid(43_000)}`)!['parent'], null)
  for (const id of Object.values(one.ids)) assert.ok(!text.includes(id), id)
  assert.ok(!text.includes(one.slug))
})

test('each table of a statement has its own condition on the house, as Citus needs it', () => {
  for (const type of allKinds) {
    const { sql: text } = selectRecords(type, { id: '7', currency: 'EUR' }).compile(source.db)
    const named = text.match(/"?catalogue"?\."?\w+"?/g)!.length
    assert.equal(text.match(/\bhouse_id"? = '7'/g)!.length, named, text)
  }
})

const unsayable: [guarantee: string, change: string, message: RegExp][] = [
  [
    'a negative amount',
    `update catalogue.lots set starting_bid = -1`,
    /^lot lot_.*: starting_bid\.amount: must be >= 0$/,
  ],
  [
    'an amount beyond the safe integers',
    `update catalogue.bids set amount = 9007199254740993`,
    /^bid .*: amount\.amount: /,
  ],
  [
    'a time without an end',
    `update catalogue.items set created_at = 'infinity'`,
    /^item itm_.*: created_at: must be an RFC/,
  ],
  [
    'a time before Christ',
    `update catalogue.auctions set updated_at = '0044-03-15 BC'`,
    /^auction auc_.*: updated_at: must/,
  ],
  [
    'an unknown locale',
    `update catalogue.item_translations set locale = 'pt'`,
    /^item itm_.*: translations\.0\.locale: /,
  ],
  [
    'a text that is too long',
    `update catalogue.makers set name = repeat('x', 2000)`,
    /^maker mkr_.*: name: is too long/,
  ],
  [
    'a block of the other kind',
    `update catalogue.sessions set live_closes_at = now()`,
    /^session ses_.*: live: a timed/,
  ],
  [
    'a record without a public id',
    `update catalogue.sellers set public_id = null, profile_name = repeat('x', 2000)`,
    /^seller row \d+ of house house-44: profile_name: /,
  ],
  ['a category below itself', `update catalogue.categories set parent_id = id`, /^category cat_.*: parent: .*circle$/],
  [
    'a lot that was sold together with itself',
    `update catalogue.lots set result_with = id, result_state = 'sold', sold = true`,
    /^lot lot_.*: result\.with: .*circle$/,
  ],
  [
    'categories in a circle',
    `update catalogue.categories c set parent_id = (select o.id from catalogue.categories o where o.house_id = c.house_id and o.id <> c.id order by o.id limit 1)`,
    /^category cat_.*: parent: the records that it leads to form a circle$/,
  ],
]

test('an export stops at what the format cannot say, and names the record and the field', async () => {
  const { slug, ids, lines } = catalogueOf(44)
  await source.load([...lines, { type: 'bid', lot: ids.lot, amount: eur(5000) }])
  const whole = (await exportOf(source, slug)).text
  const { rows } = await sql<{ id: string }>`select id from catalogue.houses where slug = ${slug}`.execute(source.db)
  for (const [guarantee, change, message] of unsayable) {
    const table = /catalogue\.\w+/.exec(change)![0]
    await sql.raw(`create table kept as select * from ${table} where house_id = ${rows[0]!.id}`).execute(source.db)
    const where = `where house_id = ${rows[0]!.id}${guarantee.startsWith('a block') ? ` and kind = 'timed'` : ''}`
    await sql.raw(`${change} ${where}`).execute(source.db)
    await assert.rejects(exportOf(source, slug), (error) => {
      assert.ok(error instanceof ExportError, `${guarantee}: ${String(error)}`)
      assert.match(error.message, message)
      return true
    })
    const columns = await sql<{ name: string }>`
      select column_name as name from information_schema.columns where table_name = 'kept'`.execute(source.db)
    const names = columns.rows.map(({ name }) => name).filter((name) => !['house_id', 'id'].includes(name))
    await sql
      .raw(
        `update ${table} t set ${names.map((name) => `"${name}" = k."${name}"`).join(', ')} from kept k where t.house_id = k.house_id and t.id = k.id`,
      )
      .execute(source.db)
    await sql`drop table kept`.execute(source.db)
    assert.equal((await exportOf(source, slug)).text, whole, guarantee)
  }
})

test('an export waits for no transaction of another house, and no write of its own house waits for it', async () => {
  const [own, other] = [catalogueOf(51), catalogueOf(52)]
  await source.load([...own.lines, ...other.lines])
  const key = await source.issueKey(own.slug)
  const [house, elsewhere] = [(await findHouse(source.db, own.slug))!, (await findHouse(source.db, other.slug))!]
  await inTransaction({ db: source.db, house: elsewhere }, async (open) => {
    await sql`update catalogue.sellers set revision = revision + 1 where house_id = ${elsewhere.id}`.execute(open.db)
    // Nobody reads more than the first piece, so the export cannot end.
    const output = new PassThrough({ highWaterMark: 1 })
    const exported = exportHouse(source, house, output, { pictures: 'left out', isPacked: false })
    await Promise.race([once(output, 'readable'), exported])
    const body = { external_reference: 'new', title: 'written during the export' }
    assert.equal((await source.request({ method: 'POST', url: '/api/v2/items', key, body })).statusCode, 201)
    const [file] = await Promise.all([readAll(output), exported])
    assert.ok(!file.includes(body.title))
  })
})
