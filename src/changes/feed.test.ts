import { changeLot } from '../lots/changes.ts'
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { createMirror, fingerprintOf, type Page, type Row } from '../../test/support/mirror.ts'
import { form, picture, workOff } from '../../test/support/pictures.ts'
import { catalogueOf, houseLine, uuid } from '../../test/support/lines.ts'
import { startService } from '../../test/support/service.ts'
import { changeAuction } from '../auctions/auctions.ts'
import { addLots } from '../lots/adding.ts'
import { changeSession } from '../sales/sessions.ts'
import { contextNow } from '../context.ts'
import { renewGeneration } from '../db/generation.ts'
import { findHouse } from '../houses/locks.ts'
import { kinds, usualKinds, type Followed } from '../kinds.ts'
import { recalculateSession } from '../lots/closing.ts'
import { numberAllChanges } from './numbering.ts'
import { doubtVersions } from './statements.ts'

const { slug, ids, lines } = catalogueOf(1)
const service = await startService({ records: [...lines, ...catalogueOf(2).lines] })
after(() => service.close())
const key = await service.issueKey(slug)
const house = (await findHouse(service.db, slug))!
const context = () => contextNow(service.db, house)

async function ask<T>(path: string): Promise<T> {
  const reply = await service.get(`/api/v2${path}`, key)
  assert.equal(reply.statusCode, 200, `${path} ${reply.payload}`)
  return reply.json<T>()
}

const mirror = createMirror(ask)

async function send(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
  const reply = await service.request({ method, url: `/api/v2/${path}`, key, body, headers })
  assert.equal(reply.statusCode, { POST: 201, PATCH: 200, DELETE: 204 }[method], reply.payload)
  return reply
}

/** The rows that a write adds to the feed, as `type id`. Then proves the mirror. */
async function rowsOf(write: () => Promise<unknown>): Promise<string[]> {
  await mirror.follow()
  await write()
  const rows: Row[] = []
  for (;;) {
    const page = await mirror.step()
    rows.push(...page.data)
    if (!page.has_more) break
  }
  await mirror.prove()
  return rows.map(({ type, id, deleted }) => `${type} ${id}${deleted ? ' deleted' : ''}`).toSorted()
}

const bare = (id: string) => id.slice(4)

test('from the beginning, each record of the house comes once, with the document of its read', async () => {
  const rows: Row[] = []
  for (let next = ''; ;) {
    const page = await ask<Page>(`/changes?limit=3&expand[]=record${next}`)
    rows.push(...page.data)
    if (!page.has_more) break
    next = `&after=${page.next_cursor}`
  }
  assert.deepEqual(new Set(rows.map(({ type }) => type)), new Set(usualKinds))
  assert.equal(new Set(rows.map(({ id }) => id)).size, rows.length)
  for (const { type, id, deleted, record, changed_at } of rows) {
    assert.equal(deleted, false)
    const { data } = await ask<{ data: { updated_at: string } }>(`/${kinds[type as Followed].plural}/${id}`)
    assert.deepEqual(record, data)
    assert.equal(changed_at, data.updated_at)
  }
  await mirror.follow()
  await mirror.prove()
})

test('a record that changes before the walk, or behind the reader’s place, comes once', async () => {
  await mirror.follow()
  const walk = async (limit: number, meanwhile: (page: number) => Promise<unknown>) => {
    const found: string[] = []
    for (let next = '', page = 0; ; page++) {
      const { data, has_more, next_cursor } = await ask<Page>(`/changes?limit=${limit}${next}`)
      found.push(...data.map(({ type, id }) => `${type} ${id}`))
      if (!has_more) return found
      await meanwhile(page)
      next = `&after=${next_cursor}`
    }
  }
  const items = (await ask<Page>('/changes?types[]=item')).data.map(({ id }) => id)
  for (const each of items) await send('PATCH', `items/${each}`, { title: 'before the walk' })
  const found = await walk(1, async () => undefined)
  assert.equal(new Set(found).size, found.length)
  const last = found.findLast((each) => each.startsWith('item'))!.slice(5)
  const during = await walk(1, (page) =>
    page === 0 ? send('PATCH', `items/${last}`, { title: 'during the walk' }) : Promise.resolve(),
  )
  assert.equal(new Set(during).size, during.length)
})

