import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { allPermissions, type Permission } from '../src/context.ts'
import { problems } from '../src/problems.ts'
import {
  callOf as callOn,
  checkHeaders,
  createBodyCheck,
  expansionsOf,
  findUnknown,
  listOperations,
  successOf,
  missingId,
  openLiveSessions,
  readDocument,
} from './support/contract.ts'
import type { ContractedOperation } from './support/contract.ts'
import { catalogueOf, uuid } from './support/lines.ts'
import { unsigned } from './support/pictures.ts'
import { publicUrl, startService, type Call, type TestService } from './support/service.ts'

const ours = catalogueOf(1)
const theirs = catalogueOf(2)

let service: TestService
let operations: ContractedOperation[]
let unknown: string[]
let checkBody: ReturnType<typeof createBodyCheck>
let key: string
let theirKey: string

before(async () => {
  const records = [...ours.lines, ...theirs.lines]
  service = await startService({ records, rateLimitPerMinute: 1_000_000, comparesReads: true })
  // As after upload and derivation of the images.
  await sql`update catalogue.images set original = 'originals/' || md5(id::text),
    renditions = case when public then 'public/' else 'private/' end || md5(id::text)`.execute(service.db)
  await openLiveSessions(service, [ours, theirs])
  const document = await readDocument(service)
  operations = listOperations(document)
  unknown = findUnknown(document)
  checkBody = createBodyCheck(document)
  key = await service.issueKey(ours.slug)
  theirKey = await service.issueKey(theirs.slug)
})

after(() => service.close())

/** A call of the operation that succeeds, except where `changes` changes it. */
function callOf(operation: ContractedOperation, { query, ...change }: Partial<Call> & { query?: string } = {}): Call {
  const call = callOn(operation, { ids: ours.ids, key }, change)
  return query === undefined ? call : { ...call, url: `${call.url}?${query}` }
}

async function refuse(operation: ContractedOperation, call: Call, status: number, code: keyof typeof problems) {
  const reply = await service.request(call)
  const where = `${operation.name}: ${call.method} ${call.url} answered ${reply.statusCode} ${reply.payload}`
  assert.equal(reply.statusCode, status, where)
  const problem = reply.json<Record<string, unknown>>()
  assert.equal(problem['type'], `${publicUrl}/problems/${code}`, where)
  assert.equal(problem['status'], status)
  assert.equal(problem['instance'], call.url.split('?', 1)[0])
  assert.match(reply.headers['content-type'] ?? '', /^application\/problem\+json/)
  assert.match(String(reply.headers['request-id']), /^[0-9a-f-]{36}$/)
  if (status !== 405) {
    checkBody(operation, status, 'application/problem+json', problem)
    checkHeaders(operation, reply)
  }
  if (status !== 401) assert.ok(reply.headers['ratelimit-remaining'], 'problems have the rate headers too')
  return reply
}

function reads() {
  return operations.filter(({ method }) => method === 'GET')
}

function isWrite({ accepts }: ContractedOperation) {
  return accepts === 'application/json'
}

function collections() {
  return operations.filter(({ parameters }) => parameters.some(({ name }) => name === 'cursor'))
}

test('every operation of the interface has an entry in test/support/operations.ts, and so is held to this contract', () => {
  assert.deepEqual(unknown, [])
})

test('without a key, or with a wrong or revoked one, every operation answers 401', async () => {
  const revoked = await service.issueRevokedKey(ours.slug)
  for (const operation of operations) {
    const wrong = ['Bearer', `Basic ${key}`, `Bearer ${key}x`, `Bearer ${key} ${key}`, `Bearer ${revoked}`]
    const headers: Record<string, string>[] = [{}, ...wrong.map((authorization) => ({ authorization }))]
    for (const each of headers) {
      const reply = await refuse(operation, callOf(operation, { key: undefined, headers: each }), 401, 'unauthorized')
      assert.equal(reply.headers['www-authenticate'], 'Bearer')
    }
  }
})

// Section 5 of the specification.
const readPermissions: Record<string, Permission> = {
  auctions: 'auctions.read',
  sessions: 'auctions.read',
  lots: 'lots.read',
  items: 'lots.read',
  images: 'lots.read',
  makers: 'lots.read',
  delivery_classes: 'lots.read',
  sellers: 'seller_profiles.read',
  consignments: 'seller_profiles.read',
  categories: 'categories.read',
  increment_strategies: 'bidding_step_configurations.read',
}

