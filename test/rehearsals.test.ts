import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { allPermissions } from '../src/context.ts'
import {
  callOf,
  expansionsOf,
  listOperations,
  missingId,
  openLiveSessions,
  readDocument,
  successOf,
  type ContractedOperation,
} from './support/contract.ts'
import { catalogueOf } from './support/lines.ts'
import { unguarded } from './support/operations.ts'
import { lockRecord, whileLocked } from './support/locks.ts'
import { form, picture, storedFiles } from './support/pictures.ts'
import { assertRehearsed, checksum, tried } from './support/rehearsing.ts'
import { startService, type Call } from './support/service.ts'

// test/support/rehearsing.ts tries each write of the other tests, refusals included, before it is sent.

const { slug, ids, lines } = catalogueOf(1)
const service = await startService({ records: lines })
after(() => service.close())
await openLiveSessions(service, [{ slug, ids }])
const key = await service.issueKey(slug)
const operations = listOperations(await readDocument(service))
const writes = operations.filter(({ method }) => method !== 'GET')
const isRehearsable = ({ parameters }: ContractedOperation) => parameters.some(({ name }) => name === 'dry_run')
const rehearsable = writes.filter(isRehearsable)

/** Database, queue and store. */
const everything = async () => [await checksum(service.db), await storedFiles(service.media)]

const ownCallOf = (operation: ContractedOperation, change?: Partial<Call>) => callOf(operation, { ids, key }, change)

/** Does what must change nothing. */
async function unchanged<T>(name: string, work: () => Promise<T>): Promise<T> {
  const before = await everything()
  const outcome = await work()
  assert.deepEqual(await everything(), before, name)
  return outcome
}

const rehearse = (call: Call) => unchanged(`${call.method} ${call.url}`, () => service.request(tried(call)))

test('every write with a JSON body that is carried out at once has dry_run; to others the parameter is unknown', async () => {
  const others = writes.filter((operation) => !isRehearsable(operation)).map(({ name }) => name)
  assert.deepEqual(
    others.filter((name) => !name.startsWith('delete')),
    ['uploadImage', 'reprocessImage'],
  )
  await unchanged('a try of what has no rehearsal', async () => {
    for (const operation of operations.filter((each) => !isRehearsable(each)))
      assert.equal((await service.request(tried(ownCallOf(operation)))).statusCode, 400, operation.name)
  })
  for (const operation of rehearsable) {
    assert.ok('Dry-Run' in operation.responses['200']!.headers!, operation.name)
    for (const value of ['', '1', 'TRUE', 'yes']) {
      const reply = await service.request(ownCallOf(operation, { url: `${operation.urlOf(ids)}?dry_run=${value}` }))
      assert.equal(reply.statusCode, 400, `${operation.name} ${value}`)
    }
  }
})

test('a rehearsal is refused like the write, and in the same order', async () => {
  const weak = await service.issueKey(slug, ['lots.read', 'auctions.read'])
  const careful = await service.issueKey(slug, allPermissions, { require_if_match: true })
  for (const operation of rehearsable) {
    const refused: [status: number, change: Partial<Call>][] = [
      [401, { key: 'ack_x' }],
      [403, { key: weak }],
      [400, { url: `${operation.urlOf(ids)}?x=1` }],
      [415, { headers: { 'content-type': 'text/plain' }, body: 'x' }],
      [400, { headers: { 'content-type': 'application/json' }, body: '{' }],
      [422, { body: { nonsense: 1 } }],
    ]
    if (operation.params) {
      const [record] = Object.values(operation.params)
      refused.push([404, { url: operation.urlOf({ ...ids, [record!]: missingId(ids[record!]) }) }])
    }
    if (operation.method === 'PATCH' && !unguarded.includes(operation.name))
      refused.push(
        [412, { headers: { 'if-match': '"x"' } }],
        [400, { headers: { 'if-match': 'x' } }],
        [428, { key: careful }],
      )
    await unchanged(operation.name, async () => {
      for (const [status, change] of refused) {
        const call = ownCallOf(operation, change)
        const rehearsal = await service.request(tried(call))
        assertRehearsed(rehearsal, await service.request(call), `${operation.name} ${JSON.stringify(change)}`)
        assert.equal(rehearsal.statusCode, status, `${operation.name} ${JSON.stringify(change)}`)
      }
    })
  }
})

