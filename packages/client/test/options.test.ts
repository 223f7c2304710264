import assert from 'node:assert/strict'
import { getEventListeners } from 'node:events'
import { after, test } from 'node:test'
import { Catalogue, type CatalogueOptions } from '../src/index.ts'
import { serveCatalogue } from './service.ts'

const { ids, connect, close } = await serveCatalogue({ rateLimitPerMinute: 1_000 })
after(close)

const url = 'http://127.0.0.1:4000'

test('a client without an address or a key, or with a bound that is none, is refused when it is made, in words', () => {
  const refused: [options: unknown, message: RegExp][] = [
    [undefined, /^url must be the address of the service, .+; it is undefined/],
    [{ url: undefined, key: 'ack_x' }, /^url .+; it is undefined/],
    [{ url: null, key: 'ack_x' }, /^url .+; it is null/],
    [{ url: '', key: 'ack_x' }, /^url .+; it is ""/],
    [{ url: '127.0.0.1:4000', key: 'ack_x' }, /^url .+; it is "127\.0\.0\.1:4000"/],
    [{ url, key: undefined }, /^key must be an API key of the house; it is missing/],
    [{ url }, /^key .+ it is missing/],
    [{ url, key: '' }, /^key .+ it is empty/],
    [{ url, key: 'ack_x', timeout: 0 }, /^timeout must be a number above 0; it is 0\.$/],
    [{ url, key: 'ack_x', headersTimeout: -1 }, /^headersTimeout must be a number above 0; it is -1\.$/],
    [{ url, key: 'ack_x', mostBytes: Number.NaN }, /^mostBytes must be a number above 0; it is NaN\.$/],
    [{ url, key: 'ack_x', timeout: '300' }, /^timeout .+; it is 300/],
    [{ url, key: 'ack_x', retries: Number.NaN }, /^retries must be a number, 0 or more; it is NaN\.$/],
  ]
  for (const [options, message] of refused)
    assert.throws(
      () => new Catalogue(options as CatalogueOptions),
      (error) => error instanceof TypeError && message.test(error.message),
    )
})

// These never answer, fail at once, or ignore the signal. The runtime's fetch would listen to it; none of these does.
const waiting: typeof fetch = () => new Promise(() => undefined)
const failing: typeof fetch = () => Promise.reject(new TypeError('fetch failed'))
const deaf: typeof fetch = (input, init) => fetch(input, { ...init, signal: null })

test('fifty reads with one signal add one listener to it, because Node 20 warns of more than ten', async () => {
  for (const send of [waiting, failing]) {
    for (const isOfClient of [true, false]) {
      const controller = new AbortController()
      const signal = controller.signal
      const client = connect({ fetch: send, retries: Infinity, ...(isOfClient && { signal }) })
      const reads = Array.from({ length: 50 }, () => client.items.get(ids.item, isOfClient ? {} : { signal }))
      // By then each read waits: for its answer, for its turn or for its repetition.
      await new Promise(setImmediate)
      assert.equal(getEventListeners(signal, 'abort').length, 1)
      controller.abort(new Error('enough'))
      const over = await Promise.allSettled(reads)
      for (const read of over) assert.match(String((read as PromiseRejectedResult).reason), /enough/)
    }
  }
})

test('after the reads with a signal no listener of the client remains', async () => {
  const { signal } = new AbortController()
  const client = connect({ signal, fetch: deaf })
  await Promise.all(Array.from({ length: 50 }, () => client.items.get(ids.item)))
  assert.deepEqual(getEventListeners(signal, 'abort'), [])
})

test('a signal ends every read that waits for its turn', async () => {
  const controller = new AbortController()
  const client = connect({ signal: controller.signal })
  const reads = Array.from({ length: 50 }, () => client.items.get(ids.item))
  controller.abort(new Error('enough'))
  for (const read of reads) await assert.rejects(read, /enough/)
})