test('every operation needs the permission to read its records, every one of staff that of staff', () => {
  const neededFor = (path: string) =>
    path.startsWith('/staff/')
      ? 'staff'
      : path
          .split('/')
          .flatMap((word) => readPermissions[word] ?? [])
          .at(-1)
  const free = operations.filter(({ path }) => neededFor(path) === undefined).map(({ name }) => name)
  // The feed has its permissions by the types that are asked for.
  assert.deepEqual(free.toSorted(), ['discover', 'getFingerprint', 'listChanges'])
  for (const { name, path, permissions } of operations)
    assert.ok(free.includes(name) || permissions.includes(neededFor(path)!), name)
})

test('a key that lacks a permission is refused with 403, which names the first missing one', async () => {
  for (const operation of operations) {
    for (const [index, missing] of operation.permissions.entries()) {
      for (const also of operation.permissions.slice(index)) {
        // The permission to bid is enough alone for a bid.
        const granted = allPermissions.filter((each) => ![missing, also, 'bids'].includes(each))
        const lacking = await service.issueKey(ours.slug, granted)
        const reply = await refuse(operation, callOf(operation, { key: lacking }), 403, 'missing-permission')
        assert.match(reply.json<{ detail: string }>().detail, new RegExp(`permission ${missing}\\b`))
        assert.match(String(reply.headers['www-authenticate']), /^Bearer error="insufficient_scope"/)
      }
    }
  }
})

test('a read needs only the permissions that it documents', async () => {
  for (const operation of reads()) {
    const permissions = [...(operation.permissions as Permission[]), ...[operation.anyPermission ?? []].flat()]
    const least = await service.issueKey(ours.slug, permissions)
    assert.equal((await service.request(callOf(operation, { key: least }))).statusCode, 200, operation.name)
  }
})

test('a record of another house gets the same answer as a missing one, byte for byte', async () => {
  for (const operation of operations) {
    for (const parameter of Object.keys(operation.params ?? {})) {
      const record = operation.params![parameter]!
      const foreign = operation.urlOf({ ...ours.ids, [record]: theirs.ids[record] })
      const missing = operation.urlOf({ ...ours.ids, [record]: missingId(ours.ids[record]) })
      const one = await refuse(operation, callOf(operation, { url: foreign }), 404, 'not-found')
      const other = await refuse(operation, callOf(operation, { url: missing }), 404, 'not-found')
      assert.equal(one.payload.replace(foreign, missing), other.payload)
      assert.deepEqual(Object.keys(one.headers), Object.keys(other.headers))
    }
  }
})

test('each house reads its own records, and the key of another house does not find them', async () => {
  for (const operation of reads().filter(({ params }) => params !== undefined)) {
    const call = callOf(operation, { key: theirKey, url: operation.urlOf(theirs.ids) })
    assert.equal((await service.request(call)).statusCode, 200)
    await refuse(operation, { ...call, key }, 404, 'not-found')
  }
  for (const operation of collections()) {
    const listed = async (secret: string, ids: typeof ours.ids) =>
      (await service.request(callOf(operation, { key: secret, url: operation.urlOf(ids) }))).payload
    assert.doesNotMatch(await listed(key, ours.ids), new RegExp(uuid(2000).slice(0, -3)), operation.name)
    assert.doesNotMatch(await listed(theirKey, theirs.ids), new RegExp(uuid(1000).slice(0, -3)), operation.name)
  }
})

test('an id of another kind or a malformed one in the path answers 404', async () => {
  for (const operation of operations) {
    for (const record of Object.values(operation.params ?? {})) {
      const id = ours.ids[record]
      const [prefix, bare] = id.split('_') as [string, string]
      const wrong = [
        `${prefix === 'auc' ? 'itm' : 'auc'}_${bare}`,
        `${prefix}_${bare.slice(1)}`,
        `${prefix}_${bare}0`,
        `${prefix}_${prefix}_${bare}`,
        `${prefix}${bare}`,
        `%7B${bare}%7D`,
        bare.replaceAll('-', ''),
        '1',
        `%20${id}`,
        `${id}%00`,
        '%ff',
        '%zz',
      ]
      for (const each of wrong) {
        const url = operation.urlOf({ ...ours.ids, [record]: each })
        await refuse(operation, callOf(operation, { url }), 404, 'not-found')
      }
    }
  }
})

