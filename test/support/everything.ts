import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { sql } from 'kysely'
import { changeAuction } from '../../src/auctions/auctions.ts'
import { listAuctions } from '../../src/auctions/queries.ts'
import { listItems } from '../../src/items/list-queries.ts'
import { listBids } from '../../src/lots/bid-queries.ts'
import { cancelBid, placeBid } from '../../src/lots/bids.ts'
import { listLots } from '../../src/lots/list-queries.ts'
import { selectLots } from '../../src/lots/queries.ts'
import { listRecords } from '../../src/reads/lists.ts'
import { listStrategies, selectReferences } from '../../src/references/queries.ts'
import { selectSession, selectSessions } from '../../src/sessions/queries.ts'
import { delaySession } from '../../src/sales/delay.ts'
import { loadDemo } from '../../src/demo/house.ts'
import { queuePictures } from '../../src/demo/pictures.ts'
import { hasMoreItems } from '../../src/doctor/queries.ts'
import { examine } from '../../src/doctor/records.ts'
import { changeLot, changeLots } from '../../src/lots/changes.ts'
import { findDoubts } from '../../src/cli/doubts.ts'
import { addLots } from '../../src/lots/adding.ts'
import { renumberLots } from '../../src/sales/order.ts'
import { recordResults } from '../../src/lots/results.ts'
import { findRecord } from '../../src/cli/names.ts'
import { findPlace, findSibling } from '../../src/lots/queries.ts'
import { changeSession } from '../../src/sales/sessions.ts'
import { decideSession, scheduleDecisions } from '../../src/lots/deciding.ts'
import { findAutomaticSessions } from '../../src/lots/result-statements.ts'
import { makeRecord, makeRecordsOfFile } from '../../src/cli/files/reference-file.ts'
import { countImages } from '../../src/demo/statements.ts'
import { createStrategy } from '../../src/references/strategies.ts'
import { doubtVersions } from '../../src/changes/statements.ts'
import { contextNow, allPermissions, type Context } from '../../src/context.ts'
import type { Database } from '../../src/db/pool.ts'
import { createKey, listKeys, revokeKey, rotateKey } from '../../src/houses/api-keys.ts'
import { changeHouse } from '../../src/houses/houses.ts'
import { findHouse, listHouses } from '../../src/houses/locks.ts'
import { isNoted } from '../../src/houses/queries.ts'
import { forgetOldAnswers } from '../../src/houses/tasks.ts'
import { cleanStore } from '../../src/images/clean-store.ts'
import { countMissing, deriveMissing } from '../../src/images/missing.ts'
import { listStorage } from '../../src/images/storage.ts'
import { listJobs, retryJob } from '../../src/jobs/jobs.ts'
import { readChanges, readLotless } from '../../src/search/queries.ts'
import { sumLargeAnswers } from '../../src/writes/statements.ts'
import { inTransaction } from '../../src/writes/transaction.ts'
import { listOperations, listUrls, missingId, readDocument, openLiveSessions } from './contract.ts'
import { catalogueOf, houseLine, runningSale, uuid } from './lines.ts'
import { form, picture, storedFiles, workOff } from './pictures.ts'
import { startService, type TestService } from './service.ts'
import { setLotsActive } from '../../src/lots/switching.ts'

const { slug, ids, lines } = catalogueOf(1)
const sale = { session: uuid(1_900), lot: uuid(1_901) }

/**
 * A service that has done everything that the program can do with the records of houses, with its statements. `prepare`
 * runs on the empty database, before them.
 */
export async function openWholeService(prepare: (db: Database) => Promise<void>): Promise<TestService> {
  const service = await startService()
  await prepare(service.db)
  service.statements.length = 0
  await loadCatalogues(service)
  const key = await issueKey(service)
  const send: Send = async (status, method, url, body, headers = {}) => {
    const reply = await service.request({ method, url: url.replace(/^(?!\/)/, '/api/v2/'), key, body, headers })
    assert.equal(reply.statusCode, status, `${method} ${url} ${reply.payload}`)
    return reply
  }
  await changeHouse(service.db, slug, { storageLimit: 1_000_000_000 }, new Date())
  await read(service, key)
  await search(service, send, key)
  await processImages(service, send)
  await write(service, send, key)
  await runCommands(service)
  await cleanUp(service)
  return service
}

async function issueKey({ db }: TestService): Promise<string> {
  const house = (await findHouse(db, slug))!
  const create = (tx: Database) => createKey(tx, house, [...allPermissions], null, new Date())
  return (await inTransaction({ db }, (tx) => create(tx.db))).key
}

/** Sends a write that must get the status. */
type Send = (
  status: number,
  method: string,
  url: string,
  body: unknown,
  headers?: Record<string, string>,
) => ReturnType<TestService['request']>

async function loadCatalogues(service: TestService) {
  const [session, lot] = runningSale(ids, sale)
  const [decided, closing] = runningSale(ids, { session: uuid(1_902), lot: uuid(1_903) })
  await service.load([...lines, session, lot, { ...decided, results: 'automatic' }, closing])
  await openLiveSessions(service, [{ slug, ids }])
  await service.load([houseLine('new', { id: uuid(9_000) }), ...catalogueOf(2).lines])
  await assert.rejects(service.load([houseLine(slug), { ...lot, id: undefined }]), /lot_number/)
}

