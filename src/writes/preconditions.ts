import type { FastifyRequest, RouteOptions } from 'fastify'
import type { Write } from '../context.ts'
import { Problem } from '../problems.ts'
import { printRecordEtag, withoutPeriod } from '../reads/conditional.ts'
import '../http/types.ts'

/** The entity tags of an `If-Match`, without the half-hours of signatures, or `*` for any version. */
type Expected = '*' | string[]

// RFC 9110, section 8.8.3. Node reads bytes beyond ASCII as Latin-1.
const entityTags = /(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"/g

function parseIfMatch(header: string): Expected {
  if (header === '*') return '*'
  const tags = header.match(entityTags) ?? []
  // A tag may contain a comma. Elements of a list may be empty (section 5.6.1.2).
  const elements = header.replaceAll(entityTags, '\0').split(',')
  if (tags.length === 0 || elements.some((each) => !/^[ \t]*(?:\0[ \t]*)?$/.test(each)))
    throw new Problem('invalid-parameter', 'If-Match must be * or a list of entity tags.')
  return tags.map(withoutPeriod)
}

const isWeak = (tag: string) => tag.startsWith('W/')

// A proxy that compresses makes a tag weak (nginx, HAProxy), or adds the name of the encoding to it (Apache).
const isChangedForm = (sent: string, etag: string) =>
  sent.replace('W/', '').startsWith(withoutPeriod(etag).slice(0, -1))

function describeMismatch(expected: string[], etags: string[]): string {
  const changed = etags.find((etag) => expected.some((sent) => isChangedForm(sent, etag)))
  if (changed !== undefined)
    return `The tag in If-Match was changed on its way, as proxies that compress do. The record still has that version; its tag is ${changed}. The page /problems/precondition-failed says what to do.`
  if (expected.some(isWeak))
    return `If-Match has a weak tag (W/), and a weak tag never guards a change. The record's tag is ${etags[0]} now.`
  return 'The record has changed since the version that If-Match names.'
}

const addTo = (sets: string[][], name: string) => [...sets, ...sets.map((set) => [...set, name])]

/**
 * Whether an operation changes or deletes one stored record. A POST below one, such as an upload, only adds to it.
 */
export const isGuarded = ({ method, config }: Pick<RouteOptions, 'method' | 'config'>) =>
  (method === 'PATCH' || method === 'DELETE') && config?.guarded !== false

/**
 * Reads `If-Match` of a request that changes a record, and returns the guard that compares it with the locked record.
 * @throws Problem invalid-parameter
 */
export function createGuard(request: FastifyRequest): Write['guard'] {
  const { credentials, query, routeOptions } = request
  if (!isGuarded(routeOptions)) return async () => undefined
  const header = request.headers['if-match']
  const expected = header === undefined ? undefined : parseIfMatch(header)
  const own = (query as { 'expand[]'?: string[] })['expand[]'] ?? []
  const all = Object.keys(routeOptions.config.expands ?? {}).reduce<string[][]>(addTo, [[]])

  return async function guard(tagsOf) {
    if (expected === '*' || (expected === undefined && !credentials.requiresIfMatch)) return
    if (expected === undefined)
      throw new Problem('precondition-required', 'The key changes records only with If-Match, and there is none.')
    const find = async (expansions: string[][]) =>
      (await tagsOf(expansions)).map((tag) => printRecordEtag(request, tag))
    const isExpected = (etag: string) => expected.includes(withoutPeriod(etag))
    const [present] = await find([own])
    if (isExpected(present!)) return
    const etags = [present!, ...(await find(all))]
    if (etags.some(isExpected)) return
    throw new Problem('precondition-failed', describeMismatch(expected, etags), { headers: { etag: present! } })
  }
}
