import { hash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** A strong ETag for everything that the parts tell apart. */
export function printEtag(...parts: string[]): string {
  return `"${hash('sha1', parts.join('\n'), 'base64url')}"`
}

const strong = (etag: string) => etag.trim().replace(/^W\//, '')

/** Whether the client says that it holds this very answer (`If-None-Match`). */
export function holds(request: FastifyRequest, etag: string): boolean {
  const header = request.headers['if-none-match'] ?? ''
  return header.split(',').some((each) => strong(each) === strong(etag))
}

/**
 * The hook that makes answers conditional: their cache headers, an ETag of the bytes where the handler set none, and
 * 304 without a body for a client that holds the answer.
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
  // `*` stands for any answer, once it is known that there is one.
  if (request.headers['if-none-match'] !== '*' && !holds(request, etag)) return payload
  reply.code(304).removeHeader('content-type')
  // The framework takes the body off the answer to HEAD itself, and can't take off none.
  return request.method === 'HEAD' ? payload : null
}