async function read(service: TestService, key: string) {
  const operations = listOperations(await readDocument(service))
  for (const operation of operations.filter(({ method }) => method === 'GET'))
    for (const url of await listUrls(service, key, operation, ids)) await service.get(url, key)
}

async function search({ db, get }: TestService, send: Send, key: string) {
  const house = (await findHouse(db, slug))!
  const title = 'Olieverfdoek met tafelkandelaar op tafel'
  await send(201, 'POST', 'items', { external_reference: 'I-search', title })
  const ofItems = `category[]=${ids.category}&maker[]=${ids.maker}&images=false&facets[]=category&facets[]=maker`
  const ofLots = `${ofItems}&session=${ids.session}&result=none&open=false&facets[]=session&facets[]=result&facets[]=open`
  for (const q of [
    'vaas',
    'Vaas delfts -kan',
    '"twee woorden" vaas -"met deksel"',
    '-vaas',
    '12',
    'vaaas',
    'olieverfdoek',
    'kandelaar',
    'afwezig woord',
  ])
    for (const url of [`items/search?${ofItems}`, `lots/search?${ofLots}`, 'lots/search?limit=1'])
      await get(`/api/v2/${url}&q=${encodeURIComponent(q)}`, key)
  // What a search reads where more has changed than it waits for.
  await readChanges({ db, house }, 'item', '0')
  await readLotless({ db, house }, [])
}

async function processImages(service: TestService, send: Send) {
  const upload = async (reference: string) => {
    const file = form(['external_reference', reference], ['public', 'true'], ['file', await picture(), 'a.jpg'])
    return send(201, 'POST', `items/${ids.item}/images`, file.body, file.headers)
  }
  await send(204, 'DELETE', String((await upload('blurred')).headers.location), undefined)
  const uploaded = await upload('photo')
  const image = String(uploaded.headers.location)
  await workOff(service)
  // As the version before sources left its images.
  const house = (await findHouse(service.db, slug))!
  await sql`update catalogue.images set sources_folder = null where house_id = ${house.id}`.execute(service.db)
  await countMissing(service.db, [house])
  await deriveMissing(service, [house], () => undefined)
  await send(200, 'PATCH', `items/${ids.item}/gallery`, { images: [ids.image] })
  await workOff(service)
  for (const key of await storedFiles(service.media)) if (key.startsWith('originals/')) await service.media.delete(key)
  await send(202, 'POST', `${image}/reprocess`, {})
  await workOff(service)
}

async function write(service: TestService, send: Send, key: string) {
  const operations = listOperations(await readDocument(service)).filter(({ method }) => method !== 'GET')
  // Deletions come last, and the session of the interface is changed before staff add lots to it.
  const rankOf = ({ method, path }: (typeof operations)[number]) => method.length + (path.startsWith('/staff') ? 10 : 0)
  for (const operation of operations.toSorted((one, other) => rankOf(one) - rankOf(other))) {
    const upload = operation.upload?.(ids)
    const headers = upload && { 'content-type': upload.type }
    // 200 of a creation is the answer to a rehearsal. The loaded image has no original.
    const success = Object.keys(operation.responses).findLast((each) => each.startsWith('2'))
    const status = operation.name === 'reprocessImage' ? 422 : Number(success)
    await send(status, operation.method, operation.urlOf(ids), upload?.bytes ?? operation.body?.(ids), headers)
  }
  const kan = { title: 'Kan', external_reference: 'linked' }
  const links = { consignment: ids.consignment, delivery_class: ids.deliveryClass, categories: [ids.category] }
  await send(201, 'POST', 'items', { ...kan, consignment: ids.consignment, translations: { en: { title: 'Jug' } } })
  await send(200, 'PATCH', `items/${ids.plainItem}`, { ...links, seller: ids.seller, makers: [ids.maker] })
  await send(200, 'PATCH', `items/${ids.plainItem}`, { seller: ids.seller, translations: { en: { title: 'Vase' } } })
  // With two reasons for a refusal, the reference is looked up too.
  await send(409, 'POST', 'items', { title: 'Kan', external_reference: 'I-1', seller: missingId(ids.seller) })
  const named = { 'idempotency-key': 'k' }
  for (const _ of [1, 2]) await send(201, 'POST', 'items', { title: 'Kan', external_reference: 'named' }, named)
  await send(200, 'PATCH', `items/${ids.plainItem}`, { title: 'Kom' }, { 'idempotency-key': 'alone' })
  const session = operations.find(({ name }) => name === 'createSession')!.body!(ids) as object
  await send(422, 'POST', 'sessions', { ...session, external_reference: 'S-lost', auction: missingId(ids.auction) })
  const changes = await service.get('/api/v2/changes?types[]=image&expand[]=record', key)
  assert.match(changes.body, /"deleted":true/)
}

