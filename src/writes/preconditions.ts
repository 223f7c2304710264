import type { FastifyRequest, RouteOptions } from 'fastify'
import type { Write } from '../context.ts'
import { Problem } from '../problems.ts'
import { printRecordEtag, withoutPeriod } from '../reads/conditional.ts'
import '../http/types.ts'

/** The strong entity tags of an `If-Match`, or `*` for any version. */
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
  return tags.filter((each) => !each.startsWith('W/')).map(withoutPeriod)
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
    if (isExpected(present!) || (await find(all)).some(isExpected)) return
    throw new Problem('precondition-failed', 'The record has changed since the version that If-Match names.', {
      headers: { etag: present! },
    })
  }
}
