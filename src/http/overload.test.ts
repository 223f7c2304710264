import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import fastify from 'fastify'
import { refuseOverload } from './overload.ts'
import { createProblemHandler } from './replies.ts'

const app = fastify()
after(() => app.close())
app.setErrorHandler(createProblemHandler('https://catalogue.test'))
let waiting = 0
await refuseOverload(app, () => waiting)
const held = new Set<() => void>()
app.get('/held', () => new Promise((resolve) => held.add(() => resolve('done'))))
app.get('/quick', () => 'done')
await app.listen({ port: 0 })
const { port } = app.server.address() as AddressInfo

const ask = async (path: string) => {
  const answer = await fetch(`http://localhost:${port}${path}`)
  return `${answer.status} ${answer.headers.get('retry-after')}`
}
const fill = async () => {
  const asked = Array.from({ length: 200 }, () => ask('/held'))
  while (held.size < 200) await new Promise(setImmediate)
  return asked
}

test('beyond 200 requests under way others are refused with Retry-After until one has been answered', async () => {
  const asked = await fill()
  assert.equal(await ask('/quick'), '503 2')
  for (const answer of held) answer()
  held.clear()
  assert.deepEqual(new Set(await Promise.all(asked)), new Set(['200 null']))
  assert.equal(await ask('/quick'), '200 null')
})

test('a client that leaves gives its place to another', async () => {
  const clients = Array.from({ length: 200 }, () => connect(port))
  for (const client of clients) client.write('GET /held HTTP/1.1\r\nHost: x\r\n\r\n')
  while (held.size < 200) await new Promise(setImmediate)
  assert.equal(await ask('/quick'), '503 2')
  for (const client of clients) client.destroy()
  await Promise.all(clients.map((client) => once(client, 'close')))
  while ((await ask('/quick')) !== '200 null');
  for (const answer of held) answer()
  held.clear()
})

test('while too many wait for the database requests are refused', async () => {
  waiting = 201
  assert.equal(await ask('/quick'), '503 2')
  waiting = 0
  assert.equal(await ask('/quick'), '200 null')
})
