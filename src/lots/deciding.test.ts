import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { eur } from '../../test/support/lines.ts'
import { at, openSaleHouse } from '../../test/support/sale-house.ts'
import { placeBid } from './bids.ts'
import { changeLots } from './changes.ts'
import { changeSession } from '../sales/sessions.ts'
import { readDatabaseClock } from '../writes/time.ts'
import { decideClosedLots, decideSession, scheduleDecisions } from './deciding.ts'

const office = await openSaleHouse()
after(() => office.close())

type Shown = { sold: boolean; result: { state: string; amount: unknown; at: string } | null }
type Sale = Awaited<ReturnType<typeof office.loadSale>>

const automatic = { results: 'automatic' }
const bid = (time: string, lot: string, amount: number) => placeBid(office.at(time), { lot, amount })
const hold = (time: string, { lots }: Sale, held: boolean) =>
  changeLots(
    office.at(time),
    lots.map((lot) => ({ lot, held })),
  )
const read = async (lot: string) => office.read<Shown & { current_bid: unknown }>(`lots/${lot}`)
const states = (sale: Sale) => Promise.all(sale.lots.map(async (lot) => (await read(lot)).result?.state))

async function internalOf({ session }: Sale): Promise<string> {
  const { rows } = await sql<{ id: string }>`select id from catalogue.sessions where public_id = ${session}`.execute(
    office.db,
  )
  return rows[0]!.id
}

async function decide(time: string, sale: Sale): Promise<void> {
  await decideSession({ ...office, databaseClock: () => at(time) }, await internalOf(sale))
}

async function dueJobs(sale: Sale): Promise<number> {
  const { rows } = await sql<{ jobs: number }>`
    select count(*)::int as jobs from graphile_worker._private_jobs where key = ${`decide_results:${office.house.id}:${await internalOf(sale)}`}`.execute(
    office.db,
  )
  return rows[0]!.jobs
}

test('closed lots are sold at their highest bids or unsold, once, and the job waits for the next close', async () => {
  const sale = await office.loadSale(automatic, [{}, {}, {}])
  await bid('11:00:00', sale.lots[0]!, 7000)
  await decide('12:01:00', sale)
  assert.deepEqual(await states(sale), ['sold', 'unsold', undefined])
  const first = await read(sale.lots[0]!)
  assert.deepEqual([first.sold, first.result!.amount, first.result!.at], [true, eur(7000), '2099-05-08T12:01:00.000Z'])
  assert.equal(await dueJobs(sale), 1)
  const before = await office.snapshot()
  await decide('12:01:30', sale)
  assert.deepEqual(
    (await office.snapshot()).filter((row) => !JSON.stringify(row).includes('decide_results')),
    before.filter((row) => !JSON.stringify(row).includes('decide_results')),
  )
})

test('the job is due at the next close, years away too', async () => {
  const sale = await office.loadSale(automatic, [{}])
  const session = await internalOf(sale)
  const key = `decide_results:${office.house.id}:${session}`
  // The job that the load queued is running now.
  await sql`delete from graphile_worker._private_jobs where key = ${key}`.execute(office.db)
  await decideClosedLots(office, { house: office.house.id, session })
  const { rows } = await sql<{ run_at: Date }>`
    select run_at from graphile_worker._private_jobs where key = ${key}`.execute(office.db)
  assert.deepEqual(rows, [{ run_at: at('12:00:00') }])
})

test('the job leaves one row about the session in the journal, with the results, and none where it decides nothing', async () => {
  const sale = await office.loadSale(automatic, [{}, {}, {}])
  await bid('11:00:00', sale.lots[0]!, 7000)
  await decide('12:01:00', sale)
  await decide('12:01:30', sale)
  const { rows } = await sql<{ actor_type: string; operation: string; record: string; changes: string; kept: boolean }>`
    select actor_type, operation, record, changes, kept from catalogue.journal
    where actor_type = 'job' and record = ${sale.session}`.execute(office.db)
  assert.equal(rows.length, 1)
  const { changes, ...row } = rows[0]!
  assert.deepEqual(row, { actor_type: 'job', operation: 'decide_results', record: sale.session, kept: true })
  const unsold = { state: 'unsold', amount: null, after_sale: false, with: null }
  assert.deepEqual(JSON.parse(changes), [
    {
      record: `lot_${sale.lots[0]}`,
      field: 'result',
      old: null,
      new: { ...unsold, state: 'sold', amount: eur(7000) },
    },
    { record: `lot_${sale.lots[1]}`, field: 'result', old: null, new: unsold },
  ])
})

test('a bid that extends a lot comes first: the lot is decided by the bid, after its new close', async () => {
  const sale = await office.loadSale(automatic)
  await bid('11:59:30', sale.lots[0]!, 7000)
  await decide('12:00:00', sale)
  assert.deepEqual(await states(sale), [undefined])
  await decide('12:01:30', sale)
  assert.deepEqual(await states(sale), ['sold'])
})

