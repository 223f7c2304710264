import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { connect, type AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import zlib from 'node:zlib'
import { sql } from 'kysely'
import {
  callOf,
  expansionsOf,
  listOperations,
  openLiveSessions,
  readDocument,
  type ContractedOperation,
} from './support/contract.ts'
import { catalogueOf } from './support/lines.ts'
import { unguarded } from './support/operations.ts'
import { startService, type Call, type TestService } from './support/service.ts'

const decoders = {
  gzip: ['.gz', zlib.gunzipSync],
  br: ['.br', zlib.brotliDecompressSync],
  // Node 20 has no Zstandard.
  ...('zstdDecompressSync' in zlib && { zstd: ['.zst', zlib.zstdDecompressSync] as const }),
} as const
const codings = Object.keys(decoders) as (keyof typeof decoders)[]

const houses = Array.from({ length: codings.length + 2 }, (_, at) => catalogueOf(at + 1))
const [ours] = houses as [(typeof houses)[number]]
let service: TestService
let operations: ContractedOperation[]
let key: string

before(async () => {
  service = await startService({ records: houses.flatMap(({ lines }) => lines) })
  // As after upload and derivation of the images.
  await sql`update catalogue.images set original = 'originals/' || md5(id::text),
    renditions = case when public then 'public/' else 'private/' end || md5(id::text)`.execute(service.db)
  await openLiveSessions(service, houses)
  operations = listOperations(await readDocument(service))
  key = await service.issueKey(ours.slug)
})
after(() => service.close())

type Reply = Awaited<ReturnType<TestService['request']>>

const accepting = (coding: string, headers: Record<string, string> = {}) => ({ 'accept-encoding': coding, ...headers })

/** The body as the client reads it. */
function decode({ headers, rawPayload }: Reply): string {
  const coding = headers['content-encoding'] as keyof typeof decoders | undefined
  return String(coding === undefined ? rawPayload : decoders[coding]![1](rawPayload))
}

const tagOf = ({ headers }: Reply) => headers['etag']
const withSuffix = (etag: string, coding: keyof typeof decoders) => etag.replace(/"$/, `${decoders[coding]![0]}"`)
const varies = ({ headers }: Reply) => assert.match(String(headers['vary']), /(^|, )Accept-Encoding$/)

// The headers that differ from one request to the next, and those that a coding changes.
const own = ['request-id', 'date', 'etag', 'content-length', 'content-encoding']
const others = ({ headers }: Reply) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !own.includes(name)))

test('every read in every coding is the plain answer, with the same headers and the tag of the coding', async (t) => {
  // Signed URLs change every second.
  t.mock.timers.enable({ apis: ['Date'], now: Date.now() })
  const reads = operations.filter(({ method }) => method === 'GET')
  let encoded = 0
  for (const operation of reads) {
    const expansions = expansionsOf(operation).map((each) => `expand[]=${each}`)
    for (const query of ['', expansions.join('&')]) {
      const call = (method: string, headers: Record<string, string>) => {
        const made = callOf(operation, { ids: ours.ids, key }, { method, headers })
        return service.request(query === '' ? made : { ...made, url: `${made.url}?${query}` })
      }
      const plain = await call('GET', {})
      assert.equal(plain.headers['content-encoding'], undefined)
      varies(plain)
      const isSigned = plain.payload.includes('?expires=')
      const isEncoded = plain.rawPayload.length >= 128 && !isSigned
      for (const coding of codings) {
        const where = `${operation.name} ${query} ${coding}`
        const reply = await call('GET', accepting(coding))
        assert.equal(reply.headers['content-encoding'], isEncoded ? coding : undefined, where)
        assert.equal(decode(reply), plain.payload, where)
        const etag = isEncoded ? withSuffix(tagOf(plain)!, coding) : tagOf(plain)!
        assert.equal(tagOf(reply), etag, where)
        assert.deepEqual(others(reply), others(plain), where)
        const head = await call('HEAD', accepting(coding))
        assert.deepEqual(
          { ...head.headers, 'request-id': '', date: '' },
          { ...reply.headers, 'request-id': '', date: '' },
        )
        assert.equal(head.payload, '')
        const next = codings[(codings.indexOf(coding) + 1) % codings.length]!
        for (const [method, held] of [
          ['HEAD', etag],
          ['GET', `W/${etag.replace('W/', '')}`],
          ['GET', tagOf(plain)!],
          ['GET', withSuffix(tagOf(plain)!, next)],
        ] as const) {
          const again = await call(method, accepting(coding, { 'if-none-match': `"x", ${held}` }))
          assert.equal(again.headers['content-length'], undefined)
          assert.deepEqual([again.statusCode, again.payload, tagOf(again)], [304, '', etag], `${where} ${held}`)
          assert.equal(again.headers['content-encoding'], undefined)
          varies(again)
        }
        encoded += isEncoded ? 1 : 0
      }
    }
  }
  assert.ok(encoded > reads.length)
})

test('a record is changed by the tag of any form, whatever the request accepts, and answers with that of the next read', async () => {
  const guarded = operations.filter(
    ({ method, name }) => (method === 'PATCH' || method === 'DELETE') && !unguarded.includes(name),
  )
  const forms = ['', ...codings]
  for (const [at, sent] of forms.entries()) {
    const { slug, ids } = houses[at + 1]!
    const own = await service.issueKey(slug)
    const accepted = forms[(at + 1) % forms.length]!
    for (const operation of guarded) {
      const url = operation
        .urlOf(ids)
        .replace(/\/(gallery|order)$/, '')
        .replace('/staff/v1/', '/api/v2/')
      const read = (coding: string) => service.get(url, own, accepting(coding))
      const plain = await read('')
      if (plain.statusCode === 404) continue
      const etag = sent === '' ? tagOf(plain)! : withSuffix(tagOf(plain)!, sent as 'gzip')
      const call = callOf(operation, { ids, key: own }, { headers: accepting(accepted, { 'if-match': etag }) })
      const reply = await service.request(call)
      assert.ok(reply.statusCode < 300, `${operation.name} ${etag} ${decode(reply)}`)
      varies(reply)
      // The gallery has the ETag of its item, with its images.
      if (operation.method === 'PATCH' && !operation.path.endsWith('/gallery') && reply.statusCode === 200) {
        const next = await read(accepted)
        if (next.statusCode === 200) assert.equal(tagOf(reply), tagOf(next), operation.name)
      }
    }
  }
})

test('a tag that a proxy changed guards nothing in any form, and the detail names the plain tag', async () => {
  const url = `/api/v2/items/${ours.ids.item}`
  const plain = tagOf(await service.get(url, key))!
  for (const coding of codings) {
    const etag = withSuffix(plain, coding)
    const changed = [`W/${etag}`, etag.replace(/"$/, '-gzip"'), etag.replace(/"$/, `${decoders[coding]![0]}"`)]
    for (const ifMatch of changed) {
      const headers = accepting(coding, { 'if-match': ifMatch })
      const reply = await service.request({ method: 'PATCH', url, key, headers, body: { title: 'Anders' } })
      assert.equal(reply.statusCode, 412, ifMatch)
      const { detail } = JSON.parse(decode(reply)) as { detail: string }
      assert.ok(detail.includes(`its tag is ${plain}.`), detail)
    }
  }
  assert.equal(tagOf(await service.get(url, key)), plain)
})