test('the id in a path may be the bare UUID, in any letter case', async () => {
  for (const operation of reads().filter(({ params }) => params !== undefined)) {
    const bare = Object.fromEntries(Object.entries(ours.ids).map(([name, id]) => [name, id.slice(4).toUpperCase()]))
    const reply = await service.request(callOf(operation, { url: operation.urlOf(bare as typeof ours.ids) }))
    assert.equal(reply.statusCode, 200, operation.name)
    assert.deepEqual(unsigned(reply.json()), unsigned((await service.request(callOf(operation))).json()))
  }
})

test('an unknown parameter, and a known one given twice, are refused with 400', async () => {
  for (const operation of operations) {
    const known = operation.parameters.filter((each) => each.in === 'query')
    const queries = ['nonsense=1', 'Limit=1', 'expand=item', 'expand', '=', '__proto__=1', 'toString=1']
    for (const query of queries) {
      await refuse(operation, callOf(operation, { query }), 400, 'invalid-parameter')
    }
    for (const { name } of known.filter((each) => each.schema.type !== 'array')) {
      const value = {
        limit: '5',
        lot_number: '5',
        seller_number: '5',
        active: 'true',
        published: 'true',
        dry_run: 'true',
      }[name]
      const example = value ?? { session: ours.ids.session, auction: ours.ids.auction, seller: ours.ids.seller }[name]
      const query = `${name}=${example ?? 'x'}`
      const reply = await refuse(operation, callOf(operation, { query: `${query}&${query}` }), 400, 'invalid-parameter')
      assert.ok(reply.json<{ detail: string }>().detail.includes(name))
    }
    if (!known.some(({ name }) => name === 'limit')) {
      await refuse(operation, callOf(operation, { query: 'limit=5' }), 400, 'invalid-parameter')
    }
  }
})

test('an unsupported expansion is refused with 400, which names the supported ones', async () => {
  for (const operation of operations) {
    const supported = expansionsOf(operation)
    for (const value of ['nonsense', '', 'Item', 'constructor']) {
      const call = callOf(operation, { query: `expand[]=${value}` })
      const { detail } = (await refuse(operation, call, 400, 'invalid-parameter')).json<{ detail: string }>()
      for (const name of supported) assert.ok(detail.includes(name), `${operation.name}: ${detail}`)
    }
  }
})

test('limit takes 1 to its maximum in plain decimal digits, and every invalid cursor is refused', async () => {
  for (const operation of collections()) {
    const most = operation.parameters.find(({ name }) => name === 'limit')!.schema.maximum!
    assert.equal(most, operation.name === 'listStaffLots' ? 1_000 : 100, operation.name)
    const wrong = ['0', '-1', '%2B5', '+5', '5.0', '5e0', '%205', '5%20', '', '0x5', '9'.repeat(40)]
    for (const limit of [String(most + 1), ...wrong]) {
      await refuse(operation, callOf(operation, { query: `limit=${limit}` }), 400, 'invalid-parameter')
    }
    for (const limit of [String(most), '1', '007']) {
      const reply = await service.request(callOf(operation, { query: `limit=${limit}` }))
      assert.equal(reply.statusCode, 200)
    }
    for (const cursor of ['A'.repeat(60), 'x', 'null', '"', 'A'.repeat(400), 'é']) {
      const query = `cursor=${encodeURIComponent(cursor)}`
      await refuse(operation, callOf(operation, { query }), 400, 'invalid-cursor')
    }
  }
})

test('every other method answers 405 with Allow, whatever the rest of the request', async () => {
  const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']
  for (const path of new Set(operations.map((operation) => operation.path))) {
    const here = operations.filter((operation) => operation.path === path)
    const allowed = here.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method])).toSorted()
    for (const method of methods.filter((each) => !allowed.includes(each))) {
      for (const [type, body] of [['application/json', '{'], ['text/xml', '<a/>'], []]) {
        const headers: Record<string, string> = type ? { 'content-type': type } : {}
        const url = `${here[0]!.urlOf(ours.ids)}?nonsense=1`
        const call = { method, url, key, headers, body }
        const reply =
          method === 'HEAD' ? await service.request(call) : await refuse(here[0]!, call, 405, 'method-not-allowed')
        assert.equal(reply.statusCode, 405)
        assert.equal(reply.headers['allow'], allowed.join(', '))
      }
    }
  }
})

