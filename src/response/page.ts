import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../context.ts'
import { prepareCheck, readPage, type ListSelection } from '../db/reads.ts'
import { Problem } from '../problems.ts'
import type { ServedContext } from '../request/context.ts'
import { printPath } from '../request/path.ts'
import { queryOf, splitQuery } from '../request/query.ts'
import type { ResponseSource } from './cache.ts'
import { encode, sendCached, type SignUrls } from './cached.ts'
import { printVersion } from './conditional.ts'
import { parseCursor, printCursor } from './cursors.ts'

/**
 * Sends one page of the selected records, with its cursor and `Link` (section 4). `sign` signs the URLs in it.
 * @throws Problem invalid-cursor
 */
export function sendPage(
  request: FastifyRequest,
  reply: FastifyReply,
  select: (context: Context) => ListSelection,
  sign?: SignUrls,
) {
  const { site } = request.server
  const address = { path: printPath(request), query: queryOf(request.url) }
  const query = request.query as PageQuery
  const prepare = (context: ServedContext) => preparePage(site, address, query, context, select(context))
  // Signed URLs are new every second, so the ETag of a page with them is weak.
  const etagOf = (tag: string) => `${sign ? 'W/' : ''}${printVersion(request, `${request.url}\n${tag}`)}`
  return sendCached(request, reply, prepare, etagOf, sign)
}

type Address = { path: string; query: string }
type PageQuery = { limit: number; cursor?: string; 'expand[]'?: string[] }

// The result stays in the cache for long, so it must not keep the request alive.
function preparePage(
  { keyrings, publicUrl }: FastifyInstance['site'],
  address: Address,
  query: PageQuery,
  { db, house }: ServedContext,
  selection: ListSelection,
): ResponseSource {
  const { limit, cursor, 'expand[]': _, ...filters } = query
  const scope = { house: house.id, generation: house.generation, path: address.path, filters }
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

/** The `Link` to the next page of an address, whose cursor is the given parameter. */
export function printLink(publicUrl: string, { path, query }: Address, cursor: string, parameter = 'cursor'): string {
  const kept = splitQuery(query).filter(([name]) => name !== parameter)
  const next = new URLSearchParams([...kept, [parameter, cursor]]).toString()
  return `<${publicUrl}${path}?${next}>; rel="next"`
}
