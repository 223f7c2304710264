import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import { routedPath } from '../path.ts'
import '../types.ts'
import { chooseCoding, withCoding, withoutCodings, type Coding } from './codings.ts'
import { encode } from './encode.ts'
import { Forms } from './forms.ts'

const shortestBytes = 128
const paths = /^\/(?:api\/v2|staff\/v1|docs|problems)(?:[/?]|$)/

// The ETag of a file of the documentation begins with its length, in bytes.
const lengthOfFile = (etag: unknown) => Number.parseInt(/^W\/"([\da-f]+)-/.exec(String(etag))?.[1] ?? '', 16)

function isShort(reply: FastifyReply, payload: unknown): boolean {
  if (typeof payload !== 'string' && !Buffer.isBuffer(payload))
    return lengthOfFile(reply.getHeader('etag')) < shortestBytes
  const bytes = Buffer.byteLength(payload)
  // Of an answer that the client holds, the body may not be known. Then it is not short.
  return bytes < shortestBytes && (bytes > 0 || reply.statusCode !== 304)
}

// Signed addresses are secrets. They never stand in one encoded body with texts that others choose.
function choose(request: FastifyRequest, reply: FastifyReply, payload: unknown): Coding | undefined {
  const isSigned = request.routeOptions.config.signs && reply.statusCode < 400
  if (isSigned || reply.forms === 'none' || isShort(reply, payload) || request.server.isUnderPressure())
    return undefined
  return chooseCoding(request.headers['accept-encoding'])
}

function take(request: FastifyRequest, { forms }: FastifyReply, body: Buffer, coding: Coding) {
  const client = request.credentials?.key ?? request.ip
  return forms instanceof Forms ? forms.take(body, coding, client) : encode(body, coding, client)
}

function markTag(reply: FastifyReply, coding: Coding): void {
  const etag = reply.getHeader('etag') as string | undefined
  if (etag !== undefined) reply.header('etag', withCoding(etag, coding))
}

function markBody(reply: FastifyReply, coding: Coding): void {
  markTag(reply, coding)
  reply.header('content-encoding', coding).removeHeader('content-length')
}

type Done = (error: Error | null, payload?: unknown) => void

function sendBody(request: FastifyRequest, reply: FastifyReply, body: Buffer, coding: Coding, done: Done) {
  const finish = (form: Buffer | undefined) => {
    if (form) markBody(reply, coding)
    done(null, form ?? body)
  }
  const form = take(request, reply, body, coding)
  if (form instanceof Promise) form.then(finish, done)
  else finish(form)
}

// The files of /docs, which do not change while the service runs. An address has many spellings.
const formsOfFiles = new LRUCache<string, Forms>({ max: 16 })

function sendFile(request: FastifyRequest, reply: FastifyReply, file: Readable, coding: Coding, done: Done) {
  const [path] = request.url.split('?', 1)
  const forms = formsOfFiles.get(path!) ?? new Forms()
  formsOfFiles.set(path!, forms)
  const form = forms.find(coding)
  // For HEAD the file comes without its content.
  const isHead = request.method === 'HEAD'
  if (form || isHead) markBody(reply, coding)
  if (form) reply.header('content-length', form.length)
  if (isHead) return done(null, file)
  if (form) {
    file.destroy()
    return done(null, form)
  }
  reply.forms = forms
  buffer(file).then((body) => sendBody(request, reply, body, coding, done), done)
}

function encodeAnswer(request: FastifyRequest, reply: FastifyReply, payload: unknown, done: Done): void {
  if (!paths.test(routedPath(request))) return done(null, payload)
  reply.removeHeader('accept-ranges')
  const vary = reply.getHeader('vary')
  reply.header('vary', vary === undefined ? 'Accept-Encoding' : `${String(vary)}, Accept-Encoding`)
  const coding = choose(request, reply, payload)
  if (reply.statusCode === 304) {
    if (coding) markTag(reply, coding)
    // For HEAD the framework wants a body, and would send its length.
    return done(null, request.method === 'HEAD' ? Readable.from([]) : null)
  }
  if (coding === undefined) return done(null, payload)
  if (payload instanceof Readable) return sendFile(request, reply, payload, coding, done)
  if (Buffer.isBuffer(payload)) return sendBody(request, reply, payload, coding, done)
  if (typeof payload !== 'string') return done(null, payload)
  // The kept forms are those of another body.
  reply.forms = undefined
  sendBody(request, reply, Buffer.from(payload), coding, done)
}

/**
 * Encodes the answers of the interfaces, the documentation and the problem pages as the client prefers, and takes the
 * ETags of any form in requests. `Range` is ignored on these paths. Call it after the hooks that set ETags.
 */
export function encodeAnswers(app: FastifyInstance): void {
  app.decorateReply('forms')
  app.addHook('onRequest', (request, _reply, done) => {
    const { headers } = request
    if (paths.test(routedPath(request))) {
      for (const name of ['if-match', 'if-none-match'] as const) {
        if (headers[name] !== undefined) headers[name] = withoutCodings(headers[name])
      }
      delete headers.range
    }
    done()
  })
  app.addHook('onSend', encodeAnswer)
}
