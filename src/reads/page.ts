import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ListSelection, PageRequest } from './selections.ts'
import { Problem } from '../problems.ts'
import { contextOf, type ServedContext } from './context.ts'
import { printPath } from '../http/path.ts'
import { pairsOf } from '../http/query.ts'
import { readAnswer, type Held } from './answer.ts'
import type { Answer } from './cache.ts'
import { conditionOfList, type Condition } from './conditional.ts'
import { parseCursor, printCursor, type CursorScope } from './cursors.ts'
import { sendConditionally, type SignUrls } from './record.ts'

/** The page that a request wants (section 4), the scope of its cursors, and its condition. */
export type Paging = PageRequest & { scope: CursorScope; condition: Condition }

type PageQuery = { limit: number; cursor?: string; 'expand[]'?: string[] }

/**
 * Reads the paging of a request.
 * @throws Problem invalid-cursor
 */
export function pagingOf(request: FastifyRequest): Paging {
  const { house } = contextOf(request)
  const { limit, cursor, 'expand[]': _, ...filters } = request.query as PageQuery
  const scope = { house: house.id, generation: house.generation, path: printPath(request), filters }
  const after = cursor === undefined ? undefined : parseCursor(request.server.site.keyrings.cursors, scope, cursor)
  if (cursor !== undefined && !after)
    throw new Problem('invalid-cursor', 'The cursor was not issued for this list and these filters.')
  return { limit, after, scope, condition: conditionOfList(request) }
}

/**
 * Reads one page of the selected records, in their present state.
 * @throws Problem integrity-unavailable if a record of the page cannot be shown truthfully
 */
export function readPage(selection: ListSelection<ServedContext>, paging: Paging): Promise<Answer | Held> {
  const { limit, scope, condition } = paging
  return readAnswer(selection, paging, condition, (found) => {
    const shown = found.slice(0, limit)
    const next = shown.at(-1)?.position
    const cursor = next && printCursor(selection.context.cursors, scope, next)
    const nextCursor = cursor === undefined ? 'null' : `"${cursor}"`
    return {
      shown,
      begin: '{"data":[',
      end: `],"has_more":${cursor !== undefined},"next_cursor":${nextCursor}}`,
      cursor,
    }
  })
}

/** Sends a page, with the `Link` to the next one. `sign` signs the URLs in it. */
export function sendPage(request: FastifyRequest, reply: FastifyReply, page: Answer | Held, sign?: SignUrls) {
  if (page.body && page.cursor !== undefined) reply.header('link', printLink(request, page.cursor))
  return sendConditionally(request, reply, page, conditionOfList(request), sign)
}

/** The `Link` to the next page of a list. `parameter` names the query parameter of the cursor. */
export function printLink(request: FastifyRequest, cursor: string, parameter = 'cursor'): string {
  const kept = pairsOf(request.url)!.filter(([name]) => name !== parameter)
  const next = new URLSearchParams([...kept, [parameter, cursor]]).toString()
  return `<${request.server.site.publicUrl}${printPath(request)}?${next}>; rel="next"`
}
