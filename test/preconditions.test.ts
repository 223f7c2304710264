import { changeLot } from '../src/lots/changes.ts'
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'

import { changeAuction } from '../src/auctions/auctions.ts'
import { contextNow, allPermissions } from '../src/context.ts'
import { renewGeneration } from '../src/db/generation.ts'
import { findHouse } from '../src/houses/locks.ts'
import {
  expansionsOf,
  listOperations,
  missingId,
  openLiveSessions,
  readDocument,
  type ContractedOperation,
} from './support/contract.ts'
import { catalogueOf } from './support/lines.ts'
import { unguarded } from './support/operations.ts'
import { publicUrl, startService, type TestService } from './support/service.ts'

const houses = Array.from({ length: 9 }, (_, at) => catalogueOf(at + 1))
const service = await startService({ records: houses.flatMap(({ lines }) => lines) })
after(() => service.close())
await openLiveSessions(service, houses)
const operations = listOperations(await readDocument(service))
let opened = 0

type Reply = Awaited<ReturnType<TestService['request']>>

/** A house of its own for a test, with calls of the operations. */
async function open() {
  const { slug, ids } = houses[opened++]!
  const key = await service.issueKey(slug)
  const careful = await service.issueKey(slug, allPermissions, { require_if_match: true })
  const house = (await findHouse(service.db, slug))!
  const context = contextNow(service.db, house)
  const send = (
    operation: ContractedOperation,
    ifMatch: string | undefined,
    change: { key?: string; url?: string; body?: unknown; headers?: Record<string, string> } = {},
  ) =>
    service.request({
      method: operation.method,
      url: change.url ?? operation.urlOf(ids),
      key: change.key ?? key,
      headers: { ...(ifMatch !== undefined && { 'if-match': ifMatch }), ...change.headers },
      body: 'body' in change ? change.body : operation.body?.(ids),
    })
  /** The path of the read of a changed record. */
  const pathOf = (operation: ContractedOperation) => readPathOf(operation.urlOf(ids))
  return { slug, ids, key, careful, context, send, pathOf }
}

const isGuarded = ({ method, name }: ContractedOperation) =>
  (method === 'PATCH' || method === 'DELETE') && !unguarded.includes(name)

// The staff interface changes records that the catalogue interface shows.
const readPathOf = (path: string) => path.replace(/\/(gallery|order)$/, '').replace('/staff/v1/', '/api/v2/')

/** Every set of expansions, as queries. */
function queriesOf(expansions: string[]): string[] {
  const sets = expansions.reduce<string[][]>((found, name) => [...found, ...found.map((set) => [...set, name])], [[]])
  return sets.map((set) => set.map((name) => `expand[]=${name}`).join('&'))
}

