import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { picture, unsigned, workOff } from '../../../test/support/pictures.ts'
import { CatalogueError, Conflict, etag, Invalid, NotFound } from '../src/index.ts'
import { serveCatalogue } from './service.ts'

const { service, url, key, ids, catalogue, connect, close } = await serveCatalogue()
after(close)

async function read(path: string) {
  const reply = await fetch(`${url}/api/v2${path}`, { headers: { authorization: `Bearer ${key}` } })
  return { body: (await reply.json()) as { data: unknown }, etag: reply.headers.get('etag') }
}

const file = new Blob([new Uint8Array(await picture())])
const upload = (reference: string) => catalogue.images.upload(ids.plainItem, { file, external_reference: reference })

// Each method that reads, and the path at which the service gives the same.
const reads: Record<string, [call: () => Promise<unknown>, path: string]> = {
  listAuctions: [
    async () => (await catalogue.auctions.list({ published: true }).page()).data,
    '/auctions?published=true',
  ],
  getAuction: [
    () => catalogue.auctions.get(ids.auction, { expand: ['sessions'] }),
    `/auctions/${ids.auction}?expand[]=sessions`,
  ],
  listSessions: [
    async () => (await catalogue.sessions.list({ auction: ids.auction, expand: ['auction'] }).page()).data,
    `/sessions?auction=${ids.auction}&expand[]=auction`,
  ],
  getSession: [() => catalogue.sessions.get(ids.session), `/sessions/${ids.session}`],
  listLots: [
    async () => (await catalogue.lots.list({ session: ids.session, expand: ['item.images', 'session'] }).page()).data,
    `/lots?session=${ids.session}&expand[]=item.images&expand[]=session`,
  ],
  getLot: [() => catalogue.lots.get(ids.lot, { expand: ['images'] }), `/lots/${ids.lot}?expand[]=images`],
  listItems: [
    async () => (await catalogue.items.list({ external_reference: 'I-1' }).page()).data,
    '/items?external_reference=I-1',
  ],
  getItem: [() => catalogue.items.get(ids.item), `/items/${ids.item}`],
  listSellers: [
    async () => (await catalogue.sellers.list({ seller_number: 12 }).page()).data,
    '/sellers?seller_number=12',
  ],
  getSeller: [() => catalogue.sellers.get(ids.seller), `/sellers/${ids.seller}`],
  listCategories: [async () => (await catalogue.categories.list({ slug: 'art' }).page()).data, '/categories?slug=art'],
  getCategory: [() => catalogue.categories.get(ids.category), `/categories/${ids.category}`],
  listMakers: [
    async () => (await catalogue.makers.list({ name: 'Jan Sluijters' }).page()).data,
    '/makers?name=Jan+Sluijters',
  ],
  getMaker: [() => catalogue.makers.get(ids.maker), `/makers/${ids.maker}`],
  listDeliveryClasses: [async () => (await catalogue.deliveryClasses.list().page()).data, '/delivery_classes'],
  getDeliveryClass: [() => catalogue.deliveryClasses.get(ids.deliveryClass), `/delivery_classes/${ids.deliveryClass}`],
  listIncrementStrategies: [
    async () => (await catalogue.incrementStrategies.list().page()).data,
    '/increment_strategies',
  ],
  getIncrementStrategy: [
    () => catalogue.incrementStrategies.get(ids.incrementStrategy),
    `/increment_strategies/${ids.incrementStrategy}`,
  ],
  listConsignments: [
    async () => (await catalogue.consignments.list({ seller: ids.seller }).page()).data,
    `/consignments?seller=${ids.seller}`,
  ],
  getConsignment: [() => catalogue.consignments.get(ids.consignment), `/consignments/${ids.consignment}`],
  searchLots: [
    async () => (await catalogue.lots.search({ q: 'stilleven', session: ids.session, expand: ['item'] }).page()).data,
    `/lots/search?q=stilleven&session=${ids.session}&expand[]=item`,
  ],
  searchItems: [
    async () => (await catalogue.items.search({ maker: [ids.maker], category: [ids.category] }).page()).data,
    `/items/search?maker[]=${ids.maker}&category[]=${ids.category}`,
  ],
  listImages: [async () => (await catalogue.images.list(ids.item).page()).data, `/items/${ids.item}/images`],
  listHouseImages: [
    async () => (await catalogue.images.listAll({ item: ids.item, public: true }).page()).data,
    `/images?item=${ids.item}&public=true`,
  ],
  getImage: [() => catalogue.images.get(ids.item, ids.image), `/items/${ids.item}/images/${ids.image}`],
}

