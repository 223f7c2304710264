import { setTimeout as sleep } from 'node:timers/promises'
import type { Random } from '../lib/random.ts'
import { leastAfter, type PlannedSale } from '../lib/sale.ts'
import type { Outcome, Processes } from './instances.ts'
import type { Order } from './orders.ts'
import type { ClosingLot } from './sale.ts'

const bidsPerSecond = 50
const mostUnderWay = 100

/** An order on a lot, or on all of them, and what became of it. */
export type Attempt = { order: Order; outcome: Outcome }

/**
 * A lot as the bidders know it. `bids`: how many amounts they have named; each names another one. After `until` they
 * extend it no more.
 */
type KnownLot = ClosingLot & { current: number | null; bids: number; until: number }

/**
 * The bidders and clerks of a sale, who ask the instances at random and note every outcome. `isOver`: whether the last
 * lot closed a while ago.
 */
export function openPeople(processes: Processes, sale: PlannedSale<ClosingLot>, random: Random) {
  const attempts: Attempt[] = []
  const lots = sale.lots.map((lot): KnownLot => {
    const until = lot.closes.getTime() + random.below(12_000)
    return { ...lot, current: null, bids: 0, until }
  })
  const known = new Map(lots.map((lot) => [lot.uuid, lot]))

  /** Asks an instance that runs. Returns undefined if none does. */
  async function ask(order: Order): Promise<Outcome | undefined> {
    const running = processes.all.filter(({ running }) => running.isStarted)
    if (running.length === 0) return undefined
    const outcome = await random.pick(running).ask(order)
    attempts.push({ order, outcome })
    const lot = 'lot' in order ? known.get(order.lot) : undefined
    if (lot && 'done' in outcome) {
      const { closes, current } = outcome.done
      if (closes !== undefined) lot.closes = new Date(closes)
      if (order.verb === 'back' && closes !== undefined) lot.until = closes + 3_000
      if (current !== undefined) lot.current = current
    }
    return outcome
  }

  // Most bids are for lots that close soon. Some come just too late, a few much too late.
  function chooseLot(): KnownLot {
    const now = Date.now()
    const [from, to] = random.weigh([
      [70, [-500, 8_000]],
      [20, [-4_000, 500]],
      [5, [0, 60_000]],
      [5, [-60_000, 0]],
    ] as const)
    const open = lots.filter(({ closes, until }) => closes.getTime() < now || until > now)
    const near = open.filter(({ closes }) => closes.getTime() > now + from && closes.getTime() < now + to)
    return random.pick(near.length > 0 ? near : lots)
  }

  // The last digits make the amount the only one of the lot, so that it names the bid. Some bids are too low.
  function chooseAmount(lot: KnownLot): number {
    const least = leastAfter(lot.current)
    const base = random.chance(0.1) ? least / 2 - 1_000 : least
    return Math.ceil(base / 1_000) * 1_000 + ++lot.bids
  }

  async function bid(isOver: () => boolean): Promise<void> {
    const underWay = new Set<Promise<unknown>>()
    for (let due = Date.now(); !isOver(); due += 1_000 / bidsPerSecond) {
      await sleep(Math.max(0, due - Date.now()))
      if (underWay.size >= mostUnderWay) continue
      const lot = chooseLot()
      const asked = ask({ verb: 'bid', lot: lot.uuid, amount: chooseAmount(lot) }).finally(() => underWay.delete(asked))
      underWay.add(asked)
    }
    await Promise.all(underWay)
  }

  /** An order that is due so many seconds after the close of its lot, often by two clerks at once. */
  async function order(lot: KnownLot, seconds: number, make: () => Order): Promise<void> {
    await sleep(Math.max(0, lot.closes.getTime() + seconds * 1_000 - Date.now()))
    const given = make()
    await Promise.all([ask(given), random.chance(0.2) && ask(given)])
  }

  const between = (from: number, to: number) => from + random.below((to - from) * 1_000) / 1_000

  // What happens to a lot besides bids, each by chance.
  async function attend(lot: KnownLot): Promise<void> {
    const { uuid } = lot
    const all: Promise<void>[] = []
    const maybe = (chance: number, seconds: number, make: () => Order) => {
      if (random.chance(chance)) all.push(order(lot, seconds, make))
    }
    const state = random.pick(['sold', 'unsold'] as const)
    const closesAt = () => (random.chance(0.5) ? { closesAt: Date.now() + 3_500 + random.below(6_000) } : {})
    if (random.chance(0.12)) {
      maybe(1, between(-20, 1), () => ({ verb: 'hold', lot: uuid }))
      maybe(0.5, between(-2, 6), () => ({ verb: 'release', lot: uuid }))
      maybe(0.7, between(-1, 8), () => ({ verb: 'result', lot: uuid, state }))
    }
    maybe(0.07, between(-15, 3), () => ({ verb: 'result', lot: uuid, state: 'withdrawn' }))
    maybe(0.2, between(-8, 1), () => ({ verb: 'cancel', lot: uuid, highest: random.chance(0.8) }))
    maybe(0.1, between(-1, 2), () => ({ verb: 'result', lot: uuid, state: 'sold' }))
    maybe(0.1, between(1, 9), () => ({ verb: 'back', lot: uuid, ...closesAt() }))
    maybe(0.03, between(9, 12), () => ({ verb: 'back', lot: uuid, ...closesAt() }))
    await Promise.all(all)
  }

  // Now and then a clerk does the job's work for a few lots.
  async function recordClosed(isOver: () => boolean): Promise<void> {
    while (!isOver()) {
      await sleep(3_000 + random.below(6_000))
      const chosen = new Set(random.shuffle(lots).slice(0, 8))
      const except = lots.filter((lot) => !chosen.has(lot)).map(({ uuid }) => uuid)
      await ask({ verb: 'closed', session: sale.session, except })
    }
  }

  return {
    attempts,
    ask,
    work: (isOver: () => boolean) => Promise.all([bid(isOver), recordClosed(isOver), ...lots.map(attend)]),
    lastClose: () => Math.max(...lots.map(({ closes }) => closes.getTime())),
  }
}
