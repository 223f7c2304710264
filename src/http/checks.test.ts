import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import { catalogueOf } from '../../test/support/lines.ts'
import { publicUrl, startService, steady, type TestService } from '../../test/support/service.ts'
import { createApp } from '../app.ts'
import { openDatabase } from '../db/pool.ts'

const { slug, ids, lines } = catalogueOf(1)

let service: TestService
let key: string
let port: number

before(async () => {
  service = await startService({ records: lines })
  key = await service.issueKey(slug)
  await service.app.listen({ host: '127.0.0.1', port: 0 })
  port = (service.app.server.address() as { port: number }).port
})

after(() => service.close())

/** Sends bytes to the service and reads until it closes the connection. */
async function sendRaw(bytes: string) {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => undefined)
  socket.write(bytes, 'latin1')
  const answer = await text(socket)
  const [head, body = ''] = answer.split('\r\n\r\n', 2) as [string, string?]
  const [line, ...headers] = head.split('\r\n')
  return { status: Number(line!.split(' ')[1]), headers: headers.join('\n').toLowerCase(), body }
}

const host = 'Host: localhost\r\nConnection: close'
const authorized = () => `${host}\r\nAuthorization: Bearer ${key}`

test('a request that the HTTP parser refuses is answered with a problem', async () => {
  const refusals: [request: string, status: number, slug: string][] = [
    ['nonsense\r\n\r\n', 400, 'malformed-json'],
    [`FROB /api/v2 HTTP/1.1\r\n${host}\r\n\r\n`, 400, 'malformed-json'],
    [`GET /api/v2 HTTP/1.1\r\n${host}\r\nbad header\r\n\r\n`, 400, 'malformed-json'],
    [`GET /api/v2 HTTP/1.1\r\n${host}\r\nA: \0\r\n\r\n`, 400, 'malformed-json'],
    [`GET /api/v2 HTTP/1.1\r\nConnection: close\r\n\r\n`, 400, 'malformed-json'],
    [`GET /api/v2 HTTP/1.1\r\n${host}\r\nContent-Length: x\r\n\r\n`, 400, 'malformed-json'],
    [
      `POST /api/v2/auctions HTTP/1.1\r\n${host}\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n{}`,
      400,
      'malformed-json',
    ],
    [`GET /api/v2 HTTP/1.1\r\n${host}\r\nA: ${'x'.repeat(17_000)}\r\n\r\n`, 431, 'payload-too-large'],
    [`GET /api/v2/${'x'.repeat(17_000)} HTTP/1.1\r\n${host}\r\n\r\n`, 431, 'payload-too-large'],
  ]
  for (const [request, status, kind] of refusals) {
    const reply = await sendRaw(request)
    assert.equal(reply.status, status, request.slice(0, 80))
    assert.match(reply.headers, /content-type: application\/problem\+json/, request.slice(0, 80))
    assert.match(reply.headers, /request-id: [0-9a-f-]{36}/)
    const problem = JSON.parse(reply.body) as Record<string, unknown>
    assert.equal(problem['type'], `${publicUrl}/problems/${kind}`)
    assert.equal(problem['status'], status)
  }
})

test('a path with invalid URL encoding or a fragment does not exist', async () => {
  for (const path of ['/api/v2/%', '/api/v2/%zz', '/api/v2/lots/%c3%28', '/api/v2/lots#x', '/api/v2/lots%23x?a']) {
    const reply = await sendRaw(`GET ${path} HTTP/1.1\r\n${authorized()}\r\n\r\n`)
    assert.equal(reply.status, 404, path)
    assert.equal((JSON.parse(reply.body) as { instance: string }).instance, path.split('?', 1)[0])
  }
  const outside = await sendRaw(`GET /% HTTP/1.1\r\n${host}\r\n\r\n`)
  assert.equal(outside.status, 404)
  const without = await sendRaw(`GET /api/v2/% HTTP/1.1\r\n${host}\r\n\r\n`)
  assert.equal(without.status, 401)
})

