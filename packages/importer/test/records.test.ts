import assert from 'node:assert/strict'
import { access, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { picture } from '../../../test/support/pictures.ts'
import { itemLines, openHouse, sale, toText, type Line } from './house.ts'
import { readAll } from './reading.ts'

const house = await openHouse()
after(() => house.close())

const exists = (name: string) =>
  access(join(house.folder, name)).then(
    () => true,
    () => false,
  )
const snapshot = async () => ({
  auctions: await readAll(house.catalogue.auctions.list()),
  sessions: await readAll(house.catalogue.sessions.list()),
  items: await readAll(house.catalogue.items.list({ expand: ['images'] })),
  lots: await readAll(house.catalogue.lots.list()),
})
const count = 12
const lines = [house.house, ...sale, ...itemLines(count)]
const file = await house.write('sale.ndjson', lines)

test('a plan rehearses everything, and leaves nothing behind', async () => {
  const before = await snapshot()
  const stdout = await house.end(0, 'plan', file)
  assert.match(stdout, /^to create: 1 auction, 1 session, 12 items$|^to create: .*12 items/m)
  assert.match(stdout, /for staff to add: 12 lots/)
  assert.deepEqual(await snapshot(), before)
  assert.deepEqual(before.items, [])
  assert.equal(await exists('sale.ndjson.journal'), false)
})

test('apply creates missing records and writes the lots for staff; once staff has added the lots, it switches them on', async () => {
  const first = await house.end(0, 'apply', file)
  const { auctions, sessions, items } = await snapshot()
  assert.deepEqual([auctions.length, sessions.length, items.length], [1, 1, count])
  const lots = (await house.read('sale.ndjson.lots.csv')).trimEnd().split('\n')
  assert.equal(lots[0], 'session,item,number,starting_bid_minor')
  assert.deepEqual(lots[1]!.split(','), [
    sessions[0]!.id,
    items.find(({ external_reference }) => external_reference === 'V-0')!.id,
    '1',
    '20000',
  ])
  // The ids in the file identify the house.
  await house.command('houses', 'create', 'zuid', '--name', 'Zuid', '--locale', 'nl', '--currency', 'EUR')
  const command = `bin/catalogue lots add --file ${file}.lots.csv`
  assert.ok(first.endsWith(`\n${count} lots are for staff to add: ${command}\n`), first)
  await house.command(...command.split(' ').slice(1))

  const differences = await house.end(1, 'verify', file)
  assert.match(differences, /sale\.ndjson:5: active: lot 1 is off in the catalogue \[differs\]/)
  const second = await house.end(0, 'apply', file)
  assert.match(second, /^changed: 12 lots$/m)
  assert.equal(await exists('sale.ndjson.lots.csv'), false)
  const verified = await house.end(0, 'verify', file)
  assert.match(verified, /^equal: .*12 items.*12 lots|^equal: .*12 lots.*12 items/m)
})

test('a second run changes nothing, says so and moves no timestamp, with and without its journal', async () => {
  const before = await snapshot()
  for (const withJournal of [true, false]) {
    if (!withJournal) await rm(join(house.folder, 'sale.ndjson.journal'))
    const stdout = await house.end(0, 'apply', file)
    assert.match(stdout, /^nothing was changed$/m)
    assert.deepEqual(await snapshot(), before)
  }
})

test('ten edits of the source change ten records and nothing else', async () => {
  const edits: [type: string, name: string, change: Record<string, unknown>][] = [
    ['auction', 'sale', { title: 'Grote voorjaarsveiling' }],
    ['auction', 'sale', { description: 'Twee dagen' }],
    ['item', 'item-1', { title: 'Vaas één' }],
    ['item', 'item-2', { description: null }],
    ['item', 'item-3', { translations: { en: { title: 'Vase three', condition: 'chipped' } } }],
    ['item', 'item-4', { estimate: { low: { amount: 50_000, currency: 'EUR' }, high: null } }],
    ['item', 'item-5', { estimate: null }],
    ['item', 'item-6', { weight: '3 kg' }],
    ['item', 'item-7', { dimensions: 'h. 34 cm' }],
    ['item', 'item-8', { condition: 'gaaf' }],
  ]
  const edited = lines.map((line: Line) =>
    Object.assign(
      {},
      line,
      ...edits.filter(([type, ref]) => line.type === type && line.ref === ref).map(([, , change]) => change),
    ),
  ) as Line[]
  await writeFile(file, toText(edited))
  const before = await snapshot()
  const planned = await house.run('plan', file)
  assert.match(
    planned.stdout,
    /sale\.ndjson:10: item: translations\.en\.title, translations\.en\.condition|sale\.ndjson:\d+: item: translations\.en\.title/,
  )
  assert.deepEqual(await snapshot(), before)
  const stdout = await house.end(0, 'apply', file)
  assert.match(stdout, /^changed: .*8 items/m)
  const now = await snapshot()
  const changed = now.items.filter((item) => {
    const was = before.items.find(({ id }) => id === item.id)!
    return JSON.stringify(was) !== JSON.stringify(item)
  })
  assert.deepEqual(
    changed.map(({ external_reference }) => external_reference!).toSorted(),
    [1, 2, 3, 4, 5, 6, 7, 8].map((n) => `V-${n}`),
  )
  assert.deepEqual(now.items.find(({ external_reference }) => external_reference === 'V-4')!.estimate, {
    low: { amount: 50_000, currency: 'EUR' },
  })
  assert.equal(now.auctions[0]!.title, 'Grote voorjaarsveiling')
  assert.equal(now.auctions[0]!.description, 'Twee dagen')
  assert.equal((await house.run('verify', file)).code, 0)
})

test('a record that fails does not stop the others; a file of these records says why, and is imported after corrections', async () => {
  const source: Line[] = [
    house.house,
    { type: 'maker', ref: 'maker', name: 'Jan Sluijters' },
    { type: 'item', ref: 'good', external_reference: 'R-1', title: 'Goed', makers: ['maker'] },
    {
      type: 'item',
      ref: 'bad',
      external_reference: 'R-2',
      title: 'Fout',
      makers: ['maker'],
      estimate: { low: { amount: 150, currency: 'EUR' } },
    },
    { type: 'image', item: 'bad', external_reference: 'R-2-1', file: 'r-2.jpg', public: true },
    { type: 'item', ref: 'worse', external_reference: 'R-3', titel: 'Fout' },
    { type: 'item', ref: 'twin', external_reference: 'R-1', title: 'Dubbel' },
    { type: 'lot', session: 'evening', item: 'good', lot_number: 1 },
  ]
  const path = await house.write('mend/wrong.ndjson', source)
  const stdout = await house.end(1, 'apply', path)
  assert.match(stdout, /^created: 1 item$/m)
  assert.match(stdout, /wrong\.ndjson:4: estimate\.low\.amount: .*\[invalid\]/)
  assert.match(stdout, /^1 image not brought in: bad was not brought in \(line 5\)$/m)
  assert.match(stdout, /wrong\.ndjson:6: titel: .*\[unknown_field\]/)
  assert.match(stdout, /wrong\.ndjson:7: external_reference: the source has R-1 twice \[duplicate\]/)
  assert.match(stdout, /wrong\.ndjson:8: session: evening is neither an earlier line nor an id/)
  assert.match(stdout, /maker "Jan Sluijters" was not found: there is none \(lines 2, 3, 4\)/)

  const rejected = (await house.read('mend/wrong.ndjson.rejected.ndjson'))
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Line)
  // The file also has the maker that the rejected item names. The lot points to the stored item.
  assert.deepEqual(
    rejected.map(({ type }) => type),
    ['house', 'maker', 'item', 'image', 'item', 'item', 'lot'],
  )
  assert.match(String(rejected[6]!.item), /^itm_/)
  assert.deepEqual((rejected[2]!.rejection as { line: number; errors: object[] }).line, 4)

  await house.load([{ type: 'maker', name: 'Jan Sluijters' }])
  await house.write('mend/r-2.jpg', await picture())
  const mended = rejected
    .slice(0, 4)
    .map((line) => (line.external_reference === 'R-2' ? { ...line, estimate: null } : line))
  await house.write('mend/wrong.ndjson.rejected.ndjson', mended)
  const again = await house.end(0, 'apply', join(house.folder, 'mend/wrong.ndjson.rejected.ndjson'))
  assert.match(again, /^created: 1 item, 1 image$|^created: 1 image, 1 item$/m)
  const [item] = (await house.catalogue.items.list({ external_reference: 'R-2', expand: ['images'] }).page()).data
  assert.equal(item!.makers.length, 1)
  assert.equal(item!.images.length, 1)
})

