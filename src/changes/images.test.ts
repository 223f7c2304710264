import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { catalogueOf, houseLine, uuid, type Line } from '../../test/support/lines.ts'
import { createMirror, type Page, type Row } from '../../test/support/mirror.ts'
import { form, picture, storedFiles, workOff } from '../../test/support/pictures.ts'
import { startService } from '../../test/support/service.ts'
import { inTransactionOnce } from '../writes/transaction.ts'
import { findHouse } from '../houses/locks.ts'
import { cleanStore } from '../images/clean-store.ts'
import { insertImage } from '../images/statements.ts'
import { numberAllChanges } from './numbering.ts'
import { contextNow } from '../context.ts'

const { slug, ids, lines } = catalogueOf(1)
const theirs = catalogueOf(2)
const service = await startService({ records: [...lines, ...theirs.lines] })
after(() => service.close())
const key = await service.issueKey(slug)
const house = (await findHouse(service.db, slug))!

async function ask<T>(path: string): Promise<T> {
  const reply = await service.get(`/api/v2${path}`, key)
  assert.equal(reply.statusCode, 200, `${path} ${reply.payload}`)
  return reply.json<T>()
}

const mirror = createMirror(ask, ['image'])
const usual = createMirror(ask)
const all = createMirror(ask, ['auction', 'session', 'lot', 'item', 'image', 'maker'])

async function send(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
  const reply = await service.request({ method, url: `/api/v2/${path}`, key, body, headers })
  assert.equal(reply.statusCode, { POST: 201, PATCH: 200, DELETE: 204 }[method], reply.payload)
  return reply
}

async function rest(): Promise<Row[]> {
  const rows: Row[] = []
  for (;;) {
    const page = await mirror.step()
    rows.push(...page.data)
    if (!page.has_more) return rows
  }
}

/** The rows of images that a write adds to the feed: the id, with `deleted`. Then proves the mirrors. */
async function rowsOf(write: () => Promise<unknown>): Promise<string[]> {
  await mirror.follow()
  await write()
  const rows = await rest()
  for (const each of [mirror, usual, all]) {
    await each.follow()
    await each.prove()
  }
  return rows.map(({ id, deleted }) => `${id}${deleted ? ' deleted' : ''}`).toSorted()
}

const { image, secondImage, spareImage, item, plainItem } = ids

async function upload(visible: boolean, bytes?: Buffer): Promise<string> {
  const parts: Parameters<typeof form> = [
    ['external_reference', crypto.randomUUID()],
    ['public', String(visible)],
    ['file', bytes ?? (await picture()), 'a.jpg'],
  ]
  const file = form(...parts)
  const reply = await send('POST', `items/${item}/images`, file.body, file.headers)
  return reply.json<{ data: { id: string } }>().data.id
}

const remove = (id: string, of = item) => send('DELETE', `items/${of}/images/${id}`)

test('only requests that name images get them, each row with its item, and each record as its own read gives it', async () => {
  for (const path of ['/changes?limit=100', '/changes?limit=100&expand[]=record'])
    assert.ok((await ask<Page>(path)).data.every(({ type, ...row }) => type !== 'image' && !('item' in row)))
  const { data } = await ask<Page>('/changes?types[]=image&expand[]=record')
  assert.deepEqual(new Set(data.map(({ id }) => id)), new Set([image, secondImage, spareImage]))
  for (const row of data) {
    assert.deepEqual([row.type, row.item, row.deleted], ['image', item, false])
    assert.deepEqual(row.record, (await ask<{ data: unknown }>(`/items/${item}/images/${row.id}`)).data)
  }
  assert.ok(!('image' in (await ask<{ counts: object }>('/changes/fingerprint')).counts))
  assert.deepEqual((await ask<{ counts: object }>('/changes/fingerprint?types[]=image')).counts, { image: 3 })
})

