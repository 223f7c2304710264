import { once } from 'node:events'
import { ReadStream } from 'node:fs'
import type { Readable } from 'node:stream'
import { send } from '@fastify/send'
import type { FastifyInstance } from 'fastify'
import { Problem } from '../problems.ts'
import type { Keyring } from '../settings/secret.ts'
import { mediaFolder } from './file-store.ts'
import { cacheForEver, isKey, isPublic, presentation } from './object-keys.ts'
import { secondsLeft } from './signatures.ts'

/**
 * Serves the file store: `GET` and `HEAD /media/<key>`, with ranges and conditional requests, without an API key. A
 * file that is not public needs a signed URL. An altered or expired signature is 403.
 */
export async function mediaRoutes(
  app: FastifyInstance,
  options: { dataDir: string; keyring: Keyring; clock: () => Date },
): Promise<void> {
  const root = mediaFolder(options.dataDir)

  app.route<{ Params: { '*': string }; Querystring: Record<string, unknown> }>({
    method: ['GET', 'HEAD'],
    url: '/media/*',
    async handler(request, reply) {
      const key = request.params['*']
      // A key has no dots or escapes, so it cannot lead out of the store.
      if (!isKey(key)) throw new Problem('not-found')

      let cacheControl = cacheForEver
      if (!isPublic(key)) {
        const left = secondsLeft(options.keyring, key, request.query, options.clock())
        if (left === null) throw new Problem('missing-permission', 'The URL lacks a valid signature.')
        if (left <= 0) throw new Problem('missing-permission', 'The URL has expired.')
        cacheControl = `private, max-age=${left}`
      }

      // The file of a key never changes, so even with `no-cache` a client that has it needs no copy.
      delete request.raw.headers['cache-control']
      const file = await send(request.raw, key, { root, index: false, cacheControl: false, contentType: false })
      reply.header('x-content-type-options', 'nosniff')
      if (file.type === 'file') {
        await opened(file.stream)
        const { contentType, contentDisposition } = presentation(key)
        reply.headers({ ...file.headers, 'cache-control': cacheControl })
        if (file.statusCode !== 304) reply.type(contentType)
        if (contentDisposition !== undefined) reply.header('content-disposition', contentDisposition)
        return reply.code(file.statusCode).send(file.stream)
      }
      if (file.statusCode === 404) throw new Problem('not-found')
      throw file.type === 'error' ? file.metadata.error : new Error(`${key} is a folder`)
    },
  })
}

// A file may be deleted between the check and the opening.
async function opened(stream: Readable): Promise<void> {
  if (!(stream instanceof ReadStream) || !stream.pending) return
  await once(stream, 'open').catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'ENOENT' ? new Problem('not-found') : error
  })
}
