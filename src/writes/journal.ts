import { randomUUID } from 'node:crypto'
import { userInfo } from 'node:os'
import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import type { Context, Origin, Scope } from '../context.ts'
import { compileOnce } from '../db/compile.ts'
import { sendAhead } from '../db/pipeline.ts'
import type { Database } from '../db/pool.ts'
import { isRecordKind, kinds, recordKinds, type Kind } from '../kinds.ts'
import { running } from '../values/program.ts'
import { printId } from '../values/ids.ts'
import { groupBy } from '../values/groups.ts'
import { countCharacters } from '../values/text.ts'

/** What a row of the journal is about: a kind of record, or a thing that has no read permission. */
export type JournalKind = Kind | 'key' | 'house'

/** A record in the journal. Older records may lack a UUID. */
export type Subject = { kind: JournalKind; uuid: string | null }

/** Fields of a record, with the values that the interface shows. Undefined and null are no value. */
export type Values = Readonly<Record<string, unknown>>

type Change = { record: string | null; field: string; old?: unknown; new?: unknown }

/** The row that a transaction writes for one house. */
type Row = {
  house: string
  origin: Origin
  subject: Subject | undefined
  subjects: Map<string, Subject>
  changes: Change[]
  reasons: Set<string>
  kept: boolean
  at: Date | undefined
}

const rows = new WeakMap<Database, Map<string, Row>>()

// Values that only staff may know. A row names these fields without their values.
const hidden = new Set(['commission_percentage', 'private_notes', 'account_name'])
const longestText = 200

/** The id of a record as people see it: `lot_…`, `key_…`. */
function printSubject({ kind, uuid }: Subject): string | null {
  if (uuid === null) return null
  return isRecordKind(kind) ? printId(kind, uuid) : `${kind}_${uuid}`
}

// Bids and keys have no prefix among the kinds of record.
const prefixes = new Map<string, JournalKind>([
  ...recordKinds.map((kind) => [kinds[kind].prefix, kind] as const),
  ['bid', 'bid'],
  ['key', 'key'],
])

/** The pattern of ids in the journal: of any kind, or a bare UUID. */
export const subjectPattern = `^((${[...prefixes.keys()].join('|')})_)?[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$`

/** The kind and the UUID of an id that matches the pattern. A bare UUID may be of any kind. */
export function parseSubject(text: string): { kind: JournalKind | undefined; uuid: string } {
  return { kind: prefixes.get(text.slice(0, -37)), uuid: text.slice(-36).toLowerCase() }
}

function shorten(value: unknown): unknown {
  if (typeof value !== 'string' || value.length <= longestText) return value
  const length = countCharacters(value)
  return length > longestText ? { length } : value
}

function nameUser(): string {
  try {
    return userInfo().username
  } catch {
    // A container may run as a number without a name.
    return String(process.getuid?.() ?? '')
  }
}

/** The command that this process carries out, as an actor. */
export const originOfCommand = (): Origin => ({
  actor: { type: 'command', id: null, name: nameUser() },
  operation: running().command,
  requestId: null,
})

/** Terms of a row. `about`: its record, if that is not the first one that changed; null if it has none. */
export type Terms = {
  about?: Subject | null
  reason?: string
  kept?: boolean
  /** Fields that the row has, even if they are the same. */
  always?: readonly string[]
  /** When it happened, if that is not now. */
  at?: Date
  /** Whether the record gets a row of its own. */
  apart?: boolean
}

/**
 * Notes the fields of a record that a write changes, for the journal (docs/decisions/0028-journal.md). The transaction
 * writes one row for all that it notes of a house, but for what stands `apart`, before its last statement. Notes nothing if no value differs, or
 * outside of a transaction.
 */
export function noteChange(
  { db, house, origin }: Scope & Pick<Context, 'origin'>,
  subject: Subject,
  before: Values,
  after: Values,
  terms: Terms = {},
): void {
  if (!db.isTransaction) return
  const record = printSubject(subject)
  const changes = Object.keys({ ...before, ...after }).flatMap((field): Change[] => {
    const [old, next] = [before[field] ?? null, after[field] ?? null]
    if (isDeepStrictEqual(old, next) && !terms.always?.includes(field)) return []
    if (subject.kind === 'key' || hidden.has(field)) return [{ record, field }]
    return [{ record, field, old: shorten(old), new: shorten(next) }]
  })
  if (changes.length === 0) return
  const ofTransaction = rows.get(db) ?? new Map<string, Row>()
  rows.set(db, ofTransaction)
  const { about, reason, kept = false, at } = terms
  const name = terms.apart ? `${house.id} ${record}` : house.id
  const row = ofTransaction.get(name) ?? {
    house: house.id,
    origin: origin ?? originOfCommand(),
    subject: about === undefined ? subject : (about ?? undefined),
    subjects: new Map<string, Subject>(),
    changes: [],
    reasons: new Set<string>(),
    kept,
    at,
  }
  ofTransaction.set(name, row)
  // A write of lots of several sessions is about none of them.
  if (about && !isDeepStrictEqual(row.subject, about)) row.subject = undefined
  for (const each of [subject, about]) if (each) row.subjects.set(`${each.kind} ${each.uuid}`, each)
  row.changes.push(...changes)
  if (reason !== undefined) row.reasons.add(reason)
  row.kept ||= kept
}