test('a path that ends in "/" does not exist, and the detail says why', async () => {
  const powerless = await service.issueKey(slug, ['categories.read'])
  const detailOf = async (url: string, of = key) => {
    const reply = await service.get(url, of)
    assert.equal(reply.statusCode, 404, url)
    return reply.json<{ detail: string }>().detail
  }
  for (const path of ['lots/', 'items//', 'lots/search/', `items/${ids.item}/`, `items/${ids.item}/images/`])
    for (const each of [key, powerless])
      assert.match(await detailOf(`/api/v2/${path}?limit=1`, each), /^There is nothing at \S+: the path ends in "\/"\./)
  assert.match(await detailOf('/api/v2/nothing/'), /^There is nothing at \/api\/v2\/nothing\/\.$/)
  assert.equal((await service.get('/staff/v1/journal/', await service.issueKey(slug, ['staff']))).statusCode, 404)
})

test('a body that is not UTF-8 is told from one that is nested too deeply', async () => {
  const detailOf = async (body: Buffer) => {
    const headers = { 'content-type': 'application/json' }
    const reply = await service.request({ method: 'POST', url: '/api/v2/items', key, headers, body })
    assert.equal(reply.statusCode, 400)
    return reply.json<{ detail: string }>().detail
  }
  assert.equal(await detailOf(Buffer.from('{"title":"caf\xe9"}', 'latin1')), 'The body is not UTF-8.')
  assert.match(
    await detailOf(Buffer.from('['.repeat(200_000))),
    /^"0\.0\S*" is nested too deeply \(more than 1000 levels\)\.$/,
  )
  const number = Buffer.from('1'.repeat(2_000))
  assert.equal(await detailOf(number), 'The body is a number of more than 1000 characters.')
})

test('methods that the framework does not route are answered 405 with Allow', async () => {
  for (const method of ['TRACE', 'PROPFIND', 'QUERY', 'LOCK', 'SEARCH']) {
    const reply = await sendRaw(`${method} /api/v2/sellers HTTP/1.1\r\n${authorized()}\r\n\r\n`)
    assert.equal(reply.status, 405, `${method} ${reply.body}`)
    assert.match(reply.headers, /allow: get, head/)
  }
})

test('an unknown expectation changes nothing', async () => {
  const reply = await sendRaw(`GET /api/v2 HTTP/1.1\r\n${authorized()}\r\nExpect: miracles\r\n\r\n`)
  assert.equal(reply.status, 200)
})

test('a body on GET is refused with 400, with or without an announced length', async () => {
  for (const body of ['Content-Length: 2\r\n\r\n{}', 'Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n']) {
    const reply = await sendRaw(`GET /api/v2/lots HTTP/1.1\r\n${authorized()}\r\n${body}`)
    assert.equal(reply.status, 400)
    assert.match(reply.body, /malformed-json/)
  }
  const empty = await sendRaw(`GET /api/v2/lots HTTP/1.1\r\n${authorized()}\r\nContent-Length: 0\r\n\r\n`)
  assert.equal(empty.status, 200)
})

test('discovery answers at both of its paths, and names only paths that answer', async () => {
  const [one, other] = [await service.get('/api/v2', key), await service.get('/api/v2/', key)]
  assert.equal(one.payload, other.payload)
  const { version, documentation, openapi, resources } = one.json<{
    version: string
    documentation: string
    openapi: string
    resources: Record<string, string>
  }>()
  assert.equal(version, '2')
  assert.deepEqual(Object.keys(resources), [
    'auctions',
    'sessions',
    'lots',
    'items',
    'sellers',
    'categories',
    'makers',
    'delivery_classes',
    'increment_strategies',
    'consignments',
    'images',
  ])
  for (const address of [openapi, ...Object.values(resources)]) {
    assert.ok(address.startsWith(publicUrl))
    assert.equal((await service.get(address.slice(publicUrl.length), key)).statusCode, 200, address)
  }
  assert.equal(documentation, `${publicUrl}/docs`)
  const powerless = await service.issueKey(slug, ['categories.read'])
  assert.deepEqual((await service.get('/api/v2/', powerless)).json<{ resources: object }>().resources, resources)
  assert.equal((await service.get('/api/v2/?nonsense=1', key)).statusCode, 400)
  const refused = await service.request({ method: 'POST', url: '/api/v2/', key })
  assert.equal(refused.headers['allow'], 'GET, HEAD')
})