test('HEAD answers with the headers of GET and without a body', async (t) => {
  // The ETag of a body with signed addresses holds for half an hour.
  t.mock.timers.enable({ apis: ['Date'], now: Date.now() })
  for (const operation of reads()) {
    for (const query of ['', 'nonsense=1']) {
      const get = await service.request(callOf(operation, { query }))
      const head = await service.request(callOf(operation, { query, method: 'HEAD' }))
      assert.equal(head.statusCode, get.statusCode)
      assert.equal(head.payload, '')
      assert.deepEqual(Object.keys(head.headers).toSorted(), Object.keys(get.headers).toSorted())
      // These differ between requests, and between seconds.
      const passing = ['date', 'request-id', 'ratelimit-remaining', 'ratelimit-reset']
      const lasting = ({ headers }: typeof get) =>
        Object.fromEntries(Object.entries(headers).filter(([name]) => !passing.includes(name)))
      assert.deepEqual(lasting(head), lasting(get))
    }
  }
})

test('the answer to every read matches the document and has nothing else, with every expansion', async () => {
  for (const operation of reads()) {
    const supported = expansionsOf(operation)
    const all = supported.map((each) => `expand[]=${each}`)
    for (const query of ['', ...all, all.join('&')]) {
      const reply = await service.request(callOf(operation, { query, headers: { prefer: 'wait=1' } }))
      assert.equal(reply.statusCode, 200, `${operation.name}?${query}: ${reply.payload}`)
      assert.match(reply.headers['content-type'] ?? '', /^application\/json/)
      checkBody(operation, 200, 'application/json', reply.json())
      checkHeaders(operation, reply)
      const documented = Object.keys(operation.responses['200']!.headers!).map((name) => name.toLowerCase())
      for (const name of documented.filter((each) => each !== 'link')) assert.ok(name in reply.headers, name)
    }
  }
})

test('every collection has records here, so that its tests test something', async () => {
  for (const operation of collections()) {
    assert.ok((await service.request(callOf(operation))).json<{ data: unknown[] }>().data.length > 0, operation.name)
  }
})

test('only the client itself may cache a read, and gets 304 while it is the same', async (t) => {
  // Signed URLs change every second.
  t.mock.timers.enable({ apis: ['Date'], now: Date.now() })
  for (const operation of reads()) {
    const reply = await service.request(callOf(operation))
    assert.equal(reply.headers['cache-control'], 'private, no-cache')
    assert.equal(reply.headers['vary'], 'Authorization, Accept-Encoding')
    const etag = String(reply.headers['etag'])
    for (const condition of [etag, `W/${etag.replace('W/', '')}`, `"x", ${etag}`, '*']) {
      for (const method of ['GET', 'HEAD']) {
        const again = await service.request(callOf(operation, { method, headers: { 'if-none-match': condition } }))
        assert.equal(again.statusCode, 304)
        assert.equal(again.payload, '')
        assert.equal(again.headers['etag'], etag)
        checkHeaders(operation, again)
        assert.equal(again.headers['cache-control'], 'private, no-cache')
        assert.equal(again.headers['vary'], 'Authorization, Accept-Encoding')
        assert.ok(again.headers['ratelimit-remaining'])
      }
    }
    const other = await service.request(callOf(operation, { headers: { 'if-none-match': '"another"' } }))
    assert.equal(other.statusCode, 200)
  }
})

test('an ETag is valid for the answers about one record, and for no other', async () => {
  // The same record has one ETag in both interfaces: it guards the changes of either.
  const recordOf = ({ name }: ContractedOperation) => name.replace(/^getStaff/, 'get')
  const etags = await Promise.all(
    reads().map(async (operation) => [operation, (await service.request(callOf(operation))).headers['etag']] as const),
  )
  for (const operation of reads()) {
    const others = etags.flatMap(([other, etag]) => (recordOf(other) === recordOf(operation) ? [] : [String(etag)]))
    const reply = await service.request(callOf(operation, { headers: { 'if-none-match': others.join() } }))
    assert.equal(reply.statusCode, 200, operation.name)
  }
  const empty = (await service.get(`/api/v2/sellers?seller_number=999999`, key)).headers['etag']
  const missing = callOf(
    operations.find(({ name }) => name === 'getSeller')!,
    { headers: { 'if-none-match': String(empty) } },
  )
  const gone = { ...missing, url: `/api/v2/sellers/${missingId(ours.ids.seller)}` }
  assert.equal((await service.request(gone)).statusCode, 404)
})

