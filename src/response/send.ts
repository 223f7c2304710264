import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../context.ts'
import type { Database } from '../db/pool.ts'
import { prepareCheck, readDocument, readPage, type ListSelection, type Selection } from '../db/reads.ts'
import { Problem } from '../problems.ts'
import { parseId, printId, type RecordKind } from '../values/ids.ts'
import type { Question } from './cache.ts'
import { holds, printEtag } from './conditional.ts'
import { parseCursor, printCursor } from './cursors.ts'
import { queryOf, splitQuery } from '../request/query.ts'
import '../request/types.ts'

/** The database, the house and the time of the request. */
export function contextOf(request: FastifyRequest): Context {
  const { db, media } = request.server.site
  return { db, house: request.credentials.house, now: new Date(), clock: () => new Date(), mediaBase: media.publicBase }
}

/**
 * The UUID of a path's id.
 * @throws Problem not-found if it is malformed or of another kind (section 2.1)
 */
export function pathId(kind: RecordKind, text: string): string {
  const uuid = parseId(kind, text)
  if (uuid === undefined) throw new Problem('not-found', 'There is no such record.')
  return uuid
}

/** Sends `{data}` with the JSON text of one record. */
export function sendJson(reply: FastifyReply, json: string) {
  return reply.type('application/json').send(`{"data":${json}}`)
}

/** The path of a request in the service's own spelling, with prefixed ids. */
function printPath({ routeOptions, params }: FastifyRequest): string {
  const { item_id: item } = params as { item_id?: string }
  return item === undefined
    ? routeOptions.url!
    : routeOptions.url!.replace(':item_id', printId('item', pathId('item', item)))
}

/** Sends 201 with the new record, and its path in `Location`. */
export function sendCreated(
  request: FastifyRequest,
  reply: FastifyReply,
  kind: RecordKind,
  uuid: string,
  json: string,
) {
  return sendJson(reply.code(201).header('location', `${printPath(request)}/${printId(kind, uuid)}`), json)
}

/** Signs the addresses in a kept body, at `now`. */
export type Signing = (body: string, now: Date) => Promise<string>

// Signed addresses are valid for an hour. A client that holds them for half of it can still use them.
const signedMilliseconds = 30 * 60_000

async function sendAnswer(
  request: FastifyRequest,
  reply: FastifyReply,
  open: (context: Context) => Question,
  signing?: Signing,
) {
  const { answers, keyrings, publicUrl, media } = request.server.site
  const context = contextOf(request)
  const period = signing ? String(Math.floor(context.now.getTime() / signedMilliseconds)) : ''
  // Signed addresses are new every second, so their ETag is weak.
  const etagOf = (tag: string) =>
    `${signing ? 'W/' : ''}${printEtag(keyrings.etags[0], publicUrl, media.publicBase, period, request.url, tag)}`
  const asksAgain = request.headers['if-none-match'] !== undefined
  const has = asksAgain ? (tag: string) => holds(request, etagOf(tag)) : undefined
  const answer = await answers.answer(context.house, request.url, has, () => open(context))
  reply.type('application/json').header('etag', etagOf(answer.tag))
  if (!answer.body) return reply.send('')
  if (answer.link !== undefined) reply.header('link', answer.link)
  return reply.send(signing ? await signing(answer.body.toString(), context.now) : answer.body)
}

/** Sends `{data}` with the one record selected. */
export function sendRecord(
  request: FastifyRequest,
  reply: FastifyReply,
  select: (context: Context) => Selection,
  signing?: Signing,
) {
  return sendAnswer(request, reply, (context) => openRecord(context.db, select(context)), signing)
}

// A slice of Node's pool would keep all 64 KiB of it alive for one small answer.
function encode(text: string): Buffer {
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(text))
  bytes.write(text)
  return bytes
}

function openRecord(db: Database, selection: Selection): Question {
  return {
    check: prepareCheck(db, selection),
    async build() {
      const { json, tag } = await readDocument(db, selection)
      return { tag, body: encode(`{"data":${json}}`) }
    },
  }
}

/**
 * Sends one page of the selected records, with its cursor and `Link` (section 4).
 * @throws Problem invalid-cursor
 */
export function sendPage(
  request: FastifyRequest,
  reply: FastifyReply,
  select: (context: Context) => ListSelection,
  signing?: Signing,
) {
  const { site } = request.server
  const address = { path: printPath(request), query: queryOf(request.url) }
  const query = request.query as PageQuery
  return sendAnswer(request, reply, (context) => openPage(site, address, query, context, select(context)), signing)
}

type Address = { path: string; query: string }
type PageQuery = { limit: number; cursor?: string; 'expand[]'?: string[] }

// The result is kept for long, so it must not keep the request alive.
function openPage(
  { keyrings, publicUrl }: FastifyInstance['site'],
  address: Address,
  query: PageQuery,
  { db, house }: Context,
  selection: ListSelection,
): Question {
  const { limit, cursor, 'expand[]': _, ...filters } = query
  const scope = { house: house.id, path: address.path, filters }
  const after = cursor === undefined ? undefined : parseCursor(keyrings.cursors, scope, cursor)
  if (cursor !== undefined && !after)
    throw new Problem('invalid-cursor', 'The cursor was not issued for this list and these filters.')
  const wanted = { limit, after }
  return {
    check: prepareCheck(db, selection, wanted),
    async build() {
      const { documents, next, tag } = await readPage(db, selection, wanted)
      const end = next && printCursor(keyrings.cursors, scope, next)
      const nextCursor = end === undefined ? 'null' : `"${end}"`
      const text = `{"data":[${documents.join(',')}],"has_more":${end !== undefined},"next_cursor":${nextCursor}}`
      return { tag, body: encode(text), ...(end !== undefined && { link: printLink(publicUrl, address, end) }) }
    },
  }
}

function printLink(publicUrl: string, { path, query }: Address, cursor: string): string {
  const kept = splitQuery(query).filter(([name]) => name !== 'cursor')
  const next = new URLSearchParams([...kept, ['cursor', cursor]]).toString()
  return `<${publicUrl}${path}?${next}>; rel="next"`
}
