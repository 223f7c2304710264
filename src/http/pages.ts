import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../context.ts'
import type { Page, PageRequest } from '../db/reads.ts'
import { Problem } from '../problems.ts'
import { parseId, printId, type RecordKind } from '../values/ids.ts'
import { parseCursor, printCursor } from './cursors.ts'
import { splitQuery } from './query.ts'
import './types.ts'

/** For whom, where and when the request works. */
export function contextOf(request: FastifyRequest): Context {
  const { db, media } = request.server.site
  return { db, house: request.credentials.house, now: new Date(), clock: () => new Date(), mediaBase: media.publicBase }
}

/**
 * The UUID of a path's id.
 * @throws Problem not-found when it is malformed or of another kind (section 2.1)
 */
export function pathId(kind: RecordKind, text: string): string {
  const uuid = parseId(kind, text)
  if (uuid === undefined) throw new Problem('not-found', 'There is no such record.')
  return uuid
}

/** Sends `{data}` with the JSON text of one record. */
export function sendRecord(reply: FastifyReply, json: string) {
  return reply.type('application/json').send(`{"data":${json}}`)
}

/** Sends 201 with a record just created, and the path at which it is read. */
export function sendCreated(
  request: FastifyRequest,
  reply: FastifyReply,
  kind: RecordKind,
  uuid: string,
  json: string,
) {
  const collection = request.originalUrl.split('?', 1)[0]!
  return sendRecord(reply.code(201).header('location', `${collection}/${printId(kind, uuid)}`), json)
}

/**
 * Reads the page that the request asks for and sends it with its cursor and `Link` (section 4).
 * @throws Problem invalid-cursor
 */
export async function sendPage(
  request: FastifyRequest,
  reply: FastifyReply,
  read: (context: Context, page: PageRequest) => Promise<Page>,
) {
  const { secret, publicUrl } = request.server.site
  const {
    limit,
    cursor,
    'expand[]': _,
    ...filters
  } = request.query as { limit: number; cursor?: string; 'expand[]'?: string[] }
  const context = contextOf(request)
  const path = request.url.split('?', 1)[0]!
  const scope = { house: context.house.id, path, filters }
  const after = cursor === undefined ? undefined : parseCursor(secret, scope, cursor)
  if (cursor !== undefined && !after)
    throw new Problem('invalid-cursor', 'The cursor was not issued for this list and these filters.')

  const page = await read(context, { limit, after })
  const next = page.next && printCursor(secret, scope, page.next)
  if (next !== undefined) {
    const kept = splitQuery(request.url.split('?').slice(1).join('?')).filter(([name]) => name !== 'cursor')
    const query = new URLSearchParams([...kept, ['cursor', next]]).toString()
    reply.header('link', `<${publicUrl}${path}?${query}>; rel="next"`)
  }
  const nextCursor = next === undefined ? 'null' : `"${next}"`
  return reply
    .type('application/json')
    .send(`{"data":[${page.documents.join(',')}],"has_more":${next !== undefined},"next_cursor":${nextCursor}}`)
}