test('an upload, its processing, its failure and its reprocessing change the image, private or public', async () => {
  for (const visible of [false, true]) {
    let id = ''
    const added = await rowsOf(async () => (id = await upload(visible)))
    assert.deepEqual(added, [id])
    assert.deepEqual(await rowsOf(() => workOff(service)), [id])
    const again = () =>
      service.request({ method: 'POST', url: `/api/v2/items/${item}/images/${id}/reprocess`, key, body: {} })
    assert.deepEqual(await rowsOf(again), [id])
    for (const file of await storedFiles(service.media))
      if (file.startsWith('originals/')) await service.media.delete(file)
    assert.deepEqual(await rowsOf(() => workOff(service)), [id])
    const { data } = await ask<{ data: { processing_failure: unknown } }>(`/items/${item}/images/${id}`)
    assert.notEqual(data.processing_failure, null)
    assert.deepEqual(await rowsOf(() => remove(id)), [`${id} deleted`])
  }
})

test('a new gallery changes the images whose place or publicity changes, and the moves of files change them again', async () => {
  const replace = (images: string[]) => () => send('PATCH', `items/${item}/gallery`, { images })
  assert.deepEqual(await rowsOf(replace([secondImage, image])), [image, secondImage])
  assert.deepEqual(await rowsOf(replace([secondImage, image])), [])
  assert.deepEqual(await rowsOf(replace([secondImage, image, spareImage])), [spareImage])
  assert.deepEqual(await rowsOf(replace([image, secondImage])), [image, secondImage, spareImage].toSorted())
  const stored = await upload(true)
  await workOff(service)
  assert.deepEqual(await rowsOf(replace([image, secondImage])), [stored])
  assert.deepEqual(await rowsOf(() => workOff(service)), [stored])
  await rowsOf(() => remove(stored))
})

test('a deleted image keeps its id and item in its row, and moves the images behind it to other places', async () => {
  const added = await upload(true)
  assert.deepEqual(await rowsOf(() => remove(image)), [added, `${image} deleted`, secondImage].toSorted())
  const rows = (await ask<Page>('/changes?types[]=image&expand[]=record&limit=100')).data
  assert.deepEqual(
    rows.find(({ id }) => id === image),
    { type: 'image', id: image, item, version: null, deleted: true, changed_at: null, record: null },
  )
  await rowsOf(() => remove(added))
})

test('an image that is uploaded and deleted between two reads has no row', async () => {
  let id = ''
  const rows = await rowsOf(async () => {
    id = await upload(false)
    await remove(id)
  })
  assert.deepEqual(rows, [])
})

test('archiving an item deletes the rows of its images, and they keep their item', async () => {
  const of = `itm_${uuid(1_700)}`
  const photo = `img_${uuid(1_701)}`
  const records: Line[] = [
    { type: 'item', id: of, title: 'Weg' },
    { type: 'image', id: photo, item: of },
    { type: 'item', id: uuid(1_702), ref: 'old', title: 'Oud', archived: true },
    { type: 'image', item: 'old' },
  ]
  assert.deepEqual(await rowsOf(() => service.load([houseLine(slug), ...records])), [photo])
  await mirror.follow()
  const archive = (archived: boolean) =>
    sql`update catalogue.items set archived = ${archived}, revision = revision + 1
      where house_id = ${house.id} and public_id = ${of.slice(4)}`.execute(service.db)
  await archive(true)
  await numberAllChanges(service)
  const [row] = await rest()
  assert.deepEqual([row!.id, row!.item, row!.deleted, row!.version], [photo, of, true, null])
  await mirror.prove()
  assert.deepEqual(await rowsOf(() => archive(false).then(() => numberAllChanges(service))), [photo])
})

test('a load into stored items marks the images that it adds, and those that it moves in a gallery', async () => {
  const line = (number: number, fields: object) => ({ type: 'image', id: uuid(number), ...fields })
  const load = (fields: object, number: number) => rowsOf(() => service.load([houseLine(slug), line(number, fields)]))
  assert.deepEqual(await load({ item: plainItem }, 1_710), [`img_${uuid(1_710)}`])
  assert.deepEqual(
    await load({ item, public: true, position: 0, created_at: '1999-01-01T00:00:00Z' }, 1_711),
    [secondImage, `img_${uuid(1_711)}`].toSorted(),
  )
})

