import { hash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import '../request/types.ts'

/** A strong ETag: the hash of the parts. */
export function printEtag(...parts: string[]): string {
  return `"${hash('sha1', parts.join('\n'), 'base64url')}"`
}

// A signed URL is valid for an hour. A client that holds it for half of that can still use it.
const signedMilliseconds = 30 * 60_000

/**
 * The ETag of a record that has this tag: the same for each of its addresses, and for a write that reads it back. If the
 * answer has signed URLs, the ETag ends with the half-hour in which they were signed.
 */
export function printVersion({ server: { site }, credentials, routeOptions }: FastifyRequest, tag: string): string {
  const { keyrings, publicUrl, media } = site
  const etag = printEtag(keyrings.etags[0], credentials.house.generation, publicUrl, media.publicBase, tag)
  if (!routeOptions.config.signs) return etag
  return `${etag.slice(0, -1)}.${Math.floor(Date.now() / signedMilliseconds)}"`
}

/** An ETag without the half-hour of its signatures: what is left names the version of the record. */
export const withoutPeriod = (etag: string) => etag.replace(/\.\d+"$/, '"')

const strong = (etag: string) => etag.trim().replace(/^W\//, '')

/** Whether the client holds this answer (`If-None-Match`). */
export function holds(request: FastifyRequest, etag: string): boolean {
  const header = request.headers['if-none-match'] ?? ''
  return header.split(',').some((each) => strong(each) === strong(etag))
}

/**
 * The hook that makes answers conditional. It sets the cache headers, and an ETag of the bytes if the handler set none.
 * A client that holds the answer gets a 304 without a body.
 */
export async function answerConditionally(request: FastifyRequest, reply: FastifyReply, payload: unknown) {
  reply.header('cache-control', 'private, no-cache').header('vary', 'Authorization')
  if (reply.statusCode !== 200 || !['GET', 'HEAD'].includes(request.method)) return payload
  let etag = reply.getHeader('etag') as string | undefined
  if (etag === undefined) {
    if (typeof payload !== 'string') return payload
    etag = printEtag(request.url, payload)
    reply.header('etag', etag)
  }
  // `*` matches any answer with status 200.
  if (request.headers['if-none-match'] !== '*' && !holds(request, etag)) return payload
  reply.code(304).removeHeader('content-type')
  // For HEAD the framework removes the body itself, and it fails without one.
  return request.method === 'HEAD' ? payload : null
}
