import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { pino } from 'pino'
import { createApp } from '../src/app.ts'
import { allPermissions } from '../src/context.ts'
import { openDatabase } from '../src/db/pool.ts'
import { forgetOldAnswers } from '../src/houses/tasks.ts'
import { listJobs } from '../src/jobs/jobs.ts'
import { makeArchive, restoreInto } from './support/backups.ts'
import { successOf } from './support/contract.ts'
import { catalogueOf } from './support/lines.ts'
import { lockRecord, whileLocked } from './support/locks.ts'
import { unguarded } from './support/operations.ts'
import { form, picture } from './support/pictures.ts'
import { tried } from './support/rehearsing.ts'
import { assertProblem, openRepeating, type Reply } from './support/repeating.ts'
import { publicUrl, startService, steady, type Call } from './support/service.ts'

const houses = Array.from({ length: 8 }, (_, at) => catalogueOf(at + 1))
const service = await startService({ records: houses.flatMap(({ lines }) => lines) })
const { keyrings, media } = service
const second = openDatabase(service.connection, 4)
const otherInstance = await createApp({
  ...steady,
  db: second.db,
  keyrings,
  media,
  publicUrl,
  rateLimitPerMinute: 0,
  cacheBytes: 0,
  windows: { in: 'memory' },
  logger: pino({ level: 'silent' }),
})
after(async () => {
  await otherInstance.close()
  await second.pool.end()
  await service.close()
})
const { operations, writes, find, state, openHouse, assertReplayed } = await openRepeating(service, houses)

test('every write takes and documents a key; a repetition gets the first answer and writes nothing', async () => {
  const { ids, callOf } = await openHouse(0)
  for (const operation of operations) {
    const takes = operation.parameters.some((each) => each.in === 'header' && each.name === 'Idempotency-Key')
    assert.equal(takes, operation.method !== 'GET', operation.name)
  }
  for (const operation of writes) {
    const call = callOf(operation, operation.name)
    const first = await service.request(call)
    assert.equal(first.statusCode, successOf(operation), `${operation.name} ${first.payload}`)
    assert.equal(first.headers['idempotent-replayed'], undefined)
    const documented = operation.responses[first.statusCode]!.headers!
    assert.ok('Idempotent-Replayed' in documented, operation.name)
    assert.ok('409' in operation.responses && '422' in operation.responses, operation.name)

    const repetitions = [call, callOf(operation, `"${operation.name}"`)]
    for (const ifMatch of ['"x"', '*'])
      repetitions.push(callOf(operation, operation.name, { headers: { 'if-match': ifMatch } }))
    const example = operation.body?.(ids) as object | undefined
    if (example) {
      const turned = JSON.stringify(Object.fromEntries(Object.entries(example).toReversed()), null, 3)
      const headers = { 'content-type': 'application/json' }
      repetitions.push(callOf(operation, operation.name, { body: turned, headers }))
    }
    await assertReplayed(first, operation.name, ...repetitions)

    const others: Partial<Call>[] = [{ url: `${call.url}?expand[]=images` }, { url: `${call.url}?dry_run=false` }]
    if (example) others.push({ body: { ...example, title: 'Anders', active: false } })
    const before = await state()
    for (const change of others) {
      const reply = await service.request(callOf(operation, operation.name, change))
      // The operation itself refuses some of these before it compares the key.
      if (reply.json<{ type: string }>().type.endsWith('/idempotency-key-reused')) assert.equal(reply.statusCode, 422)
      else assert.match(reply.payload, /invalid-parameter|validation-failed/, operation.name)
    }
    assert.deepEqual(await state(), before, operation.name)
  }
  const reused = callOf(find('createItem'), 'createAuction')
  assertProblem(await service.request(reused), 422, 'idempotency-key-reused', 'another path')
  const body = { ...(find('createItem').body!(ids) as object), title: 'Anders', translations: {} }
  const other = callOf(find('createItem'), 'createItem', { body })
  assertProblem(await service.request(other), 422, 'idempotency-key-reused', 'another body')
  const expanded = callOf(find('createItem'), 'createItem', { url: '/api/v2/items?expand[]=images' })
  assertProblem(await service.request(expanded), 422, 'idempotency-key-reused', 'another query')
})

