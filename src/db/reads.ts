import { hash } from 'node:crypto'
import { CompiledQuery, createQueryId, PostgresQueryCompiler, sql, type RawBuilder } from 'kysely'
import { identify, type Context } from '../context.ts'
import { Problem } from '../problems.ts'
import { behind, inOrder, type Keyset, type Position } from './keyset.ts'
import type { Database } from './pool.ts'

/** Which part of a list is wanted: at most `limit` records behind a position. */
export type PageRequest = { limit: number; after: Position | undefined }

/** A page: the JSON text of each record, where the next page begins, if there is one, and the tag of it all. */
export type Page = { documents: string[]; next: Position | undefined; tag: string }

/** One record: its JSON text and its tag. */
export type Document = { json: string; tag: string }

type DocumentParts = {
  /** A table `as` a name. */
  table: RawBuilder<unknown>
  as: string
  /** Joined to each of its rows, for the tag as for the document. */
  parents?: RawBuilder<unknown>
  /** Text of internal ids and revisions: another one for every change of the document. */
  tag: RawBuilder<unknown>
  /** Joined to each row last: a lateral `document` with the columns json and defect. */
  joins: RawBuilder<unknown>
}

/** How records are read and shown. `format` tells apart all ways to show them: house, addresses and SQL are in it. */
export type Documents = DocumentParts & { format: string }

/** Which records are wanted, as which documents: a list has an order. */
export type Selection = Documents & { where: RawBuilder<unknown> }
export type ListSelection = Selection & { order: Keyset }

// Per kind of record, of 1 to 3 KB each: making one takes a fifth of a millisecond.
const mostMade = 500
const mostTexts = 1_000

// What is kept for houses and addresses differs in the parameters. A text of its own would take most of the memory.
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
 * Makes the documents of a house with a set of expansions once, and flat: building and compiling them anew would be a
 * third of what a small read costs this process. Nothing of a request but its house and mediaBase may go into them.
 * Those asked for least recently are forgotten.
 */
export function makeOnce<Expansion extends string = never>(
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
    if (made.size > mostMade) made.delete(made.keys().next().value!)
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

// The one place that decides it for all resources: a page or record with a defect is not shown at all.
function show(row: Row): string {
  if (row.defect !== null) throw new Problem('integrity-unavailable', `A record ${row.defect}.`)
  return row.json
}

// The rows of a page, found by one walk along an index before anything is joined to them.
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
 * Reads one page in one statement: the rows first, then only their documents.
 * @throws Problem integrity-unavailable when a record of the page can't be shown truthfully
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
 * @throws Problem not-found, integrity-unavailable (also when several records share the identity)
 */
export async function readDocument(db: Database, selection: Selection): Promise<Document> {
  const { table, as, parents = nothing, tag, joins, where } = selection
  const { rows } = await sql<Row>`
    select document.json::text as json, document.defect, ${tag} as tag
    from ${table} ${sql.ref(as)} ${parents} ${joins} where ${where}`.execute(db)
  if (rows.length > 1) throw new Problem('integrity-unavailable', 'Several records share this identity.')
  if (!rows[0]) throw new Problem('not-found', 'There is no such record.')
  return { json: show(rows[0]), tag: `${selection.format} ${rows[0].tag}` }
}

/** The JSON text of one record, as `readDocument` reads it. */
export async function readOne(db: Database, selection: Selection): Promise<string> {
  return (await readDocument(db, selection)).json
}

/**
 * Gives the function that finds the tag of a page (or of the one record) without building any document: the tag that
 * the page has when it is read at the same moment. Its statement is made once.
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

// Without the tree of the statement, which takes several times as much as its parameters.
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
