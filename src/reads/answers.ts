import { Forms } from '../http/encoding/forms.ts'
import { prepare, requireOne, withoutNext } from './reads.ts'
import type { FoundRecord, PageRequest, Selection, ListSelection } from './selections.ts'
import { type ServedContext, contextOf } from './context.ts'
import type { Answer } from './cache.ts'
import { type Condition, conditionOf, conditionOfList } from './conditional.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Problem } from '../problems.ts'
import { printPath } from '../http/path.ts'
import { pairsOf } from '../http/query.ts'
import { parseCursor, printCursor, type CursorScope } from './cursors.ts'

// The answer for a client that holds it: only the tag.
type Held = Pick<Answer, 'tag' | 'etag'> & { body?: undefined }

/** Builds the text around the records. `found` may have one record more than `shown`. */
type Frame = (found: FoundRecord[]) => {
  shown: FoundRecord[]
  begin: string
  end: string
  cursor?: string | undefined
}

/**
 * Answers a read with the present state of the database. Compares the tag of the cached answer with the present tag.
 * If they differ, builds only the changed records. If the client holds the present answer, returns only its tag.
 * @throws Problem integrity-unavailable if a record cannot be shown truthfully, and what `frame` throws
 */
async function readAnswer(
  selection: Selection<ServedContext>,
  page: (PageRequest & { scope: CursorScope }) | undefined,
  { isHeld }: Pick<Condition, 'isHeld'>,
  frame: Frame,
): Promise<Answer | Held> {
  const { context, documents } = selection
  const { house, answers } = context
  const read = prepare(selection, page)
  // A page has a cursor, which another list of the same records does not take.
  const name = page === undefined ? read.key : `${page.scope.path} ${read.key}`
  if (isHeld || answers.find(house, name)) {
    const tag = `${documents.format} ${await read.check()}`
    // Another request may have built it meanwhile.
    const current = answers.find(house, name)
    if (current?.tag === tag) {
      answers.noteKept()
      return current
    }
    // A list without records is short, which matters to its ETag. So its text is needed.
    if (isHeld?.(tag) && !tag.endsWith(' ')) return { tag }
  }
  const kept = answers.find(house, name)
  try {
    const found = await read.build(kept && listTags(kept).join(' '))
    const tag = `${documents.format} ${found.map((record) => record.tag).join(' ')}`
    const answer = assemble(tag, frame(found), kept)
    answers.keep(house, name, answer)
    return answer
  } catch (error) {
    answers.forget(house, name)
    throw error
  }
}

// The tags of the records in the body. The answer's tag also has the format, and the record after the page.
const listTags = ({ tag, ends }: Answer) => tag.split(' ').slice(1, ends.length + 1)

// The bytes of each record by its tag.
function listRecords(answer: Answer, begin: number): Map<string, Buffer> {
  const tags = listTags(answer)
  const records = new Map<string, Buffer>()
  let start = begin
  for (const [at, end] of answer.ends.entries()) {
    records.set(tags[at]!, answer.body.subarray(start, end))
    start = end + 1
  }
  return records
}

// Not from Node's pool: a slice of it would keep 64 KiB alive for one small body.
function assemble(tag: string, { shown, begin, end, cursor }: ReturnType<Frame>, kept: Answer | undefined): Answer {
  const known = kept && listRecords(kept, begin.length)
  const parts = shown.map((record) => record.json ?? known!.get(record.tag)!)
  const size = (part: string | Buffer) => (typeof part === 'string' ? Buffer.byteLength(part) : part.length)
  const records = parts.reduce((sum, part) => sum + size(part), 0) + Math.max(0, parts.length - 1)
  const body = Buffer.allocUnsafeSlow(begin.length + records + end.length)
  const ends = new Uint32Array(parts.length)
  let at = body.write(begin, 'latin1')
  for (const [index, part] of parts.entries()) {
    if (index > 0) at += body.write(',', at, 'latin1')
    at += typeof part === 'string' ? body.write(part, at) : part.copy(body, at)
    ends[index] = at
  }
  body.write(end, at, 'latin1')
  return { tag, body, ends, cursor, forms: new Forms() }
}

// Signs the URLs in a body, at `now`.
type SignUrls = (body: string, now: Date) => Promise<string>

/**
 * Reads the selected record in its present state.
 * @throws Problem not-found, integrity-unavailable (also if several records share the id)
 */
export function readRecord(selection: Selection<ServedContext>, condition: Condition): Promise<Answer | Held> {
  return readAnswer(selection, undefined, condition, (found) => ({
    shown: [requireOne(found)],
    begin: '{"data":',
    end: '}',
  }))
}

/** Sends a record with its ETag, or 304 to a client that holds it. `sign` signs the URLs in it. */
export function sendAnswer(request: FastifyRequest, reply: FastifyReply, record: Answer | Held, sign?: SignUrls) {
  return sendConditionally(request, reply, record, conditionOf(request), sign)
}

/**
 * Sends the answer to a conditional read with its ETag, or 304 to a client that holds it. `sign` signs the URLs in
 * it.
 */
async function sendConditionally(
  request: FastifyRequest,
  reply: FastifyReply,
  answer: Answer | Held,
  condition: Condition,
  sign?: SignUrls,
): Promise<FastifyReply> {
  reply.type('application/json').header('etag', condition.print(answer))
  if (!answer.body) return reply.send('')
  reply.forms = answer.forms
  return reply.send(sign ? await sign(answer.body.toString(), contextOf(request).now) : answer.body)
}

// The page that a request wants (section 4), the scope of its cursors, and its condition.
type Paging = PageRequest & { scope: CursorScope; condition: Condition }

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
  const { scope, condition } = paging
  return readAnswer(selection, paging, condition, (found) => {
    const shown = withoutNext(found)
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
  // Only lists repeat a name, and an id in them has several spellings.
  const distinct = new Map(kept.map((pair) => [`${pair[0]}=${pair[1].slice(-36).toLowerCase()}`, pair]))
  const next = new URLSearchParams([...distinct.values(), [parameter, cursor]]).toString()
  return `<${request.server.site.publicUrl}${printPath(request)}?${next}>; rel="next"`
}
