import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { after, test } from 'node:test'
import { picture } from '../../../test/support/pictures.ts'
import { Conflict, cursor, etag } from '../src/index.ts'
import { createNetwork } from './network.ts'
import { serveCatalogue } from './service.ts'

const { service, ids, catalogue, connect, close } = await serveCatalogue()
after(close)

const document = (await service.request({ url: '/api/v2/openapi.json' })).payload
const needsKeys = { skip: document.includes('"Idempotency-Key"') ? false : 'the service knows no Idempotency-Key' }
const needsChanges = { skip: document.includes('"/api/v2/changes"') ? false : 'the service has no /changes' }

const file = new Blob([new Uint8Array(await picture())])
const losing = () => connect(createNetwork('lost'))
const count = async (external_reference: string) =>
  (await catalogue.items.list({ external_reference }).page()).data.length

test('a write whose answer is lost is repeated and answered, and done once', needsKeys, async () => {
  const item = await losing().items.create({ external_reference: 'K-1', title: 'Vaas' })
  assert.equal(item.title, 'Vaas')
  assert.equal(item[etag], undefined)
  assert.equal(await count('K-1'), 1)
  const auction = await losing().auctions.create({ external_reference: 'K-1', title: 'Winter' })
  assert.equal((await losing().auctions.update(auction.id, { title: 'Lente' })).title, 'Lente')
  const image = await losing().images.upload(item.id, { file, external_reference: 'K-1' })
  assert.equal((await catalogue.images.list(item.id).page()).data.length, 1)
  await losing().images.delete(item.id, image.id)
  assert.equal((await catalogue.images.list(item.id).page()).data.length, 0)
})

test('another process settles a write under the same key', needsKeys, async () => {
  const body = { external_reference: 'K-2', title: 'Vaas' }
  const killed = connect({ ...createNetwork('lost'), retries: 0 })
  await assert.rejects(killed.items.create(body, { idempotencyKey: 'journal-2' }), { uncertain: true })
  const item = await connect().items.create(body, { idempotencyKey: 'journal-2' })
  assert.equal(item.external_reference, 'K-2')
  assert.equal(await count('K-2'), 1)
})

