import { changeLot } from '../src/lots/changes.ts'
import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { Readable } from 'node:stream'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { changeAuction } from '../src/auctions/auctions.ts'
import { placeBid } from '../src/lots/bids.ts'
import { addLots } from '../src/lots/adding.ts'
import { load } from '../src/load/loader.ts'
import { changeSession } from '../src/sales/sessions.ts'
import { permissions, type Context } from '../src/context.ts'
import { openDatabase, type Connection } from '../src/db/pool.ts'
import { isUnreachable, UnknownOutcome } from '../src/db/errors.ts'
import { inTransactionOnce } from '../src/writes/transaction.ts'
import { createHouse } from '../src/houses/houses.ts'
import { findHouse } from '../src/houses/locks.ts'
import { createKey, revokeKey, rotateKey } from '../src/houses/api-keys.ts'
import { cleanStore } from '../src/images/clean-store.ts'
import { findNamedFiles } from '../src/backup/files.ts'
import { filesIn } from '../src/images/files.ts'
import { listJobs, retryJob } from '../src/jobs/jobs.ts'
import { enqueue } from '../src/jobs/queue.ts'
import { faults, openCommitProxy, type Fault } from './support/commits.ts'
import { form, picture, storedFiles, workOff } from './support/pictures.ts'
import { catalogueOf, houseLine, uuid } from './support/lines.ts'
import { publicUrl, startService } from './support/service.ts'

const { slug, ids, lines } = catalogueOf(1)
let choose: (statement: string) => Fault | undefined = () => undefined
let proxy: Awaited<ReturnType<typeof openCommitProxy>> | undefined
const route = async (connection: Connection) =>
  (proxy = await openCommitProxy(connection, (statement) => choose(statement))).connection
const service = await startService({ records: lines, route })
const key = await service.issueKey(slug)
const house = (await findHouse(service.db, slug))!
const { db: routed, pool } = openDatabase(proxy!.connection, 4)
after(async () => {
  await pool.end()
  await service.close()
  await proxy!.close()
})

const jpeg = await picture()
let numbers = 5_000

/** Breaks the next commit whose statement matches; returns whether it has come. */
function strike(fault: Fault, pattern: RegExp): () => boolean {
  let struck = false
  choose = (statement) => {
    if (struck || !pattern.test(statement)) return undefined
    struck = true
    return fault
  }
  return () => struck
}

async function count(where: ReturnType<typeof sql>): Promise<number> {
  return (await sql<{ count: number }>`select count(*)::int as count from ${where}`.execute(service.db)).rows[0]!.count
}

/** After tomorrow's clean-up, every row has its files and every file its row. */
async function assertStoreAgrees(message: string) {
  const tomorrow = () => new Date(Date.now() + 25 * 3_600_000)
  await cleanStore({ db: service.db, media: service.media, clock: tomorrow, isLastAttempt: false })
  const named: string[] = []
  for await (const { original, renditions, source_widths } of findNamedFiles(service.db)) {
    if (original !== null) named.push(original)
    if (renditions !== null) named.push(...filesIn({ renditions, source_widths }))
  }
  assert.deepEqual(await storedFiles(service.media), named.toSorted(), message)
}

/**
 * A write: its effect on a record of its own, how often it has happened, and its result the first time and when
 * repeated.
 */
type Write = {
  name: string
  commit?: RegExp
  act(): Promise<string>
  done(): Promise<number>
  first: string
  again: string
}

const nextId = () => uuid(++numbers)
const reference = (table: string, value: string) =>
  count(sql`${sql.table(`catalogue.${table}`)} where external_reference = ${value}`)

async function send(method: string, path: string, body?: unknown): Promise<string> {
  const reply = await service.request({ method, url: `/api/v2/${path}`, key, body })
  if (reply.statusCode !== 503) return String(reply.statusCode)
  assert.equal(reply.json<{ type: string }>().type, `${publicUrl}/problems/temporarily-unavailable`)
  assert.equal(reply.headers['retry-after'], '5')
  return 'unknown'
}

// A command gets the outcome of a transaction, or the driver's error for a single statement.
const run = (work: () => Promise<unknown>, isAlone = false) =>
  work().then(
    () => 'done',
    (error: Error) => (error instanceof UnknownOutcome || (isAlone && isUnreachable(error)) ? 'unknown' : error.name),
  )

const context = (): Context => {
  const now = new Date()
  return { db: routed, house, now, clock: () => now, mediaBase: '' }
}

async function upload(item: string, name: string, send = service.request) {
  const { headers, body } = form(['external_reference', name], ['public', 'true'], ['file', jpeg, 'a.jpg'])
  return send({ method: 'POST', url: `/api/v2/items/${item}/images`, key, headers, body })
}

async function newImage(item: string): Promise<string> {
  choose = () => undefined
  const reply = await upload(item, nextId())
  assert.equal(reply.statusCode, 201, reply.body)
  return reply.json<{ data: { id: string } }>().data.id
}

