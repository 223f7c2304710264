import assert from 'node:assert/strict'
import { sql } from 'kysely'
import { isUnreachable } from '../../src/db/errors.ts'
import { openDatabase, type Connection } from '../../src/db/pool.ts'
import type { ShownRow } from '../../src/journal/queries.ts'
import type { Bidders } from './bidders.ts'
import { house } from './sale.ts'

type Row = {
  id: string
  at: string
  request: string | null
  record: string | null
  changes: ShownRow['changes']
}
type Fields = Record<string, unknown>
type Seen = { rows: Row[] | null; records: Record<string, Fields> }

// The records as the database has them, with the fields that the writers and bidders change. The closing times of the
// draft session are computed, so no row has them.
const records = sql`
  select 'itm_' || i.public_id as id, json_build_object('external_reference', i.external_reference, 'title', i.title,
    'description', i.description, 'translations.en.title', t.title, 'translations.en.description', t.description) as fields
  from catalogue.items i join catalogue.houses h on h.id = i.house_id and h.slug = ${house}
  left join catalogue.item_translations t on t.house_id = i.house_id and t.item_id = i.id and t.locale = 'en'
  union all
  select 'img_' || m.public_id, json_build_object('item', 'itm_' || i.public_id, 'external_reference', m.external_reference,
    'public', m.public, 'featured', m.public and m.featured, 'gallery_position', case when m.public then
      row_number() over (partition by m.item_id, m.public order by m.position, m.created_at, m.public_id, m.id) - 1 end)
  from catalogue.images m join catalogue.houses h on h.id = m.house_id and h.slug = ${house}
  join catalogue.items i on i.house_id = m.house_id and i.id = m.item_id
  union all
  select 'lot_' || l.public_id, json_build_object('active', l.active,
    'current_bid', case when l.current_bid is not null then json_build_object('amount', l.current_bid, 'currency', h.currency) end,
    'closes_at', case when s.external_reference = 'running' then
      to_char(l.closes_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') end)
  from catalogue.lots l join catalogue.houses h on h.id = l.house_id and h.slug = ${house}
  join catalogue.sessions s on s.house_id = l.house_id and s.id = l.session_id
  union all
  select 'bid_' || b.public_id, json_build_object('amount', json_build_object('amount', b.amount, 'currency', h.currency),
    'placed_at', to_char(b.placed_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
  from catalogue.bids b join catalogue.houses h on h.id = b.house_id and h.slug = ${house}`

// A switch that is off is no value.
const plain = (value: unknown) => (value === false ? null : (value ?? null))

/**
 * Replays the journal of the house over its records as they were when this was called, and compares. It sees the
 * database at one moment, while others write. `acknowledged`: the `Request-Id`s of writes that changed something.
 */
export async function openJournal(connection: Connection, acknowledged: ReadonlySet<string>) {
  const { db, pool } = openDatabase(connection, 1, { applicationName: 'journal' })
  const seen = new Set<string>()
  const requests = new Set<string>()
  const refused = new Set<string>()
  let latest = '-infinity'

  // Rows about a record are written in the order of its changes. Rows about others may be committed later.
  const select = () => sql<Seen>`
    select (
      select json_agg(json_build_object('id', j.id, 'at', j.at, 'request', j.request_id,
        'record', j.kind || '_' || j.record, 'changes', j.changes::json) order by j.at, j.id)
      from catalogue.journal j join catalogue.houses h on h.id = j.house_id and h.slug = ${house}
      where j.at > ${latest}::timestamptz - interval '2 minutes'
        and j.id not in (select unnest(${[...seen]}::uuid[]))) as rows,
      (select json_object_agg(r.id, r.fields) from (${records}) r) as records`

  async function see() {
    for (;;)
      try {
        const { rows, records } = (await select().execute(db)).rows[0]!
        return { rows: rows ?? [], present: new Map(Object.entries(records)) }
      } catch (error) {
        if (!isUnreachable(error)) throw error
      }
  }

  const { rows: earlier, present: state } = await see()
  for (const { id } of earlier) seen.add(id)

  function apply(row: Row): void {
    seen.add(row.id)
    latest = row.at
    if (row.request !== null) {
      assert.ok(!requests.has(row.request), `the request ${row.request} has two rows`)
      requests.add(row.request)
    }
    for (const { record, field, old = null, new: next } of row.changes) {
      if (record === null) {
        if (field === 'amount') refused.add(`${row.record} ${JSON.stringify(next)}`)
        continue
      }
      if (/^(key|ses|auc)_/.test(record)) continue
      const what = `${row.at}: ${record} ${field}`
      const fields =
        state.get(record) ?? (record.startsWith('img_') ? { item: row.record!.replace('item_', 'itm_') } : {})
      if (field !== 'closes_at' || fields.closes_at !== null)
        assert.deepEqual(plain(old), plain(fields[field]), `${what}: the row does not follow the one before it`)
      state.set(record, fields)
      fields[field] = next
    }
    const deleted = row.changes.find(({ field, new: next }) => field === 'external_reference' && next === null)
    if (deleted) state.delete(deleted.record!)
  }

  return {
    /** Compares the journal with the records. Every write that was acknowledged before has its row. */
    async check(): Promise<void> {
      const known = [...acknowledged]
      const { rows, present } = await see()
      for (const row of rows) apply(row)
      for (const [id, fields] of present)
        for (const [field, value] of Object.entries(fields))
          assert.deepEqual(plain(state.get(id)?.[field]), plain(value), `${id} ${field}: its change has no row`)
      for (const id of state.keys()) assert.ok(present.has(id), `${id} is in the journal and nowhere else`)
      for (const id of known) assert.ok(requests.has(id), `the request ${id} was acknowledged and has no row`)
    },
    /** Every refused bid has its row, and no other one has a row of a refusal. */
    checkRefusals({ lots }: Bidders): string {
      for (const { uuid, outcomes } of lots)
        for (const [amount, outcome] of outcomes) {
          const isNoted = refused.has(`lot_${uuid} ${JSON.stringify({ amount, currency: 'EUR' })}`)
          const isRight = outcome === 'unknown' || isNoted === (outcome === 'refused')
          assert.ok(isRight, `the bid ${amount} on ${uuid} is ${outcome}`)
        }
      return `journal: ${seen.size} rows say what became of ${state.size} records; ${acknowledged.size} acknowledged requests and ${refused.size} refused bids have theirs`
    },
    close: () => pool.end(),
  }
}
