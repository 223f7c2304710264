import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startService } from '../../../test/support/service.ts'
import { readTrace } from './trace.ts'

const service = await startService()
after(() => service.close())

const trace = '4bf92f3577b34da6a3ce929d0e0e4736'
const parent = '00f067aa0ba902b7'

test('the log line of a request has the trace id of a valid traceparent, and none of an invalid one', async () => {
  service.logs.length = 0
  await service.request({ url: '/healthz', headers: { traceparent: `00-${trace}-${parent}-01` } })
  await service.request({ url: '/healthz', headers: { traceparent: `00-${trace}-${parent}` } })
  await service.request({ url: '/healthz' })
  assert.deepEqual(
    service.logs.map((line) => line['trace']),
    [trace, undefined, undefined],
  )
})

test('a traceparent is read as W3C Trace Context defines it', () => {
  for (const valid of [`00-${trace}-${parent}-00`, `01-${trace}-${parent}-01`, `fe-${trace}-${parent}-01-more`]) {
    assert.equal(readTrace({ traceparent: valid }), trace, valid)
  }
  const invalid = [
    `ff-${trace}-${parent}-01`,
    `00-${trace}-${parent}-01-more`,
    `00-${trace.toUpperCase()}-${parent}-01`,
    `00-${'0'.repeat(32)}-${parent}-01`,
    `00-${trace}-${'0'.repeat(16)}-01`,
    `00-${trace}-${parent}-01, 00-${trace}-${parent}-01`,
    ` 00-${trace}-${parent}-01`,
    '',
  ]
  for (const traceparent of invalid) assert.equal(readTrace({ traceparent }), undefined, traceparent)
})