test('no condition hides that a record is missing or cannot be shown', async () => {
  for (const operation of reads()) {
    for (const [parameter, record] of Object.entries(operation.params ?? {})) {
      const url = operation.urlOf({ ...ours.ids, [record]: missingId(ours.ids[record]) })
      for (const condition of ['*', '"x", *']) {
        const call = callOf(operation, { url, headers: { 'if-none-match': condition } })
        assert.equal((await service.request(call)).statusCode, 404, `${operation.name} ${parameter}`)
      }
    }
  }
})

test('a body is refused with 400 if the operation takes none', async () => {
  for (const operation of operations.filter(({ accepts }) => accepts === undefined)) {
    for (const body of ['{}', 'x']) {
      const headers = { 'content-type': 'application/json' }
      await refuse(operation, callOf(operation, { body, headers }), 400, 'malformed-json')
    }
  }
})

test('if an operation takes no body, the content type of a missing body does not matter', async () => {
  for (const operation of operations.filter(({ params, body, upload }) => params && !body && !upload)) {
    for (const [, record] of Object.entries(operation.params!)) {
      const url = operation.urlOf({ ...ours.ids, [record]: missingId(ours.ids[record]) })
      for (const type of ['application/json', 'text/plain'])
        await refuse(operation, callOf(operation, { url, headers: { 'content-type': type } }), 404, 'not-found')
    }
  }
})

test('a body is refused that is missing, of another type, too large, or malformed', async () => {
  for (const operation of operations.filter(isWrite)) {
    const json = { 'content-type': 'application/json' }
    const without = { ...callOf(operation) }
    delete without.body
    await refuse(operation, without, 400, 'malformed-json')
    await refuse(operation, { ...without, headers: json }, 400, 'malformed-json')
    const types = ['text/plain', 'application/merge-patch+json', 'multipart/form-data', 'nonsense', '']
    for (const type of types) {
      const call = callOf(operation, { body: '{}', headers: { 'content-type': type } })
      const reply = await refuse(operation, call, 415, 'unsupported-media-type')
      const accept = { POST: 'accept-post', PATCH: 'accept-patch' }[operation.method]!
      assert.equal(reply.headers[accept], 'application/json')
      assert.equal(reply.json<{ detail: string }>().detail, 'Content-Type must be application/json.')
    }
    const untyped = callOf(operation, { body: Buffer.from('{}') })
    await refuse(operation, untyped, 415, 'unsupported-media-type')
    const large = `{"title":"${'x'.repeat(1024 * 1024)}"}`
    await refuse(operation, callOf(operation, { body: large, headers: json }), 413, 'payload-too-large')
    const malformed = ['{', '', '{"a":1,"a":1}', '{"a":01}', "{'a':1}", '{} {}', '\uFEFF\uFEFF{}', '[1,]', 'NaN']
    for (const body of malformed) {
      await refuse(operation, callOf(operation, { body, headers: json }), 400, 'malformed-json')
    }
    const latin = Buffer.from('{"title":"\xe9"}', 'latin1')
    await refuse(operation, callOf(operation, { body: latin, headers: json }), 400, 'malformed-json')
  }
})

test('an unknown field and a body that is not an object are refused with 422', async () => {
  for (const operation of operations.filter(isWrite)) {
    const errorsOf = async (body: unknown) => {
      const call = callOf(operation, { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } })
      const reply = await refuse(operation, call, 422, 'validation-failed')
      return reply.json<{ errors: { field: string; code: string }[] }>().errors
    }
    const example = operation.body!(ours.ids) as object
    const unknown = await errorsOf({ ...example, nonsense: 1, published_at: null })
    assert.deepEqual(
      unknown.map(({ field, code }) => [field, code]),
      [
        ['nonsense', 'unknown_field'],
        ['published_at', 'unknown_field'],
      ],
    )
    for (const body of [[], null, 'x', 1, true]) {
      const errors = await errorsOf(body)
      assert.deepEqual(
        errors.map(({ field, code }) => [field, code]),
        [['', 'wrong_type']],
        operation.name,
      )
    }
  }
})

