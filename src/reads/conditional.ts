import { hash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { codingOf, withoutCodings } from '../http/encoding/codings.ts'
import { routedPath } from '../http/path.ts'
import '../http/types.ts'
import type { Answer } from './cache.ts'

/** A strong ETag: the hash of the parts. */
export function printEtag(...parts: string[]): string {
  return `"${hash('sha1', parts.join('\n'), 'base64url')}"`
}

const longestAddress = 500

// A signed URL is valid for an hour. A client that has kept it for half of that can still use it.
const signedMilliseconds = 30 * 60_000

// The scope of every ETag of a house: URL, settings and generation.
function baseOf({ server: { site }, credentials }: FastifyRequest): string {
  const { keyrings, publicUrl, media } = site
  return [keyrings.etags[0], credentials.house.generation, publicUrl, media.publicBase].join('\n')
}

/** The suffix of the ETag of an answer with signed URLs: the half-hour of the signatures. */
export const signaturePeriod = () => `.${Math.floor(Date.now() / signedMilliseconds)}`

const periodOf = ({ routeOptions }: FastifyRequest) => (routeOptions.config.signs ? signaturePeriod() : '')

/**
 * The ETag of a record with this tag: the same at each of its addresses, and after a write. With signed URLs it ends
 * with the half-hour of the signatures.
 */
export function printRecordEtag(request: FastifyRequest, tag: string): string {
  return `${printEtag(baseOf(request), tag).slice(0, -1)}${periodOf(request)}"`
}

/** An ETag without the half-hour of its signatures: it names the version of the record. */
export const withoutPeriod = (etag: string) => etag.replace(/\.\d+"$/, '"')

// The hash has 27 characters. Anything else before or behind it was added on the way.
const plain = /^"[\w-]{27}(?:\.\d+)?"$/

/** The coding of the answer that the service sent with this ETag of one record. Undefined: it sends no such ETag. */
export const codingOfRecordEtag = (etag: string) =>
  plain.test(withoutCodings(etag)) ? (codingOf(etag) ?? 'identity') : undefined

/** Prints the ETags of a read's answers. `isHeld` is set only if the request has `If-None-Match`. */
export type Condition = {
  isHeld?: (tag: string) => boolean
  print(answer: Pick<Answer, 'tag' | 'etag'>): string
}

function createCondition(request: FastifyRequest, address: string, print: (tag: string) => string): Condition {
  return {
    ...(request.headers['if-none-match'] !== undefined && { isHeld: (tag: string) => holds(request, print(tag)) }),
    print(answer) {
      // Long addresses would take memory that the cache does not count.
      if (address.length > longestAddress) return print(answer.tag)
      const of = [baseOf(request), periodOf(request), address].join('\n')
      if (answer.etag?.of !== of) answer.etag = { of, text: print(answer.tag) }
      return answer.etag.text
    },
  }
}

function isWeakened({ routeOptions, query }: FastifyRequest): boolean {
  const { 'expand[]': expand = [] } = query as { 'expand[]'?: string[] }
  return expand.some((name) => routeOptions.config.weakens?.includes(name))
}

/** The condition of a read of one record. */
export function conditionOf(request: FastifyRequest): Condition {
  const weak = isWeakened(request) ? 'W/' : ''
  return createCondition(request, '', (tag) => `${weak}${printRecordEtag(request, tag)}`)
}

/** The condition of a read of a list, whose ETags belong to its address. */
export function conditionOfList(request: FastifyRequest): Condition {
  const { url, routeOptions } = request
  // Signed URLs change every second, so the ETag of a page with them is weak.
  const weak = routeOptions.config.signs || isWeakened(request) ? 'W/' : ''
  return createCondition(request, url, (tag) => `${weak}${printRecordEtag(request, `${url}\n${tag}`)}`)
}

const strong = (etag: string) => etag.trim().replace(/^W\//, '')

/** Whether the client holds this answer (`If-None-Match`). */
function holds(request: FastifyRequest, etag: string): boolean {
  const header = request.headers['if-none-match'] ?? ''
  return header.split(',').some((each) => strong(each) === strong(etag))
}

const interfaces = /^\/(?:api\/v2|staff\/v1)(?:[/?]|$)/

function setConditions(request: FastifyRequest, reply: FastifyReply, payload: unknown): void {
  reply.header('cache-control', 'private, no-cache').header('vary', 'Authorization')
  if (reply.statusCode !== 200 || !['GET', 'HEAD'].includes(request.method)) return
  let etag = reply.getHeader('etag') as string | undefined
  if (etag === undefined) {
    if (typeof payload !== 'string') return
    etag = printEtag(request.url, payload)
    reply.header('etag', etag)
  }
  // `*` matches any answer with status 200.
  if (request.headers['if-none-match'] !== '*' && !holds(request, etag)) return
  reply.code(304).removeHeader('content-type')
}

/**
 * The hook that makes the answers of the interfaces conditional. It sets the cache headers, and an ETag of the bytes if
 * the handler has set none. A client that holds the answer gets a 304; `encodeAnswers` removes its body.
 */
export function answerConditionally(
  request: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
  done: () => void,
): void {
  // Not async, so that the answer is sent at once and the framework adds no listeners for its end.
  if (interfaces.test(routedPath(request))) setConditions(request, reply, payload)
  done()
}
