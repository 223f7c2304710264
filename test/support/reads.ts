import assert from 'node:assert/strict'
import { mock } from 'node:test'
import type { createApp } from '../../src/app.ts'

type App = Awaited<ReturnType<typeof createApp>>

/** A read of a service. */
export type Read = { url: string; key: string | undefined }

/** A body without the signatures of its URLs, which change every second. */
export const withoutSignatures = (body: string) => body.replaceAll(/\?(expires|X-Amz)[^"]+/g, '')

async function answer(app: App, { url, key }: Read, etag?: string) {
  const authorization = key === undefined ? {} : { authorization: `Bearer ${key}` }
  const condition = etag === undefined ? {} : { 'if-none-match': etag }
  const { statusCode, payload, headers } = await app.inject({ url, headers: { ...authorization, ...condition } })
  return { url, status: statusCode, body: withoutSignatures(payload), etag: headers['etag'], link: headers['link'] }
}

/**
 * Repeats every read on a service with a cache and on one without. Both must give the same bytes, whatever was
 * written since the first read, and accept each other's ETags.
 */
export async function compareReads(reads: Read[], keeping: App, plain: App): Promise<void> {
  const distinct = new Map(reads.map((read) => [`${read.key} ${read.url}`, read]))
  // The ETag of a body with signed addresses holds for half an hour.
  const now = Date.now()
  const clock = mock.method(Date, 'now', () => now)
  try {
    for (const read of distinct.values()) {
      if (!read.url.startsWith('/api/v2/') || read.key === undefined) continue
      const built = await answer(plain, read)
      assert.deepEqual(await answer(keeping, read), built)
      assert.deepEqual(await answer(keeping, read), built)
      if (built.etag === undefined) continue
      const { etag } = built
      for (const app of [keeping, plain]) {
        const { status, body } = await answer(app, read, etag)
        assert.deepEqual({ status, body }, { status: 304, body: '' }, read.url)
      }
    }
  } finally {
    clock.mock.restore()
  }
}