const answerOf = async (call: Call, coding: string) =>
  service.request({ ...call, headers: accepting(coding, call.headers) })

test('problems, created records, rehearsals and replays are the same in every coding', async () => {
  const item = { ...(operations.find(({ name }) => name === 'createItem')!.body!(ours.ids) as object) }
  const create = (name: string, change: Partial<Call> = {}) => ({
    method: 'POST',
    url: '/api/v2/items',
    key,
    body: { ...item, external_reference: name },
    ...change,
  })
  for (const coding of codings) {
    const problems: Call[] = [
      { url: '/api/v2/lots' },
      { url: '/api/v2/lots?nonsense=1', key },
      { url: '/api/v2/nothing', key },
      { url: '/staff/v1/nothing', key },
      { method: 'PUT', url: '/api/v2/lots', key },
      { method: 'POST', url: '/api/v2/items', key, body: { title: 1 } },
      { url: '/problems/nothing' },
      { url: '/docs/nothing' },
      { url: '/docs/static/nothing' },
      { url: '/%61pi/v2/nothing', key },
      { url: '/%64ocs/nothing' },
      { method: 'POST', url: '/docs' },
    ]
    for (const call of problems) {
      const [plain, reply] = [await service.request(call), await answerOf(call, coding)]
      assert.ok(plain.statusCode >= 400, call.url)
      assert.deepEqual([reply.statusCode, reply.headers['content-encoding']], [plain.statusCode, coding], call.url)
      assert.equal(decode(reply), plain.payload)
      assert.deepEqual(others(reply), others(plain))
      varies(plain)
    }
    const rehearsed = await answerOf(create(`r ${coding}`, { url: '/api/v2/items?dry_run=true' }), coding)
    assert.deepEqual([rehearsed.headers['dry-run'], rehearsed.headers['content-encoding']], ['true', coding])
    assert.equal((JSON.parse(decode(rehearsed)) as { data: { id: null } }).data.id, null)
    const headers = { 'idempotency-key': `key ${coding}` }
    const made = await answerOf(create(`c ${coding}`, { headers }), coding)
    assert.deepEqual([made.statusCode, made.headers['content-encoding']], [201, coding])
    const read = await service.get(String(made.headers['location']), key, accepting(coding))
    assert.equal(tagOf(made), tagOf(read))
    for (const other of ['', ...codings]) {
      const replayed = await answerOf(create(`c ${coding}`, { headers }), other)
      assert.equal(replayed.headers['idempotent-replayed'], 'true')
      assert.equal(replayed.headers['content-encoding'], other === '' ? undefined : other)
      assert.equal(decode(replayed), decode(made))
    }
  }
})

