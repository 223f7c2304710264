import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { startService } from '../../../test/support/service.ts'

const house = { type: 'house', slug: 'house', name: 'House', default_locale: 'nl', currency: 'EUR' }
const far = 300_000
const service = await startService({
  records: [house],
  timeouts: { headers: far, request: far, body: far, idle: far },
})
after(() => service.close())
await service.app.listen({ port: 0 })
const { port } = service.app.server.address() as AddressInfo
const key = await service.issueKey('house')

const chunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`
const post = (path: string, token: string) =>
  `POST ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`

function open() {
  const client = connect(port)
  let answers = ''
  client.setEncoding('utf8').on('data', (text: string) => (answers += text))
  client.on('error', () => undefined)
  const statuses = () => [...answers.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => Number(status))
  const answered = async (count: number) => {
    while (statuses().length < count) await once(client, 'data')
  }
  return { client, statuses, closed: once(client, 'close'), answered }
}

test('a body of tiny chunks ends its connection, whether a route reads it, refuses it without a key, or takes no body', async () => {
  const heads: [head: string, status: number][] = [
    [post('/api/v2/items', key), 400],
    [post('/api/v2/items', 'none'), 401],
    [post('/healthz', 'none'), 405],
  ]
  for (const [head, expected] of heads) {
    const { client, closed, statuses } = open()
    client.write(head + chunk(' ').repeat(10_000))
    await closed
    // The refusal of the chunks may come before the answer, and the end of the connection before both.
    const others = statuses().filter((status) => status !== 400 && status !== expected)
    assert.deepEqual(others, [], head)
  }
})

test('tiny chunks after a refusal, and in bodies that are sent ahead, end the connection too', async () => {
  const refused = open()
  refused.client.write(post('/api/v2/items', 'none') + chunk(' '))
  await refused.answered(1)
  assert.deepEqual(refused.statuses(), [401])
  refused.client.write(chunk(' ').repeat(10_000))
  await refused.closed

  const ahead = open()
  ahead.client.write(post('/api/v2/items', key) + chunk(' '))
  ahead.client.write(`0\r\n\r\n${post('/api/v2/items', key)}${chunk(' ').repeat(1_000)}0\r\n\r\n`.repeat(20))
  await ahead.closed
})

test('an ordinary body may have small chunks, and a refused body of ordinary chunks leaves the connection open', async () => {
  const { client, statuses, answered } = open()
  const body = JSON.stringify({ external_reference: 'S', title: 'x'.repeat(900) })
  client.write(post('/api/v2/items', key) + body.replaceAll(/./gs, chunk) + chunk(''))
  await answered(1)
  client.write(post('/api/v2/items', 'none') + chunk(' '.repeat(4_096)).repeat(1_000) + chunk(''))
  await answered(2)
  client.write(post('/api/v2/items', key) + chunk(' '.repeat(4_096)).repeat(1_000) + chunk(''))
  await answered(3)
  client.write(post('/api/v2/items', key) + chunk('{') + chunk(''))
  await answered(4)
  assert.deepEqual(statuses(), [201, 401, 413, 400])
  client.destroy()
})