test('the last page is empty, with has_more false and a cursor to continue from', async () => {
  await mirror.follow()
  const reply = await service.get(`/api/v2/changes?after=${mirror.cursor()}`, key)
  assert.deepEqual(reply.json(), { data: [], has_more: false, next_cursor: mirror.cursor() })
  assert.equal(reply.headers['link'], undefined)
  const first = await service.get('/api/v2/changes?limit=2&types[]=item&types[]=lot', key)
  const { next_cursor, has_more, data } = first.json<Page>()
  assert.equal(has_more, true)
  assert.equal(Object.hasOwn(data[0]!, 'record'), false)
  assert.equal(Object.hasOwn(data[0]!, 'integrity'), false)
  const next = `https://catalogue.test/api/v2/changes?limit=2&types%5B%5D=item&types%5B%5D=lot&after=${next_cursor}`
  assert.equal(first.headers['link'], `<${next}>; rel="next"`)
})

test('every write changes exactly the records whose document it changes', async () => {
  const { item, lot, draftAuction, draftSession, liveLot, session, plainItem, auction } = ids
  assert.deepEqual(await rowsOf(() => send('PATCH', `items/${item}`, { description: 'Nieuw' })), [
    `item ${item}`,
    `lot ${lot}`,
  ])
  assert.deepEqual(await rowsOf(() => send('PATCH', `auctions/${draftAuction}`, { title: 'Nazomer' })), [
    `auction ${draftAuction}`,
  ])
  assert.deepEqual(await rowsOf(() => send('PATCH', `sessions/${draftSession}`, { title: 'Middag' })), [
    `session ${draftSession}`,
  ])
  assert.deepEqual(await rowsOf(() => send('PATCH', `lots/${lot}`, { active: true })), [`lot ${lot}`])
  assert.deepEqual(await rowsOf(() => recalculate(session)), [`lot ${lot}`])
  assert.deepEqual(await rowsOf(() => changeSession(context(), bare(session), { customer_bidding_enabled: true })), [
    `session ${session}`,
  ])
  assert.deepEqual(await rowsOf(() => changeAuction(context(), bare(auction), { published: false })), [
    `auction ${auction}`,
  ])
  const added = { session: bare(session), item: bare(item), lot_number: 99, starting_bid: null, again: true }
  const { id: spare } = JSON.parse((await addLots(context(), [added]))[0]!) as { id: string }
  assert.deepEqual(await rowsOf(() => changeLot(context(), bare(spare), { archived: true })), [`lot ${spare} deleted`])
  assert.deepEqual(await rowsOf(() => send('PATCH', `items/${plainItem}`, { title: 'Kruik' })), [
    `item ${plainItem}`,
    `lot ${liveLot}`,
  ])
  const created = await rowsOf(() => send('POST', 'items', { external_reference: 'I-9', title: 'Klok' }))
  assert.match(created.join(), /^item itm_[^,]+$/)
  assert.match(
    (await rowsOf(() => send('POST', 'auctions', { external_reference: 'A-9', title: 'Winter' }))).join(),
    /^auction auc_[^,]+$/,
  )
})

async function recalculate(id: string) {
  const { rows } = await sql<{ id: string }>`
    select id from catalogue.sessions where house_id = ${house.id} and public_id = ${bare(id)}`.execute(service.db)
  await recalculateSession(context(), rows[0]!.id)
}

test('a session that is created or opens at another time changes the auction whose document lists it', async () => {
  const session = (opens_at: string, external_reference: string) => ({
    auction: ids.draftAuction,
    title: 'Avond',
    external_reference,
    opens_at,
    live: { closes_at: '2099-12-31T00:00:00Z' },
  })
  let later = ''
  const created = await rowsOf(async () => {
    later = (await send('POST', 'sessions', session('2099-08-01T10:00:00Z', 'S-8'))).json<{ data: { id: string } }>()
      .data.id
  })
  assert.deepEqual(created, [`auction ${ids.draftAuction}`, `session ${later}`])
  const move = (opens_at: string) =>
    send('PATCH', `sessions/${later}`, { opens_at, live: { closes_at: '2099-12-31T00:00:00Z' } })
  assert.deepEqual(await rowsOf(() => move('2099-08-02T10:00:00Z')), [`session ${later}`])
  assert.deepEqual(await rowsOf(() => move('2099-01-02T10:00:00Z')), [
    `auction ${ids.draftAuction}`,
    `session ${later}`,
  ])
})