test('a change that no read of an image shows leaves no row', async () => {
  await upload(true)
  await workOff(service)
  assert.deepEqual(await rowsOf(() => send('PATCH', `items/${item}`, { description: 'Anders' })), [])
  await sql`update catalogue.images set renditions_bytes = null where house_id = ${house.id}`.execute(service.db)
  const later = () => new Date(Date.now() + 2 * 24 * 60 * 60 * 1000)
  const clean = () => cleanStore({ db: service.db, media: service.media, clock: later, isLastAttempt: false })
  assert.deepEqual(await rowsOf(clean), [])
})

test('images of two items may share an id; two of one item are defective until they differ', async () => {
  const shared = `img_${uuid(1_720)}`
  const add = (of: string, reference: string) =>
    service.load([houseLine(slug), { type: 'image', id: shared, item: of, external_reference: reference }])
  assert.deepEqual(await rowsOf(() => add(item, 'a')), [shared])
  assert.deepEqual(await rowsOf(() => add(plainItem, 'b')), [shared])
  await mirror.follow()
  await add(item, 'c')
  const rows = await rest()
  assert.deepEqual(
    rows.map(({ id, item: of, integrity, record }) => [id, of, integrity, record]),
    Array.from({ length: 2 }, () => [shared, item, true, null]),
  )
  await sql`delete from catalogue.images where house_id = ${house.id} and public_id = ${shared.slice(4)}
    and external_reference = 'c'`.execute(service.db)
  await numberAllChanges(service)
  const mended = await rest()
  assert.deepEqual(
    mended.map(({ deleted, integrity }) => [deleted, integrity]),
    [
      [true, undefined],
      [false, undefined],
    ],
  )
  await mirror.prove()
})

test('the fingerprint finds writes and deletions of images by an instance of the previous version', async () => {
  const id = await upload(true)
  await mirror.follow()
  await sql`delete from catalogue.images where house_id = ${house.id} and public_id = ${id.slice(4)}`.execute(
    service.db,
  )
  await sql`insert into catalogue.images (house_id, public_id, item_id) select house_id, ${uuid(1_730)}, id
    from catalogue.items where house_id = ${house.id} and public_id = ${item.slice(4)}`.execute(service.db)
  await ask('/changes/fingerprint?types[]=image')
  const rows = await rest()
  assert.deepEqual(
    rows.map((each) => [each.id, each.deleted]),
    [
      [id, true],
      [`img_${uuid(1_730)}`, false],
    ],
  )
  await mirror.prove()
})

test('a mirror with images misses no record that the previous version numbers without regard to images', async () => {
  await all.follow()
  await upload(false)
  await all.follow()
  // The previous version does not see the places of images. It numbers an item as if there were none.
  await sql`with numbers as (select max(place & 576460752303423487) as last from catalogue.changes
      where house_id = ${house.id} and place >> 59 < 10),
    of as (update catalogue.items i set title = 'Oud genummerd', revision = revision + 1
      where house_id = ${house.id} and public_id = ${plainItem.slice(4)} returning id, revision)
    update catalogue.changes set place = (3::bigint << 59) + last + 1, version = of.revision::text
    from numbers, of where house_id = ${house.id} and record = (3::bigint << 59) + of.id`.execute(service.db)
  await all.follow()
  assert.match(all.records.get(`item ${plainItem}`)!.json, /Oud genummerd/)
})

test("a reader that saw an image's interim version is told when the image returns to its former version", async () => {
  const added = await upload(true)
  await mirror.follow()
  // A writer commits between the numbering and the read of the page. Only this interleaving is seen without a mark.
  const place = (position: number) =>
    sql`update catalogue.images set position = ${position}
      where house_id = ${house.id} and public_id = ${added.slice(4)}`.execute(service.db)
  await place(-1)
  const other = createMirror(ask, ['image'])
  await other.follow()
  await place(1_000)
  await other.follow()
  await other.prove()
})