// Each fault alone would be refused by its own check; together the first check decides.
test('a request that is wrong in several ways gets the problem of the first check', async () => {
  const faults: [status: number, code: keyof typeof problems, applies: (operation: ContractedOperation) => boolean][] =
    [
      [401, 'unauthorized', () => true],
      [403, 'missing-permission', ({ permissions }) => permissions.length > 0],
      [400, 'invalid-parameter', () => true],
      [415, 'unsupported-media-type', isWrite],
      [413, 'payload-too-large', isWrite],
      [400, 'malformed-json', isWrite],
      [422, 'validation-failed', (operation) => isWrite(operation) && !operation.recordBeforeShape],
      [404, 'not-found', ({ params }) => params !== undefined],
      [422, 'validation-failed', (operation) => isWrite(operation) && operation.recordBeforeShape === true],
    ]
  const large = 'x'.repeat(1024 * 1024)
  const powerless = await service.issueKey(ours.slug, ['categories.read'])
  const other = await service.issueKey(ours.slug, ['auctions.read'])
  for (const operation of operations) {
    const missing = Object.fromEntries(Object.entries(ours.ids).map(([name, id]) => [name, missingId(id)]))
    const weak = operation.permissions.includes('categories.read') ? other : powerless
    for (const [step, [status, code, applies]] of faults.entries()) {
      if (!applies(operation)) continue
      const gone = step <= 7 && operation.params !== undefined
      const path = operation.urlOf(gone ? (missing as typeof ours.ids) : ours.ids)
      const call: Call = callOf(operation, {
        url: step <= 2 ? `${path}?nonsense=1` : path,
        key: [`${key}x`, weak][step] ?? key,
      })
      if (isWrite(operation)) {
        call.headers = { 'content-type': step <= 3 ? 'text/plain' : 'application/json' }
        const shapeIsWrong = step <= 6 || operation.recordBeforeShape === true
        call.body = step <= 4 ? `{${large}` : step <= 5 ? '{' : shapeIsWrong ? '{"nonsense":1}' : callOf(operation).body
      }
      await refuse(operation, call, status, code)
    }
  }
})

test('the type of every problem leads to a page', async () => {
  for (const [code, { status, title }] of Object.entries(problems)) {
    const page = await service.request({ url: `/problems/${code}` })
    assert.equal(page.statusCode, 200)
    assert.match(page.headers['content-type'] ?? '', /^text\/html/)
    for (const text of [title, `${status} ${code}`, 'What happened', 'What to do', 'try again']) {
      assert.ok(page.payload.includes(text), `${code}: ${text}`)
    }
    assert.doesNotMatch(page.payload, /<script|src=|https?:/)
  }
  for (const code of ['nonsense', 'constructor', '__proto__']) {
    assert.equal((await service.request({ url: `/problems/${code}` })).statusCode, 404)
  }
})

// The last one, because it changes the records that the others read.
test('every write answers its example with a success that the document describes', async () => {
  const writes = operations.filter(({ method }) => method !== 'GET')
  for (const operation of writes.toSorted(
    (one, other) => Number(one.method === 'DELETE') - Number(other.method === 'DELETE'),
  )) {
    const least = [...operation.permissions, ...(operation.bodyPermissions ?? [])] as Permission[]
    const reply = await service.request(callOf(operation, { key: await service.issueKey(ours.slug, least) }))
    const where = `${operation.name}: ${reply.statusCode} ${reply.payload}`
    assert.equal(reply.statusCode, successOf(operation), where)
    assert.ok(reply.headers['ratelimit-remaining'])
    checkHeaders(operation, reply)
    if (reply.statusCode === 204) assert.equal(reply.payload, '')
    else checkBody(operation, reply.statusCode, 'application/json', reply.json())
    if (reply.statusCode !== 201 || operation.name === 'addLots') continue
    const { id } = reply.json<{ data: { id: string } }>().data
    const location = String(reply.headers['location'])
    assert.equal(location, `${operation.urlOf(ours.ids)}/${id}`.replace('/staff/v1/', '/api/v2/'))
    const read = await service.get(location, key)
    assert.deepEqual(unsigned(read.json()), unsigned(reply.json()), where)
  }
})