test("a reader that got an auction's state between two numberings is told when the auction returns to its former state", async () => {
  const create = async (path: string, body: object) =>
    (await send('POST', path, body)).json<{ data: { id: string } }>().data.id
  const auction = await create('auctions', { title: 'Terug', external_reference: 'A-10' })
  const sitting = { auction, title: 'Avond', live: { closes_at: '2099-12-31T00:00:00Z' } }
  await create('sessions', { ...sitting, external_reference: 'S-10', opens_at: '2099-02-01T10:00:00Z' })
  const second = await create('sessions', { ...sitting, external_reference: 'S-11', opens_at: '2099-03-01T10:00:00Z' })
  await mirror.follow()
  // A writer commits between the numbering and the read of the page. Only this interleaving is seen without a mark.
  await sql`update catalogue.sessions set opens_at = '2099-01-01T10:00:00Z', revision = revision + 1
    where house_id = ${house.id} and public_id = ${bare(second)}`.execute(service.db)
  const other = createMirror(ask)
  await other.follow()
  await send('PATCH', `sessions/${second}`, { opens_at: '2099-03-01T10:00:00Z', live: sitting.live })
  await other.follow()
  await other.prove()
})

test('a copy can be proved while an auction without sessions waits to be numbered again', async () => {
  const auction = await send('POST', 'auctions', { title: 'Leeg', external_reference: 'A-20' })
  const { id } = auction.json<{ data: { id: string } }>().data
  await mirror.follow()
  const { rows } = await sql<{ id: string }>`select id from catalogue.auctions
    where house_id = ${house.id} and public_id = ${bare(id)}`.execute(service.db)
  await doubtVersions(context(), 'auction', [rows[0]!.id])
  await ask('/changes/fingerprint')
  await sql`insert into catalogue.change_marks (house_id, kind, record_id) values (${house.id}, 0, ${rows[0]!.id})`.execute(
    service.db,
  )
  await mirror.follow()
  await mirror.prove()
})

test('a write without a visible effect is no change: a repetition, a private image', async () => {
  const file = form(['external_reference', 'private'], ['public', 'false'], ['file', await picture(), 'a.jpg'])
  const upload = () => send('POST', `items/${ids.item}/images`, file.body, file.headers)
  assert.deepEqual(await rowsOf(upload), [])
  assert.deepEqual(await rowsOf(() => workOff(service)), [])
  assert.deepEqual(await rowsOf(() => send('PATCH', `items/${ids.item}`, { description: 'Nieuw' })), [])
  assert.deepEqual(await rowsOf(() => send('PATCH', `lots/${ids.lot}`, { active: true })), [])
})

test('a change of the public gallery or its addresses is a change of the item', async () => {
  const rows = [`item ${ids.item}`, `lot ${ids.lot}`]
  const file = form(['external_reference', 'public'], ['file', await picture(), 'a.jpg'])
  const upload = () => send('POST', `items/${ids.item}/images`, file.body, file.headers)
  assert.deepEqual(await rowsOf(upload), rows)
  const before = mirror.records.get(`item ${ids.item}`)!
  assert.deepEqual(await rowsOf(() => workOff(service)), rows)
  const after = mirror.records.get(`item ${ids.item}`)!
  assert.equal(after.json, before.json)
  assert.notEqual(after.version, before.version)
  const gallery = { images: [ids.secondImage, ids.image] }
  assert.deepEqual(await rowsOf(() => send('PATCH', `items/${ids.item}/gallery`, gallery)), rows)
  assert.deepEqual(await rowsOf(() => send('DELETE', `items/${ids.item}/images/${ids.image}`)), rows)
})

test('a load changes the records that it creates, items whose gallery grows, and auctions that get a session', async () => {
  const session = `ses_${uuid(1_800)}`
  const maker = `mkr_${uuid(1_801)}`
  const rows = await rowsOf(() =>
    service.load([
      houseLine(slug),
      { type: 'maker', id: maker, name: 'Jan' },
      { type: 'seller', id: uuid(1_802), seller_number: 4, archived: true },
      {
        type: 'session',
        id: session,
        auction: ids.auction,
        external_reference: 'S-9',
        titles: {},
        kind: 'live',
        opens_at: '2099-01-01T00:00:00Z',
      },
      { type: 'image', id: uuid(1_803), item: ids.plainItem, external_reference: 'P-9', public: true },
    ]),
  )
  const of = [`auction ${ids.auction}`, `item ${ids.plainItem}`, `lot ${ids.liveLot}`]
  assert.deepEqual(rows, [...of, `maker ${maker}`, `session ${session}`])
})

