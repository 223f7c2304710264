import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import * as getty from './getty.ts'
import * as graves from './graves.ts'
import * as katabase from './katabase.ts'
import * as tate from './tate.ts'
import { checkRecord, parseRecord } from '../src/load/parser.ts'
import { normalizeLocale } from '../src/values/locales.ts'
import { hundredths, newPence } from './lib/prices.ts'
import { Remarks, type NamedRecord } from './lib/records.ts'

const pointers = ['auction', 'session', 'item', 'seller', 'parent', 'categories', 'makers']

type Line = { [field: string]: unknown }

/** The records as the loader gets them, after the checks that every file of records has to pass. */
function checked(records: NamedRecord[]) {
  const lines = records.map((record): Line => JSON.parse(JSON.stringify(record)))
  const [refs, taken] = [new Set<unknown>(), new Set<string>()]
  let house: NamedRecord<'house'> | undefined
  for (const [index, line] of lines.entries()) {
    const place = { file: 'records', line: index + 1 }
    const record = records[index]!
    if (record.type === 'house') house = record
    checkRecord(place, parseRecord(place, Buffer.from(JSON.stringify(line))), {
      currency: house!.currency!,
      defaultLocale: normalizeLocale(house!.default_locale!)!,
    })
    const targets = pointers.flatMap((field) => line[field] ?? [])
    assert.deepEqual(
      targets.filter((target) => !refs.has(target)),
      [],
    )
    assert.ok(!refs.has(line.ref), `${String(line.ref)} twice`)
    refs.add(line.ref)
    const key =
      record.type === 'lot'
        ? [line.session, line.lot_number]
        : line.external_reference && [house!.slug, record.type, line.external_reference]
    if (key) {
      assert.ok(!taken.has(JSON.stringify(key)), `${JSON.stringify(key)} twice`)
      taken.add(JSON.stringify(key))
    }
    if (record.type === 'item') assert.match(String(line.title), /\S/)
  }
  return lines
}

const of = (type: string, lines: Line[]) => lines.filter((line) => line.type === type)
const column = (lines: Line[], field: string) => lines.map((line) => line[field])

const catalogue: katabase.Catalogue = {
  'xml:id': 'CAT_900001',
  'titleStmt.title': 'Vente Martin, 1-2 mars 1880, collection\n      Petit',
  'bibl.title': 'Catalogue de lettres',
  'bibl.num': '',
  'bibl.editor': null,
  'bibl.publisher': 'André Martin aîné',
  'bibl.pubPlace': 'Paris',
  'bibl.date': '1880',
  'event.addrLine': ['Salle nº 3'],
  'event.persName': [{ type: 'auctioneer', text: 'Me Durand' }],
  'event.date': [{ from: '1880-03-01', to: '1880-03-02' }],
  language: ['fr'],
}

function letter(id: number, num: string | null, more: Partial<katabase.Lot> = {}): katabase.Lot {
  return {
    catalogue: 'CAT_900001',
    'xml:id': `CAT_900001_e${id}`,
    n: num,
    num,
    name: 'Dupont (Jean)',
    'name@type': 'author',
    trait: null,
    desc: [{ text: 'L. a. s.; 1 p. in-8' }],
    note: [],
    measure: null,
    'measure@quantity': null,
    'measure@unit': null,
    ...more,
  }
}

test('katabase: each day is a session and the lots are divided over them in order', () => {
  const remarks = new Remarks()
  const lots = [letter(1, '1'), letter(2, '2'), letter(3, '3'), letter(4, '4'), letter(5, '5')]
  const lines = checked([...katabase.convert([catalogue], lots, remarks)])
  assert.deepEqual(column(of('session', lines), 'opens_at'), ['1880-03-01T00:00:00Z', '1880-03-02T00:00:00Z'])
  assert.deepEqual(
    column(of('lot', lines), 'session').map((ref) => String(ref).slice(-2)),
    ['01', '01', '01', '02', '02'],
  )
  assert.equal(of('house', lines)[0]!.slug, 'andre-martin-aine')
  assert.equal(of('seller', lines)[0]!.profile_name, 'collection Petit')
  assert.match(remarks.lines().join('\n'), /which day a lot was sold: lots divided evenly/)
})