test('an upload is the same if its fields and the content of its file are, whatever the name of the file or the boundary', async () => {
  const { ids, key } = await openHouse(1)
  const [jpeg, another] = [await picture(), await picture('#112233')]
  const url = `/api/v2/items/${ids.plainItem}/images`
  const upload = (name: string, ...parts: Parameters<typeof form>) => {
    const { headers, body } = form(...parts)
    return { method: 'POST', url, key, body, headers: { ...headers, 'idempotency-key': name } }
  }
  const [reference, visible] = [
    ['external_reference', 'u'],
    ['public', 'true'],
  ] as [[string, string], [string, string]]
  const first = await service.request(upload('u', reference, visible, ['file', jpeg, 'a.jpg']))
  assert.equal(first.statusCode, 201, first.payload)
  const same = upload('u', reference, visible, ['file', jpeg, 'a.jpg'])
  await assertReplayed(first, 'the same', upload('u', visible, ['file', jpeg, 'b.jpg'], reference), same)
  for (const parts of [
    [reference, visible, ['file', another, 'a.jpg']],
    [reference, ['file', jpeg, 'a.jpg']],
    [['external_reference', 'v'], visible, ['file', jpeg, 'a.jpg']],
  ] as Parameters<typeof form>[]) {
    const before = await state()
    assertProblem(await service.request(upload('u', ...parts)), 422, 'idempotency-key-reused', 'another upload')
    assert.deepEqual(await state(), before)
  }
  await sql`update catalogue.items set archived = true where public_id = ${ids.plainItem.slice(4)}`.execute(service.db)
  await assertReplayed(first, 'its item is archived', same)
  const late = await service.request(upload('late', reference, visible, ['file', jpeg, 'a.jpg']))
  assertProblem(late, 404, 'not-found', 'the item of a new upload is looked for')
})

test('the present state of the record does not matter: it was changed, published, archived or deleted', async () => {
  const { ids, key, callOf } = await openHouse(2)
  const firsts = new Map<string, Reply>()
  const careful = await service.issueKey(houses[2]!.slug, allPermissions, { require_if_match: true })
  for (const operation of writes) firsts.set(operation.name, await service.request(callOf(operation, operation.name)))
  const change = { method: 'PATCH', url: `/api/v2/items/${ids.plainItem}`, key, body: { title: 'Later' } }
  assert.equal((await service.request(change)).statusCode, 200)
  const { id } = await findHouseId(ids.item)
  await sql`update catalogue.auctions set published = true where house_id = ${id}`.execute(service.db)
  await sql`update catalogue.sessions set finished = true, published = true where house_id = ${id}`.execute(service.db)
  for (const table of ['auctions', 'lots', 'items'])
    await sql`update ${sql.table(`catalogue.${table}`)} set archived = true where house_id = ${id}`.execute(service.db)
  // Another record has the reference, or the session is published; the others are archived or deleted.
  const isInConflict = (name: string) =>
    name.startsWith('create') || ['updateSession', 'changeSession', 'delaySession', 'addLots'].includes(name)
  const refusals: Record<string, number> = { recordResults: 422 }
  for (const name of unguarded) refusals[name] = 422
  // What repeats the stored state changes nothing.
  Object.assign(refusals, { orderLots: 200, archiveItem: 200 })
  const refusalOf = (name: string) => refusals[name] ?? (isInConflict(name) ? 409 : 404)
  for (const operation of writes) {
    const first = firsts.get(operation.name)!
    assert.equal(first.statusCode, successOf(operation), `${operation.name} ${first.payload}`)
    const call = callOf(operation, operation.name)
    await assertReplayed(first, operation.name, call, { ...call, key: careful })
    const anew = await service.request(callOf(operation, `new ${operation.name}`))
    assert.equal(anew.statusCode, refusalOf(operation.name), `${operation.name} ${anew.payload}`)
  }
})