test('a seller is found by number, a category by slug or name; an ambiguous or unknown one is listed once with its rows', async () => {
  await house.load([
    { type: 'seller', seller_number: 7, profile_name: 'Erven Van Dam' },
    { type: 'seller', seller_number: 8, profile_name: 'Anna' },
    { type: 'seller', seller_number: 8, profile_name: 'Bert' },
    { type: 'category', slug: 'schilderijen', names: { nl: 'Schilderijen en tekeningen' } },
    { type: 'delivery_class', name: 'Groot', instructions: 'Met twee mensen' },
    { type: 'maker', name: 'Twee' },
    { type: 'maker', name: 'Twee' },
  ])
  const path = await house.write('links/items.ndjson', [
    house.house,
    { type: 'seller', ref: 's7', seller_number: 7, profile_name: 'Anders geschreven' },
    { type: 'seller', ref: 's8', seller_number: 8, profile_name: 'Bert' },
    { type: 'seller', ref: 's9', seller_number: 9, profile_name: 'Anna' },
    { type: 'category', ref: 'c', slug: 'Schilderijen en tekeningen', names: { nl: 'Schilderijen en tekeningen' } },
    { type: 'delivery_class', ref: 'd', name: 'Groot' },
    { type: 'maker', ref: 'm', name: 'Twee' },
    {
      type: 'item',
      external_reference: 'L-1',
      title: 'Een',
      seller: 's7',
      categories: ['c'],
      delivery_class: 'd',
      makers: ['m'],
    },
    { type: 'item', external_reference: 'L-2', title: 'Twee', seller: 's8', makers: ['m'] },
    { type: 'item', external_reference: 'L-3', title: 'Drie', seller: 's9' },
  ])
  const stdout = await house.end(1, 'apply', path)
  assert.match(stdout, /maker "Twee" was not found: 2 have this name.*\(lines 7, 8, 9\)/)
  assert.match(stdout, /seller "9 Anna" was not found: there is none \(lines 4, 10\)/)
  const items = new Map((await readAll(house.catalogue.items.list())).map((item) => [item.external_reference, item]))
  const sellers = new Map((await readAll(house.catalogue.sellers.list())).map(({ id, name }) => [id, name]))
  assert.equal(sellers.get(items.get('L-1')!.seller!), 'Erven Van Dam')
  assert.equal(sellers.get(items.get('L-2')!.seller!), 'Bert')
  assert.equal(items.get('L-3')!.seller, null)
  assert.equal(items.get('L-1')!.categories.length, 1)
  assert.deepEqual(items.get('L-1')!.makers, [])
  assert.match((await house.run('apply', path)).stdout, /^nothing was changed$/m)
})