async function newItem(): Promise<string> {
  const id = nextId()
  await service.load([houseLine(slug), { type: 'item', id, external_reference: id, title: 'x' }])
  return `itm_${id}`
}

/** An auction with a session of one lot. */
async function newSale(session: object, lot: object) {
  const sale = { auction: nextId(), session: nextId(), lot: nextId() }
  const timed = { first_closes_at: '2099-05-08T10:00:00Z', group_size: 1, interval_seconds: 60 }
  const described = { kind: 'timed', titles: { nl: 'x' }, opens_at: '2099-05-01T10:00:00Z', timed, ...session }
  const numbered = { item: ids.item, lot_number: 1, closes_at: timed.first_closes_at, ...lot }
  await service.load([
    houseLine(slug),
    { type: 'auction', id: sale.auction, external_reference: sale.auction, title: 'x' },
    { type: 'session', id: sale.session, auction: sale.auction, external_reference: sale.session, ...described },
    { type: 'lot', id: sale.lot, session: sale.session, ...numbered },
  ])
  return sale
}

async function* writes(): AsyncGenerator<Write> {
  const name = nextId()
  const created = { first: '201', again: '409' }
  const changed = { first: '200', again: '200' }
  const session = { auction: ids.draftAuction, title: 'x', opens_at: '2099-01-01T00:00:00Z', external_reference: name }
  const item = await newItem()
  const running = { published: true, opens_at: '2020-01-01T00:00:00Z', customer_bidding_enabled: true }
  const sale = await newSale(running, { active: true })
  const { auction, session: prepared, lot } = await newSale({}, {})

  const post = (path: string, body: object): Write => ({
    name: `POST ${path}`,
    act: () => send('POST', path, { external_reference: name, ...body }),
    done: () => reference(path, name),
    ...created,
  })
  yield post('auctions', { title: 'x' })
  yield post('sessions', { ...session, live: { closes_at: '2099-01-02T00:00:00Z' } })
  yield post('items', { title: 'x', makers: [ids.maker], translations: { en: { title: 'y' } } })
  const patch = (path: string, body: object, done: ReturnType<typeof sql>): Write => ({
    name: `PATCH ${path}`,
    act: () => send('PATCH', path, body),
    done: () => count(done),
    ...changed,
  })
  yield patch(`auctions/${auction}`, { title: name }, sql`catalogue.auctions where title = ${name}`)
  yield patch(`sessions/${ids.draftSession}`, { title: name }, sql`catalogue.sessions where titles ->> 'nl' = ${name}`)
  yield patch(`lots/${lot}`, { active: true }, sql`catalogue.lots where public_id = ${lot} and active`)
  yield patch(`items/${item}`, { title: name }, sql`catalogue.items where title = ${name}`)
  yield {
    name: 'upload',
    act: async () => {
      const { statusCode } = await upload(item, name)
      return statusCode === 503 ? 'unknown' : String(statusCode)
    },
    done: () => reference('images', name),
    ...created,
  }
  const [kept, doomed] = [await newImage(item), await newImage(item)]
  await workOff(service)
  const rowOf = (image: string) => sql`catalogue.images where public_id = ${image.slice(4)}`
  yield {
    name: 'reprocess',
    act: () => send('POST', `items/${item}/images/${kept}/reprocess`, {}),
    done: () => count(sql`${rowOf(kept)} and processing`),
    first: '202',
    again: '409',
  }
  yield patch(`items/${item}/gallery`, { images: [] }, sql`${rowOf(doomed)} and not public`)
  yield {
    name: 'delete',
    act: () => send('DELETE', `items/${item}/images/${doomed}`),
    done: async () => 1 - (await count(rowOf(doomed))),
    first: '204',
    again: '404',
  }

  const command = (
    name: string,
    work: () => Promise<unknown>,
    done: Write['done'],
    again = 'done',
    commit?: RegExp,
  ) => ({
    name,
    act: () => run(work, commit !== undefined),
    done,
    first: 'done',
    again,
    ...(commit && { commit }),
  })
  yield command(
    'bid',
    () => placeBid(context(), { lot: sale.lot, amount: 500 }),
    () =>
      count(
        sql`catalogue.bids b join catalogue.lots l on l.house_id = b.house_id and l.id = b.lot_id where l.public_id = ${sale.lot}`,
      ),
    'Error',
  )
  yield command(
    'lots add',
    () =>
      addLots(context(), [
        { session: prepared, item: ids.item.slice(4), lot_number: 7, starting_bid: null, again: true },
      ]),
    () =>
      count(
        sql`catalogue.lots l join catalogue.sessions s on s.house_id = l.house_id and s.id = l.session_id where s.public_id = ${prepared} and lot_number = 7`,
      ),
    'Error',
  )
  yield command(
    'lots archive',
    () => changeLot(context(), lot, { archived: true }),
    () => count(sql`catalogue.lots where public_id = ${lot} and archived`),
  )
  yield command(
    'auctions publish',
    () => changeAuction(context(), auction, { published: true }),
    () => count(sql`catalogue.auctions where public_id = ${auction} and published`),
  )
  yield command(
    'sessions finish',
    () => changeSession(context(), sale.session, { finished: true }, { early: true, allowWithoutResult: true }),
    () => count(sql`catalogue.sessions where public_id = ${sale.session} and finished`),
  )
  yield command(
    'houses create',
    () => createHouse(routed, { slug: name, name: 'x', defaultLocale: 'nl', currency: 'EUR' }, new Date()),
    () => count(sql`catalogue.houses where slug = ${name}`),
    'HouseError',
    /insert into catalogue.houses/,
  )
  // A command that lost its key issues another one: the list shows both.
  const keys = sql`catalogue.api_keys where name = ${name}`
  const atLeastOne = async () => Math.min(1, await count(keys))
  yield command(
    'keys create',
    () => createKey(routed, house, [...permissions], name, new Date()),
    atLeastOne,
    'done',
    /insert into catalogue.api_keys/,
  )
  const { rows } = await sql<{ id: string }>`select public_id as id from ${keys} order by id limit 1`.execute(
    service.db,
  )
  const old = sql`${keys} and public_id = ${rows[0]!.id}`
  yield command(
    'keys rotate',
    () => inTransactionOnce({ db: routed }, ({ db: tx }) => rotateKey(tx, rows[0]!.id, 3600, new Date())),
    () => count(sql`${old} and expires_at is not null`),
  )
  yield command(
    'keys revoke',
    () => revokeKey(routed, rows[0]!.id, new Date()),
    () => count(sql`${old} and revoked_at is not null`),
    'done',
    /update catalogue.api_keys/,
  )
  await enqueue(service.db, 'clean_store', {}, { key: name, delay: 1e8 })
  const [job] = (await listJobs(service.db, { failed: false })).toReversed()
  const isDue = sql`graphile_worker.jobs where id = ${job!.id} and run_at <= now()`
  yield command(
    'jobs retry',
    () => retryJob(routed, job!.id),
    () => count(isDue),
    'done',
    /reschedule_jobs/,
  )

  const file = path.join(service.dataDir, 'photo.jpg')
  await writeFile(file, jpeg)
  const records = [
    houseLine(slug),
    { type: 'item', ref: 'a', external_reference: `loaded ${name}`, title: 'x' },
    { type: 'image', item: 'a', file: 'photo.jpg', public: true },
  ]
  const text = () => new Blob(records.map((line) => `${JSON.stringify(line)}\n`)).stream()
  const loading = () => {
    const source = { name: 'test', stream: Readable.fromWeb(text()), directory: service.dataDir }
    return load({ db: routed, media: service.media, now: new Date() }, source)
  }
  yield command('load', loading, () => reference('items', `loaded ${name}`), 'LoadError')
}

