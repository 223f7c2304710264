import { hash } from 'node:crypto'
import { CompiledQuery, createQueryId, PostgresQueryCompiler, sql, type RawBuilder } from 'kysely'
import { identify, type Context } from '../context.ts'
import { Problem, requireFound } from '../problems.ts'
import { behind, inOrder, type Keyset, type Position } from './keyset.ts'
import type { Database } from './pool.ts'
import { shareRuns } from './shared.ts'

type DocumentParts = {
  /** A table `as` a name. */
  table: RawBuilder<unknown>
  as: string
  /** Joined to each row, for both the tag and the document. */
  parents?: RawBuilder<unknown>
  /** Text of internal ids and revisions, without spaces. It differs after every change of the document. */
  tag: RawBuilder<unknown>
  /** Joined to each row last: a lateral `document` with the columns `json` and `defect`. */
  joins: RawBuilder<unknown>
  /** Stores documents of items. Then `document` also has `unready`: the item whose document was not ready. */
  store?: (db: Database, items: string[]) => void
}

/** How to read and show records of a house. `format` differs with all that shows: settings, media URLs and SQL. */
export type Documents = DocumentParts & { house: string; format: string }

/**
 * The records to read: `where` is SQL, in which `$house` stands for the house and `asked.name` for a value of `asked`, as
 * text. Two selections that differ only in the values run the same statement.
 */
export type Selection<Of = Pick<Context, 'db'>> = {
  context: Of
  documents: Documents
  where: string
  asked: Record<string, string | number | boolean | undefined>
}

/** Records in an order. */
export type ListSelection<Of = Pick<Context, 'db'>> = Selection<Of> & { order: Keyset }

/** The part of a list to read: at most `limit` records after a position. */
export type PageRequest = { limit: number; after: Position | undefined }

/** A record that was found: its tag, and its JSON text unless the reader has it. `position` if another record follows. */
export type FoundRecord = { tag: string; json: string | null; position: Position | undefined }

// For each kind of record. An entry has 1 to 3 KB, and making one takes a fifth of a millisecond.
const mostMemoized = 500
const mostTexts = 1_000
const mostReads = 1_000

// Entries of different houses and URLs differ only in parameters. A copy of the text would be most of each entry.
const texts = new Map<string, { text: string; parts: TemplateStringsArray }>()

function shareText(text: string) {
  const known = texts.get(text)
  if (known) return known
  if (texts.size >= mostTexts) texts.clear()
  const shared = { text, parts: text.split(/\$\d+/) as unknown as TemplateStringsArray }
  texts.set(text, shared)
  return shared
}

/**
 * Memoizes `make` by house, mediaBase and expansions, the only parts of a context that it may use. Building and
 * compiling documents again would be a third of the cost of a small read. The least recently used ones are dropped.
 */
export function memoize<Expansion extends string = never>(
  make: (context: Pick<Context, 'house' | 'mediaBase'>, expand: readonly Expansion[]) => DocumentParts,
): (context: Pick<Context, 'house' | 'mediaBase'>, expand?: readonly Expansion[]) => Documents {
  const made = new Map<string, Documents>()
  return (context, expand = []) => {
    const names = expand.length > 1 ? [...new Set(expand)].toSorted().join() : (expand[0] ?? '')
    const name = `${identify(context.house)} ${context.mediaBase} ${names}`
    const known = made.get(name)
    if (known) {
      made.delete(name)
      made.set(name, known)
      return known
    }
    const parts = make(context, expand)
    const { text, parameters } = compile(parts.joins)
    const documents = {
      ...parts,
      house: context.house.id,
      joins: sql(shareText(text).parts, ...parameters),
      format: hashFormat(parts.joins),
    }
    made.set(name, documents)
    if (made.size > mostMemoized) made.delete(made.keys().next().value!)
    return documents
  }
}

/** A text that differs with the SQL of a document and its parameters. */
export function hashFormat(documents: RawBuilder<unknown>): string {
  const { text, parameters } = compile(documents)
  return hash('sha1', JSON.stringify([text, parameters]), 'base64url')
}

function compile(fragment: RawBuilder<unknown>): { text: string; parameters: readonly unknown[] } {
  const { sql: text, parameters } = new PostgresQueryCompiler().compileQuery(
    fragment.toOperationNode(),
    createQueryId(),
  )
  return { text, parameters }
}

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
}

/** A statement for several askers at once. Its parameters are constants, or the askers' values of a column. */
type Statement = { text: string; parameters: readonly unknown[] }
type Read = { id: number; columns: string[]; check: Statement; build: Statement; shared: WeakMap<Database, SharedRead> }
type SharedRead = Record<'check', (name: string, asked: Values) => Promise<string>> &
  Record<'build', (name: string, asked: Values) => Promise<Row[]>>