async function runCommands({ db, media, keyrings }: TestService) {
  const house = (await findHouse(db, slug))!
  const context: Context = contextNow(db, house)
  const bare = (id: string) => id.slice(4)
  await findRecord(db, 'lot', sale.lot)
  await assert.rejects(findRecord(db, 'lot', `${sale.session}/99`, slug), /there is no lot .*\/99:/)
  await assert.rejects(findRecord(db, 'auction', 'nowhere', slug), /there is no auction/)
  await listAuctions(context, { published: true, external_reference: 'A-1' })
  await listRecords(selectSessions(context, { auction: bare(ids.auction), 'expand[]': ['auction', 'counts'] }))
  await listLots(context, { session: sale.session })
  await listItems(context, {})
  await listLots(context, {}, 'nl')
  await listItems(context, {}, 'fr')
  await createStrategy(context, 'Steil', [{ from: 0, increment: 1_000 }])
  await listStrategies(context, { name: 'Steil' })
  await makeRecord(context, 'seller', { profile_name: 'Jansen' })
  const strangers = { name: 'makers', stream: Readable.from([Buffer.from('name\nOnbekend\n')]), directory: '' }
  await makeRecordsOfFile(context, 'maker', strangers)
  await findRecord(db, 'maker', 'Onbekend', slug)
  await listRecords(selectReferences(context, 'maker', { name: 'Onbekend' }))
  await placeBid(context, { lot: sale.lot, amount: 10_000 })
  for (const active of [false, true]) await setLotsActive(context, [bare(ids.lot)], active)
  await changeAuction(context, bare(ids.draftAuction), { published: true })
  await assert.rejects(changeAuction(context, bare(ids.auction), { archived: true }), { code: 'conflict' })
  await changeSession(context, bare(ids.draftSession), { published: true })
  const lot = {
    session: bare(ids.draftSession),
    item: bare(ids.plainItem),
    lot_number: 9,
    starting_bid: null,
    again: true,
  }
  const added = bare((JSON.parse((await addLots(context, [lot], false))[0]!) as { id: string }).id)
  await changeLot(context, added, { starting_bid: 5_000 })
  await renumberLots(context, lot.session, [{ lot: added, lot_number: 10 }])
  await findPlace(context, added)
  await changeLot(context, added, { archived: true })
  await delaySession(context, bare(ids.liveSession), { seconds: 60, reason: 'late' })
  await listRecords(selectLots(context, { session: sale.session, active: true }))
  await listRecords(selectSession(context, sale.session, ['auction', 'counts']))
  await changeSession(context, bare(ids.draftSession), { results: 'automatic' })
  for (const kind of ['item', 'lot'] as const)
    await findDoubts(context, kind, [{ uuid: bare(ids[kind]), starting_bid: 1 }])
  await changeLot(context, sale.lot, { notices: { en: 'not signed' } })
  for (const held of [true, false]) await changeLots(context, [{ lot: sale.lot, held }])
  await cancelBid(context, { bid: (await listBids(context, sale.lot))[0]!.id!, reason: 'wrong' })
  await recordResults(context, { results: [{ lot: sale.lot, state: 'withdrawn' }] })
  await changeLot(context, sale.lot, { reopening: { reason: 'wrong' } })
  await recordResults(context, { session: sale.session })
  await findSibling(context, sale.lot, 1)
  await listLots(context, { result: 'none', seller: '12', consignment: '2026-1' })
  await scheduleDecisions(db)
  const closed = () => new Date('2099-01-01T00:01:00Z')
  for (const session of await findAutomaticSessions(context))
    await decideSession({ ...context, databaseClock: closed }, session)
  await changeSession(context, sale.session, { finished: true }, { early: true, allowWithoutResult: true })
  await examine(db, await listHouses(db))
  for (const house of await listHouses(db)) await hasMoreItems({ db, house }, 0)
  await loadDemo({ db, media, keyrings })
  await queuePictures(context, [])
  await countImages(context)
  await listHouses(db)
  await listStorage(db)
  const rotated = await inTransaction({ db }, async ({ db: tx }) => {
    const { id } = await createKey(tx, house, ['lots.read'], null, new Date())
    return rotateKey(tx, id, 60, new Date())
  })
  await revokeKey(db, rotated.id, new Date())
  await isNoted(context, rotated.id.slice(4), new Date())
  await listKeys(db)
}

async function cleanUp(service: TestService) {
  const { db, media } = service
  // A recalculation waits for further activations.
  for (const { id } of await listJobs(db, { failed: false })) await retryJob(db, id)
  await workOff(service)
  const house = (await findHouse(db, slug))!
  // As when an auction's version returns during a read.
  await doubtVersions({ db, house }, 'auction', ['0'])
  await sumLargeAnswers({ db, house })
  await sql`update catalogue.images set renditions_bytes = null where house_id = ${house.id}`.execute(db)
  const later = () => new Date(Date.now() + 2 * 24 * 60 * 60 * 1000)
  await cleanStore({ db, media, clock: later, isLastAttempt: false })
  await forgetOldAnswers({ db, media, clock: later, isLastAttempt: false })
}
