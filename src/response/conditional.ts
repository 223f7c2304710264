import { hash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { contextOf } from '../request/context.ts'
import type { Answer } from './cache.ts'

/** A strong ETag: the hash of the parts. */
export function printEtag(...parts: string[]): string {
  return `"${hash('sha1', parts.join('\n'), 'base64url')}"`
}

// A signed URL is valid for an hour. A client that holds it for half of that can still use it.
const signedMilliseconds = 30 * 60_000

/** The ETags of the answers to a request; `isHeld` only if it has `If-None-Match`. */
export type Condition = {
  isHeld?: (tag: string) => boolean
  print(answer: Pick<Answer, 'tag' | 'etag'>): string
}

/** The condition of a read: its ETags name what an answer is made of. */
export function conditionOf(request: FastifyRequest): Condition {
  const { keyrings, publicUrl, media } = request.server.site
  const { house, now } = contextOf(request)
  const { isSigned = false } = request.routeOptions.config
  const period = isSigned ? String(Math.floor(now.getTime() / signedMilliseconds)) : ''
  const of = [keyrings.etags[0], house.generation, publicUrl, media.publicBase, period, request.url].join('\n')
  // Signed URLs are new every second, so their ETag is weak.
  const print = (tag: string) => `${isSigned ? 'W/' : ''}${printEtag(of, tag)}`
  return {
    ...(request.headers['if-none-match'] !== undefined && { isHeld: (tag: string) => holds(request, print(tag)) }),
    print(answer) {
      if (answer.etag?.of !== of) answer.etag = { of, text: print(answer.tag) }
      return answer.etag.text
    },
  }
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