test('a record that cannot be shown has its row and does not stop the feed', async () => {
  const id = `itm_${uuid(1_810)}`
  const load = () =>
    service.load([
      houseLine(slug),
      { type: 'item', id, external_reference: 'I-10', title: null },
      { type: 'lot', id: uuid(1_811), session: ids.session, item: id, lot_number: 77 },
      { type: 'maker', id: null, name: 'Onbekend' },
    ])
  await mirror.follow()
  await load()
  const { data, has_more } = await mirror.step()
  assert.equal(has_more, false)
  const shown = data.map(({ type, id, integrity, record, deleted }) => ({ type, id, integrity, record, deleted }))
  const defective = { integrity: true, record: null, deleted: false }
  assert.deepEqual(
    shown.toSorted((a, b) => (a.type < b.type ? -1 : 1)),
    [
      { type: 'item', id, ...defective },
      { type: 'lot', id: `lot_${uuid(1_811)}`, ...defective },
      { type: 'maker', id: null, ...defective },
    ],
  )
  const plain = await ask<Page>(`/changes?types[]=maker&limit=100`)
  const { record: _, ...maker } = data.find(({ type }) => type === 'maker')!
  assert.deepEqual(plain.data.at(-1), maker)
  const versions = Array.from(mirror.records, ([name, { version }]): [string, string] => [name, version])
  assert.equal((await ask<{ fingerprint: string }>('/changes/fingerprint')).fingerprint, fingerprintOf(versions))
  await send('PATCH', `items/${id}`, { title: 'Vaas' })
  const mended = await mirror.step()
  assert.deepEqual(mended.data.map(({ type, integrity }) => `${type} ${integrity}`).toSorted(), [
    'item undefined',
    'lot undefined',
  ])
  await sql`update catalogue.makers set public_id = ${uuid(1_812)}, revision = revision + 1 where name = 'Onbekend'`.execute(
    service.db,
  )
  mirror.records.delete('maker ')
})

test('changes without a mark, by an earlier version or by hand, are found by their revision', async () => {
  const rows = await rowsOf(async () => {
    await sql`update catalogue.sellers set account_name = 'X', profile_name = null, revision = revision + 1
      where house_id = ${house.id} and public_id = ${bare(ids.seller)}`.execute(service.db)
    await sql`update catalogue.lots set archived = true where house_id = ${house.id} and public_id = ${bare(ids.lot)}`.execute(
      service.db,
    )
    await numberAllChanges(service)
  })
  assert.deepEqual(rows, [`lot ${ids.lot} deleted`, `maker mkr_${uuid(1_812)}`, `seller ${ids.seller}`])
})

test('the numbering of all houses goes on at its place, and begins with the first house without one', async () => {
  const other = (await findHouse(service.db, catalogueOf(2).slug))!
  const marked = async () => {
    const { rows } = await sql<{ id: string }>`select distinct house_id as id from catalogue.change_marks`.execute(
      service.db,
    )
    return rows.map(({ id }) => id)
  }
  await numberAllChanges(service)
  for (const { id } of [house, other])
    await sql`insert into catalogue.change_marks (house_id, kind, record_id)
      select house_id, ${kinds.item.number}, id from catalogue.items where house_id = ${id}`.execute(service.db)
  await numberAllChanges(service, { place: `marked ${other.id}` })
  assert.deepEqual(await marked(), [house.id])
  await numberAllChanges(service, {})
  assert.deepEqual(await marked(), [])
})