// Each method that writes, and the path at which the record is read afterwards.
const writes: Record<string, () => Promise<[given: unknown, path: string]>> = {
  async createAuction() {
    const auction = await catalogue.auctions.create({ title: 'Winter', external_reference: 'A-new' })
    return [auction, `/auctions/${auction.id}`]
  },
  async updateAuction() {
    const auction = await catalogue.auctions.update(ids.draftAuction, { title: 'Later' }, { expand: ['sessions'] })
    assert.equal(auction.sessions[0]?.kind, 'timed')
    return [auction, `/auctions/${ids.draftAuction}?expand[]=sessions`]
  },
  async createSession() {
    const session = await catalogue.sessions.create({
      auction: ids.auction,
      title: 'Zitting',
      external_reference: 'S-new',
      opens_at: '2099-09-01T10:00:00+02:00',
      live: { closes_at: '2099-09-08T10:00:00+02:00' },
    })
    assert.ok(session.kind === 'live' && session.live.closes_at !== null)
    return [session, `/sessions/${session.id}`]
  },
  async updateSession() {
    const session = await catalogue.sessions.update(ids.draftSession, { settings: { buyer_premium_percentage: '20' } })
    return [session, `/sessions/${ids.draftSession}`]
  },
  async updateLot() {
    const lot = await catalogue.lots.update(ids.lot, { active: true }, { expand: ['item'] })
    assert.equal(lot.item.title, 'Stilleven')
    return [lot, `/lots/${ids.lot}?expand[]=item`]
  },
  async updateLotsOfSession() {
    const switched = await catalogue.sessions.updateLots(ids.session, { active: false, lots: [ids.lot] })
    assert.deepEqual(switched, { changed: 1, unchanged: 0 })
    return [await catalogue.lots.get(ids.lot), `/lots/${ids.lot}`]
  },
  async createItem() {
    const estimate = { low: { amount: 40_000, currency: 'EUR' } }
    const item = await catalogue.items.create({
      external_reference: 'V-118',
      title: 'Vaas',
      estimate,
      makers: [ids.maker],
    })
    assert.deepEqual(item.estimate, estimate)
    return [item, `/items/${item.id}`]
  },
  async updateItem() {
    const item = await catalogue.items.update(ids.plainItem, {
      title: 'Grote vaas',
      translations: { en: { title: 'Vase' } },
    })
    return [item, `/items/${ids.plainItem}`]
  },
  async uploadImage() {
    const image = await upload('P-new')
    await workOff(service)
    const settled = await catalogue.images.settled(ids.plainItem, image.id)
    assert.ok(settled.preview_url)
    return [settled, `/items/${ids.plainItem}/images/${image.id}`]
  },
  async updateImage() {
    const image = await catalogue.images.update(ids.item, ids.spareImage, {
      alt: 'Van voren',
      alt_translations: { en: 'Front' },
    })
    assert.deepEqual(image.alt_translations, { nl: 'Van voren', en: 'Front' })
    return [image, `/items/${ids.item}/images/${ids.spareImage}`]
  },
  async replaceGallery() {
    const item = await catalogue.images.replaceGallery(ids.item, {
      images: [ids.secondImage, ids.image],
      featured: null,
    })
    assert.deepEqual(
      item.images.map(({ id, featured }) => [id, featured]),
      [
        [ids.secondImage, false],
        [ids.image, false],
      ],
    )
    return [item, `/items/${ids.item}?expand[]=images`]
  },
  async reprocessImage() {
    const image = await upload('P-again')
    await workOff(service)
    const again = await catalogue.images.reprocess(ids.plainItem, image.id)
    assert.equal(again.processing, true)
    await workOff(service)
    return [await catalogue.images.get(ids.plainItem, image.id), `/items/${ids.plainItem}/images/${image.id}`]
  },
  async deleteImage() {
    await catalogue.images.delete(ids.item, ids.spareImage)
    await assert.rejects(catalogue.images.get(ids.item, ids.spareImage), NotFound)
    return [await catalogue.items.get(ids.item), `/items/${ids.item}`]
  },
}

