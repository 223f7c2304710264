import assert from 'node:assert/strict'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test, type TestContext } from 'node:test'
import { gzipSync } from 'node:zlib'
import { Catalogue, CatalogueError, type CatalogueOptions } from '../src/index.ts'

/** A server of these answers, a client of it that waits little, and the number of its requests. */
async function serve(t: TestContext, answer: RequestListener, options: Partial<CatalogueOptions> = {}) {
  const asked: string[] = []
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`)
    request.resume()
    answer(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { asked, catalogue: new Catalogue({ url, key: 'ack_x', retries: 1, longestWait: 0.001, ...options }) }
}

async function failureOf(work: () => Promise<unknown>, what: string): Promise<CatalogueError> {
  const error = await work().then(
    () => assert.fail(`${what}: no failure`),
    (reason: unknown) => reason,
  )
  assert.ok(error instanceof CatalogueError, `${what}: ${String(error)}`)
  return error
}

const reads: Record<string, (catalogue: Catalogue) => Promise<unknown>> = {
  discover: (catalogue) => catalogue.discover(),
  house: (catalogue) => catalogue.house(),
  get: (catalogue) => catalogue.lots.get('lot_x'),
  list: (catalogue) => catalogue.lots.list().page(),
  search: (catalogue) => catalogue.lots.search({ q: 'vaas' }).page(),
  changes: (catalogue) => catalogue.changes().page(),
  fingerprint: (catalogue) => catalogue.fingerprint(),
  settled: (catalogue) => catalogue.images.settled('itm_x', 'img_x'),
  bids: (catalogue) => catalogue.staff.bids.count('ses_x'),
  journal: (catalogue) => catalogue.staff.journal.list().page(),
}
const writes: Record<string, (catalogue: Catalogue) => Promise<unknown>> = {
  create: (catalogue) => catalogue.items.create({ external_reference: 'a', title: 'a' }),
  update: (catalogue) => catalogue.lots.update('lot_x', { active: true }),
  upload: (catalogue) => catalogue.images.upload('itm_x', { file: new Blob(['x']), external_reference: 'a' }),
  updateLots: (catalogue) => catalogue.sessions.updateLots('ses_x', { lots: 'all', active: true }),
  addLots: (catalogue) => catalogue.staff.sessions.addLots('ses_x', { lots: [] }),
  updateLotsOfStaff: (catalogue) => catalogue.staff.sessions.updateLots('ses_x', { lots: [] }),
  updateItems: (catalogue) => catalogue.staff.items.updateMany({ items: [] }),
  recordResults: (catalogue) => catalogue.staff.sessions.recordResults('ses_x', { unsold: [] }),
}

const shapes = [
  'null',
  '[]',
  '{}',
  '{"data":null}',
  '{"data":5}',
  '{"data":[null]}',
  '"text"',
  '',
  '<h1>welcome</h1>',
  '{"da',
]

test('a success of the wrong shape is an unreadable answer of every method, and uncertain for a write', async (t) => {
  let body = ''
  let status = 200
  const { catalogue, asked } = await serve(t, (_, response) => response.writeHead(status).end(body))
  const answers = [...shapes.map((text) => ({ status: 200, text })), { status: 204, text: '' }]
  for (const each of answers) {
    body = each.text
    status = each.status
    for (const [methods, uncertain] of [
      [reads, false],
      [writes, true],
    ] as const)
      for (const [name, call] of Object.entries(methods)) {
        const before = asked.length
        const failure = await failureOf(() => call(catalogue), `${name} ${body}`)
        assert.deepEqual([failure.code, failure.uncertain], ['unreadable-answer', uncertain], `${name} ${body}`)
        assert.equal(asked.length, before + 2)
      }
  }
})

test('an answer with a body does not say that a record is deleted', async (t) => {
  let body = ''
  const { catalogue } = await serve(t, (_, response) => response.end(body))
  const remove = () => catalogue.images.delete('itm_x', 'img_x')
  await remove()
  for (body of shapes.filter((text) => text !== '')) {
    const failure = await failureOf(remove, body)
    assert.deepEqual([failure.code, failure.uncertain], ['unreadable-answer', true], body)
  }
})

test('a page without its cursor or its end is an unreadable answer', async (t) => {
  let body: object = {}
  const { catalogue } = await serve(t, (_, response) => response.end(JSON.stringify(body)))
  for (const page of [{ data: [] }, { data: [], has_more: 'no', next_cursor: null }, { data: [], has_more: false }]) {
    body = page
    for (const read of [reads['list']!, reads['search']!, reads['changes']!])
      assert.equal((await failureOf(() => read(catalogue), JSON.stringify(body))).code, 'unreadable-answer')
  }
  body = { data: [], has_more: false, next_cursor: null }
  assert.equal((await failureOf(() => reads['changes']!(catalogue), 'no cursor')).code, 'unreadable-answer')
})

test('a problem of any shape is a CatalogueError with the status', async (t) => {
  const bodies = [
    ...shapes,
    '{"type":5,"title":{},"detail":[],"reason":1,"count":"x","errors":5}',
    '{"type":null,"errors":[null,5,{"field":1}],"conflicts":[null,5,{"record":1,"reason":"x","detail":"x"}]}',
    '{"type":"","errors":{},"conflicts":[{"record":null,"reason":"x","detail":"x","used_by":5}]}',
  ]
  let body = ''
  const { catalogue } = await serve(t, (_, response) => response.writeHead(418).end(body))
  for (body of bodies) {
    const { status, code, title, detail, errors, reason, count, conflicts } = await failureOf(
      () => catalogue.discover(),
      body,
    )
    assert.deepEqual([status, code], [418, 'http-418'], body)
    assert.deepEqual([errors, reason, count, conflicts], [undefined, undefined, undefined, undefined], body)
    assert.deepEqual([typeof title, typeof detail], ['string', 'string'])
  }
})

test('an answer without a problem is not called one of the service: a proxy may have sent it', async (t) => {
  const { catalogue } = await serve(t, (_, response) =>
    response.writeHead(413).end('<h1>Request Entity Too Large</h1>'),
  )
  const { message } = await failureOf(() => catalogue.discover(), 'a page of HTML')
  assert.equal(message, 'The answer of 413 is none of the catalogue: a proxy may have sent it')
})

test('a follower of a page of HTML ends after its repetitions', async (t) => {
  const { catalogue, asked } = await serve(t, (_, response) => response.end('<h1>welcome</h1>'), { retries: 3 })
  const following = async () => {
    for await (const _ of catalogue.changes({ follow: true })) assert.fail()
  }
  assert.equal((await failureOf(following, 'HTML')).code, 'unreadable-answer')
  assert.equal(asked.length, 4)
})

test('an answer of more bytes than the client takes ends early, packed or not', async (t) => {
  const page = JSON.stringify({ house: {}, padding: ' '.repeat(100_000) })
  const packed = gzipSync(Buffer.alloc(200 * 1024 * 1024, ' '))
  let big = false
  const { catalogue } = await serve(
    t,
    (_, response) => {
      if (big) response.writeHead(200, { 'content-encoding': 'gzip' }).end(packed)
      else response.end(page)
    },
    { retries: 0 },
  )
  assert.ok(await catalogue.discover())
  big = true
  assert.match((await failureOf(() => catalogue.discover(), 'packed')).message, /more than 67108864 bytes/)
  big = false
  const { catalogue: small } = await serve(t, (_, response) => response.end(page), { retries: 0, mostBytes: 100_000 })
  const failure = await failureOf(() => reads['discover']!(small), 'large')
  assert.deepEqual([failure.code, failure.title], ['unreadable-answer', 'The answer of 200 has more than 100000 bytes'])
  assert.equal((await failureOf(() => writes['create']!(small), 'large')).uncertain, true)
})

test('an answer that does not begin, or does not end, is a failure of the network at the deadline', async (t) => {
  const silent: RequestListener = () => undefined
  const trickling: RequestListener = (_, response) => {
    response.writeHead(200)
    const drop = () => response.write(' ')
    const timer = setInterval(drop, 10)
    response.on('close', () => clearInterval(timer))
    drop()
  }
  for (const [answer, options] of [
    [silent, { headersTimeout: 0.2 }],
    [silent, { timeout: 0.2 }],
    [trickling, { timeout: 0.2 }],
  ] as const) {
    const { catalogue } = await serve(t, answer, options)
    for (const [methods, uncertain] of [
      [{ discover: reads['discover']! }, false],
      [{ create: writes['create']!, upload: writes['upload']! }, true],
    ] as const)
      for (const [name, call] of Object.entries(methods)) {
        const failure = await failureOf(() => call(catalogue), name)
        assert.deepEqual([failure.code, failure.uncertain], ['network-failure', uncertain])
        assert.match(failure.message, /no (whole )?answer within the time that the client gives it/)
      }
  }
})

test('an upload has its deadline from its last piece on', async (t) => {
  const { catalogue } = await serve(t, (request, response) =>
    request.on('end', () => response.end('{"data":{"id":"img_x"}}')),
  )
  t.mock.timers.enable({ apis: ['setTimeout'] })
  async function* slow() {
    for (let piece = 0; piece < 8; piece++) {
      yield new Uint8Array(10)
      t.mock.timers.tick(25_000)
    }
  }
  const image = await catalogue.images.upload('itm_x', { file: ReadableStream.from(slow()), external_reference: 'a' })
  assert.equal(image.id, 'img_x')
})

test('a name that a query does not have is refused, and says where a signal belongs', () => {
  const catalogue = new Catalogue({ url: 'http://127.0.0.1:1', key: 'ack_x' })
  const { signal } = new AbortController()
  const misplaced = { follow: true, signal } as object
  assert.throws(() => catalogue.changes(misplaced), /^TypeError: changes has no parameter "signal".+second argument/)
  assert.throws(() => catalogue.changes({ type: ['lot'] } as object), /no parameter "type": it has types, after/)
})

test('a signal in the query of any other method is refused without a request', async (t) => {
  const { catalogue, asked } = await serve(t, (_, response) => response.end('{}'))
  const misplaced = { signal: new AbortController().signal } as object
  await assert.rejects(catalogue.lots.list(misplaced).page(), TypeError)
  await assert.rejects(catalogue.lots.search(misplaced).page(), TypeError)
  await assert.rejects(catalogue.fingerprint(misplaced), TypeError)
  assert.deepEqual(asked, [])
})
