import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import * as katabase from './katabase.ts'
import { checkRecord, parseRecord } from '../src/load/parser.ts'
import { normalizeLocale } from '../src/values/locales.ts'
import { hundredths } from './lib/prices.ts'
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
})