test('outside /api/v2 an unknown path is 404 without a key, and a known path takes no other method', async () => {
  for (const url of ['/', '/api', '/api/v1/lots', '/api/v2x', '/lots', '/favicon.ico', '/.env', '/docs/../x']) {
    const reply = await service.request({ url })
    assert.equal(reply.statusCode, 404, url)
    assert.match(reply.headers['content-type'] ?? '', /^application\/problem\+json/)
    assert.ok(reply.headers['request-id'])
  }
  for (const url of ['/healthz', '/readyz', '/problems/not-found', '/docs/']) {
    for (const headers of [{}, { 'content-type': 'text/xml' }]) {
      const reply = await service.request({ method: 'POST', url, headers, body: headers ? 'x' : undefined })
      assert.equal(reply.statusCode, 405, url)
      assert.equal(reply.headers['allow'], 'GET, HEAD')
    }
  }
  assert.equal((await service.request({ method: 'POST', url: '/api/v2/openapi.json', key })).statusCode, 405)
})

test('inside /api/v2 an unknown path is 404 with a key, and 401 without one', async () => {
  for (const url of [
    '/api/v2/nonsense',
    '/api/v2/lots/',
    '/api/v2//',
    '/api/v2/LOTS',
    `/api/v2/lots/${ids.lot}/item`,
  ]) {
    assert.equal((await service.request({ url })).statusCode, 401, url)
    assert.equal((await service.get(url, key)).statusCode, 404, url)
  }
})

test('the health checks need no key: the service is alive, and ready while it reaches the database', async () => {
  assert.equal((await service.request({ url: '/healthz' })).statusCode, 200)
  assert.equal((await service.request({ url: '/readyz' })).statusCode, 200)
  const { db, pool } = openDatabase({ connectionString: 'postgres://nobody@127.0.0.1:1/nowhere' }, 1)
  const { keyrings, media, app } = service
  const windows = { in: 'memory' } as const
  const stranded = await createApp({
    ...steady,
    db,
    keyrings,
    media,
    publicUrl,
    rateLimitPerMinute: 0,
    cacheBytes: 0,
    windows,
    logger: app.log,
  })
  assert.equal((await stranded.inject('/healthz')).statusCode, 200)
  const headers = { authorization: `Bearer ${key}` }
  for (const reply of [await stranded.inject('/readyz'), await stranded.inject({ url: '/api/v2', headers })]) {
    assert.equal(reply.statusCode, 503)
    assert.match(reply.json<{ type: string }>().type, /temporarily-unavailable$/)
    assert.ok(Number(reply.headers['retry-after']) > 0)
  }
  await stranded.close()
  await pool.end()
})

test('each request has one log line with its Request-Id, and no line has a key', async () => {
  service.logs.length = 0
  const calls = [
    { url: `/api/v2/lots/${ids.lot}?expand[]=item`, key },
    { url: '/api/v2/nonsense', key },
    { url: `/api/v2/lots?key=${key}`, key },
    { url: '/api/v2/lots', key: `${key}x` },
    { url: '/healthz' },
  ]
  for (const call of calls) {
    const reply = await service.request(call)
    const line = service.logs.at(-1)!
    assert.equal(line['request'], reply.headers['request-id'])
    assert.equal(line['status'], reply.statusCode)
    assert.equal(line['path'], call.url.split('?', 1)[0])
    assert.equal(line['method'], 'GET')
    assert.equal(typeof line['milliseconds'], 'number')
  }
  assert.equal(service.logs.length, calls.length)
  assert.equal(service.logs[0]!['route'], '/api/v2/lots/:id')
  assert.match(String(service.logs[0]!['key']), /^key_/)
  assert.ok(!JSON.stringify(service.logs).includes(key.slice(4, 20)))
})