async function findHouseId(item: string): Promise<{ id: string }> {
  const { rows } = await sql<{ id: string }>`
    select house_id as id from catalogue.items where public_id = ${item.slice(4)}`.execute(service.db)
  return rows[0]!
}

test('a refused request leaves nothing, and may be repeated with its key; the same key of another house is another key', async () => {
  const [{ callOf, ids }, other] = [await openHouse(3), await openHouse(4)]
  const create = find('createItem')
  const body = {
    ...(create.body!(ids) as object),
    seller: undefined,
    consignment: 'con_00000000-0000-4000-8000-999999999999',
  }
  assertProblem(await service.request(callOf(create, 'k', { body })), 422, 'validation-failed', 'a rule')
  const taken = { external_reference: 'I-1', title: 'x' }
  assertProblem(await service.request(callOf(create, 'k', { body: taken })), 409, 'duplicate-reference', 'a conflict')
  const first = await service.request(callOf(create, 'k'))
  assert.equal(first.statusCode, 201, first.payload)
  const theirs = await service.request(other.callOf(create, 'k'))
  assert.equal(theirs.statusCode, 201, theirs.payload)
  await assertReplayed(first, 'ours', callOf(create, 'k'))
  await assertReplayed(theirs, 'theirs', other.callOf(create, 'k'))
  const again = await service.issueKey(houses[3]!.slug)
  await assertReplayed(first, 'another key of the house', callOf(create, 'k', { key: again }))
  assert.equal((await service.request(tried(callOf(create, 'k')))).statusCode, 409, 'a rehearsal looks for no answer')
})

test('the key, permissions, query, syntax and shape are checked first; on GET the header is ignored', async () => {
  const { callOf, key, ids, slug } = await openHouse(3)
  const weak = await service.issueKey(slug, ['lots.read', 'auctions.read'])
  const bare = await service.issueKey(slug, ['lots.read', 'lots.write'])
  const create = find('createItem')
  assertProblem(await service.request(callOf(create, 'k', { key: 'ack_x' })), 401, 'unauthorized', 'no key')
  assertProblem(
    await service.request(callOf(create, 'k', { key: weak })),
    403,
    'missing-permission',
    'of the operation',
  )
  assertProblem(await service.request(callOf(create, 'k', { key: bare })), 403, 'missing-permission', 'of the body')
  const unknown = callOf(create, 'k', { url: '/api/v2/items?x=1' })
  assertProblem(await service.request(unknown), 400, 'invalid-parameter', 'the query')
  const headers = { 'content-type': 'application/json' }
  assertProblem(await service.request(callOf(create, 'k', { body: '{', headers })), 400, 'malformed-json', 'the syntax')
  for (const operation of writes.filter(({ body }) => body))
    assertProblem(
      await service.request(callOf(operation, 'k', { body: { nonsense: 1 } })),
      422,
      'validation-failed',
      `${operation.name}: another shape is no other request`,
    )
  const refuse = async (operation: typeof create, wrong: string) =>
    assertProblem(
      await service.request(callOf(operation, wrong)),
      400,
      'invalid-parameter',
      `${operation.name} ${JSON.stringify(wrong)}`,
    )
  for (const operation of writes) await refuse(operation, '"x')
  for (const wrong of ['', '"', 'x'.repeat(256), 'é', '"a"b', '"\\x"', '"a", "b"', '\t']) await refuse(create, wrong)
  for (const [index, right] of [
    'x'.repeat(255),
    `"${'x'.repeat(254)}y"`,
    'a b',
    'a"b',
    '~',
    '"\\"\\\\"',
    'a, b',
  ].entries()) {
    const body = { external_reference: `right ${index}`, title: 'x' }
    const reply = await service.request(callOf(create, right, { body }))
    assert.equal(reply.statusCode, 201, right)
    await assertReplayed(reply, right, callOf(create, right, { body }))
  }
  const escaped = callOf(create, '"\\\\"', { body: { external_reference: 'escaped', title: 'x' } })
  const plain = { ...escaped, headers: { ...escaped.headers, 'idempotency-key': '\\' } }
  await assertReplayed(await service.request(escaped), 'a backslash is escaped in a string', plain)
  const read = await service.get(`/api/v2/items/${ids.item}`, key, { 'idempotency-key': '"' })
  assert.equal(read.statusCode, 200)
})

