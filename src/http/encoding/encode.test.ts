import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { gunzipSync } from 'node:zlib'
import { encode } from './encode.ts'

const body = (bytes: number) => Buffer.from(randomBytes(bytes).toString('base64').slice(0, bytes))
const kibibyte = 1024

test('one turn of the event loop encodes only so much, the next ones go on in order', async () => {
  await nextTurn()
  const bodies = Array.from({ length: 9 }, () => body(50 * kibibyte))
  const forms = bodies.map((each) => encode(each, 'gzip', 'a key'))
  assert.deepEqual(
    forms.map((form) => Buffer.isBuffer(form)),
    [true, true, ...Array.from({ length: 7 }, () => false)],
  )
  const ended: number[] = []
  const end = async (form: (typeof forms)[number], at: number) => {
    await form
    ended.push(at)
  }
  await Promise.all(forms.map(end))
  assert.deepEqual(ended, [...ended.keys()])
  for (const [at, form] of forms.entries()) assert.deepEqual(gunzipSync((await form)!), bodies[at])
  assert.ok(Buffer.isBuffer(encode(bodies[0]!, 'gzip', 'a key')))
})

test('long bodies are encoded for every client, those that wait too', async () => {
  const long = body(300 * kibibyte)
  const forms = Array.from({ length: 20 }, (_, at) => encode(long, 'gzip', at % 10 === 0 ? 'another' : 'a key'))
  for (const form of forms) assert.deepEqual(gunzipSync((await form)!), long)
})