for (const fault of faults) {
  test(`a write whose commit is ${fault}: its outcome is reported as unknown, and the next attempt succeeds`, async () => {
    for await (const { name, act, done, first, again, commit = /\ncommit$/i } of writes()) {
      const isStruck = strike(fault, commit)
      assert.equal(await act(), 'unknown', name)
      await proxy!.settled()
      assert.ok(isStruck(), name)
      const isDone = fault !== 'cut'
      assert.equal(await done(), Number(isDone), name)
      assert.equal(await act(), isDone ? again : first, `${name}, again`)
      assert.equal(await done(), 1, `${name}, again`)
      await assertStoreAgrees(name)
    }
    await workOff(service)
    await assertStoreAgrees('after all jobs')
    const { rows } = await sql`select from catalogue.images where original is not null
      and (processing or processing_failed_at is not null or renditions is null)`.execute(service.db)
    assert.equal(rows.length, 0)
  })
}

for (const fault of faults) {
  test(`creations share a commit that is ${fault}: each that it carried has an unknown outcome, and is stored once when repeated`, async () => {
    choose = () => undefined
    const create = async (name: string) => {
      const body = { external_reference: name, title: 'x', makers: [ids.maker] }
      const headers = { 'idempotency-key': name }
      return (await service.request({ method: 'POST', url: '/api/v2/items', key, headers, body })).statusCode
    }
    for (let round = 0; round < 20; round++) {
      const all = Array.from({ length: 8 }, (_, at) => `${fault} ${round} ${at}`)
      const isStruck = strike(fault, /\ncommit$/i)
      const answers = await Promise.all(all.map(create))
      assert.ok(isStruck())
      assert.ok(answers.includes(503))
      await proxy!.settled()
      for (const [at, name] of all.entries())
        assert.equal(await reference('items', name), Number(answers[at] === 201 || fault !== 'cut'), name)
      assert.deepEqual([...new Set(await Promise.all(all.map(create)))], [201])
      for (const name of all) assert.equal(await reference('items', name), 1, name)
    }
  })
}