test('during the first request the same key is 409 with Retry-After on each instance, and then answered', async () => {
  const { callOf, ids, key } = await openHouse(5)
  const rename = callOf(find('updateItem'), 'waits')
  const inject = (call: Call) =>
    otherInstance.inject({
      method: call.method as 'PATCH',
      url: call.url,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...call.headers },
      payload: JSON.stringify(call.body),
    })
  let meanwhile: Reply[] = []
  const [first] = await whileLocked(
    service.db,
    (tx) => lockRecord(tx, 'items', ids.plainItem.slice(4)),
    () => service.request(rename),
    // The last one is the test itself, which waits for the lock too.
    async () => {
      const other = callOf(find('createItem'), 'waits')
      meanwhile = [await service.request(rename), await inject(rename), await service.request(other)]
      return service.request(callOf(find('updateItem'), 'another'))
    },
  )
  for (const reply of meanwhile) {
    assertProblem(reply, 409, 'idempotency-key-in-use', 'under way')
    assert.equal(reply.headers['retry-after'], '1')
  }
  assert.ok(first?.status === 'fulfilled' && first.value.statusCode === 200)
  await assertReplayed(first.value, 'afterwards', rename)
  const elsewhere = await inject(rename)
  assert.equal(elsewhere.payload, first.value.payload)
})

test('of the same requests at once, on two instances, one is carried out', async () => {
  const { callOf, key } = await openHouse(5)
  const create = find('createItem')
  for (let round = 0; round < 10; round++) {
    const reference = `at once ${round}`
    const call = callOf(create, reference, { body: { external_reference: reference, title: 'x' } })
    const send = (at: number) =>
      (at % 2 === 0 ? service.app : otherInstance).inject({
        method: 'POST',
        url: call.url,
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...call.headers },
        payload: JSON.stringify(call.body),
      })
    const replies = await Promise.all(Array.from({ length: 6 }, (_, at) => send(at)))
    assert.ok(replies.every(({ statusCode }) => statusCode === 201 || statusCode === 409))
    const bodies = new Set(replies.filter(({ statusCode }) => statusCode === 201).map(({ payload }) => payload))
    assert.equal(bodies.size, 1)
    for (const reply of replies.filter(({ statusCode }) => statusCode === 409))
      assertProblem(reply, 409, 'idempotency-key-in-use', reference)
    assert.equal(
      (await service.walk(`/api/v2/items?external_reference=${encodeURIComponent(reference)}`, key)).length,
      1,
    )
  }
})

test('a job forgets answers after a day and not before, of every house, and runs again', async () => {
  const [{ callOf }, other] = [await openHouse(6), await openHouse(7)]
  const first = await service.request(callOf(find('createItem'), 'old'))
  assert.equal((await service.request(other.callOf(find('createItem'), 'old'))).statusCode, 201)
  const day = 24 * 3_600_000
  const forget = (time: Date, later: number) => {
    const now = () => new Date(time.getTime() + day + later)
    return forgetOldAnswers({ db: service.db, media, clock: now, isLastAttempt: false })
  }
  const stored = await sql<{ first: Date; last: Date }>`
    select min(created_at) as first, max(created_at) as last from catalogue.idempotency_keys`.execute(service.db)
  const { first: oldest, last: newest } = stored.rows[0]!
  const count = async () => (await sql`select from catalogue.idempotency_keys`.execute(service.db)).rows.length
  const before = await count()
  await forget(oldest, -1_000)
  assert.equal(await count(), before)
  await assertReplayed(first, 'within the day', callOf(find('createItem'), 'old'))
  // More than one statement deletes.
  const { rows } = await sql<{
    house: string
  }>`select house_id as house from catalogue.idempotency_keys limit 1`.execute(service.db)
  await sql`insert into catalogue.idempotency_keys (house_id, key, request, status, created_at)
    select ${rows[0]!.house}::bigint, 'many ' || n, '', 204, '2026-01-01' from generate_series(1, 12000) n`.execute(
    service.db,
  )
  await forget(newest, 1_000)
  assert.equal(await count(), 0)
  const due = (await listJobs(service.db, { failed: false })).filter(({ task }) => task === 'forget_answers')
  assert.equal(due.length, 1)
  assertProblem(await service.request(callOf(find('createItem'), 'old')), 409, 'duplicate-reference', 'a new request')
})