test('a key that requires If-Match is enough; a key without a permission, or no key, is refused with one sentence', async () => {
  const careful = await house.write('careful.key', await house.issueKey({ require_if_match: true }))
  const path = await house.write('careful/items.ndjson', [
    house.house,
    { type: 'item', external_reference: 'V-9', title: 'Anders' },
  ])
  const stdout = await house.end(0, 'apply', path, '--key-file', careful)
  assert.match(stdout, /^changed: 1 item$/m)
  const reader = await house.write('reader.key', await house.issueKey({ granted: ['lots.read'] }))
  const refused = await house.run(
    'apply',
    await house.write('reader/items.ndjson', [house.house, ...sale]),
    '--key-file',
    reader,
  )
  assert.equal(refused.code, 2)
  assert.match(refused.stderr, /auctions\.read/)
  const stranger = await house.write('stranger.key', 'ack_nobody')
  assert.equal((await house.run('plan', path, '--key-file', stranger)).code, 2)
})

test('programs get lines of JSON, and users a page with pictures of the imported and the rejected records', async () => {
  await house.write('page/p-1.jpg', await picture())
  const path = await house.write('page/items.ndjson', [
    house.house,
    { type: 'item', ref: 'p', external_reference: 'P-1', title: '<b>Vet</b>' },
    { type: 'image', item: 'p', external_reference: 'P-1', file: 'p-1.jpg', public: true },
    { type: 'image', item: 'p', external_reference: 'P-2', file: 'p-2.jpg', public: true },
  ])
  const page = join(house.folder, 'page.html')
  const stdout = await house.end(1, 'apply', path, '--json', '--report', page)
  const events = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>)
  const report = events.at(-1)!
  assert.equal(report.event, 'report')
  assert.deepEqual(report.counts, { item: { created: 1 }, image: { created: 1, rejected: 1 } })
  assert.deepEqual(report.rejections, [
    {
      file: 'items.ndjson',
      line: 4,
      type: 'image',
      reference: 'P-2',
      errors: [{ field: 'file', code: 'unavailable', message: 'there is no file p-2.jpg' }],
    },
  ])
  const html = await house.read('page.html')
  assert.match(html, /<img loading="lazy" alt="" src="http[^"]+">/)
  assert.match(html, /there is no file p-2\.jpg/)
  assert.doesNotMatch(html, /<b>Vet/)
})
