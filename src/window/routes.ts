import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { chooseCodingOf } from '../http/encoding/codings.ts'
import { Problem } from '../problems.ts'
import type { WindowFile, WindowFiles } from './files.ts'

function printPolicy(mediaOrigin: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "font-src 'self'",
    `img-src 'self' ${mediaOrigin}`,
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    // The policy for its only script URL, that of the service worker.
    'trusted-types offline',
  ].join('; ')
}

/** Whether a client with this `Accept` wants data and not a page. */
const wantsJson = (accept = '*/*') => /json/i.test(accept) && !/html/i.test(accept)

const codings = ['br', 'gzip'] as const

function sendFile(request: FastifyRequest, reply: FastifyReply, file: WindowFile) {
  reply.type(file.type).header('etag', file.etag)
  const known = request.headers['if-none-match']?.split(',').map((tag) => tag.trim())
  if (known?.includes(file.etag)) return reply.code(304).send()
  const coding = chooseCodingOf(codings, request.headers['accept-encoding'])
  const form = coding && file[coding]
  if (form) reply.header('content-encoding', coding)
  return reply.send(form ?? file.plain)
}

/**
 * Serves the window: the page at `/` and its service worker, which clients revalidate, and its files, whose names
 * change with their content. A client that wants JSON gets 404 at `/`.
 */
export async function windowRoutes(
  app: FastifyInstance,
  options: { files: WindowFiles; mediaOrigin: string },
): Promise<void> {
  const policy = printPolicy(options.mediaOrigin)
  app.route({
    method: ['GET', 'HEAD'],
    url: '/',
    schema: { hide: true },
    handler(request, reply) {
      if (wantsJson(request.headers.accept)) throw new Problem('not-found', 'There is nothing at /.')
      reply.headers({
        'cache-control': 'no-cache',
        'content-security-policy': policy,
        'cross-origin-opener-policy': 'same-origin',
        'referrer-policy': 'no-referrer',
        vary: 'Accept, Accept-Encoding',
      })
      return sendFile(request, reply, options.files.get('/')!)
    },
  })
  app.route({
    method: ['GET', 'HEAD'],
    url: '/offline.js',
    schema: { hide: true },
    handler(request, reply) {
      reply.headers({
        'cache-control': 'no-cache',
        'content-security-policy': "default-src 'none'; connect-src 'self'",
        vary: 'Accept-Encoding',
      })
      return sendFile(request, reply, options.files.get('/offline.js')!)
    },
  })
  app.route<{ Params: { '*': string } }>({
    method: ['GET', 'HEAD'],
    url: '/assets/*',
    schema: { hide: true },
    handler(request, reply) {
      const file = options.files.get(`/assets/${request.params['*']}`)
      if (file === undefined) throw new Problem('not-found')
      reply.headers({ 'cache-control': 'public, max-age=31536000, immutable', vary: 'Accept-Encoding' })
      return sendFile(request, reply, file)
    },
  })
}