test('katabase: a missing or repeated number becomes the next after the highest, and stays readable', () => {
  const remarks = new Remarks()
  const numbers = ['1', '1bis', '2', '2', '3871.85', 'VIALA', null, '9']
  const lots = numbers.map((number, index) => letter(index, number))
  const lines = checked([...katabase.convert([catalogue], lots, remarks)])
  assert.deepEqual(column(of('lot', lines), 'lot_number'), [1, 10, 2, 11, 12, 13, 14, 9])
  assert.match(String(of('item', lines)[1]!.description), /Nº 1bis$/)
  assert.match(remarks.lines().join('\n'), /3 {2}lot number that is not a whole number.*1bis → 10.*VIALA → 13/)
})

test('katabase: pieces, line breaks, prices and missing names lose nothing', () => {
  const remarks = new Remarks()
  const price = { measure: '2 50', 'measure@quantity': '2.50', 'measure@unit': 'FRF' }
  const lots = [
    letter(1, '1', {
      desc: [{ text: '1° Lettre\n         signée.' }, { text: '2° Pièce.' }],
      note: ['Belle pièce.'],
      ...price,
    }),
    letter(2, '2', { name: null, desc: [{ text: 'Lettres diverses de tous; en mauvais état.' }] }),
    letter(3, '3', { measure: '4 »', 'measure@quantity': '4.»', 'measure@unit': 'FRF' }),
    letter(4, '4', { catalogue: 'CAT_900002' }),
  ]
  const lines = checked([...katabase.convert([catalogue], lots, remarks)])
  const items = of('item', lines)
  assert.equal(items[0]!.description, '1° Lettre signée.\n2° Pièce.\nBelle pièce.')
  assert.equal(items[1]!.title, 'Lettres diverses de tous')
  assert.match(String(items[2]!.description), /\n4 »$/)
  assert.deepEqual(column(of('lot', lines), 'starting_bid'), [{ amount: 250, currency: 'FRF' }, undefined, undefined])
  const report = remarks.lines().join('\n')
  assert.match(report, /several pieces in a lot/)
  assert.match(report, /unknown catalogue: left out \(for example CAT_900001_e4\)/)
})

const header =
  'name,sale,lot,dealer,year,price,subject,authorstandard,authorstyle,author,material,Height_in,Width_in,portrait'

test('paris: the command line turns a MacRoman file into one item per lot', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'examples-'))
  t.after(() => rm(folder, { recursive: true }))
  const rows = [
    header,
    'R1-1a,R1,1,R,1770,"1,842.5",(2) T\x90te de femme,"Maker, A",n/a,A. Maker,toile,20,17.5,1',
    'R1-1b,R1,1,R,1770,"1,842.5",(2) Son pendant,"Maker, A",n/a,A. Maker,toile,20,17,0',
    'R1-2,R1,32bis,R,1770,6.0,,copy after B,copy after,,bois,,,0',
    'R1-1,R1,1,R,1770,12.0,Autre tableau,"C; D",n/a,C & D,bois,,,0',
  ].map((row) => `${row}\r\n`)
  await writeFile(join(folder, 'sale.csv'), Buffer.from(rows.join(''), 'latin1'))
  const program = join(import.meta.dirname, 'paris.ts')
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [program, join(folder, 'sale.csv')])
  const records = stdout
    .trimEnd()
    .split('\n')
    .map((line): NamedRecord => JSON.parse(line))
  const lines = checked(records)
  const items = of('item', lines)
  assert.deepEqual(column(items, 'title'), ['(2) Tête de femme', 'Nº 2', 'Autre tableau'])
  assert.equal(items[0]!.description, 'A. Maker. (2) Tête de femme. toile\nA. Maker. (2) Son pendant. toile')
  assert.equal(items[0]!.dimensions, '20 x 17.5 pouces\n20 x 17 pouces')
  assert.deepEqual(column(of('maker', lines), 'name'), ['Maker, A', 'C', 'D'])
  assert.deepEqual(column(of('lot', lines), 'lot_number'), [1, 2, 3])
  assert.deepEqual(of('lot', lines)[0]!.current_bid, { amount: 184250, currency: 'XXX' })
  assert.deepEqual(of('session', lines)[0]!.opens_at, undefined)
  assert.match(stderr, /3 {2}item\n/)
  assert.match(stderr, /1 {2}file not in UTF-8: read as MacRoman/)
  assert.match(stderr, /32bis → 2/)
})

