import assert from 'node:assert/strict'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Readable } from 'node:stream'
import { sql } from 'kysely'
import { createTestDatabase } from './database.ts'
import { everyText } from './lines.ts'
import { mediaFolder, openFileStore } from '../../src/media/file-store.ts'
import { LoadError } from '../../src/load/errors.ts'
import { load, type Progress } from '../../src/load/loader.ts'

export type Value = Record<string, unknown>

/** A row by column, each value as text. */
export type Row = Record<string, string | null>

export const eur = (amount: unknown) => ({ amount, currency: 'EUR' })
export const uuid = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`

const print = (value: unknown) => (value === null || typeof value === 'string' ? value : JSON.stringify(value))

/** The lines of a file. */
export const toText = (lines: Value[]) => lines.map((line) => `${JSON.stringify(line)}\n`).join('')

/** Asserts some of a row's columns. */
export function assertHas(row: Row, expected: Row) {
  assert.deepEqual(Object.fromEntries(Object.keys(expected).map((name) => [name, row[name]])), expected)
}

/** The error of a refused load. */
export async function refusal(loading: Promise<unknown>): Promise<LoadError> {
  const outcome = await loading.catch((error: unknown) => error)
  assert.ok(outcome instanceof LoadError, `not refused: ${JSON.stringify(outcome)} ${String(outcome)}`)
  return outcome
}

/** Records of the thirteen types, the house first. Together they have every field. */
export function everyType(house: Value): Value[] {
  const created_at = '2019-02-03T04:05:06.123456+01:00'
  const updated_at = '2019-02-04T00:00:00.000001Z'
  const times = { created_at, updated_at }
  return [
    {
      ...house,
      ...times,
      ref: 'house',
      id: uuid(1),
      time_zone: 'Europe/Amsterdam',
      storage_limit: 5_000_000_000,
      defaults: {
        buyer_premium_percentage: '22.50',
        extension_threshold_seconds: 90,
        extension_seconds: 100,
        group_size: 5,
        interval_seconds: 30,
        results: 'automatic',
      },
    },
    {
      type: 'seller',
      ref: 's',
      id: `sel_${uuid(2)}`,
      ...times,
      seller_number: -7,
      profile_name: 'P',
      account_name: 'A',
      archived: true,
    },
    { type: 'category', ref: 'root', slug: 'root' },
    {
      type: 'category',
      ref: 'c',
      id: uuid(3).toUpperCase(),
      ...times,
      slug: 'Sub',
      names: { nl: 'Onder', en: 'Sub' },
      parent: 'root',
    },
    { type: 'maker', ref: 'm1', id: `mkr_${uuid(4)}`, ...times, name: 'M', active: false },
    { type: 'maker', ref: 'm2' },
    { type: 'delivery_class', ref: 'd', id: `dlc_${uuid(5)}`, ...times, name: 'D', instructions: 'Collect' },
    {
      type: 'increment_strategy',
      ref: 'i',
      id: `inc_${uuid(6)}`,
      ...times,
      name: 'I',
      steps: [
        { from: eur(0), increment: eur(500) },
        { from: eur(10_000), increment: eur(1000) },
      ],
    },
    {
      type: 'consignment',
      ref: 'k',
      id: `con_${uuid(7)}`,
      ...times,
      number: '12',
      seller: 's',
      locked: true,
      archived: true,
      commission_percentage: '15.250',
      private_notes: 'hush',
    },
    {
      type: 'auction',
      ref: 'a',
      id: `auc_${uuid(8)}`,
      ...times,
      external_reference: 'A',
      slug: 'Vente.2019',
      title: 'Große Vente d’été',
      description: 'D',
      published: true,
      archived: true,
    },
    {
      type: 'session',
      ref: 'z',
      id: `ses_${uuid(9)}`,
      ...times,
      auction: `auc_${uuid(8)}`,
      external_reference: 'S',
      titles: { nl: 'Zitting' },
      kind: 'timed',
      opens_at: '2020-01-01T00:00:00.5Z',
      timed: {
        first_closes_at: '2020-01-02T00:00:00Z',
        group_size: 2,
        interval_seconds: 3,
        extension_threshold_seconds: 4,
        extension_seconds: 5,
      },
      settings: { buyer_premium_percentage: '20.0' },
      increment_strategy: 'i',
      published: true,
      hidden: true,
      finished: true,
      customer_bidding_enabled: true,
      numbers_fixed: true,
    },
    { type: 'session', ref: 'live', auction: 'a', kind: 'live', live: { closes_at: '2020-01-03T00:00:00Z' } },
    {
      type: 'item',
      ref: 't',
      id: `itm_${uuid(10)}`,
      ...times,
      external_reference: 'I',
      ...everyText,
      translations: { nl: { title: everyText.title, weight: null }, en: { description: 'E' } },
      estimate: { low: eur(100), high: eur(9_007_199_254_740_991) },
      seller: 's',
      categories: ['c', 'root'],
      makers: ['m2', 'm1'],
      delivery_class: 'd',
      consignment: `con_${uuid(7)}`,
      archived: true,
    },
    {
      type: 'image',
      ref: 'g',
      id: `img_${uuid(11)}`,
      ...times,
      item: 't',
      external_reference: 'G',
      alt: 'N',
      alt_translations: { en: 'E', fr: null },
      public: true,
      featured: true,
      position: 3,
      processing: true,
      processing_failure: { code: 'derivative_processing_failed', at: '2020-01-01T00:00:00.000009Z' },
    },
    {
      type: 'lot',
      ref: 'l',
      id: `lot_${uuid(12)}`,
      ...times,
      session: 'z',
      item: 't',
      lot_number: 5,
      active: true,
      starting_bid: eur(100),
      current_bid: eur(300),
      sold: true,
      result: { state: 'sold', amount: eur(250), at: '2020-01-03T00:00:00.000001Z', after_sale: true },
      held: true,
      notice: 'N',
      notice_translations: { nl: 'N', en: 'E' },
      closes_at: '2020-01-02T00:00:00Z',
      scheduled_closes_at: '2020-01-01T00:00:00Z',
      archived: true,
    },
    {
      type: 'bid',
      ref: 'b',
      id: uuid(13),
      ...times,
      lot: 'l',
      amount: eur(200),
      placed_at: '2020-01-01T23:00:00.654321Z',
      cancelled_at: '2020-01-01T23:30:00.000002Z',
      cancel_reason: 'Wrong',
    },
  ]
}

/** A database, a folder with a media store, and functions for the tests of loads. */
export async function openFixture() {
  const database = await createTestDatabase()
  const { db } = database
  const folder = await mkdtemp(path.join(tmpdir(), 'load '))
  const media = openFileStore({ dataDir: folder, publicUrl: 'http://localhost', keyring: ['key'] })
  const context = { db, media, now: new Date('2026-11-20T12:00:00.000Z') }
  let houses = 0

  async function rowsOf(slug: string, table: string): Promise<Row[]> {
    const found = await sql<{ row: Value }>`
      select to_jsonb(t) as row from ${sql.table(`catalogue.${table}`)} t
      join catalogue.houses h on h.id = t.house_id where h.slug = ${slug} order by t.id`.execute(db)
    return found.rows.map(({ row }) =>
      Object.fromEntries(Object.entries(row).map(([name, value]) => [name, print(value)])),
    )
  }

  return {
    db,
    folder,
    context,
    /** The line of a new house. */
    newHouse(): Value & { slug: string } {
      houses += 1
      return { type: 'house', slug: `house-${houses}`, name: 'A house', default_locale: 'nl-NL', currency: 'EUR' }
    },
    /** Loads records, or lines that are not records. */
    load(lines: (Value | string)[], onProgress?: (progress: Progress) => void) {
      const text = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n')
      const source = { name: 'sale.ndjson', stream: Readable.from([Buffer.from(text)]), directory: folder }
      return load(context, source, onProgress)
    },
    rowsOf,
    async onlyRow(slug: string, table: string): Promise<Row> {
      const rows = await rowsOf(slug, table)
      assert.equal(rows.length, 1, table)
      return rows[0]!
    },
    /** The number of rows in every table, including the queue's. */
    async counts(): Promise<Value> {
      const tables = await sql<{ name: string }>`
        select table_schema || '.' || table_name as name from information_schema.tables
        where (table_schema = 'catalogue' and table_name <> 'item_documents') or table_name = '_private_jobs'`.execute(
        db,
      )
      const counted: Value = {}
      for (const { name } of tables.rows) {
        const { rows } = await sql<{ n: string }>`select count(*) as n from ${sql.table(name)}`.execute(db)
        counted[name] = rows[0]!.n
      }
      return counted
    },
    storedFiles: () => readdir(path.join(mediaFolder(folder), 'originals')).catch(() => []),
    async close() {
      await database.drop()
      await rm(folder, { recursive: true })
    },
  }
}
