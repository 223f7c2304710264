import { placeBid } from '../../src/lots/bids.ts'
import { openDatabase, type Connection } from '../../src/db/pool.ts'
import { findHouse } from '../../src/houses/locks.ts'
import { keepDoing } from './work.ts'
import { contextNow } from '../../src/context.ts'

/** The bids to place: lots by their UUIDs, bids per second, and the increment of each bid (minor units). */
export type Bidding = { connection: Connection; slug: string; lots: string[]; increment: number; perSecond: number }

/**
 * A bid on the lot with this number: its amount, its commit time (as Date.now()), and the milliseconds from its due
 * time.
 */
export type Bid = { lot: number; amount: number; at: number; took: number }

// Runs in a process of its own, so that no bid waits for the watchers. The first message is the bidding. `start` and
// `stop` begin and end a phase; `stopped` reports its end.
async function openBidder({ connection, slug, lots, increment, perSecond }: Bidding) {
  const { db } = openDatabase(connection, 10)
  const house = (await findHouse(db, slug))!
  const context = () => contextNow(db, house)
  const highest = lots.map(() => 0)
  // One bid at a time on a lot, so that none is too low.
  const bidden = new Set<number>()

  async function bid(due: number): Promise<void> {
    let lot = Math.floor(Math.random() * lots.length)
    while (bidden.has(lot)) lot = (lot + 1) % lots.length
    bidden.add(lot)
    const amount = highest[lot]! + increment
    await placeBid(context(), { lot: lots[lot]!, amount })
    highest[lot] = amount
    bidden.delete(lot)
    process.send!({ lot, amount, at: Date.now(), took: performance.now() - due } satisfies Bid)
  }

  let stopBidding: () => Promise<unknown>
  return {
    start() {
      stopBidding = keepDoing(perSecond, (_, due) => bid(due))
    },
    async stop() {
      await stopBidding()
      process.send!('stopped')
    },
  }
}

process.once('message', (bidding) => {
  const bidder = openBidder(bidding as Bidding)
  process.on('message', (phase: 'start' | 'stop') => void bidder.then((opened) => void opened[phase]()))
})