function graveRow(monthDay: string, artwork: string, purchaser: string, ...money: string[]) {
  return {
    artist: 'PAINTER, John',
    year: '1890',
    month_day: monthDay,
    'auction house': "Smith's",
    seller: '',
    'seller/artwork': artwork,
    purchaser,
    pounds: money[0] ?? '—',
    shillings: money[1] ?? '',
    pence: money[2] ?? '',
  }
}

test('graves: days that Excel mangled, English money and OCR give one sale', () => {
  const remarks = new Remarks()
  const rows = [
    graveRow('6/7/2016', 'Mr. Seller. 20. A Boy with a Dog. 1850. 30x25', 'Agent', '34', '13', '0'),
    graveRow('June 7', 'Mr. Seller. (171V.)21. Mrs. Grey', 'Bought in', '10', '10', '6'),
    graveRow('June7', 'Mr. Seller. in. A Field. 1851. Sketch. 30x25', '—'),
    graveRow('June 7', '- 21. A Mill', 'Agent', 'H5', '0', '0'),
    graveRow('June 7', '- 21. A Mill', 'Agent', 'H5', '0', '0'),
    graveRow('—', 'No number', 'Agent', '1', '1', '0'),
  ]
  const lines = checked([...graves.convert(rows, remarks)])
  assert.deepEqual(column(of('auction', lines), 'title'), ["Smith's, 7 June 1890", "Smith's, 1890 —"])
  assert.deepEqual(column(of('lot', lines), 'lot_number'), [20, 21, 22, 23, 1])
  assert.deepEqual(column(of('lot', lines), 'sold'), [true, false, false, true, true])
  const bids = column(of('lot', lines), 'current_bid').map((bid) => JSON.stringify(bid) ?? '')
  assert.deepEqual(
    bids.map((bid) => /\d+/.exec(bid)?.[0]),
    ['3465', '1053', undefined, undefined, '105'],
  )
  const items = of('item', lines)
  assert.deepEqual(column(items, 'title'), [
    'A Boy with a Dog',
    'Mrs. Grey',
    'Mr. Seller. in. A Field. 1851. Sketch',
    'A Mill',
    'No number',
  ])
  assert.equal(items[0]!.dimensions, '30x25')
  assert.match(String(items[3]!.description), /£ s d: H5 0 0$/)
  assert.deepEqual(column(of('seller', lines), 'profile_name'), ['Mr. Seller'])
  assert.match(remarks.lines().join('\n'), /1 {2}row repeated in every column: left out/)
})

function gettyLot(catalogue: string, number: string, transaction: string, more: { [column: string]: string } = {}) {
  return {
    catalog_number: catalogue,
    lot_number: number,
    lot_sale_year: '1801',
    lot_sale_month: '03',
    lot_sale_day: '12',
    persistent_puid: `${catalogue}-${number}`,
    title: 'A Landscape',
    art_authority_1: 'PAINTER, JOHN',
    object_type: 'Painting',
    transaction,
    ...more,
  }
}

