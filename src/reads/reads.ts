import { CompiledQuery, sql } from 'kysely'
import { LRUCache } from 'lru-cache'
import { Problem } from '../problems.ts'
import type { Database } from '../db/pool.ts'
import { sendLast } from '../db/pipeline.ts'
import { refusalOf } from '../db/refusal.ts'
import { buildStatement, checkStatement, Column, lastStatement, readStatement, type Statement } from './statements.ts'
import type { Documents, FoundRecord, PageRequest, Selection } from './selections.ts'
import { shareRuns } from '../db/shared.ts'
import { groupBy } from '../values/groups.ts'

const mostReads = 1_000

type Values = (string | null)[]
type Row = {
  n: number
  place: number
  tag: string
  json: string | null
  defect: string | null
  unready: string | null
  sort: string | null
  position_id: string | null
  position_tie?: string | null
}

type Read = {
  id: number
  columns: string[]
  check: Statement
  build: Statement
  /** For a single read, without and with COMMIT. Made at the first such read. */
  own?: Statement
  last?: Statement
  shared: WeakMap<Database, SharedRead>
}
type SharedRead = Record<'check', (name: string, asked: Values) => Promise<string>> &
  Record<'build', (name: string, asked: Values) => Promise<Row[]>>

const reads = new LRUCache<string, Read>({ max: mostReads })
let readsPrepared = 0
const keys = new WeakMap<Documents, number>()
let keysGiven = 0

function keyOf(documents: Documents): number {
  const known = keys.get(documents)
  if (known !== undefined) return known
  keys.set(documents, ++keysGiven)
  return keysGiven
}

function findRead(selection: Selection, page: PageRequest | undefined): Read {
  const names = Object.keys(selection.asked).filter((name) => selection.asked[name] !== undefined)
  const columns = page?.after ? [...names, 'after_sort', 'after_id'] : names
  if (page?.after?.tie !== undefined) columns.push('after_tie')
  const key = `${keyOf(selection.documents)} ${page?.limit} ${columns.join()} ${selection.where} ${selection.parents}`
  const known = reads.get(key)
  if (known) return known
  const read = prepareRead(selection, columns, page)
  reads.set(key, read)
  return read
}

function prepareRead(selection: Selection, columns: string[], page: PageRequest | undefined): Read {
  return {
    id: ++readsPrepared,
    columns,
    check: checkStatement(selection, columns, page),
    build: buildStatement(selection, columns, page),
    shared: new WeakMap(),
  }
}

function toQuery<R>({ text, parameters }: Statement, valueAt: (column: number) => unknown): CompiledQuery<R> {
  const values = parameters.map((each) => (each instanceof Column ? valueAt(each.at) : each))
  return CompiledQuery.raw(text, values)
}

async function run<R>(db: Database, statement: Statement, valueAt: (column: number) => unknown): Promise<R[]> {
  return (await db.executeQuery<R>(toQuery(statement, valueAt))).rows
}

async function runCheck(db: Database, { check }: Read, asked: Values[]): Promise<string[]> {
  const tags = asked.map(() => '')
  type Row = { n: number; tag: string | null }
  const rows = await run<Row>(db, check, (column) => asked.map((one) => one[column]!))
  for (const { n, tag } of rows) tags[n - 1] = tag ?? ''
  return tags
}

async function runBuild(db: Database, { build }: Read, asked: Values[]): Promise<Row[][]> {
  const found = asked.map((): Row[] => [])
  const all = await run<Row>(db, build, (column) => asked.map((one) => one[column]!))
  for (const row of all) found[row.n - 1]!.push(row)
  for (const rows of found) rows.sort((a, b) => a.place - b.place)
  return found
}

// A statement finds about 100 records at most, so a page of 100 has a statement of its own.
const mostRecords = 100
const mostChecked = 1_600

function share(db: Database, read: Read, page: PageRequest | undefined): SharedRead {
  const known = read.shared.get(db)
  if (known) return known
  const together = (records: number) => Math.max(1, Math.floor(records / (page?.limit ?? 1)))
  const shared = {
    check: shareRuns<Values, string>((asked) => runCheck(db, read, asked), Math.min(100, together(mostChecked))),
    build: shareRuns<Values, Row[]>((asked) => runBuild(db, read, asked), together(mostRecords)),
  }
  read.shared.set(db, shared)
  return shared
}

function valuesOf({ asked }: Selection, { columns }: Read, page: PageRequest | undefined): Values {
  return columns.map((name) => {
    if (name === 'after_sort') return page!.after!.sort
    if (name === 'after_tie') return page!.after!.tie!
    return name === 'after_id' ? page!.after!.id : String(asked[name])
  })
}

// A prepared read. Equal reads at the same moment share its statements.
type PreparedRead = {
  /** Identifies the read within the process, whatever its `now`: a tag tells whether an answer is that of another time. */
  key: string
  /** The present tag, without building a document. Empty if nothing is found. */
  check(): Promise<string>
  /**
   * Reads the records in their present state. Records whose tags are in `known` come without JSON.
   * @throws Problem integrity-unavailable if a record cannot be shown truthfully
   */
  build(known?: string): Promise<FoundRecord[]>
}

