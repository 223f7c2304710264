import assert from 'node:assert/strict'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Readable } from 'node:stream'
import { sql } from 'kysely'
import { createTestDatabase } from './database.ts'
import { mediaFolder, openFileStore } from '../../src/media/file-store.ts'
import { load, LoadError, type Progress } from '../../src/load/loader.ts'

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

/** The error of a load that is refused. */
export async function refusal(loading: Promise<unknown>): Promise<LoadError> {
  const outcome = await loading.catch((error: unknown) => error)
  assert.ok(outcome instanceof LoadError, `not refused: ${JSON.stringify(outcome)} ${String(outcome)}`)
  return outcome
}

/** A database, a folder with a media store, and what the tests of loads ask of them. */
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
    /** The line of a house that is new to the database. */
    newHouse(): Value & { slug: string } {
      houses += 1
      return { type: 'house', slug: `house-${houses}`, name: 'A house', default_locale: 'nl-NL', currency: 'EUR' }
    },
    /** Loads records, or lines that are no record. */
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
    /** How many rows every table has, the queue's too. */
    async counts(): Promise<Value> {
      const tables = await sql<{ name: string }>`
        select table_schema || '.' || table_name as name from information_schema.tables
        where table_schema = 'catalogue' or table_name = '_private_jobs'`.execute(db)
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