test('a rehearsal gets the answer of the write, with every expansion and any Idempotency-Key, and leaves nothing', async () => {
  let created = 0
  for (const operation of rehearsable)
    for (const expansion of ['', ...expansionsOf(operation).map((name) => `?expand[]=${name}`)]) {
      const example = operation.body!(ids) as object
      // Each sale has its own slug.
      const isNamed = 'external_reference' in example && operation.method === 'POST'
      const body = isNamed ? { ...example, external_reference: `tried ${created++}` } : example
      const call = ownCallOf(operation, { url: operation.urlOf(ids) + expansion, body })
      await unchanged(call.url, async () => {
        for (const idempotency of ['', '"', 'k']) {
          const reply = await service.request(tried({ ...call, headers: { 'idempotency-key': idempotency } }))
          assert.equal(reply.statusCode, 200)
        }
      })
      const explicit = await service.request({ ...call, url: `${call.url}${expansion ? '&' : '?'}dry_run=true` })
      const reply = await service.request({ ...call, url: `${call.url}${expansion ? '&' : '?'}dry_run=false` })
      assertRehearsed(explicit, reply, `${operation.name} ${expansion}`)
      assert.equal(reply.statusCode, successOf(operation), reply.payload)
      if (reply.statusCode === 201)
        for (const { id } of [explicit.json<{ data: { id: null } }>().data].flat()) assert.equal(id, null)
    }
  const { rows } = await sql`select from catalogue.idempotency_keys`.execute(service.db)
  assert.equal(rows.length, 0)
})

test('a rehearsed session is not among the sessions of its auction, and its slug is the one that it would get now', async () => {
  const create = operations.find(({ name }) => name === 'createSession')!
  const body = { ...(create.body!(ids) as object), external_reference: 'among', auction: ids.draftAuction }
  const url = `${create.urlOf(ids)}?expand[]=auction`
  const before = await service.read<{ sessions: string[] }>(`/api/v2/auctions/${ids.draftAuction}`, key)
  const reply = await rehearse(ownCallOf(create, { url, body }))
  const { id, auction } = reply.json<{ data: { id: null; auction: typeof before } }>().data
  assert.equal(id, null)
  assert.deepEqual(auction, before)

  const auctions = operations.find(({ name }) => name === 'createAuction')!
  const slugOf = async (dry: boolean, title: string) => {
    const call = ownCallOf(auctions, { body: { title, external_reference: `${title} ${dry} ${Math.random()}` } })
    return (await service.request(dry ? tried(call) : call)).json<{ data: { slug: string } }>().data.slug
  }
  const slugs = []
  for (const dry of [true, true, false, true, false]) slugs.push(await slugOf(dry, 'Sluggish'))
  assert.deepEqual(slugs, ['sluggish', 'sluggish', 'sluggish', 'sluggish-2', 'sluggish-2'])
})

test('a rehearsal waits for the locks of the write, and sees the changes of their holder', async () => {
  const title = { method: 'PATCH', url: `/api/v2/items/${ids.plainItem}`, key, body: { condition: 'goed' } }
  const [outcome] = await whileLocked(
    service.db,
    async (tx) => {
      await lockRecord(tx, 'items', ids.plainItem.slice(4))
      await sql`update catalogue.items set title = 'Gelijktijdig', revision = revision + 1
        where public_id = ${ids.plainItem.slice(4)}`.execute(tx)
    },
    () => service.request(tried(title)),
  )
  assert.ok(outcome?.status === 'fulfilled')
  const { data } = outcome.value.json<{ data: Record<string, unknown> }>()
  assert.deepEqual([data['title'], data['condition']], ['Gelijktijdig', 'goed'])
  assert.notEqual((await service.read(`/api/v2/items/${ids.plainItem}`, key))['condition'], 'goed')
})

test('a rehearsal of a gallery moves no file', async () => {
  const jpeg = await picture()
  const { headers, body } = form(['external_reference', 'moved'], ['public', 'false'], ['file', jpeg, 'a.jpg'])
  const url = `/api/v2/items/${ids.item}/images`
  const uploaded = await service.request({ method: 'POST', url, key, headers, body })
  assert.equal(uploaded.statusCode, 201, uploaded.payload)
  const { id } = uploaded.json<{ data: { id: string } }>().data
  const gallery = { method: 'PATCH', url: `/api/v2/items/${ids.item}/gallery`, key }
  for (const change of [{ images: [id], featured: id }, { images: [] }, { featured: missingId(id) }]) {
    const call = { ...gallery, body: change }
    const rehearsal = await rehearse(call)
    assertRehearsed(rehearsal, await service.request(call), JSON.stringify(change))
  }
})