const document = (await service.request({ url: '/api/v2/openapi.json' })).json<{
  paths: Record<string, Record<string, { operationId: string }>>
}>()
const named = Object.values(document.paths).flatMap((methods) => Object.values(methods).map((each) => each.operationId))

test('every operation of the OpenAPI document has a method that this file tests', () => {
  const others = ['discover', 'listChanges', 'getFingerprint', 'updateLotsOfSession']
  const tried = new Set([...others, ...Object.keys(reads), ...Object.keys(writes)])
  assert.deepEqual(
    named.filter((name) => !tried.has(name)),
    [],
  )
})

for (const [name, [call, path]] of Object.entries(reads)) {
  test(`${name} returns the service's answer at its path`, async () => {
    const { body } = await read(path)
    assert.deepEqual(unsigned(await call()), unsigned(body.data))
  })
}

for (const [name, write] of Object.entries(writes)) {
  test(`${name} returns the record of a later read`, async () => {
    const [given, path] = await write()
    assert.deepEqual(unsigned(given), unsigned((await read(path)).body.data))
  })
}

test('discover returns the addresses of the resources', async () => {
  const { version, resources } = await catalogue.discover()
  assert.equal(version, '2')
  assert.match(resources.lots, /\/api\/v2\/lots$/)
})

test('house returns the house of the key', async () => {
  assert.deepEqual(await catalogue.house(), {
    name: 'House house-1',
    locale: 'nl',
    currency: 'EUR',
    time_zone: null,
  })
})

test('the lots of a session are switched together, or not at all', async () => {
  const lots = [ids.lot]
  const { active } = await catalogue.lots.get(ids.lot)
  const switched = { changed: 1, unchanged: 0 }
  const rehearsed = await catalogue.sessions.updateLots(ids.session, { active: !active, lots }, { dryRun: true })
  assert.deepEqual(rehearsed, switched)
  assert.equal((await catalogue.lots.get(ids.lot)).active, active)
  assert.deepEqual(await catalogue.sessions.updateLots(ids.session, { active: !active, lots }), switched)
  assert.equal((await catalogue.lots.get(ids.lot)).active, !active)
  const foreign = catalogue.sessions.updateLots(ids.session, { active, lots: [ids.lot, ids.liveLot] })
  await assert.rejects(foreign, (error: Invalid) => error.errors![0]!.field === 'lots.1')
  assert.equal((await catalogue.lots.get(ids.lot)).active, !active)
})

test('a list is read page by page, or record by record in pages of a hundred', async () => {
  for (let number = 0; number < 12; number++)
    await catalogue.items.create({ external_reference: `N-${number}`, title: `${number}` })
  const asked: string[] = []
  const watching = connect({
    fetch: (input, init) => {
      asked.push(new URL(input instanceof Request ? input.url : input).search)
      return fetch(input, init)
    },
  })
  const all: string[] = []
  for await (const item of watching.items.list()) all.push(item.id)
  assert.deepEqual(asked, ['?limit=100'])

  const paged: string[] = []
  let page = await watching.items.list({ limit: 5 }).page()
  for (;;) {
    assert.ok(page.data.length <= 5)
    paged.push(...page.data.map(({ id }) => id))
    assert.equal(page.hasMore, page.nextCursor !== null)
    const next = await page.next()
    if (!next) break
    page = next
  }
  assert.deepEqual(paged, all)

  const resumed = await watching.items
    .list({ limit: 5, cursor: (await watching.items.list({ limit: 5 }).page()).nextCursor! })
    .page()
  assert.deepEqual(
    resumed.data.map(({ id }) => id),
    all.slice(5, 10),
  )
})