/** An ETag without the half-hour of the signatures, which may end at any moment. */
const versionOf = (etag: unknown) => String(etag).replace(/\.\d+"$/, '"')

async function etagOf(url: string, key: string): Promise<string> {
  const reply = await service.get(url, key)
  assert.equal(reply.statusCode, 200, `${url} ${reply.payload}`)
  return String(reply.headers['etag'])
}

function assertProblem(reply: Reply, status: number, code: string, message: string) {
  assert.equal(reply.statusCode, status, `${message} ${reply.payload}`)
  assert.equal(reply.json<{ type: string }>().type, `${publicUrl}/problems/${code}`, message)
}

test('every change and deletion of a record takes and documents If-Match', async () => {
  const { key, careful, send, pathOf } = await open()
  for (const operation of operations.filter(({ method }) => method !== 'GET')) {
    const { name, parameters, responses } = operation
    assert.equal(
      parameters.some((each) => each.in === 'header' && each.name === 'If-Match'),
      isGuarded(operation),
      name,
    )
    assert.equal('412' in responses && '428' in responses, isGuarded(operation), name)
    if (!isGuarded(operation)) continue
    const url = pathOf(operation)
    const before = await service.get(url, key)
    const others = ['"x"', `W/${before.headers['etag']}`]
    if (name === 'updateItem') others.push('""', 'W/"x"', '"x", "y"', ',"x",,')
    for (const other of others) {
      const reply = await send(operation, other)
      assertProblem(reply, 412, 'precondition-failed', `${name} ${other}`)
      assert.equal(versionOf(await etagOf(url, key)), versionOf(reply.headers['etag']), name)
    }
    assertProblem(await send(operation, undefined, { key: careful }), 428, 'precondition-required', name)
    assertProblem(await send(operation, '"x"', { key: careful }), 412, 'precondition-failed', name)
    assert.equal((await service.get(url, key)).payload, before.payload)
  }
})

test('a tag that a proxy weakened or extended gets 412 that says so and names the plain tag, another weak tag that it never guards', async (t) => {
  // The half-hour of the signatures may end at any moment.
  t.mock.timers.enable({ apis: ['Date'], now: Date.now() })
  const { key, send, pathOf } = await open()
  const changed = 'was changed on its way, as proxies that compress do'
  for (const operation of operations.filter(isGuarded)) {
    const plain = await etagOf(pathOf(operation), key)
    const detailOf = async (ifMatch: string) => {
      const reply = await send(operation, ifMatch)
      assertProblem(reply, 412, 'precondition-failed', `${operation.name} ${ifMatch}`)
      return reply.json<{ detail: string }>().detail
    }
    const suffixed = ['-gzip', '-br', ';gzip'].map((suffix) => plain.replace(/"$/, `${suffix}"`))
    const isExample = operation.name === 'updateItem'
    for (const sent of isExample ? [`W/${plain}`, ...suffixed] : suffixed.slice(0, 1)) {
      for (const ifMatch of isExample ? [sent, `"x", ${sent}`, `W/${sent.replace('W/', '')}`] : [sent]) {
        const detail = await detailOf(ifMatch)
        assert.ok(detail.includes(changed) && detail.includes(`its tag is ${plain}.`), `${ifMatch}: ${detail}`)
        assert.ok(detail.includes(' /problems/precondition-failed '), detail)
      }
    }
    if (!isExample) continue
    const other = await detailOf('W/"x"')
    assert.match(other, /a weak tag never guards a change/)
    assert.match(other, /The record's tag is "[^"]+" now\./)
    assert.match(await detailOf('"x"'), /^The record has changed since the version that If-Match names\.$/)
  }
})

test('an If-Match that is not a list of entity tags is 400, before the record is looked up', async () => {
  const { ids, key, send } = await open()
  const refuse = async (operation: ContractedOperation, wrong: string, change?: { url: string }) =>
    assertProblem(await send(operation, wrong, change), 400, 'invalid-parameter', `${operation.name} ${wrong}`)
  for (const operation of operations.filter(isGuarded)) {
    const missing = Object.fromEntries(Object.entries(ids).map(([name, id]) => [name, missingId(id)])) as typeof ids
    await refuse(operation, 'x', { url: operation.urlOf(missing) })
  }
  const update = operations.find(({ name }) => name === 'updateItem')!
  for (const wrong of ['"x', 'x"', '"x" "y"', '*, "x"', '"x", *', '"a b"', "'x'", 'w/"x"', 'W/ "x"', '', ',', '**'])
    await refuse(update, wrong)
  const long = `"x"${', '.repeat(5_000)}`
  await refuse(update, `${long}x`)
  assertProblem(await send(update, `"a,b" , ${long}`), 412, 'precondition-failed', 'empty elements')
  const [create] = operations.filter(({ name }) => name === 'createItem')
  assert.equal((await send(create!, 'nonsense')).statusCode, 201, 'where it means nothing it is ignored')
  const read = await service.get(`/api/v2/items/${ids.item}`, key, { 'if-match': 'nonsense' })
  assert.equal(read.statusCode, 200)
})

test('the ETag of any representation, in a list too, is valid for a change, whose answer has the ETag of the next read', async (t) => {
  // The half-hour of the signatures may end at any moment.
  t.mock.timers.enable({ apis: ['Date'], now: Date.now() })
  const { ids, key, send, pathOf } = await open()
  const changes = operations.filter((each) => each.method === 'PATCH' && isGuarded(each))
  // An archived item is not read any more.
  for (const operation of changes.filter(({ name }) => name !== 'archiveItem')) {
    const shape = (path: string) => readPathOf(path).replaceAll(/\{\w+\}/g, '{}')
    const reads = operations.filter(({ method }) => method === 'GET')
    const read = reads.find(({ path }) => shape(path) === shape(operation.path))!
    const url = pathOf(operation)
    const old = await etagOf(url, key)
    assert.equal((await send(operation, old)).statusCode, 200)
    // This session has no lots.
    if (operation.name !== 'orderLots')
      assertProblem(await send(operation, old), 412, 'precondition-failed', operation.name)
    // The repeated change has no effect, so all of these ETags are of the present version.
    for (const query of queriesOf(expansionsOf(read).filter((name) => name !== 'counts'))) {
      const etag = await etagOf(`${url}?${query}`, key)
      assert.match(etag, /^"/)
      for (const ifMatch of query === '' ? [etag, `"x", W/"y" ,${etag}`, '*'] : [etag]) {
        const asked = `${operation.urlOf(ids)}?${query}`
        const headers = { 'if-unmodified-since': new Date(0).toUTCString() }
        const reply = await send(operation, ifMatch, { url: asked, headers })
        assert.equal(reply.statusCode, 200, `${asked} ${reply.payload}`)
        const again = operation.path.endsWith('/gallery') ? 'expand[]=images' : query
        assert.equal(await etagOf(`${url}?${again}`, key), reply.headers['etag'], asked)
        assert.equal((await send(operation, etag)).statusCode, 200, `${asked} without the expansion`)
      }
    }
  }
  for (const operation of operations.filter(({ method, name }) => method === 'POST' && name.startsWith('create')))
    for (const [at, query] of queriesOf(expansionsOf(operation)).entries()) {
      const example = operation.body!(ids) as object
      const isNamed = 'external_reference' in example
      const body = isNamed ? { ...example, external_reference: `new ${at}` } : example
      const reply = await send(operation, undefined, { url: `${operation.urlOf(ids)}?${query}`, body })
      assert.equal(reply.statusCode, 201, reply.payload)
      const { location, etag } = reply.headers
      assert.equal(await etagOf(`${String(location)}?${query}`, key), etag)
    }
  const upload = operations.find(({ name }) => name === 'uploadImage')!
  const { type, bytes } = upload.upload!(ids)
  const reply = await send(upload, undefined, { headers: { 'content-type': type }, body: bytes })
  const etag = await etagOf(String(reply.headers['location']), key)
  assert.equal(versionOf(etag), versionOf(reply.headers['etag']))
})

test('a gallery has the ETag of its item; an image has its own, whatever happens to item and signatures', async (t) => {
  const { ids, key } = await open()
  const { get, request } = service
  const url = `/api/v2/items/${ids.item}/images/${ids.spareImage}`
  // Signed URLs change every second, and the half-hour may end at any moment.
  let now = Date.now()
  t.mock.timers.enable({ apis: ['Date'], now })
  const waitLonger = () => t.mock.timers.setTime((now += 45 * 60_000))
  await sql`update catalogue.images set original = 'originals/' || md5(id::text)`.execute(service.db)
  const before = await get(url, key)
  const { etag } = before.headers
  assert.match(String(etag), /^"/)
  const held = { 'if-none-match': String(etag) }
  assert.equal((await get(url, key, held)).statusCode, 304)
  waitLonger()
  const later = await get(url, key, held)
  assert.equal(later.statusCode, 200, 'a client that revalidates never keeps signatures that expire')
  assert.notEqual(later.payload, before.payload)
  assert.equal(versionOf(later.headers['etag']), versionOf(etag))
  const change = (path: string, body: object) =>
    request({ method: 'PATCH', url: `/api/v2/items/${ids.item}${path}`, key, body })
  assert.equal((await change('', { title: 'Anders' })).statusCode, 200)
  assert.equal(versionOf((await get(url, key)).headers['etag']), versionOf(etag))
  assert.equal((await change('/gallery', { images: [ids.spareImage, ids.image] })).statusCode, 200)
  const moved = await get(url, key)
  assert.notEqual(moved.headers['etag'], etag)
  const remove = (ifMatch: unknown) => request({ method: 'DELETE', url, key, headers: { 'if-match': String(ifMatch) } })
  assertProblem(await remove(etag), 412, 'precondition-failed', 'another gallery')
  assertProblem(
    await remove((await get(`/api/v2/items/${ids.item}`, key)).headers['etag']),
    412,
    'precondition-failed',
    'an item',
  )
  waitLonger()
  const removed = await remove(moved.headers['etag'])
  assert.equal(removed.statusCode, 204, 'the signatures are of no account')
  assertProblem(await remove(moved.headers['etag']), 404, 'not-found', 'it is gone')
  assertProblem(await remove('*'), 404, 'not-found', 'it is gone')
})

test('a session is deleted by the tag of any of its representations', async () => {
  const { ids, key } = await open()
  const { request, get } = service
  const made = (external_reference: string) => ({ auction: ids.auction, title: 'Nieuw', external_reference })
  for (const query of ['', '?expand[]=auction']) {
    const body = { ...made(`N${query}`), opens_at: '2099-01-01T10:00:00Z', live: { closes_at: '2099-01-01T12:00:00Z' } }
    const session = (await request({ method: 'POST', url: '/api/v2/sessions', key, body })).json<{
      data: { id: string }
    }>()
    const tag = String((await get(`/api/v2/sessions/${session.data.id}${query}`, key)).headers['etag'])
    const url = `/staff/v1/sessions/${session.data.id}`
    const remove = (ifMatch: string) => request({ method: 'DELETE', url, key, headers: { 'if-match': ifMatch } })
    assertProblem(await remove('"x"'), 412, 'precondition-failed', query)
    assert.equal((await remove(tag)).statusCode, 204, query)
  }
})

test('the version is compared after 404, and before the conflicts and rules of the request', async () => {
  const { ids, careful, context, send } = await open()
  for (const operation of operations.filter(isGuarded))
    for (const record of Object.values(operation.params!)) {
      const url = operation.urlOf({ ...ids, [record]: missingId(ids[record]) })
      assertProblem(await send(operation, '"x"', { url }), 404, 'not-found', url)
      assertProblem(await send(operation, undefined, { url, key: careful }), 404, 'not-found', url)
    }
  await changeAuction(context, ids.draftAuction.slice(4), { published: true })
  await sql`update catalogue.sessions set published = true where public_id = ${ids.draftSession.slice(4)}`.execute(
    service.db,
  )
  await sql`update catalogue.sessions set finished = true where public_id = ${ids.session.slice(4)}`.execute(service.db)
  const wrong: Record<string, [body: unknown, status: number, url?: string]> = {
    updateAuction: [{ title: null }, 409],
    updateSession: [{ title: null }, 409],
    updateLot: [{ active: true }, 409],
    updateItem: [{ external_reference: 'I-1' }, 409],
    updateImage: [{ alt: 'Van voren' }, 200],
    replaceGallery: [{ images: [missingId(ids.image)] }, 422],
    changeAuction: [{ archived: true }, 409, `/staff/v1/auctions/${ids.auction}`],
    changeSession: [{ opens_at: '2020-01-01T00:00:00Z' }, 409],
    orderLots: [{ lots: [ids.lot] }, 422],
    changeLot: [{ starting_bid: null }, 409],
    archiveItem: [{ archived: true }, 409, `/staff/v1/items/${ids.plainItem}`],
    changeSeller: [{ seller_number: 12 }, 409],
    changeCategory: [{ slug: 'paintings' }, 409],
    changeMaker: [{ name: 'Jan Sluijters' }, 409],
    changeDeliveryClass: [{ name: 'Large' }, 409],
    changeConsignment: [{ number: '2026-1' }, 409],
  }
  for (const operation of operations.filter((each) => each.method === 'PATCH' && isGuarded(each))) {
    const [body, status, url = operation.urlOf(ids)] = wrong[operation.name]!
    assert.equal((await send(operation, undefined, { body, url })).statusCode, status, operation.name)
    assertProblem(await send(operation, '"x"', { body, url }), 412, 'precondition-failed', operation.name)
    const unasked = await send(operation, undefined, { body, url, key: careful })
    assertProblem(unasked, 428, 'precondition-required', operation.name)
    assert.equal((await send(operation, '*', { body, url, key: careful })).statusCode, status)
  }
  const [item] = operations.filter(({ name }) => name === 'updateItem')
  const shape = await send(item!, '"x"', { body: { title: 1 } })
  assertProblem(shape, 422, 'validation-failed', 'the shape of the body comes first')
})

test('of two simultaneous changes of a record with one ETag, one gets 412', async () => {
  const { key, send, pathOf } = await open()
  for (const operation of operations.filter(({ name }) =>
    ['updateAuction', 'updateSession', 'updateItem'].includes(name),
  ))
    for (let round = 0; round < 5; round++) {
      const etag = await etagOf(pathOf(operation), key)
      const titles = ['one', 'other'].map((editor) => `${editor} ${round}`)
      const replies = await Promise.all(titles.map((title) => send(operation, etag, { body: { title } })))
      assert.deepEqual(
        replies.map(({ statusCode }) => statusCode).toSorted((one, other) => one - other),
        [200, 412],
        operation.name,
      )
      const done = replies.findIndex(({ statusCode }) => statusCode === 200)
      const stored = await service.read(pathOf(operation), key)
      assert.equal(stored['title'], titles[done])
      assert.equal(await etagOf(pathOf(operation), key), replies[1 - done]!.headers['etag'])
    }
})

test('a lot has another version after a change of its item; an archived one is 404, and an ETag of another generation is invalid', async () => {
  const { slug, ids, key, context, send, pathOf } = await open()
  const operation = operations.find(({ name }) => name === 'updateLot')!
  const url = pathOf(operation)
  const [plain, etag] = [await etagOf(url, key), await etagOf(`${url}?expand[]=item&expand[]=session`, key)]
  const title = { method: 'PATCH', url: `/api/v2/items/${ids.item}`, key, body: { title: 'Anders' } }
  assert.equal((await service.request(title)).statusCode, 200)
  assertProblem(await send(operation, `${etag}, ${plain}`), 412, 'precondition-failed', 'its item has changed')
  const present = await etagOf(`${url}?expand[]=images`, key)
  await renewGeneration(service.db)
  // The service looks up a key again after half a second.
  const fresh = await service.issueKey(slug)
  assertProblem(await send(operation, present, { key: fresh }), 412, 'precondition-failed', 'restored')
  assert.equal((await send(operation, await etagOf(url, fresh), { key: fresh })).statusCode, 200)
  await changeLot(context, ids.lot.slice(4), { archived: true })
  assertProblem(await send(operation, '*', { key: fresh }), 404, 'not-found', 'archived')
})