test('the documents, the documentation and the problem pages are encoded, by HEAD too, and ignore Range', async () => {
  const pages = ['/api/v2/openapi.json', '/staff/v1/openapi.json', '/problems', '/problems/not-found', '/docs']
  const files = ['swagger-ui.css', 'swagger-ui-bundle.js', 'favicon-32x32.png', 'swagger-initializer.js']
  for (const url of [...pages, ...files.map((name) => `/docs/static/${name}`), '/docs/static/theme/start.js']) {
    const plain = await service.request({ url, headers: { range: 'bytes=0-1' } })
    assert.equal(plain.statusCode, 200)
    assert.equal(plain.headers['accept-ranges'], undefined)
    varies(plain)
    for (const coding of [...codings, ...codings]) {
      const reply = await answerOf({ url }, coding)
      assert.equal(reply.headers['content-encoding'], coding, url)
      assert.equal(decode(reply), plain.payload)
      assert.deepEqual(others(reply), others(plain))
      const head = await answerOf({ method: 'HEAD', url }, coding)
      assert.deepEqual([head.headers['content-encoding'], tagOf(head)], [coding, tagOf(reply)])
      assert.equal(head.headers['content-length'], reply.headers['content-length'])
      const etag = tagOf(reply)
      if (etag === undefined) continue
      assert.equal(etag, withSuffix(tagOf(plain)!, coding))
      const again = await answerOf({ url, headers: { 'if-none-match': etag } }, coding)
      assert.deepEqual([again.statusCode, again.payload, tagOf(again)], [304, '', etag])
    }
  }
})

test('a file that nobody has read has no length by HEAD, and a short file has one tag', async () => {
  const head = await answerOf({ method: 'HEAD', url: '/docs/static/l%6Fgo.svg' }, 'gzip')
  assert.deepEqual([head.headers['content-encoding'], head.headers['content-length']], ['gzip', undefined])
  const url = '/docs/static/csp.json'
  const short = await answerOf({ url }, 'gzip')
  assert.equal(short.headers['content-encoding'], undefined)
  const again = await answerOf({ url, headers: { 'if-none-match': tagOf(short)! } }, 'gzip')
  assert.deepEqual([again.statusCode, tagOf(again)], [304, tagOf(short)])
})

test('an answer to a request that waited for it is encoded', async () => {
  const end = await service.get('/api/v2/changes?limit=100', key)
  let { next_cursor: after, has_more: hasMore } = end.json<{ next_cursor: string; has_more: boolean }>()
  while (hasMore)
    ({ next_cursor: after, has_more: hasMore } = (
      await service.get(`/api/v2/changes?limit=100&after=${after}`, key)
    ).json<{ next_cursor: string; has_more: boolean }>())
  const url = `/api/v2/changes?after=${after}&expand[]=record`
  const waiting = answerOf({ url, key, headers: { prefer: 'wait=60' } }, 'gzip')
  await service.request({
    method: 'PATCH',
    url: `/api/v2/items/${ours.ids.item}`,
    key,
    body: { title: 'Nu' },
  })
  const reply = await waiting
  assert.deepEqual([reply.statusCode, reply.headers['content-encoding']], [200, 'gzip'])
  assert.match(decode(reply), /"Nu"/)
})

test('long answers are encoded for every client that stays, also while others leave', async () => {
  // Random text hardly compresses. A page of more than half a mebibyte goes to the thread pool in every coding.
  for (let at = 0; at < 12; at++) {
    const description = randomBytes(45_000).toString('base64')
    const body = { title: `Long ${at}`, external_reference: `long ${at}`, description }
    const made = await service.request({ method: 'POST', url: '/api/v2/items', key, body })
    assert.equal(made.statusCode, 201, made.payload)
  }
  await service.app.listen({ port: 0 })
  const { port } = service.app.server.address() as AddressInfo
  const path = '/api/v2/items?limit=100'
  const plain = await service.get(path, key)
  assert.ok(plain.rawPayload.length > 512 * 1024)
  for (let round = 0; round < 20; round++) {
    const leaving = connect(port)
    leaving.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nAccept-Encoding: gzip\r\n\r\n`)
    await once(leaving, 'connect')
    leaving.destroy()
  }
  const replies = await Promise.all(
    codings.flatMap((coding) => [1, 2, 3].map(() => answerOf({ url: path, key }, coding))),
  )
  for (const reply of replies) {
    assert.ok(reply.headers['content-encoding'])
    assert.equal(decode(reply), plain.payload)
  }
})
