import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ShownRow } from '../../src/journal/queries.ts'
import { kinds, recordKinds } from '../../src/kinds.ts'
import { readObserved, type ObservedChange } from '../support/observed.ts'
import { isObserved, service } from './service.ts'

// The database itself keeps what changes, while the service does everything that the program can do with the records of
// houses (distribution.ts checks that it is everything). Each change needs a row of the journal in its
// transaction, which names its record, unless a list here excepts it. Citus has no triggers.

/** The columns that the program computes: revisions, closing times, and what is found out about a picture. */
const computed: Record<string, string[]> = {
  lots: ['closes_at', 'scheduled_closes_at'],
  images: [
    'processing',
    'processing_failed_at',
    'renditions',
    'renditions_bytes',
    'width',
    'height',
    'placeholder',
    'sources_folder',
    'source_widths',
    'source_heights',
  ],
}

/** A statement of the test itself: openLiveSessions. */
const isPrepared = ({ statement }: ObservedChange) => statement.includes("opens_at = '2020-01-01Z'")

const isNoted = ({ table, columns }: ObservedChange) =>
  columns.some((column) => !['updated_at', 'revision', ...(computed[table] ?? [])].includes(column))

const skip = isObserved ? false : 'Citus has no triggers'
const observed = isObserved ? await readObserved(service.db) : []

type Row = { record: string | null; changes: ShownRow['changes'] }
const prefixes: Record<string, string> = Object.fromEntries(
  recordKinds.map((kind) => [kinds[kind].plural, kinds[kind].prefix]),
)
const prefixOf = (table: string) => prefixes[table] ?? { bids: 'bid', api_keys: 'key' }[table]!
const idOf = ({ table, row }: ObservedChange) => `${prefixOf(table)}_${String(row.public_id)}`

const parents = new Map(observed.map((change) => [`${change.table} ${change.house} ${String(change.row.id)}`, change]))

/** The record that a change belongs to; null for the house itself. A row of an item or a strategy belongs to that. */
function recordOf(change: ObservedChange): string | null {
  const { table, house, row } = change
  if (table === 'houses') return null
  if (table === 'increment_steps')
    return idOf(parents.get(`increment_strategies ${house} ${String(row.increment_strategy_id)}`)!)
  return idOf(table.startsWith('item_') ? parents.get(`items ${house} ${String(row.item_id)}`)! : change)
}

const transactions = Array.from(
  Map.groupBy(
    observed.filter((change) => !isPrepared(change)),
    ({ transaction, house }) => `${transaction} ${house}`,
  ).values(),
  (all) => {
    const rows = all.filter(({ table }) => table === 'journal')
    return {
      rows: rows.map(({ row }): Row => {
        const { kind, record, changes } = row as Record<'kind' | 'record', string | null> & {
          changes: string
        }
        const plural = kind !== null && kind in kinds ? kinds[kind as 'lot'].plural : 'api_keys'
        const about = record === null ? null : `${prefixOf(plural)}_${record}`
        return { record: about, changes: JSON.parse(changes) as Row['changes'] }
      }),
      changes: all.filter(({ table }) => !table.startsWith('journal')),
    }
  },
)

const plainly = (statement: string) => statement.replaceAll(/\s+/g, ' ').trim()

test('each change of a record has one row of the journal in its transaction, which names the record', { skip }, () => {
  const missing = transactions.flatMap(({ rows, changes }) => {
    const noted = changes.filter(isNoted)
    if (rows.length > 1) return [`${rows.length} rows: ${JSON.stringify(rows)}`]
    const [row] = rows
    // A load counts its records.
    if (row?.changes.some(({ field }) => field === 'file')) return []
    const names = new Set([row?.record, ...(row?.changes.map(({ record }) => record) ?? [])])
    return noted
      .filter((change) => !names.has(recordOf(change)))
      .map(({ table, columns, statement }) => `${table}: ${columns.join()} ${plainly(statement)}`)
  })
  assert.deepEqual([...new Set(missing)], [])
})

// A bid's row has the close even if the bid does not move it, and that of a refused one names no bid.
const isRepeated = ({ old, new: next }: ShownRow['changes'][0]) =>
  next !== undefined && JSON.stringify(old) === JSON.stringify(next)

test('each record that a row changes has changed in its transaction', { skip }, () => {
  const idle = transactions.flatMap(({ rows, changes }) => {
    const changed = new Set(changes.map(recordOf))
    return rows.flatMap((row) =>
      row.changes.filter((each) => each.record !== null && !isRepeated(each) && !changed.has(each.record)),
    )
  })
  assert.deepEqual(idle, [])
})

test('every kind of record was written, by requests, commands and jobs', { skip }, async () => {
  const tables = new Set(
    transactions.flatMap(({ rows, changes }) => (rows.length > 0 ? changes : []).map((c) => c.table)),
  )
  for (const { plural } of Object.values(kinds)) assert.ok(tables.has(plural), plural)
  const actors = new Set(observed.filter(({ table }) => table === 'journal').map(({ row }) => row.actor_type))
  assert.deepEqual(actors, new Set(['command', 'key', 'job']))
})
