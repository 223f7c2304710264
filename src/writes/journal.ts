import { randomUUID } from 'node:crypto'
import { userInfo } from 'node:os'
import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import type { Context, Origin, Scope } from '../context.ts'
import { sendAhead } from '../db/pipeline.ts'
import type { Database } from '../db/pool.ts'
import { isRecordKind, kinds, recordKinds, type Kind } from '../kinds.ts'
import { running } from '../values/program.ts'
import { printId } from '../values/ids.ts'
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
}

/**
 * Notes the fields of a record that a write changes, for the journal (docs/decisions/0028-journal.md). The transaction
 * writes one row for all that it notes of a house, before its last statement. Notes nothing if no value differs, or
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
  const row = ofTransaction.get(house.id) ?? {
    house: house.id,
    origin: origin ?? originOfCommand(),
    subject: about === undefined ? subject : (about ?? undefined),
    subjects: new Map<string, Subject>(),
    changes: [],
    reasons: new Set<string>(),
    kept,
    at,
  }
  ofTransaction.set(house.id, row)
  // A write of lots of several sessions is about none of them.
  if (about && !isDeepStrictEqual(row.subject, about)) row.subject = undefined
  for (const each of [subject, about]) if (each) row.subjects.set(`${each.kind} ${each.uuid}`, each)
  row.changes.push(...changes)
  if (reason !== undefined) row.reasons.add(reason)
  row.kept ||= kept
}

/** Writes the rows of what the transaction has noted. They travel with its next statement. */
export async function writeJournal(db: Database): Promise<void> {
  for (const row of rows.get(db)?.values() ?? []) await writeRow(db, row)
  rows.delete(db)
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

// The time is the database's, after all locks of the transaction: rows about a record are in the order of its changes.
// In an INSERT of values the coordinator of Citus reads it.
async function writeRow(db: Database, row: Row): Promise<void> {
  const { house, origin, subject, subjects, reasons, kept } = row
  const { actor, operation, requestId } = origin
  const id = randomUUID()
  const others = listOthers(row)
  const isNow = row.at === undefined && others.size === 0
  const at = isNow ? sql`clock_timestamp()` : sql`${row.at ?? (await readClock(db))}::timestamptz`
  const concerned = [...new Set(Array.from(subjects.values(), ({ kind }) => kind))]
  await sendAhead(
    db,
    sql`
    insert into catalogue.journal (house_id, at, id, actor_type, actor_id, actor_name, operation, kind, record, kinds, changes,
      reason, request_id, kept)
    values (${house}, ${at}, ${id}, ${actor.type}, ${actor.id}, ${actor.name}, ${operation}, ${subject?.kind ?? null},
      ${subject?.uuid ?? null}, ${concerned}, ${JSON.stringify(row.changes)}, ${[...reasons].join('; ') || null}, ${requestId}, ${kept})`,
  )
  if (others.size === 0) return
  await sendAhead(
    db,
    sql`
    insert into catalogue.journal_records (house_id, record, at, id, kind)
    select ${house}, record, ${at}, ${id}, kind
    from unnest(${[...others.keys()]}::uuid[], ${[...others.values()]}::text[]) other (record, kind)`,
  )
}

// As text, because a Date has no microseconds.
async function readClock(db: Database): Promise<string> {
  const { rows: times } = await sql<{ time: string }>`select clock_timestamp()::text as time`.execute(db)
  return times[0]!.time
}