test('getty: several catalogues become auctions of their section, results in three languages', () => {
  const remarks = new Remarks()
  const lots = [
    gettyLot('Br-1', '0007', 'Sold', {
      price_amount_1: '6-16-6',
      price_currency_1: 'pounds',
      sell_name_1: 'A. Seller',
    }),
    gettyLot('Br-1', '0008[a]', 'Bought In [?]', {
      price_amount_1: '15.5',
      price_currency_1: 'pounds',
      lot_sale_day: '13',
    }),
    gettyLot('B-2', '0001', 'Vendu', { price_amount_1: '2 3/4', price_currency_1: 'frs', title: 'mot '.repeat(80) }),
    gettyLot('B-2', '0002', 'Sold', { price_amount_1: '80', price_currency_1: 'frs', price_note_1: 'for lots 2 & 3' }),
    gettyLot('D-3', '0001', 'Zurückgezogen', { est_price: '1600', est_price_curr: 'Reichsmark', lot_sale_day: '00' }),
    gettyLot('SC-4', '0001', 'Unknown', {
      title: 'Et Landskab',
      title_translation: 'A landscape',
      attrib_mod_auth_1: 'copy by',
    }),
    gettyLot('Zz-5', '0001', 'Sold'),
  ]
  const lines = checked([...getty.convert(lots, [{ catalog_number: 'Br-1', city_of_sale: 'London' }], remarks)])
  assert.deepEqual(column(of('house', lines), 'default_locale'), ['en', 'fr', 'de', 'en'])
  assert.deepEqual(column(of('auction', lines), 'external_reference'), ['Br-1', 'B-2', 'D-3', 'SC-4'])
  assert.equal(of('session', lines).length, 5)
  const lotLines = of('lot', lines)
  assert.deepEqual(column(lotLines, 'lot_number'), [7, 8, 1, 2, 1, 1])
  assert.deepEqual(column(lotLines, 'sold'), [true, false, true, true, false, false])
  assert.deepEqual(column(lotLines, 'active'), [true, true, true, true, false, true])
  const amounts = column(lotLines, 'current_bid').map((bid) => /\d+/.exec(JSON.stringify(bid) ?? '')?.[0])
  assert.deepEqual(amounts, ['683', '1525', '275', undefined, undefined, undefined])
  const items = of('item', lines)
  assert.deepEqual(items[4]!.estimate, { low: { amount: 160000, currency: 'XXX' } })
  assert.equal(String(items[2]!.title).length <= 255, true)
  assert.match(String(items[2]!.description), /^(?:mot ){79}mot$/)
  assert.match(String(items[3]!.description), /80 frs for lots 2 & 3/)
  assert.deepEqual([items[5]!.title, items[5]!.makers], ['A landscape', []])
  assert.match(remarks.lines().join('\n'), /unknown section: lot left out \(for example Zz-5\)/)
})

test('tate: artworks become items, with roles, weights and subject levels kept apart', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'examples-'))
  t.after(() => rm(folder, { recursive: true }))
  const work = {
    acno: 'X1',
    title: 'A Beach',
    foreignTitle: 'Ein Strand',
    all_artists: 'Jane Sculptor, after John Painter',
    classification: 'sculpture',
    dateText: '1901',
    dimensions: 'object: 10 x 20 x 30 mm, 118 kg\r\nbase: 10 x 10 mm',
    contributors: [
      { id: 1, fc: 'Jane Sculptor', role: 'artist' },
      { id: 2, fc: 'John Painter', role: 'after' },
    ],
    subjects: ['nature/seascapes and coasts/beach', 'nature/seascapes and coasts/sea'],
  }
  const records: NamedRecord[] = []
  for await (const record of tate.convert([work], new Remarks())) records.push(record)
  const lines = checked(records)
  const item = of('item', lines)[0]!
  assert.deepEqual(item.makers, ['maker/1'])
  assert.deepEqual(item.categories, ['category/sculpture', 'category/nature/seascapes and coasts'])
  assert.equal(item.weight, '118 kg')
  assert.equal(item.dimensions, 'object: 10 x 20 x 30 mm, 118 kg\nbase: 10 x 10 mm')
  assert.equal(item.description, 'Jane Sculptor, after John Painter\nEin Strand\n1901')
  assert.equal(
    of('category', lines).find(({ slug }) => slug === 'nature-seascapes-and-coasts')?.parent,
    'category/nature',
  )

  const file = join(folder, 'works.ndjson.gz')
  const works = ['X1', 'X2', 'X3'].map((acno) => `${JSON.stringify({ ...work, acno })}\n`)
  await writeFile(file, gzipSync(works.join('')))
  const program = join(import.meta.dirname, 'tate.ts')
  const { stderr } = await promisify(execFile)(process.execPath, [program, '--limit', '2', file])
  assert.match(stderr, /2 {2}item\n/)
  assert.match(stderr, /2 {2}foreign title without a language/)
})

test('an ambiguous price is not read', () => {
  assert.deepEqual(['2.50', '1,842.5', '12', '.3', '25.', '2 50', '1,84', 'H5'].map(hundredths), [
    250,
    184250,
    1200,
    undefined,
    undefined,
    undefined,
    undefined,
    undefined,
  ])
  assert.deepEqual(newPence('945', '10', ''), { amount: 94550, exact: true })
  assert.deepEqual(newPence('0', '0', '1'), { amount: 0, exact: false })
  assert.equal(newPence('i°5', '0', '0'), undefined)
})
