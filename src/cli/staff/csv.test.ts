import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { after, test } from 'node:test'
import { parse } from 'csv-parse/sync'
import { createInstallation } from '../../../test/support/installation.ts'
import { houseLine, uuid } from '../../../test/support/lines.ts'
import { checkout } from '../../../test/support/process.ts'
import { csvColumns, printUnits } from './csv.ts'
import { exportedTexts } from '../../items/texts.ts'

const installation = await createInstallation()
after(() => installation.remove())

const yen = (amount: number) => ({ amount, currency: 'JPY' })
const eur = (amount: number) => ({ amount, currency: 'EUR' })
const close = '2099-05-01T12:00:00.000Z'
const session = { type: 'session', auction: 'a', kind: 'live', live: { closes_at: close } }
const formulas = ['=1+1', '+31 6', '-1', '@SUM(A1)', '\tx', '\r=1']
const house = [
  houseLine('nl'),
  { type: 'seller', ref: 'jansen', seller_number: 12, profile_name: 'Jansen' },
  { type: 'seller', ref: 'de-vries', id: `sel_${uuid(9)}`, profile_name: 'De Vries' },
  { type: 'consignment', ref: 'c', number: '2026-7', seller: 'jansen' },
  { type: 'auction', ref: 'a', title: 'A' },
  { ...session, ref: 's', id: `ses_${uuid(1)}`, external_reference: '2026-1/A' },
  { ...session, ref: 'unnamed', id: `ses_${uuid(2)}` },
  {
    type: 'item',
    ref: 'i',
    id: `itm_${uuid(3)}`,
    external_reference: 'V-1',
    title: 'Vaas, "blauw"',
    seller: 'jansen',
    consignment: 'c',
    description: 'een\ntwee;drie',
    weight: '3 kg',
    translations: { nl: { title: 'Vaas, "blauw"' }, fr: { title: 'Vase', condition: 'été' } },
    estimate: { low: eur(5), high: eur(123_456) },
    created_at: '2020-01-02T03:04:05.678Z',
  },
  {
    type: 'item',
    ref: 'bare',
    id: `itm_${uuid(4)}`,
    title: null,
    seller: 'de-vries',
    created_at: '2020-01-01T00:00:00Z',
  },
  { type: 'image', item: 'i', public: true, id: uuid(5) },
  { type: 'image', item: 'i', id: uuid(6) },
  {
    type: 'lot',
    id: `lot_${uuid(7)}`,
    session: 's',
    item: 'i',
    lot_number: -3,
    active: true,
    starting_bid: eur(45_050),
    result: { state: 'sold', amount: eur(120_005), after_sale: true },
  },
  { type: 'lot', id: `lot_${uuid(8)}`, session: 'unnamed', item: 'bare', lot_number: 4, current_bid: eur(0) },
]
const formulaHouse = [
  houseLine('formulas'),
  ...formulas.map((title, index) => ({ type: 'item', title, external_reference: `${title}${index}` })),
]
const yenHouse = [
  houseLine('yen', { currency: 'JPY' }),
  { type: 'item', title: 'x', estimate: { low: yen(450), high: null } },
]
await installation.load([...house, ...formulaHouse, ...yenHouse])

/** The text of a list as CSV, and its rows by heading. */
async function list(...words: string[]) {
  const { stdout } = await installation.run(...words, '--csv')
  return { stdout, rows: parse<Record<string, string>>(stdout, { bom: true, columns: true }) }
}

test('a list as CSV has a byte-order mark, the columns of the documents, and amounts in units', async () => {
  const { stdout, rows } = await list('lots', 'list', '--house', 'nl')
  assert.equal(stdout.slice(0, 1), '\uFEFF')
  assert.deepEqual(Object.keys(rows[0]!), csvColumns.lots)
  const common = { closes_at: close, currency: 'EUR' }
  assert.deepEqual(rows, [
    {
      ...common,
      session: '2026-1/A',
      number: '-3',
      item: 'V-1',
      title: 'Vaas, "blauw"',
      active: 'true',
      estimate_low: '0.05',
      estimate_high: '1234.56',
      starting_bid: '450.50',
      current_bid: '',
      sold: 'true',
      result: 'sold',
      price: '1200.05',
      id: `lot_${uuid(7)}`,
      seller: '12',
      consignment: '2026-7',
    },
    {
      ...common,
      session: `ses_${uuid(2)}`,
      number: '4',
      item: `itm_${uuid(4)}`,
      title: '',
      active: 'false',
      estimate_low: '',
      estimate_high: '',
      starting_bid: '',
      current_bid: '0.00',
      sold: 'false',
      result: '',
      price: '',
      id: `lot_${uuid(8)}`,
      seller: `sel_${uuid(9)}`,
      consignment: '',
    },
  ])
  const { rows: items } = await list('items', 'list', '--house', 'nl')
  assert.deepEqual(Object.keys(items[0]!), csvColumns.items)
  assert.deepEqual(
    items.map(({ item, images, created_at }) => [item, images, created_at]),
    [
      ['V-1', '1', '2020-01-02T03:04:05.678Z'],
      [`itm_${uuid(4)}`, '0', '2020-01-01T00:00:00.000Z'],
    ],
  )
  const { rows: yens } = await list('items', 'list', '--house', 'yen')
  assert.deepEqual([yens[0]!['estimate_low'], yens[0]!['currency']], ['450', 'JPY'])
  assert.equal(printUnits({ amount: Number.MAX_SAFE_INTEGER, currency: 'EUR' }), '90071992547409.91')
})

test('texts are in the language of the house or in another, and a missing translation is an empty cell', async () => {
  const own = await list('lots', 'list', '--house', 'nl', '--texts')
  assert.deepEqual(Object.keys(own.rows[0]!), [...csvColumns.lots, ...exportedTexts])
  const shown = ({ title, description, condition, weight }: Record<string, string>) => [
    title,
    description,
    condition,
    weight,
  ]
  assert.deepEqual(own.rows.map(shown), [
    ['Vaas, "blauw"', 'een\ntwee;drie', '', '3 kg'],
    ['', '', '', ''],
  ])
  for (const name of ['lots', 'items']) {
    const { rows } = await list(name, 'list', '--house', 'nl', '--texts', '--locale', 'fr')
    assert.deepEqual(rows.map(shown), [
      ['Vase', '', 'été', ''],
      ['', '', '', ''],
    ])
  }
})

test('no text of a list is a formula, and an empty list has its headings', async () => {
  const { rows } = await list('items', 'list', '--house', 'formulas')
  const cells = rows.flatMap(({ item, title }) => [item!, title!])
  assert.equal(cells.length, 2 * formulas.length)
  for (const cell of cells) assert.match(cell, /^'[=+\-@\t\r]/)
  const none = await list('lots', 'list', '--house', 'formulas')
  assert.equal(none.stdout, `\uFEFF${csvColumns.lots.join(',')}\n`)
})

test('docs/staff.md names the columns of each list', async () => {
  const page = await readFile(path.join(checkout, 'docs/staff.md'), 'utf8')
  const rows = { lots: '`lots list`', items: '`items list`' }
  for (const [name, row] of Object.entries(rows) as [keyof typeof rows, string][]) {
    const columns = csvColumns[name].map((column) => `\`${column}\``).join(', ')
    assert.ok(page.includes(`| ${row} | ${columns} |`), name)
  }
})