test('a search says how many records match, what was corrected, and counts what was asked for', async () => {
  const page = await catalogue.items.search({ q: 'stillven', facets: ['maker', 'category'] }).page()
  assert.deepEqual(
    page.data.map(({ id }) => id),
    [ids.item],
  )
  assert.deepEqual([page.total, page.totalCapped, page.relaxed, page.complete], [1, false, false, true])
  assert.deepEqual(page.corrected, { stillven: ['stilleven'] })
  assert.deepEqual(page.facets.maker, [{ value: ids.maker, name: 'Jan Sluijters', count: 1 }])
  assert.ok(page.facets.category.some(({ value }) => value === ids.category))
  const all: string[] = []
  for await (const { id } of catalogue.lots.search({ sort: 'lot_number', limit: 1 })) all.push(id)
  assert.deepEqual(all.toSorted(), [ids.lot, ids.liveLot].toSorted())
})

test('a record of a read has its ETag, which its JSON omits', async () => {
  const item = await catalogue.items.get(ids.item)
  assert.equal(item[etag], (await read(`/items/${ids.item}`)).etag)
  assert.doesNotMatch(JSON.stringify(item), /etag/i)
})

test('a refusal is an error of a class for branching, with all members of the problem', async () => {
  await assert.rejects(catalogue.lots.get('lot_nonsense'), (error: NotFound) => {
    assert.ok(error instanceof NotFound && error instanceof CatalogueError)
    assert.deepEqual([error.name, error.status, error.code, error.uncertain], ['NotFound', 404, 'not-found', false])
    assert.match(error.requestId!, /^[0-9a-f-]{36}$/)
    return true
  })
  await assert.rejects(catalogue.items.create({ external_reference: 'I-1', title: 'Again' }), (error: Conflict) => {
    assert.ok(error instanceof Conflict)
    assert.equal(error.code, 'duplicate-reference')
    return !error.uncertain
  })
  await assert.rejects(catalogue.items.create({ external_reference: ' ', title: '' }), (error: Invalid) => {
    assert.ok(error instanceof Invalid)
    assert.deepEqual(
      error.errors!.map(({ field, code }) => [field, code]),
      [
        ['external_reference', 'blank'],
        ['title', 'blank'],
      ],
    )
    return /external_reference, title/.test(error.message)
  })
  const stranger = connect({ key: 'ack_nobody' })
  await assert.rejects(stranger.discover(), (error: CatalogueError) => {
    // Astro, Vite and esbuild show the list of an error instead of the error.
    assert.equal(error.errors, undefined)
    assert.deepEqual([error.name, error.status, error.code], ['CatalogueError', 401, 'unauthorized'])
    return true
  })
})

test('an empty id is refused, not read as the list', async () => {
  await assert.rejects(catalogue.lots.get('' as 'lot_'), TypeError)
})

test('settled throws an error for an image that could not be processed', async () => {
  const image = await upload('P-broken')
  await service.db
    .updateTable('catalogue.images')
    .set({ processing: false, processing_failed_at: new Date() })
    .where('external_reference', '=', 'P-broken')
    .execute()
  await assert.rejects(catalogue.images.settled(ids.plainItem, image.id), { code: 'processing-failed' })
})

test('cached answers are revalidated with If-None-Match, and each caller gets a copy of its own', async () => {
  const statuses: number[] = []
  const remembering = connect({
    remember: 1_000_000,
    fetch: async (input, init) => {
      const answer = await fetch(input, init)
      statuses.push(answer.status)
      return answer
    },
  })
  const first = await remembering.items.get(ids.item)
  first.title = 'scribbled over'
  const second = await remembering.items.get(ids.item)
  assert.deepEqual(statuses, [200, 304])
  assert.equal(second.title, 'Stilleven')
  assert.equal(second[etag], first[etag])
  await catalogue.items.update(ids.item, { condition: 'gaaf' })
  assert.equal((await remembering.items.get(ids.item)).condition, 'gaaf')

  const small = connect({ remember: 10 })
  assert.equal((await small.items.get(ids.item)).condition, 'gaaf')
  assert.equal((await small.items.get(ids.item)).condition, 'gaaf')
})
