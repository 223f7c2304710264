import type { FastifyReply, FastifyRequest } from 'fastify'
import { contextOf, type ServedContext } from '../request/context.ts'
import type { ResponseSource } from './cache.ts'
import { holds } from './conditional.ts'

/** Signs the URLs in a cached body, at `now`. */
export type SignUrls = (body: string, now: Date) => Promise<string>

/**
 * Sends a response from the cache, or 304 to a client that holds it. `prepare` says how to make it, `etagOf` what its ETag
 * is. `sign` signs the URLs in it.
 */
export async function sendCached(
  request: FastifyRequest,
  reply: FastifyReply,
  prepare: (context: ServedContext) => ResponseSource,
  etagOf: (tag: string) => string,
  sign?: SignUrls,
) {
  const { responseCache } = request.server.site
  const context = contextOf(request)
  const isConditional = request.headers['if-none-match'] !== undefined
  const isHeld = isConditional ? (tag: string) => holds(request, etagOf(tag)) : undefined
  const response = await responseCache.get(context.house, request.url, isHeld, () => prepare(context))
  reply.type('application/json').header('etag', etagOf(response.tag))
  if (!response.body) return reply.send('')
  if (response.link !== undefined) reply.header('link', response.link)
  return reply.send(sign ? await sign(response.body.toString(), context.now) : response.body)
}

/** The bytes of a text that is cached. A slice of Node's pool would keep 64 KiB alive for one small body. */
export function encode(text: string): Buffer {
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(text))
  bytes.write(text)
  return bytes
}
