import assert from 'node:assert/strict'
import { test } from 'node:test'
import { printCount } from './command.ts'
import { lotColumns } from './staff/lots/lots.ts'
import { printTable, type Column } from './table.ts'
import { runIn } from '../values/program.ts'
import { printTime, readTime, useZoneOf } from './times.ts'

type Row = { name: string; title: string; count: number; id: string }

const columns: Column<Row>[] = [
  { heading: 'name', show: (row) => row.name },
  { heading: 'title', kind: 'text', show: (row) => row.title },
  { heading: 'count', kind: 'number', show: (row) => String(row.count) },
  { heading: 'id', show: (row) => row.id },
]
const rows = [
  { name: 'V-1', title: 'Delfts blauwe vaas met bloemen', count: 2, id: 'itm_1' },
  { name: 'V-20', title: 'Klok', count: 10, id: 'itm_20' },
]

test('a table has headings and aligned columns, numbers on the right', () => {
  assert.deepEqual(printTable(rows, columns, Infinity), [
    'name  title                           count  id',
    'V-1   Delfts blauwe vaas met bloemen      2  itm_1',
    'V-20  Klok                               10  itm_20',
  ])
})

test('a table that is wider than the terminal cuts its texts, then omits its last columns', () => {
  assert.deepEqual(printTable(rows, columns, 40), [
    'name  title                count  id',
    'V-1   Delfts blauwe vaas…      2  itm_1',
    'V-20  Klok                    10  itm_20',
  ])
  assert.deepEqual(printTable(rows, columns, 30), [
    'name  title              count',
    'V-1   Delfts blauwe va…      2',
    'V-20  Klok                  10',
  ])
  assert.deepEqual(printTable(rows, columns, 5), ['name  title', 'V-1   Delfts blau…', 'V-20  Klok'])
})

test('characters of two columns, combining ones and controls are measured as a terminal shows them', () => {
  const titles = ['鶴亀図', 'Ame\u0301lie', 'a\u001b[2J'].map((title) => ({ ...rows[0]!, title }))
  assert.deepEqual(
    printTable(titles, columns.slice(1, 3)).map((line) => line.normalize('NFC')),
    ['title       count', '鶴亀図          2', 'Amélie          2', String.raw`a\u001b[2J      2`],
  )
})

test('a time is in words, in the time zone of the house or in UTC, with seconds if it has any', () => {
  const { stdin, stdout, stderr, env } = process
  runIn({ stdin, stdout, stderr, env }, () => {
    useZoneOf({ timeZone: 'Europe/Amsterdam' })
    assert.equal(printTime('2026-11-22T23:05:00.000Z', {}), 'Mon 23 Nov 2026 00:05 CET')
    assert.equal(printTime('2026-07-01T12:00:20.000Z', {}), 'Wed 1 Jul 2026 14:00:20 CEST')
    assert.equal(printTime('2026-11-22T23:05:00.000Z', { utc: true }), 'Sun 22 Nov 2026 23:05 UTC')
    assert.equal(printTime(null, {}), '-')
  })
})

test('a number has its noun in the plural', () => {
  assert.deepEqual(
    ['lot', 'key', 'category', 'delivery_class'].map((noun) => printCount(2, noun)),
    ['2 lots', '2 keys', '2 categories', '2 delivery classes'],
  )
  assert.equal(printCount(1, 'key'), '1 key')
})

test('a list of lots says when they close on a terminal of 80 columns', () => {
  const lot = {
    id: 'lot_96706296-f32f-41c0-ac8e-0340dafd36c7',
    session: 'ses_96706296-f32f-41c0-ac8e-0340dafd36c7',
    session_reference: 'veiling-112-online',
    lot_number: 118,
    title: 'Adriaan Hoogerwoud (1838–1904), Avond aan de plas',
    item: 'itm_96706296-f32f-41c0-ac8e-0340dafd36c7',
    item_reference: 'V112-0001',
    active: false,
    estimate_low: null,
    estimate_high: null,
    starting_bid: { amount: 1_200_000, currency: 'EUR' },
    current_bid: { amount: 1_500_000, currency: 'EUR' },
    bids: 11,
    sold: false,
    result: null,
    held: false,
    seller: null,
    seller_number: null,
    consignment: null,
    consignment_number: null,
    closes_at: '2026-11-22T18:00:50.000Z',
  }
  const [headings, line] = printTable([lot], lotColumns({ utc: true }), 80)
  assert.match(headings!, /^lot +title +state +closes$/)
  assert.match(line!, /^veiling-112-online\/118 +Adriaan.* Sun 22 Nov 2026 18:00:50 UTC$/)
})

test('a time is read with its offset, or as a span from now', () => {
  assert.equal(readTime('2026-11-21T20:15:00+01:00').toISOString(), '2026-11-21T19:15:00.000Z')
  const before = Date.now()
  const [soon, late] = [readTime('+90s'), readTime('+2h')]
  const after = Date.now()
  assert.ok(soon.getTime() > before + 89_000 && soon.getTime() <= after + 90_000)
  assert.ok(late.getTime() > before + 7_199_000 && late.getTime() <= after + 7_200_000)
  for (const text of ['+', '+10', '+m', '+10d', '-10m', '10m', '+ 10m'])
    assert.throws(() => readTime(text), /such as \+10m/)
})
