import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { contextNow } from '../../src/context.ts'
import { isUnreachable, UnknownOutcome } from '../../src/db/errors.ts'
import { openDatabase, type Connection } from '../../src/db/pool.ts'
import { findHouse } from '../../src/houses/locks.ts'
import { placeBid } from '../../src/lots/bids.ts'
import { Problem } from '../../src/problems.ts'
import { random } from '../lib/random.ts'
import { leastAfter } from '../lib/sale.ts'
import { house as slug, type RunningLot } from './sale.ts'

const bidders = 6

/**
 * A lot as the bidders know it: the next amount, the outcome of each bid by its amount, and the closing time that a refusal
 * named. After `until` only late bids are placed on it.
 */
type BidLot = RunningLot & {
  next: number
  until: number
  outcomes: Map<number, 'acknowledged' | 'refused' | 'unknown'>
  closed?: string | undefined
}

/** Bidders with their own connections to the database. They neither start nor supervise it. */
export async function openBidders(connection: Connection, planned: RunningLot[], isOver: () => boolean) {
  const lots = planned.map((lot): BidLot => {
    const until = lot.closes.getTime() + random.below(12_000)
    return { ...lot, next: leastAfter(null), until, outcomes: new Map() }
  })
  const { db, pool } = openDatabase(connection, bidders + 1, { applicationName: 'bidders' })
  const house = (await findHouse(db, slug))!

  // Most bids are for lots that close soon or whose close has been moved. Some come too late.
  function chooseLot(): BidLot | undefined {
    const now = Date.now()
    const isLate = random.chance(0.1)
    const near = lots.filter(({ closes, until }) =>
      isLate ? until < now && until > now - 20_000 : closes.getTime() < now + 40_000 && until > now,
    )
    return random.pick(near)
  }

  async function bid(lot: BidLot): Promise<void> {
    const amount = lot.next
    lot.next = leastAfter(amount)
    lot.outcomes.set(amount, 'unknown')
    try {
      const { json } = await placeBid(contextNow(db, house), { lot: lot.uuid, amount })
      assert.equal((JSON.parse(json) as { current_bid: { amount: number } }).current_bid.amount, amount)
      lot.outcomes.set(amount, 'acknowledged')
    } catch (error) {
      if (error instanceof Problem) {
        lot.outcomes.set(amount, 'refused')
        const [cause] = error.causes
        const close = cause?.reason === 'closed' ? cause.time?.toISOString() : undefined
        assert.ok(close !== undefined || error.errors?.[0]?.minimum !== undefined, error.message)
        lot.closed ??= close
      } else if (isUnreachable(error) || error instanceof UnknownOutcome) await sleep(50)
      else throw error
    }
  }

  async function bidUntilOver(): Promise<void> {
    while (!isOver()) {
      const lot = chooseLot()
      if (lot) await bid(lot)
      await sleep(random.below(40))
    }
  }

  return {
    db,
    lots,
    bid: () => Promise.all(Array.from({ length: bidders }, bidUntilOver)),
    count: (wanted: string) =>
      lots.flatMap(({ outcomes }) => [...outcomes.values()]).filter((outcome) => outcome === wanted).length,
    close: () => pool.end(),
  }
}

export type Bidders = Awaited<ReturnType<typeof openBidders>>
