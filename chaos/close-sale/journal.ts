import assert from 'node:assert/strict'
import { sql } from 'kysely'
import type { Database } from '../../src/db/pool.ts'
import type { Attempt } from './people.ts'
import type { Moment } from './replay.ts'

type Change = { record: string | null; field: string; new: unknown }

/** A row of the journal, with the number of the transaction that wrote it. `lot`: the UUID of the record, if it is one. */
export type JournalRow = {
  transaction: string
  actor: string
  lot: string | null
  reason: string | null
  changes: Change[]
}

/** Every row of the journal. */
export async function readJournal(db: Database): Promise<JournalRow[]> {
  const { rows } = await sql<JournalRow>`
    select xmin::text as transaction, actor_type as actor, case when kind = 'lot' then record::text end as lot, reason,
      changes::json as changes
    from catalogue.journal`.execute(db)
  return rows
}

const amountOf = ({ changes }: JournalRow) =>
  (changes.find(({ field }) => field === 'amount')?.new as { amount: number } | undefined)?.amount

/**
 * Each change of a lot has one row, written by its transaction, and each refused bid has one too. No row lacks its change.
 * Returns the number of refused bids with a row.
 */
export function checkJournal(name: string, uuid: string, moments: Moment[], rows: JournalRow[], attempts: Attempt[]) {
  const own = rows.filter(({ lot, changes }) => lot === uuid || changes.some(({ record }) => record === `lot_${uuid}`))
  const byTransaction = Map.groupBy(own, ({ transaction }) => transaction)
  for (const [index, moment] of moments.entries()) {
    const before = moments[index - 1]
    if (!before) continue
    const written = byTransaction.get(moment.transaction) ?? []
    byTransaction.delete(moment.transaction)
    assert.equal(written.length, 1, `${name}: a change at ${new Date(moment.from).toISOString()} has no row`)
    const [row] = written as [JournalRow]
    if (moment.bids.size > before.bids.size)
      assert.equal([...moment.bids.keys()].at(-1), amountOf(row), `${name}: the row of a bid has another amount`)
    if (JSON.stringify(moment.result) === JSON.stringify(before.result)) continue
    const change = row.changes.find(({ record, field }) => record === `lot_${uuid}` && field === 'result')
    const noted = change?.new as { state: string; amount: { amount: number } | null } | null
    assert.deepEqual(
      noted && [noted.state, noted.amount?.amount ?? null],
      moment.result && [moment.result.state, moment.result.amount],
      `${name}: the row of a result differs`,
    )
  }
  const refused = new Map<number, string | undefined>()
  for (const { order, outcome } of attempts)
    if (order.verb === 'bid' && !('done' in outcome))
      refused.set(order.amount, 'refused' in outcome ? outcome.refused : undefined)
  let count = 0
  for (const row of [...byTransaction.values()].flat()) {
    const amount = amountOf(row)
    assert.ok(amount !== undefined && refused.has(amount), `${name}: a row without its change: ${JSON.stringify(row)}`)
    assert.equal(row.reason, refused.get(amount) ?? row.reason, `${name}: the row of a refused bid has another reason`)
    refused.delete(amount)
    count++
  }
  const missing = [...refused].filter(([, reason]) => reason !== undefined)
  assert.deepEqual(missing, [], `${name}: refused bids without a row`)
  return count
}
