import type { RouteOptions } from 'fastify'
import { Type, type TProperties } from 'typebox'

const integer = { type: 'integer' }
const text = { type: 'string' }

/** The headers of answers, by their names. */
export const responseHeaders = {
  'Request-Id': { schema: text, description: 'Identifies the request in the logs of the service.' },
  'RateLimit-Limit': { schema: integer, description: 'Requests that the key may make in a minute.' },
  'RateLimit-Remaining': { schema: integer, description: 'Requests that are left in this window.' },
  'RateLimit-Reset': { schema: integer, description: 'Seconds until the window restarts.' },
  'Cache-Control': {
    schema: text,
    description: '`private, no-cache`: only the client itself may keep the answer, and asks again before each use.',
  },
  Vary: {
    schema: text,
    description:
      '`Authorization, Accept-Encoding`: the answer is for this key, and for clients that accept its encoding.',
  },
  'X-Content-Type-Options': { schema: text, description: '`nosniff`' },
  'Retry-After': { schema: integer, description: 'Seconds to wait.' },
  'WWW-Authenticate': { schema: text, description: 'How to authenticate.' },
  'Dry-Run': { schema: text, description: '`true` if the write was rehearsed and undone.' },
  'Idempotent-Replayed': { schema: text, description: '`true` if this is the stored answer to an earlier request.' },
  ETag: {
    schema: text,
    description: 'Stands for this state of the answer. That of an encoded answer ends with `.gz`, `.br` or `.zst`.',
  },
  Link: { schema: text, description: 'rel="next"; absent on the last page.' },
  'Preference-Applied': { schema: text, description: '`wait=N` if the request preferred to wait.' },
  'Accept-Patch': { schema: text, description: 'The media type that a PATCH takes.' },
  'Accept-Post': { schema: text, description: 'The media type that a POST takes.' },
  Location: { schema: text, description: 'The path of the new record.' },
}

/** The name of a header of answers. */
export type ResponseHeader = keyof typeof responseHeaders

/** The headers that every answer has. */
export const universalHeaders: ResponseHeader[] = ['Request-Id', 'Cache-Control', 'Vary', 'X-Content-Type-Options']

/** The headers that every answer to a valid key has. */
export const commonHeaders: ResponseHeader[] = [
  ...universalHeaders,
  'RateLimit-Limit',
  'RateLimit-Remaining',
  'RateLimit-Reset',
]

/** References to the headers, which are components of the document. */
export function referToHeaders(names: ResponseHeader[]): Record<string, object> {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
}

/** The headers that requests of a route may have, besides those of its own schema. */
export function requestHeadersOf({ method }: RouteOptions): TProperties {
  return {
    ...(method === 'GET' && {
      'If-None-Match': Type.Optional(
        Type.String({
          description: 'An ETag, or a list of them. If the answer still has one of these, it is 304 without a body.',
        }),
      ),
    }),
  }
}
