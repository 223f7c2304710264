import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { cpus } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { placeBid } from '../../src/lots/bids.ts'
import { Problem } from '../../src/problems.ts'
import { changeSession } from '../../src/sales/sessions.ts'
import { extendClose, leastBid } from '../../src/lots/bidding.ts'
import { percentile } from '../../test/support/statistics.ts'
import { openBenchDatabase } from '../lib/database.ts'
import { openingLines } from '../lib/sale.ts'
import { contextNow } from '../../src/context.ts'

// Places 500 bids per second on 100 lots of one sale, 16 at once, with the function that the command calls. Then
// places as many as possible, and finishes the sale meanwhile. Afterwards the bids of every lot must form a serial
// history.
const bidsPerSecond = 500
const seconds = Number(process.env.BENCH_SECONDS ?? 20)
const bidders = 16
const lotCount = 100
const increment = 500
const extension = { extension_threshold_seconds: 120, extension_seconds: 120 }

const session = randomUUID()
const lots = Array.from({ length: lotCount }, () => ({ uuid: randomUUID(), next: 5000 }))
const closes = new Date(Date.now() + 100_000)

function* records() {
  const eur = (amount: number) => ({ amount, currency: 'EUR' })
  yield { type: 'house', slug: 'bids', name: 'Bids', default_locale: 'nl', currency: 'EUR' }
  const steps = [{ from: eur(0), increment: eur(increment) }]
  yield { type: 'increment_strategy', ref: 'steps', name: 'Steps', steps }
  yield* openingLines(session, closes, extension, 'steps')
  for (const [index, { uuid }] of lots.entries()) {
    yield { type: 'item', ref: `item ${index}`, external_reference: `${index}`, title: `Kavel ${index}` }
    const times = { closes_at: closes, scheduled_closes_at: closes }
    const own = { id: uuid, session, item: `item ${index}`, lot_number: index + 1 }
    yield { type: 'lot', ...own, active: true, starting_bid: eur(5000), ...times }
  }
}

const database = await openBenchDatabase(bidders + 1)
const { db } = database
await database.load(records())
const { house } = await database.openHouse('bids')
const present = () => contextNow(db, house)
let accepted = 0
let refused = 0
let finished = false

async function bid() {
  const lot = lots[Math.floor(Math.random() * lotCount)]!
  const amount = lot.next
  lot.next += increment
  try {
    await placeBid(present(), { lot: lot.uuid, amount })
    accepted += 1
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    refused += 1
    finished ||= error.reason === 'finished'
  }
}

/** Places bids at a steady rate. Returns the milliseconds of each from its due time. */
async function bidSteadily(): Promise<number[]> {
  const total = bidsPerSecond * seconds
  const begun = performance.now()
  const latencies: number[] = []
  let next = 0
  const bidder = async () => {
    while (next < total) {
      const due = begun + (next++ * 1000) / bidsPerSecond
      const early = due - performance.now()
      if (early > 0) await sleep(early)
      // A timer may fire early or late. Lateness is part of the latency.
      await bid()
      latencies.push(performance.now() - due)
    }
  }
  await Promise.all(Array.from({ length: bidders }, bidder))
  return latencies
}

/** Places as many bids as possible, and finishes the sale after five seconds. */
async function bidUntilFinished() {
  const begun = performance.now()
  const before = accepted
  const bidding = Array.from({ length: bidders }, async () => {
    while (!finished) await bid()
  })
  await sleep(5_000)
  const rate = (accepted - before) / ((performance.now() - begun) / 1000)
  const asked = performance.now()
  await changeSession(present(), session, { finished: true }, { early: true, allowWithoutResult: true })
  const waited = performance.now() - asked
  await Promise.all(bidding)
  return { rate, waited }
}

/** Asserts that the bids of every lot form a serial history. Returns the number of all bids. */
async function checkHistories(): Promise<number> {
  type Bid = { lot: string; amount: number; placed_at: Date; current_bid: number; closes_at: Date }
  const { rows } = await sql<Bid>`
    select l.public_id as lot, b.amount::float8, b.placed_at, l.current_bid::float8, l.closes_at
    from catalogue.bids b join catalogue.lots l on l.house_id = b.house_id and l.id = b.lot_id
    where b.house_id = ${house.id} order by b.id`.execute(db)
  for (const bids of Map.groupBy(rows, ({ lot }) => lot).values()) {
    let current_bid: number | null = null
    let close = closes
    for (const { amount, placed_at } of bids) {
      assert.ok(amount >= leastBid({ starting_bid: 5000, current_bid }, [{ from: 0, increment }]))
      assert.ok(placed_at < close)
      current_bid = amount
      close = extendClose(close, placed_at, extension)
    }
    assert.equal(bids[0]!.current_bid, current_bid)
    assert.deepEqual(bids[0]!.closes_at, close)
  }
  return rows.length
}

try {
  await bidSteadily()
  const latencies = await bidSteadily()
  const at = (share: number) => percentile(latencies, share).toFixed(1)
  console.log(
    `\n## Bids\n\n${cpus().length} processors, Node ${process.versions.node}, ${seconds} s after as long a start\n`,
  )
  console.log(`${bidsPerSecond} bids a second on ${lotCount} lots, ${bidders} at once:`)
  console.log(`median ${at(0.5)} ms, p99 ${at(0.99)} ms, p99.9 ${at(0.999)} ms, longest ${at(1)} ms`)
  const { rate, waited } = await bidUntilFinished()
  console.log(`as many as go: ${rate.toFixed(0)} a second; finishing the sale among them took ${waited.toFixed(1)} ms`)
  const recorded = await checkHistories()
  assert.equal(recorded, accepted)
  console.log(`${accepted} bids taken, ${refused} refused; the history of every lot is serial`)
} finally {
  await database.close()
}