test('the client gets encoded answers, with the tags of the encoding', async () => {
  const read = await catalogue.items.get(ids.item)
  const changed = await catalogue.items.update(ids.item, { weight: '4 kg' }, { ifMatch: read[etag] })
  assert.equal(changed.weight, '4 kg')
  for (const record of [read, changed]) assert.match(String(record[etag]), /\.(gz|br|zst)"$/)
})

test('the ETag of the read or the write before it guards a change', needsKeys, async () => {
  const read = await catalogue.items.get(ids.item)
  const first = await catalogue.items.update(ids.item, { weight: '1 kg' }, { ifMatch: read[etag] })
  const second = await catalogue.items.update(ids.item, { weight: '2 kg' }, { ifMatch: first[etag] })
  await assert.rejects(catalogue.items.update(ids.item, { weight: '3 kg' }, { ifMatch: read[etag] }), (error) => {
    assert.ok(error instanceof Conflict)
    return error.code === 'precondition-failed' && !error.uncertain
  })
  assert.equal((await catalogue.items.get(ids.item)).weight, '2 kg')
  const expanded = await catalogue.items.get(ids.item, { expand: ['images'] })
  await catalogue.images.replaceGallery(ids.item, { featured: null }, { ifMatch: expanded[etag] })
  await assert.rejects(catalogue.images.replaceGallery(ids.item, {}, { ifMatch: second[etag] }), Conflict)
  const image = await catalogue.images.get(ids.item, ids.spareImage)
  await assert.rejects(catalogue.images.delete(ids.item, ids.spareImage, { ifMatch: '"other"' }), Conflict)
  await catalogue.images.delete(ids.item, ids.spareImage, { ifMatch: image[etag] })
})

test('a dry run returns the outcome, and stores nothing', needsKeys, async () => {
  const rehearsed = await catalogue.items.create({ external_reference: 'K-3', title: 'Vaas' }, { dryRun: true })
  assert.deepEqual([rehearsed.id, rehearsed.title], [null, 'Vaas'])
  assert.equal(await count('K-3'), 0)
  assert.equal((await catalogue.items.update(ids.plainItem, { title: 'Anders' }, { dryRun: true })).title, 'Anders')
  assert.equal((await catalogue.items.get(ids.plainItem)).title, 'Vaas')
  await assert.rejects(catalogue.items.create({ external_reference: 'I-1', title: 'x' }, { dryRun: true }), Conflict)
})

test('on a bad network every record is stored once in the end', needsKeys, async (context) => {
  const { catalogue, connect, ids, close } = await serveCatalogue({ faults: { seed: 'client', rate: 0.3 } })
  context.after(close)
  const patient = connect({ retries: 30 })
  const references = Array.from({ length: 16 }, (_, index) => `F-${index}`)
  const created = await Promise.all(
    references.map(async (external_reference, index) => {
      const item = await patient.items.create({ external_reference, title: 'Vaas' })
      await patient.items.update(item.id, { weight: `${index} kg` })
      if (index % 8 === 0) await patient.images.upload(item.id, { file, external_reference })
      return item.id
    }),
  )
  const found = new Map<string, string | null>()
  for await (const item of patient.items.list({ expand: ['images'] })) {
    if (!item.external_reference?.startsWith('F-')) continue
    const index = references.indexOf(item.external_reference)
    assert.equal(item.images.length, index % 8 === 0 ? 1 : 0)
    found.set(item.id, item.weight)
  }
  assert.deepEqual(new Set(found.keys()), new Set(created))
  assert.equal(new Set(found.values()).size, references.length)
  assert.ok((await catalogue.items.get(ids.item).catch(() => undefined)) !== null)
})

async function readAll(after?: string) {
  const changes = []
  for await (const change of catalogue.changes({ after })) changes.push(change)
  return changes
}

test(
  'the changes from the beginning have every record, those after a cursor every later change',
  needsChanges,
  async () => {
    const all = await readAll()
    const items = new Set(all.flatMap((change) => (change.type === 'item' && !change.deleted ? [change.id] : [])))
    for await (const item of catalogue.items.list()) assert.ok(items.has(item.id))
    const last = all.at(-1)![cursor]
    assert.deepEqual(await readAll(last), [])
    await catalogue.items.update(ids.plainItem, { condition: 'gaaf' })
    const change = (await readAll(last)).find(({ type }) => type === 'item')
    assert.deepEqual([change?.id, change?.deleted], [ids.plainItem, false])

    const page = await catalogue.changes({ types: ['item'], limit: 1, expand: ['record'] }).page()
    assert.equal(page.data[0]!.record!.id, page.data[0]!.id)
    assert.ok(page.hasMore && page.nextCursor !== null && (await page.next())!.data.length === 1)
  },
)

test('a follower gets changes as they happen, until a signal', needsChanges, async () => {
  const after = (await readAll()).at(-1)![cursor]
  const controller = new AbortController()
  const seen = new Set<unknown>()
  const reason = new Error('enough')
  async function follow() {
    for await (const change of catalogue.changes({ after, follow: true }, { signal: controller.signal })) {
      seen.add(change.id)
      if (change.id === ids.plainItem) await catalogue.lots.update(ids.lot, { active: true })
      if (change.id === ids.lot) controller.abort(reason)
    }
  }
  const following = follow()
  await catalogue.items.update(ids.plainItem, { condition: 'met een chip' })
  await assert.rejects(following, reason)
  assert.ok(seen.has(ids.plainItem))
})

test('the fingerprint is the sum of the versions in the changes', needsChanges, async () => {
  const rows = (await readAll()).filter(({ deleted }) => !deleted)
  const sum = rows
    .map(({ type, id, version }) => BigInt(`0x${hash('sha256', `${type} ${id ?? ''} ${version}`).slice(0, 32)}`))
    .reduce((one, other) => (one + other) % 2n ** 128n, 0n)
  const { fingerprint, counts } = await catalogue.fingerprint()
  assert.equal(fingerprint, sum.toString(16).padStart(32, '0'))
  assert.equal(counts.item, rows.filter(({ type }) => type === 'item').length)
})
