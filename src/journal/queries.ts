import { sql } from 'kysely'
import type { Context, Permission } from '../context.ts'
import { allKinds, kinds, recordKinds } from '../kinds.ts'
import { timeOf } from '../reads/documents.ts'
import type { Keyset, Position } from '../reads/keyset.ts'
import { memoize, type ListSelection } from '../reads/selections.ts'
import { prepare, withoutNext } from '../reads/reads.ts'
import type { JournalKind } from '../writes/journal.ts'

const order: Keyset = { sort: sql`j.at`, id: sql`j.id`, type: 'timestamptz', direction: 'desc' }

const prefixes = recordKinds.map((kind) => sql`when ${sql.lit(kind)} then ${sql.lit(`${kinds[kind].prefix}_`)}`)

/** Rows of the journal `j` with their documents. A row never changes. */
const rows = memoize(() => ({
  table: sql`catalogue.journal`,
  as: 'j',
  tag: sql`j.id::text`,
  // Of a stored text, without reading it.
  size: sql`octet_length(j.changes)`,
  joins: sql`
  cross join lateral (
    select row_to_json(r) as json, null::text as defect
    from (select 'jrn_' || j.id as id, ${timeOf('j.at')} as at,
      json_build_object('type', j.actor_type, 'id', j.actor_id, 'name', j.actor_name) as actor, j.operation,
      case j.kind ${sql.join(prefixes, sql` `)} else j.kind || '_' end || j.record as record, j.changes::json as changes,
      j.reason, j.request_id) r
  ) document`,
}))

/** Which rows to read: `record` without a kind is of any kind, `actor` the id of a key or the name of an actor. */
type JournalFilters = {
  record?: { kind: JournalKind | undefined; uuid: string } | undefined
  actor?: string | undefined
  operation?: string | undefined
  since?: Date | undefined
  /** Those of the reader, who sees the rows about the kinds of record that they read. Default: all rows. */
  permissions?: readonly Permission[] | undefined
}

// Images and bids are read with lots. Keys and the house itself need nothing more: the journal has no secret of them.
function kindsOf(permissions: readonly Permission[]): string[] {
  const readable = allKinds.filter((kind) => {
    const row = kinds[kind]
    const permission = 'permission' in row ? row.permission : 'lots.read'
    return permissions.includes(permission)
  })
  return [...readable, 'key', 'house']
}

// The times and ids of the rows that name a record. The rows of a bid are about its lot.
function rowsOf(kind: JournalKind | undefined): string {
  const known = kind !== undefined
  const ofRecord = `
      select at, id from catalogue.journal
      where house_id = $house and record = asked.record::uuid ${known ? 'and kind = asked.kind' : ''}
      union all select at, id from catalogue.journal_records
      where house_id = $house and record = asked.record::uuid ${known ? 'and coalesce(kind, asked.kind) = asked.kind' : ''}`
  const ofBid = `
      select at, id from catalogue.journal
      where house_id = $house and kind = 'lot' and strpos(changes, '"bid_' || asked.record || '"') > 0 and record = (
        select l.public_id from catalogue.bids b join catalogue.lots l on l.house_id = $house and l.id = b.lot_id
        where b.house_id = $house and b.public_id = asked.record::uuid)`
  if (kind === 'bid') return ofBid
  return known ? ofRecord : `${ofRecord} union all ${ofBid}`
}

/** The journal of a house, newest first. A row about several records is found by each of them. */
export function selectJournal<Of extends Context>(
  context: Of,
  { record, actor, operation, since, permissions }: JournalFilters,
): ListSelection<Of> {
  const conditions = ['true']
  const visible = permissions && kindsOf(permissions)
  if (visible !== undefined) conditions.push('j.kinds <@ asked.kinds::text[]')
  if (record !== undefined) conditions.push(`(j.at, j.id) in (${rowsOf(record.kind)})`)
  if (record?.kind !== undefined) conditions.push('asked.kind = any(j.kinds)')
  if (actor !== undefined)
    conditions.push(actor.startsWith('key_') ? 'j.actor_id = asked.actor' : 'j.actor_name = asked.actor')
  if (operation !== undefined) conditions.push('j.operation = asked.operation')
  if (since !== undefined) conditions.push('j.at >= asked.since::timestamptz')
  const named = record && { record: record.uuid, kind: record.kind }
  const asked = { kinds: visible && `{${visible.join()}}`, ...named, actor, operation, since: since?.toISOString() }
  return { context, documents: rows(context), where: conditions.join(' and '), asked, order }
}

/** A row of the journal as the interface shows it. */
export type ShownRow = {
  id: string
  at: string
  actor: { type: string; id: string | null; name: string | null }
  operation: string
  record: string | null
  changes: { record: string | null; field: string; old?: unknown; new?: unknown }[]
  reason: string | null
  request_id: string | null
}

const rowsOfPage = 1_000

/** Rows of the journal, newest first: at most `most`, or all. */
export async function readJournal(context: Context, filters: JournalFilters, most = Infinity): Promise<ShownRow[]> {
  const selection = selectJournal(context, filters)
  const shown: ShownRow[] = []
  for (let after: Position | undefined; ;) {
    const limit = Math.min(rowsOfPage, most - shown.length)
    const page = withoutNext(await prepare(selection, { limit, after }).build())
    shown.push(...page.map(({ json }) => JSON.parse(json!) as ShownRow))
    after = page.at(-1)?.position
    if (after === undefined || shown.length >= most) return shown
  }
}