test('a client cannot choose the Request-Id', async () => {
  const reply = await service.get('/api/v2', key, { 'request-id': 'mine' })
  assert.notEqual(reply.headers['request-id'], 'mine')
})

test('no answer has CORS headers', async () => {
  const reply = await service.get('/api/v2', key, { origin: 'https://shop.example' })
  assert.deepEqual(
    Object.keys(reply.headers).filter((name) => name.startsWith('access-control')),
    [],
  )
})

test('two Host headers are 400, and two Authorization headers 401, in either order', async () => {
  const hosts = await sendRaw(`GET /healthz HTTP/1.1\r\n${host}\r\nhost: localhost\r\n\r\n`)
  assert.deepEqual([hosts.status, /malformed-json/.test(hosts.body)], [400, true])
  const right = `Authorization: Bearer ${key}`
  for (const keys of [
    `${right}\r\nauthorization: Bearer x`,
    `AUTHORIZATION: Bearer x\r\n${right}`,
    `${right}\r\n${right}`,
  ]) {
    const reply = await sendRaw(`GET /api/v2/lots HTTP/1.1\r\n${host}\r\n${keys}\r\n\r\n`)
    assert.equal(reply.status, 401)
    assert.match(reply.headers, /www-authenticate: bearer/)
  }
})

test('the Host of a request appears nowhere in the answer', async () => {
  const answer = async (target: string) => sendRaw(`GET ${target} HTTP/1.1\r\n${authorized()}\r\n\r\n`)
  const plain = await answer('/api/v2/lots?limit=1')
  assert.match(plain.headers, /link: <https:\/\/catalogue\.test\/api\/v2\/lots\?/)
  for (const origin of ['http://evil.example', 'HTTPS://user@evil.example:81', 'ftp://evil.example']) {
    const reply = await answer(`${origin}/api/v2/lots?limit=1`)
    assert.deepEqual([reply.status, reply.body], [200, plain.body], origin)
    assert.doesNotMatch(reply.headers, /evil/)
    const missing = await answer(`${origin}/api/v2/nothing?http://evil.example/`)
    assert.equal(missing.status, 404)
    assert.equal((JSON.parse(missing.body) as { instance: string }).instance, '/api/v2/nothing')
    assert.doesNotMatch(missing.body, /evil/)
  }
  assert.equal((await answer('http://evil.example')).status, 404)
  assert.equal((await answer('http://evil.example?x')).status, 404)
})

test('a message cuts an unknown path or parameter, and shows a real path as a whole', async () => {
  const long = `/api/v2/${'x'.repeat(10_000)}`
  const missing = (await service.get(long, key)).json<{ instance: string; detail: string }>()
  assert.equal(missing.instance, `${long.slice(0, 200)}…`)
  assert.ok(missing.detail.length < 250)
  const wrong = (await service.request({ method: 'PUT', url: `/api/v2/lots/${'x'.repeat(10_000)}`, key })).json<{
    detail: string
  }>()
  assert.ok(wrong.detail.length < 250)
  const unknown = (await service.get(`/api/v2/lots?${'x'.repeat(10_000)}=1`, key)).json<{ detail: string }>()
  assert.equal(unknown.detail, `There is no parameter "${'x'.repeat(100)}…" here.`)
  const command = `/api/v2/items/${ids.item}/images/${ids.image}/reprocess`
  const refused = await service.request({ method: 'POST', url: `${command}?x=1`, key, body: {} })
  assert.equal(refused.json<{ instance: string }>().instance, command)
})

test('a path that leaves the folder of the documentation is 404, even if it is sent without normalization', async () => {
  for (const path of [
    '/docs/static/../x',
    '/docs/static/..',
    '/docs/static/../../../package.json',
    '/docs/static/\\..\\x',
  ]) {
    const reply = await sendRaw(`GET ${path} HTTP/1.1\r\n${host}\r\n\r\n`)
    assert.equal(reply.status, 404, path)
    assert.match(reply.headers, /content-type: application\/problem\+json/)
  }
})
