import { hash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** A strong ETag: the hash of the parts. */
export function printEtag(...parts: string[]): string {
  return `"${hash('sha1', parts.join('\n'), 'base64url')}"`
}

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
