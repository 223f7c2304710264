import type { FastifyReply, FastifyRequest } from 'fastify'
import { contextOf, type ServedContext } from '../request/context.ts'
import type { ResponseSource } from './cache.ts'
import { holds, printEtag } from './conditional.ts'

/** Signs the URLs in a cached body, at `now`. */
export type SignUrls = (body: string, now: Date) => Promise<string>

// A signed URL is valid for an hour. A client that holds it for half of that can still use it.
const signedMilliseconds = 30 * 60_000

/** Sends a response from the cache, or 304 to a client that holds it. `prepare` says how to make it. */
export async function sendCached(
  request: FastifyRequest,
  reply: FastifyReply,
  prepare: (context: ServedContext) => ResponseSource,
  sign?: SignUrls,
) {
  const { responseCache, keyrings, publicUrl, media } = request.server.site
  const context = contextOf(request)
  const period = sign ? String(Math.floor(context.now.getTime() / signedMilliseconds)) : ''
  // Signed URLs are new every second, so their ETag is weak.
  const fixed = [keyrings.etags[0], context.house.generation, publicUrl, media.publicBase, period, request.url]
  const etagOf = (tag: string) => `${sign ? 'W/' : ''}${printEtag(...fixed, tag)}`
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
