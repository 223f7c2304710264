import { hash } from 'node:crypto'
import { CompiledQuery, createQueryId, PostgresQueryCompiler, sql, type RawBuilder } from 'kysely'
import { identify, type Context } from '../context.ts'
import { Problem, requireFound } from '../problems.ts'
import { behind, inOrder, type Keyset, type Position } from './keyset.ts'
import type { Database } from './pool.ts'

/** The part of a list to read: at most `limit` records after a position. */
export type PageRequest = { limit: number; after: Position | undefined }

/** A page: the JSON text of each record, the start of the next page if there is one, and the tag of the page. */
export type Page = { documents: string[]; next: Position | undefined; tag: string }

/** One record: its JSON text and its tag. */
export type Document = { json: string; tag: string }

type DocumentParts = {
  /** A table `as` a name. */
  table: RawBuilder<unknown>
  as: string
  /** Joined to each row, for both the tag and the document. */
  parents?: RawBuilder<unknown>
  /** Text of internal ids and revisions. It differs after every change of the document. */
  tag: RawBuilder<unknown>
  /** Joined to each row last: a lateral `document` with the columns `json` and `defect`. */
  joins: RawBuilder<unknown>
}

/** How to read and show records. `format` differs with everything else that shows: house settings, media URLs and SQL. */
export type Documents = DocumentParts & { format: string }

/** The records to read, and their documents. A list also has an order. */
export type Selection = Documents & { where: RawBuilder<unknown> }
export type ListSelection = Selection & { order: Keyset }

// For each kind of record. An entry has 1 to 3 KB, and making one takes a fifth of a millisecond.
const mostMemoized = 500
const mostTexts = 1_000

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
    const name = [identify(context.house), context.mediaBase, ...[...new Set(expand)].toSorted()].join(' ')
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
      joins: sql(shareText(text).parts, ...parameters),
      format: hash('sha1', JSON.stringify([text, parameters]), 'base64url'),
    }
    made.set(name, documents)
    if (made.size > mostMemoized) made.delete(made.keys().next().value!)
    return documents
  }
}

function compile(fragment: RawBuilder<unknown>): { text: string; parameters: readonly unknown[] } {
  const { sql: text, parameters } = new PostgresQueryCompiler().compileQuery(
    fragment.toOperationNode(),
    createQueryId(),
  )
  return { text, parameters }
}

type Row = { json: string; defect: string | null; tag: string }

// The one place that refuses defects, for all resources. A page with one defective record is not shown.
function show(row: Row): string {
  if (row.defect !== null) throw new Problem('integrity-unavailable', `A record ${row.defect}.`)
  return row.json
}

// Finds the rows of a page by one index scan, before anything is joined to them.
function rowsOf({ table, as, where, order }: ListSelection, page: PageRequest): RawBuilder<unknown> {
  const name = sql.ref(as)
  return sql`(
      select ${name}.*, ${order.sort} as sort, ${order.id} as position_id from ${table} ${name}
      where ${where} ${behind(order, page.after)} ${inOrder(order, page.limit + 1)}
    ) ${name}`
}

function orderOf({ as, order }: ListSelection): RawBuilder<unknown> {
  const direction = sql.raw(order.direction)
  return sql`order by ${sql.ref(as)}.sort ${direction}, ${sql.ref(as)}.position_id ${direction}`
}

const nothing = sql``

/**
 * Reads one page in one statement. It finds the rows first, then builds only their documents.
 * @throws Problem integrity-unavailable if a record of the page cannot be shown truthfully
 */
export async function readPage(db: Database, selection: ListSelection, page: PageRequest): Promise<Page> {
  const { as, parents = nothing, tag, joins } = selection
  const name = sql.ref(as)
  const { rows } = await sql<Row & { sort: string; position_id: string }>`
    select document.json::text as json, document.defect, ${tag} as tag,
      ${name}.sort::text as sort, ${name}.position_id::text as position_id
    from ${rowsOf(selection, page)} ${parents} ${joins} ${orderOf(selection)}`.execute(db)
  const shown = rows.slice(0, page.limit)
  const last = rows.length > page.limit ? shown.at(-1) : undefined
  return {
    documents: shown.map(show),
    next: last && { sort: last.sort, id: last.position_id },
    tag: `${selection.format} ${rows.map((row) => row.tag).join(' ')}`,
  }
}

/**
 * Reads one record in one statement.
 * @throws Problem not-found, integrity-unavailable (also if several records share the id)
 */
export async function readDocument(db: Database, selection: Selection): Promise<Document> {
  const { table, as, parents = nothing, tag, joins, where } = selection
  const { rows } = await sql<Row>`
    select document.json::text as json, document.defect, ${tag} as tag
    from ${table} ${sql.ref(as)} ${parents} ${joins} where ${where}`.execute(db)
  if (rows.length > 1) throw new Problem('integrity-unavailable', 'Several records share this identity.')
  const row = requireFound(rows[0])
  return { json: show(row), tag: `${selection.format} ${row.tag}` }
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
    const selections = new Map(expansions.map((names) => select(names as never[])).map((each) => [each.format, each]))
    const tags: string[] = []
    for (const selection of selections.values()) tags.push(await prepareCheck(db, selection)())
    return tags
  })
  return record
}

/**
 * Returns the function that finds the present tag of a page (or of one record) without building a document. A read at
 * the same moment gives the same tag. The statement is compiled once.
 */
export function prepareCheck(db: Database, selection: ListSelection, page: PageRequest): () => Promise<string>
export function prepareCheck(db: Database, selection: Selection): () => Promise<string>
export function prepareCheck(db: Database, selection: Selection | ListSelection, page?: PageRequest) {
  let made: CompiledQuery<{ tag: string | null }> | undefined
  return async () => {
    made ??= compileCheck(db, selection, page)
    const { rows } = await db.executeQuery(made)
    return `${selection.format} ${rows[0]?.tag ?? ''}`
  }
}

// Drops the tree of the statement, which takes several times the memory of its parameters.
function compileCheck(db: Database, selection: Selection | ListSelection, page: PageRequest | undefined) {
  const { sql: text, parameters } = tagStatement(selection, page).compile(db)
  return CompiledQuery.raw(shareText(text).text, [...parameters]) as CompiledQuery<{ tag: string | null }>
}

function tagStatement(selection: Selection | ListSelection, page: PageRequest | undefined) {
  const { table, as, parents = nothing, tag, where } = selection
  return page && 'order' in selection
    ? sql<{ tag: string | null }>`
      select string_agg(${tag}, ' ' ${orderOf(selection)}) as tag from ${rowsOf(selection, page)} ${parents}`
    : sql<{ tag: string | null }>`
      select string_agg(${tag}, ' ') as tag from ${table} ${sql.ref(as)} ${parents} where ${where}`
}