test('during an upgrade, a mirror that proves itself gets the writes of instances of the previous version', async () => {
  await mirror.follow()
  const at = new Date()
  // The version before the feed writes no marks.
  await sql`update catalogue.items set title = 'Oud', updated_at = ${at}, revision = revision + 1
    where house_id = ${house.id} and public_id = ${bare(ids.item)}`.execute(service.db)
  await sql`insert into catalogue.auctions (house_id, public_id, title, slug, created_at, updated_at)
    values (${house.id}, ${uuid(1_820)}, 'Oud', 'oud', ${at}, ${at})`.execute(service.db)
  const { rows } = await sql<{ id: string }>`select id from catalogue.items
    where house_id = ${house.id} and public_id = ${bare(ids.item)}`.execute(service.db)
  await sql`insert into catalogue.lots (house_id, public_id, auction_id, session_id, item_id, lot_number, created_at, updated_at)
    select house_id, ${uuid(1_821)}, auction_id, id, ${rows[0]!.id}, 821, ${at}, ${at} from catalogue.sessions
    where house_id = ${house.id} and public_id = ${bare(ids.session)}`.execute(service.db)
  assert.deepEqual((await mirror.step()).data, [])
  await ask('/changes/fingerprint')
  const { data } = await mirror.step()
  assert.deepEqual(data.map(({ type, id }) => `${type} ${id}`).toSorted(), [
    `auction auc_${uuid(1_820)}`,
    `item ${ids.item}`,
    `lot lot_${uuid(1_821)}`,
  ])
  await mirror.prove()
})

test('types[] decides which permissions are needed; without it any read permission opens the feed', async () => {
  const least = await service.issueKey(slug, ['categories.read'])
  const own = (await service.get('/api/v2/changes', least)).json<Page>()
  assert.deepEqual(new Set(own.data.map(({ type }) => type)), new Set(['category']))
  const proof = (await service.get('/api/v2/changes/fingerprint', least)).json<{ counts: object }>()
  assert.deepEqual(proof.counts, { category: 3 })
  const needs = {
    seller: 'seller_profiles.read',
    item: 'lots.read',
    image: 'lots.read',
    auction: 'auctions.read',
    increment_strategy: 'bidding_step_configurations.read',
  }
  for (const [type, permission] of Object.entries(needs)) {
    for (const path of ['changes', 'changes/fingerprint']) {
      const reply = await service.get(`/api/v2/${path}?types[]=category&types[]=${type}`, least)
      assert.equal(reply.statusCode, 403)
      assert.match(reply.payload, new RegExp(permission))
    }
  }
  const writer = await service.issueKey(slug, ['lots.write', 'auctions.write'])
  await service.refused('/api/v2/changes', writer, 403, 'missing-permission')
  await service.refused('/api/v2/changes?nonsense=1', writer, 403, 'missing-permission')
  await service.refused('/api/v2/changes/fingerprint', writer, 403, 'missing-permission')
  await service.refused('/api/v2/changes?types[]=bid', key, 400, 'invalid-parameter')
})

test('a cursor belongs to the house and the types; limit and expand[] may change', async () => {
  const { next_cursor } = await ask<Page>('/changes?types[]=item&types[]=lot&limit=1')
  await ask(`/changes?types[]=lot&types[]=item&limit=2&expand[]=record&after=${next_cursor}`)
  const theirs = await service.issueKey(catalogueOf(2).slug)
  await service.refused(`/api/v2/changes?types[]=item&types[]=lot&after=${next_cursor}`, theirs, 400, 'invalid-cursor')
  for (const query of ['types[]=item', 'limit=1', 'types[]=item&types[]=lot&types[]=maker'])
    await service.refused(`/api/v2/changes?${query}&after=${next_cursor}`, key, 400, 'invalid-cursor')
  await service.refused(`/api/v2/items?cursor=${next_cursor}`, key, 400, 'invalid-cursor')
  await service.refused('/api/v2/changes?after=x', key, 400, 'invalid-cursor')
})

test('a new generation invalidates cursors and changes versions', async (t) => {
  await mirror.follow()
  const versions = new Map(Array.from(mirror.records, ([name, { version }]) => [name, version]))
  await renewGeneration(service.db)
  // A key is looked up every half-second.
  const { now } = performance
  t.mock.method(performance, 'now', () => now.call(performance) + 600)
  await service.refused(`/api/v2/changes?after=${mirror.cursor()}`, key, 400, 'invalid-cursor')
  const again = createMirror(ask)
  await again.follow()
  await again.prove()
  assert.deepEqual([...again.records.keys()].toSorted(), [...versions.keys()].toSorted())
  for (const [name, { version }] of again.records) assert.notEqual(version, versions.get(name))
})
