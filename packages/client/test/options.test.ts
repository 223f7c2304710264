import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Catalogue, type CatalogueOptions } from '../src/index.ts'

const url = 'http://127.0.0.1:4000'

test('a client without an address or a key is refused when it is made, and the message says what is missing', () => {
  const refused: [options: unknown, message: RegExp][] = [
    [undefined, /^url must be the address of the service, .+; it is undefined/],
    [{ url: undefined, key: 'ack_x' }, /^url .+; it is undefined/],
    [{ url: null, key: 'ack_x' }, /^url .+; it is null/],
    [{ url: '', key: 'ack_x' }, /^url .+; it is ""/],
    [{ url: '127.0.0.1:4000', key: 'ack_x' }, /^url .+; it is "127\.0\.0\.1:4000"/],
    [{ url, key: undefined }, /^key must be an API key of the house; it is missing/],
    [{ url }, /^key .+ it is missing/],
    [{ url, key: '' }, /^key .+ it is empty/],
  ]
  for (const [options, message] of refused)
    assert.throws(
      () => new Catalogue(options as CatalogueOptions),
      (error) => error instanceof TypeError && message.test(error.message),
    )
})