test('a bid under way is waited for, and one that comes after the result is refused', async () => {
  const sale = await office.loadSale(automatic)
  const [lot] = sale.lots as [string]
  const outcomes = await office.whileLocked<unknown>(
    (tx) => sql`lock table catalogue.bids in share mode`.execute(tx),
    () => bid('11:59:59', lot, 7000),
    () => decide('12:00:00', sale),
  )
  assert.ok(outcomes.every(({ status }) => status === 'fulfilled'))
  assert.deepEqual(await states(sale), [undefined])
  await decide('12:02:00', sale)
  assert.deepEqual((await read(lot)).result!.amount, eur(7000))
  await assert.rejects(bid('11:59:59', lot, 9000), { reason: 'has_result' })
})

test('several workers at once record one result for each lot', async () => {
  const sale = await office.loadSale(
    automatic,
    Array.from({ length: 20 }, () => ({ closes_at: at('12:00:00') })),
  )
  await Promise.all(sale.lots.map((lot, index) => bid('11:00:00', lot, 5000 + index)))
  await Promise.all([1, 2, 3, 4].map(() => decide('12:00:01', sale)))
  const { rows } = await sql<{ revision: string }>`
    select revision from catalogue.lots where session_id = ${await internalOf(sale)} group by revision`.execute(
    office.db,
  )
  assert.deepEqual(rows, [{ revision: '3' }])
  assert.ok((await states(sale)).every((state) => state === 'sold'))
})

test('what the job must not decide stays without a result', async () => {
  const cases: [name: string, session: Record<string, unknown>, lot: Record<string, unknown>][] = [
    ['by staff', {}, {}],
    ['unpublished', { ...automatic, published: false }, {}],
    ['hidden', { ...automatic, hidden: true }, {}],
    ['finished', { ...automatic, finished: true }, {}],
    ['bidding disabled', { ...automatic, customer_bidding_enabled: false }, {}],
    ['inactive', automatic, { active: false }],
    ['archived', automatic, { archived: true }],
    ['held', automatic, { held: true }],
    ['without a close', automatic, { closes_at: null }],
    ['live', { ...automatic, kind: 'live', timed: null, live: { closes_at: at('12:00:00') } }, {}],
  ]
  for (const [name, session, lot] of cases) {
    const sale = await office.loadSale(session, [lot])
    const before = await office.snapshot()
    await decide('12:00:01', sale)
    assert.deepEqual(await office.snapshot(), before, name)
  }
})

test('what closed five minutes ago or more is left to staff', async () => {
  const sale = await office.loadSale(automatic, [{}, {}])
  await decide('12:05:00', sale)
  assert.deepEqual(await states(sale), [undefined, 'unsold'])
})

test('what closed while bidding was disabled, or the session not published, is left to staff, whatever their clocks say', async () => {
  const closeNow = async (lot: string) => {
    const soon = new Date((await readDatabaseClock(office)).getTime() + 5)
    await sql`update catalogue.lots set closes_at = ${soon} where public_id = ${lot}`.execute(office.db)
  }
  for (const flag of ['customer_bidding_enabled', 'published'])
    for (const ahead of [-600_000, 600_000]) {
      const sale = await office.loadSale({ ...automatic, opens_at: '2020-01-01T00:00:00Z' }, [{}, {}])
      const set = (value: boolean) => {
        const clock = () => new Date(Date.now() + ahead)
        const context = { ...office.at('12:00:00', clock), now: clock(), databaseClock: undefined }
        return changeSession(context, sale.session, { [flag]: value })
      }
      await set(false)
      await closeNow(sale.lots[0]!)
      await sleep(10)
      await set(true)
      assert.equal(await dueJobs(sale), 1)
      await closeNow(sale.lots[1]!)
      await sleep(10)
      const payload = { house: office.house.id, session: await internalOf(sale) }
      await decideClosedLots(office, payload)
      assert.deepEqual(await states(sale), [undefined, 'unsold'], `${flag}, ${ahead} ms ahead`)
    }
})

test('a lot held while the job waits for it is not decided; a released one is', async () => {
  const sale = await office.loadSale(automatic)
  await hold('11:00:00', sale, true)
  await decide('12:00:00', sale)
  assert.deepEqual(await states(sale), [undefined])
  await hold('12:01:00', sale, false)
  assert.equal(await dueJobs(sale), 1)
  await decide('12:01:00', sale)
  assert.deepEqual(await states(sale), ['unsold'])
})

test('a start queues one job for each session that the job decides', async () => {
  const sale = await office.loadSale(automatic)
  await scheduleDecisions(office.db)
  await scheduleDecisions(office.db)
  assert.equal(await dueJobs(sale), 1)
})