class Column {
  readonly at: number
  constructor(at: number) {
    this.at = at
  }
}

const reads = new Map<string, Read>()
let readsPrepared = 0
const keys = new WeakMap<Documents, number>()
let keysGiven = 0

function keyOf(documents: Documents): number {
  const known = keys.get(documents)
  if (known !== undefined) return known
  keys.set(documents, ++keysGiven)
  return keysGiven
}

const isList = (selection: Selection): selection is ListSelection => 'order' in selection

// The least recently used ones are dropped.
function findRead(selection: Selection, page: PageRequest | undefined): Read {
  const names = Object.keys(selection.asked).filter((name) => selection.asked[name] !== undefined)
  const columns = page?.after ? [...names, 'after_sort', 'after_id'] : names
  const key = `${keyOf(selection.documents)} ${page?.limit} ${columns.join()} ${selection.where}`
  let read = reads.get(key)
  if (read) reads.delete(key)
  else read = prepareRead(selection, columns, page)
  reads.set(key, read)
  if (reads.size > mostReads) reads.delete(reads.keys().next().value!)
  return read
}

function prepareRead(selection: Selection, columns: string[], page: PageRequest | undefined): Read {
  const statement = (fragment: RawBuilder<unknown>): Statement => {
    const { text, parameters } = compile(fragment)
    return { text: shareText(text).text, parameters }
  }
  return {
    id: ++readsPrepared,
    columns,
    check: statement(checkStatement(selection, columns, page)),
    build: statement(buildStatement(selection, columns, page)),
    shared: new WeakMap(),
  }
}

/** The condition on the rows of a selection's table. The statement must have a row `asked` with the values as text. */
export function conditionOn({ documents, where }: Selection): RawBuilder<unknown> {
  const parts = where.split('$house')
  const condition = sql(parts as unknown as TemplateStringsArray, ...parts.slice(1).map(() => documents.house))
  return sql`${sql.ref(documents.as)}.house_id = ${documents.house} and ${condition}`
}

// The rows that each asker wants, found before anything is joined to them.
function foundRows(selection: Selection, columns: string[], page: PageRequest | undefined): RawBuilder<unknown> {
  const { documents } = selection
  const name = sql.ref(documents.as)
  const rows = (more: RawBuilder<unknown>, end: RawBuilder<unknown>) => sql`
      select ${name}.* ${more} from ${documents.table} ${name} where ${conditionOn(selection)} ${end}`
  const all = [...columns, 'known']
  const arrays = all.map((_, at) => sql`${new Column(at)}::text[]`)
  return sql`(
    select asked.n::int as asked_n, asked.known as asked_known, page.*
    from unnest(${sql.join(arrays)}) with ordinality asked (${sql.raw([...all, 'n'].join(', '))})
    cross join lateral (${
      page && isList(selection)
        ? sql`
      select page.*, row_number() over (${orderOf(selection.order)}) as page_place from (${rows(
        sql`, ${selection.order.sort} as sort, ${selection.order.id} as position_id`,
        sql`${behind(selection.order, page.after)} ${inOrder(selection.order, page.limit + 1)}`,
      )}) page`
        : rows(sql`, 1 as page_place`, sql`offset 0`)
    }) page) ${name}`
}

function orderOf({ direction }: Keyset): RawBuilder<unknown> {
  return sql`order by page.sort ${sql.raw(direction)}, page.position_id ${sql.raw(direction)}`
}

const nothing = sql``

function checkStatement(selection: Selection, columns: string[], page: PageRequest | undefined) {
  const { as, tag, parents = nothing } = selection.documents
  const name = sql.ref(as)
  return sql`
    select ${name}.asked_n as n, string_agg(${tag}, ' ' order by ${name}.page_place) as tag
    from ${foundRows(selection, columns, page)} ${parents} group by ${name}.asked_n`
}

// Only the documents are built that the asker does not know. The row after the last one only tells that there is one.
function buildStatement(selection: Selection, columns: string[], page: PageRequest | undefined) {
  const { as, tag, parents = nothing, joins, store } = selection.documents
  const name = sql.ref(as)
  const position = (column: string) =>
    page
      ? sql`case when ${name}.page_place = ${sql.lit(page.limit)} then ${name}.${sql.ref(column)}::text end`
      : sql`null`
  return sql`
    select ${name}.asked_n as n, ${name}.page_place::int as place, ${tag} as tag, document.json, document.defect, document.unready,
      ${position('sort')} as sort, ${position('position_id')} as position_id
    from ${foundRows(selection, columns, page)} ${parents}
    left join lateral (
      select document.json::text as json, document.defect, ${store ? sql`document.unready` : sql`null`} as unready
      from (select) one ${joins}
      where strpos(${name}.asked_known, ' ' || ${tag} || ' ') = 0 ${page ? sql`and ${name}.page_place <= ${sql.lit(page.limit)}` : nothing}
      offset 0
    ) document on true`
}