test('a rolled back write leaves no row, and one that commits late comes late', async () => {
  await mirror.follow()
  const found = await sql<{ id: string }>`select id from catalogue.items
    where house_id = ${house.id} and public_id = ${plainItem.slice(4)}`.execute(service.db)
  const context = contextNow(service.db, house)
  const insert = (uuid: string, last: () => Promise<void>) =>
    inTransactionOnce(context, async (tx) => {
      const file = {
        original: `originals/${'d'.repeat(32)}`,
        type: 'image/png',
        bytes: 1,
        width: 1,
        height: 1,
        alts: {},
      }
      await insertImage(tx, { uuid, item: found.rows[0]!.id, reference: uuid, visible: false, position: null, ...file })
      await last()
    })
  await assert.rejects(insert(uuid(1_740), () => Promise.reject(new Error('rolled back'))))
  const [isOpen, mayEnd] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const late = insert(uuid(1_741), async () => {
    isOpen.resolve()
    await mayEnd.promise
  })
  await isOpen.promise
  const other = await upload(false)
  assert.deepEqual(
    (await rest()).map(({ id }) => id),
    [other],
  )
  mayEnd.resolve()
  await late
  assert.deepEqual(
    (await rest()).map(({ id }) => id),
    [`img_${uuid(1_741)}`],
  )
})

test('a change of an image ends the waits of requests that name images, and of no others', async () => {
  await mirror.follow()
  await usual.follow()
  const wait = async (types: string, after: string) =>
    (await service.get(`/api/v2/changes?after=${after}${types}`, key, { prefer: 'wait=60' })).json<Page>().data
  const [named, other] = [wait('&types[]=image', mirror.cursor()), wait('', usual.cursor())]
  await sleep(200)
  const id = await upload(false)
  assert.deepEqual(
    (await named).map((row) => row.id),
    [id],
  )
  await send('PATCH', `items/${plainItem}`, { title: 'Na het wachten' })
  assert.deepEqual(new Set((await other).map(({ type }) => type)), new Set(['item', 'lot']))
})

test('a page with signed URLs has a weak ETag, which stands for the images and not for their signatures', async (t) => {
  const halfHour = 30 * 60_000
  const start = Math.floor(Date.now() / halfHour) * halfHour
  t.mock.timers.enable({ apis: ['Date'], now: start })
  const path = '/api/v2/changes?types[]=image&expand[]=record&limit=100'
  const first = await service.get(path, key)
  assert.match(first.payload, /\?expires=/)
  assert.match(String(first.headers.etag), /^W\//)
  t.mock.timers.setTime(start + 1_000)
  const held = { 'if-none-match': String(first.headers.etag) }
  const again = await service.get(path, key)
  assert.notEqual(again.payload, first.payload)
  assert.equal((await service.get(path, key, held)).statusCode, 304)
})

test('images need lots.read, and those of other houses never come', async () => {
  const least = await service.issueKey(slug, ['categories.read'])
  for (const path of ['changes', 'changes/fingerprint'])
    await service.refused(`/api/v2/${path}?types[]=image`, least, 403, 'missing-permission')
  const { next_cursor } = await ask<Page>('/changes?types[]=image&limit=1')
  const other = await service.issueKey(theirs.slug)
  await service.refused(`/api/v2/changes?types[]=image&after=${next_cursor}`, other, 400, 'invalid-cursor')
  await service.refused(`/api/v2/changes?after=${next_cursor}`, key, 400, 'invalid-cursor')
  const { data } = (await service.get('/api/v2/changes?types[]=image', other)).json<Page>()
  assert.deepEqual(
    new Set(data.map((row) => row.id)),
    new Set([theirs.ids.image, theirs.ids.secondImage, theirs.ids.spareImage]),
  )
})
