import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import type { createApp } from '../../src/app.ts'

type App = Awaited<ReturnType<typeof createApp>>

/** A read of a service. */
export type Read = { url: string; key: string | undefined }

/** A body without the signatures of its URLs, which change every second. */
export const withoutSignatures = (body: string) => body.replaceAll(/\?(expires|X-Amz)[^"]+/g, '')

async function answer(app: App, { url, key }: Read, etag?: string) {
  const authorization = key === undefined ? {} : { authorization: `Bearer ${key}` }
  const condition = etag === undefined ? {} : { 'if-none-match': etag }
  const send = () => app.inject({ url, headers: { ...authorization, ...condition } })
  let reply = await send()
  // A busy machine is asked again, as a client would.
  while (reply.payload.includes('The service is overloaded.')) {
    await sleep(250)
    reply = await send()
  }
  const { statusCode, payload, headers } = reply
  const body = url.includes('/images') ? withoutSignatures(payload) : payload
  return { url, status: statusCode, body, etag: headers['etag'], link: headers['link'] }
}

/**
 * Repeats every read on a service with a cache and on one without. Both must give the same bytes, whatever was
 * written since the first read, and accept each other's ETags.
 */
export async function compareReads(reads: Read[], keeping: App, plain: App): Promise<void> {
  const distinct = new Map(reads.map((read) => [`${read.key} ${read.url}`, read]))
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
}