/** Prepares a read of one record, or of a page of a list. */
export function prepare(selection: Selection, page?: PageRequest): PreparedRead {
  const { db } = selection.context
  const read = findRead(selection, page)
  const values = valuesOf(selection, read, page)
  const { check, build } = share(db, read, page)
  const name = JSON.stringify(values)
  return {
    key: `${read.id} ${JSON.stringify(values.filter((_, at) => read.columns[at] !== 'now'))}`,
    check: () => check(name, [...values, '']),
    async build(known = '') {
      const rows = await build(`${name}${known}`, [...values, ` ${known} `])
      const unready = rows.flatMap((row) => row.unready ?? [])
      if (unready.length > 0) selection.documents.store?.(db, unready)
      return show(rows)
    },
  }
}

/** The refusal of a record that cannot be shown truthfully. */
export const defective = (defect: string) => new Problem('integrity-unavailable', `A record ${defect}.`)

// A page with one defective record is not shown.
function show(rows: Row[]): FoundRecord[] {
  return rows.map(({ tag, json, defect, sort, position_id, position_tie }, index) => {
    if (defect !== null) throw defective(defect)
    const isFollowed = sort !== null && index + 1 < rows.length
    return { tag, json, position: isFollowed ? { sort, id: position_id!, tie: position_tie ?? undefined } : undefined }
  })
}

/** The records of a page, without the one after it. */
export function withoutNext(found: FoundRecord[]): FoundRecord[] {
  const last = found.findIndex(({ position }) => position !== undefined)
  return last === -1 ? found : found.slice(0, last + 1)
}

/**
 * The only record found.
 * @throws Problem not-found, integrity-unavailable if several records share the id
 */
export function requireOne<Found>(found: Found[]): Found {
  if (found.length !== 1) throw refuseCount(found.length)
  return found[0]!
}

function refuseCount(count: number): Problem {
  return count === 0
    ? new Problem('not-found', 'There is no such record.')
    : new Problem('integrity-unavailable', 'Several records share this identity.')
}

/**
 * Reads one record in one statement, also inside a transaction. Its tag is the same as in a read by HTTP.
 * @throws Problem not-found, integrity-unavailable
 */
export async function readDocument(db: Database, selection: Selection): Promise<{ json: string; tag: string }> {
  const read = findRead(selection, undefined)
  read.own ??= readStatement(selection, read.columns)
  type Row = { tag: string; json: string; defect: string | null }
  const asked = valuesOf(selection, read, undefined)
  const { tag, json, defect } = requireOne(await run<Row>(db, read.own, (column) => asked[column]))
  if (defect !== null) throw defective(defect)
  return { json, tag: `${selection.documents.format} ${tag}` }
}

/**
 * Reads records, archived or not, by their UUIDs, inside a transaction. Returns their JSON in the order of the UUIDs.
 * @throws Problem not-found, integrity-unavailable
 */
export async function readDocuments(db: Database, documents: Documents, uuids: readonly string[]): Promise<string[]> {
  const { table, as, parents = sql``, joins, house } = documents
  const { rows } = await sql<{ uuid: string; json: string; defect: string | null }>`
    select ${sql.ref(`${as}.public_id`)} as uuid, document.json::text as json, document.defect
    from ${table} ${sql.ref(as)} ${parents} ${joins}
    where ${sql.ref(`${as}.house_id`)} = ${house} and ${sql.ref(`${as}.public_id`)} = any(${uuids}::uuid[])`.execute(db)
  const found = groupBy(rows, ({ uuid }) => uuid)
  return uuids.map((uuid) => {
    const { json, defect } = requireOne(found.get(uuid) ?? [])
    if (defect !== null) throw defective(defect)
    return json
  })
}

/**
 * Reads one record as the last statement of a transaction, together with COMMIT.
 * @throws Problem not-found, integrity-unavailable; then nothing is committed
 */
export async function readLast(db: Database, selection: Selection): Promise<{ json: string; tag: string }> {
  const read = findRead(selection, undefined)
  read.last ??= lastStatement(selection, read.columns)
  const asked = valuesOf(selection, read, undefined)
  try {
    const rows = await sendLast<{ tag: string; json: string }>(
      db,
      toQuery(read.last, (column) => asked[column]),
    )
    return { json: rows[0]!.json, tag: `${selection.documents.format} ${rows[0]!.tag}` }
  } catch (error) {
    const reason = refusalOf(error)
    if (reason === undefined) throw error
    // The reason is the defect, or the number of records.
    throw /^\d+$/.test(reason) ? refuseCount(Number(reason)) : defective(reason)
  }
}

/** The present tag of the only selected record. */
export async function readTag(db: Database, selection: Selection): Promise<string> {
  const read = findRead(selection, undefined)
  const [tag] = await runCheck(db, read, [[...valuesOf(selection, read, undefined), '']])
  return `${selection.documents.format} ${tag}`
}