async function runStatement<R>(db: Database, { text, parameters }: Statement, asked: Values[]): Promise<R[]> {
  const values = parameters.map((each) => (each instanceof Column ? asked.map((one) => one[each.at]!) : each))
  return (await db.executeQuery<R>(CompiledQuery.raw(text, values))).rows
}

async function runCheck(db: Database, { check }: Read, asked: Values[]): Promise<string[]> {
  const tags = asked.map(() => '')
  for (const { n, tag } of await runStatement<{ n: number; tag: string }>(db, check, asked)) tags[n - 1] = tag
  return tags
}

async function runBuild(db: Database, { build }: Read, asked: Values[]): Promise<Row[][]> {
  const found = asked.map((): Row[] => [])
  for (const row of await runStatement<Row>(db, build, asked)) found[row.n - 1]!.push(row)
  for (const rows of found) rows.sort((a, b) => a.place - b.place)
  return found
}

// A statement finds about so many records at most. So a page of a hundred has one of its own.
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
    return name === 'after_id' ? page!.after!.id : String(asked[name])
  })
}

/** A read that shares its statements with everybody who reads the same way at the same moment. */
export type PreparedRead = {
  /** Identifies what is read within the process. */
  key: string
  /** The present tag, without building a document. Empty if nothing is found. */
  check(): Promise<string>
  /**
   * The records as they are now. `known` are the tags of records that the reader has, which have no JSON then.
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
    key: `${read.id} ${name}`,
    check: () => check(name, [...values, '']),
    async build(known = '') {
      const rows = await build(`${name}${known}`, [...values, ` ${known} `])
      const unready = rows.flatMap((row) => row.unready ?? [])
      if (unready.length > 0) selection.documents.store?.(db, unready)
      return show(rows, page)
    },
  }
}

// The one place that refuses defects, for all resources. A page with one defective record is not shown.
function show(rows: Row[], page: PageRequest | undefined): FoundRecord[] {
  return rows.map(({ tag, json, defect, sort, position_id }) => {
    if (defect !== null) throw new Problem('integrity-unavailable', `A record ${defect}.`)
    const isFollowed = page !== undefined && sort !== null && rows.length > page.limit
    return { tag, json, position: isFollowed ? { sort, id: position_id! } : undefined }
  })
}

/**
 * The one record of those found.
 * @throws Problem not-found, integrity-unavailable if several records share the id
 */
export function requireOne<Found>(found: Found[]): Found {
  if (found.length > 1) throw new Problem('integrity-unavailable', 'Several records share this identity.')
  return requireFound(found[0])
}

/**
 * Reads one record in one statement, inside a transaction too. Its tag is the one that a read of the interface has.
 * @throws Problem not-found, integrity-unavailable
 */
export async function readDocument(db: Database, selection: Selection): Promise<{ json: string; tag: string }> {
  const read = findRead(selection, undefined)
  const [rows] = await runBuild(db, read, [[...valuesOf(selection, read, undefined), '']])
  const { json, tag } = requireOne(show(rows!, undefined))
  return { json: json!, tag: `${selection.documents.format} ${tag}` }
}

/** The JSON text of one record; see `readDocument`. */
export async function readOne(db: Database, selection: Selection): Promise<string> {
  return (await readDocument(db, selection)).json
}

/**
 * Gives a record that a write has locked and is about to change, if it is the version that the request expects. `select`
 * is how the interface reads it. Call it before any other condition.
 * @throws Problem not-found, precondition-failed, precondition-required
 */
export async function requireLocked<Found>(
  { db, write }: Pick<Context, 'db' | 'write'>,
  found: Found | undefined,
  select: (expand: never[]) => Selection,
  kind?: string,
): Promise<Found> {
  const record = requireFound(found, kind)
  await write?.guard(async (expansions) => {
    const selections = expansions.map((names) => select(names as never[]))
    const distinct = new Map(selections.map((selection) => [selection.documents.format, selection]))
    const tags: string[] = []
    for (const selection of distinct.values()) tags.push(await readTag(db, selection))
    return tags
  })
  return record
}

async function readTag(db: Database, selection: Selection): Promise<string> {
  const read = findRead(selection, undefined)
  const [tag] = await runCheck(db, read, [[...valuesOf(selection, read, undefined), '']])
  return `${selection.documents.format} ${tag}`
}