test('large answers are stored up to 4 GiB per house; then a key is 429 and nothing is written, until a day has passed', async () => {
  const { callOf, ids } = await openHouse(7)
  const change = (name: string | undefined, description: string): Call => {
    const { headers = {}, ...call } = callOf(find('updateItem'), name ?? '', { body: { description } })
    return { ...call, headers: name === undefined ? {} : headers }
  }
  const large = 'Vaas '.repeat(4_000)
  const first = await service.request(change('large', large))
  assert.equal(first.statusCode, 200)
  const { id: house } = await findHouseId(ids.item)
  await sql`insert into catalogue.idempotency_keys (house_id, key, request, status, body, created_at)
    values (${house}, 'huge 0', '', 200, repeat('x', 16 * 1024 * 1024), now())`.execute(service.db)
  await sql`insert into catalogue.idempotency_keys (house_id, key, request, status, body, created_at)
    select house_id, 'huge ' || n, request, status, body, created_at
    from catalogue.idempotency_keys, generate_series(1, 255) n where house_id = ${house} and key = 'huge 0'`.execute(
    service.db,
  )

  const refused = await service.request(change('larger', `${large}!`))
  assertProblem(refused, 429, 'rate-limit-exceeded', 'no room')
  assert.equal(refused.headers['retry-after'], '3600')
  const { url, key } = change(undefined, '')
  const present = await service.request({ url, key })
  assert.equal(present.payload, first.payload, 'nothing was written')
  const replayed = await service.request(change('large', large))
  assert.equal(replayed.payload, first.payload)
  assert.equal(replayed.headers['idempotent-replayed'], 'true')
  assert.equal((await service.request(change('small', 'Vaas'))).statusCode, 200)
  assert.equal((await service.request(change(undefined, large))).statusCode, 200)

  const now = () => new Date(Date.now() + 25 * 3_600_000)
  await forgetOldAnswers({ db: service.db, media, clock: now, isLastAttempt: false })
  assert.equal((await service.request(change('larger', `${large}!`))).statusCode, 200)
})

test('after a restore, writes in the backup are known, and lost ones can be repeated', async (t) => {
  const { slug, lines, ids } = houses[0]!
  const source = await startService({ records: lines })
  t.after(() => source.close())
  const key = await source.issueKey(slug)
  const callOf = (reference: string) => ({
    method: 'POST',
    url: '/api/v2/items',
    key,
    body: { external_reference: reference, title: 'x', seller: ids.seller },
    headers: { 'idempotency-key': reference },
  })
  const before = await source.request(callOf('before'))
  const { archive } = await makeArchive(source)
  assert.equal((await source.request(callOf('lost'))).statusCode, 201)
  const restored = await startService()
  t.after(() => restored.close())
  await restoreInto(restored, archive)
  const again = await restored.request(callOf('before'))
  assert.deepEqual([again.payload, again.headers['idempotent-replayed']], [before.payload, 'true'])
  const lost = await restored.request(callOf('lost'))
  assert.deepEqual([lost.statusCode, lost.headers['idempotent-replayed']], [201, undefined])
})