const columns = [
  'house_id',
  'at',
  'id',
  'actor_type',
  'actor_id',
  'actor_name',
  'operation',
  'kind',
  'record',
  'kinds',
  'changes',
  'reason',
  'request_id',
  'kept',
] as const
type Stored = Record<(typeof columns)[number], unknown>

const mostTogether = 16

// The time is the database's, after all locks of the transaction: rows about a record are in the order of its changes.
// In an INSERT of values the coordinator of Citus reads it.
const inserts = Array.from({ length: mostTogether }, (_, last) =>
  compileOnce<Record<string, unknown>>((value) => {
    const rows = Array.from({ length: last + 1 }, (_, at) =>
      columns.map((name) =>
        name === 'at' ? sql`coalesce(${value(`${at} at`)}::timestamptz, clock_timestamp())` : value(`${at} ${name}`),
      ),
    )
    return sql`
    insert into catalogue.journal (${sql.raw(columns.join(', '))})
    values ${sql.join(rows.map((row) => sql`(${sql.join(row)})`))}`
  }),
)

async function insertRows(db: Database, rows: Stored[]): Promise<void> {
  const values = rows.flatMap((row, at) => columns.map((name) => [`${at} ${name}`, row[name]]))
  await sendAhead(db, inserts[rows.length - 1]!(Object.fromEntries(values)))
}

/** Writes the rows of what the transaction has noted. They travel with its next statement. */
export async function writeJournal(db: Database): Promise<void> {
  const noted = [...(rows.get(db)?.values() ?? [])]
  rows.delete(db)
  for (const ofHouse of groupBy(noted, ({ house }) => house).values())
    for (let first = 0; first < ofHouse.length; first += mostTogether)
      await writeRows(db, ofHouse.slice(first, first + mostTogether))
}

// The rows of one house.
async function writeRows(db: Database, noted: Row[]): Promise<void> {
  const all = noted.map((row) => ({ ...row, id: randomUUID(), others: listOthers(row) }))
  const isLinked = all.some(({ others }) => others.size > 0)
  const clock = isLinked ? await readClock(db) : null
  const printed = all.map(({ at, origin: { actor, operation, requestId }, subject, subjects, reasons, ...row }) => ({
    house_id: row.house,
    at: at ?? clock,
    id: row.id,
    actor_type: actor.type,
    actor_id: actor.id,
    actor_name: actor.name,
    operation,
    kind: subject?.kind ?? null,
    record: subject?.uuid ?? null,
    kinds: [...new Set(Array.from(subjects.values(), ({ kind }) => kind))],
    changes: JSON.stringify(row.changes),
    reason: [...reasons].join('; ') || null,
    request_id: requestId,
    kept: row.kept,
  }))
  await insertRows(db, printed)
  for (const { house, id, at, others } of all)
    if (others.size > 0) await linkRow(db, { house, id, at: at ?? clock! }, others)
}

// The records that a row about another one names, except bids: they are found by their lot. A UUID of several kinds has
// no kind.
function listOthers({ subject, subjects }: Row): Map<string, JournalKind | null> {
  const others = new Map<string, JournalKind | null>()
  for (const { kind, uuid } of subjects.values())
    if (uuid !== null && kind !== 'bid' && (uuid !== subject?.uuid || kind !== subject.kind))
      others.set(uuid, others.has(uuid) ? null : kind)
  return others
}

async function linkRow(
  db: Database,
  { house, id, at }: { house: string; id: string; at: Date | string },
  others: Map<string, JournalKind | null>,
): Promise<void> {
  await sendAhead(
    db,
    sql`
    insert into catalogue.journal_records (house_id, record, at, id, kind)
    select ${house}, record, ${at}::timestamptz, ${id}, kind
    from unnest(${[...others.keys()]}::uuid[], ${[...others.values()]}::text[]) other (record, kind)`,
  )
}

// As text, because a Date has no microseconds.
async function readClock(db: Database): Promise<string> {
  const { rows: times } = await sql<{ time: string }>`select clock_timestamp()::text as time`.execute(db)
  return times[0]!.time
}
