import { eur, houseLine, type Line } from '../../test/support/lines.ts'
import type { Random } from '../lib/random.ts'

/** The house's short name. */
export const house = 'close'

/** The extension of every sale. Its threshold is longer than the extension, so not every late bid moves the close. */
export const extension = { extension_threshold_seconds: 4, extension_seconds: 3 }

/** The lowest first bid, and the increment above a bid. Minor units. */
export const startingBid = 5_000
export const incrementAt = (amount: number) => (amount >= 20_000 ? 1_000 : 500)

// The lots of a sale close in groups.
const groupSize = 10

/** A lot with its close as loaded. */
export type PlannedLot = { uuid: string; number: number; closes: Date }

/** A sale before its first bid. */
export type PlannedSale = { auction: string; session: string; items: string[]; lots: PlannedLot[] }

/** A sale whose first lots close at `first`, and whose last ones so many seconds later. */
export function planSale(random: Random, count: number, first: Date, seconds: number): PlannedSale {
  const groups = Math.ceil(count / groupSize)
  const step = (seconds * 1000) / groups
  const lots = Array.from({ length: count }, (_, index) => ({
    uuid: random.uuid(),
    number: index + 1,
    closes: new Date(first.getTime() + Math.floor(index / groupSize) * step),
  }))
  const items = Array.from({ length: 12 }, () => random.uuid())
  return { auction: random.uuid(), session: random.uuid(), items, lots }
}

/** The house. Its results are recorded by the job. */
export function* houseRecords(): Generator<Line> {
  yield houseLine(house, { defaults: { results: 'automatic' } })
  const steps = [0, 20_000].map((from) => ({ from: eur(from), increment: eur(incrementAt(from)) }))
  yield { type: 'increment_strategy', id: strategy, name: 'Steps', steps }
}

const strategy = '00000000-0000-4000-8000-000000000001'

/** A running sale of that house, in the load format. */
export function* saleRecords({ auction, session, items, lots }: PlannedSale): Generator<Line> {
  yield houseLine(house)
  yield { type: 'auction', id: auction, external_reference: auction, title: 'Sale', published: true }
  const timed = { first_closes_at: lots[0]!.closes, group_size: groupSize, interval_seconds: 60, ...extension }
  const running = { published: true, customer_bidding_enabled: true, opens_at: new Date(Date.now() - 3_600_000) }
  const own = { id: session, auction, external_reference: session, titles: { nl: 'Sale' }, kind: 'timed' }
  yield { type: 'session', ...own, ...running, timed, increment_strategy: strategy }
  for (const id of items) yield { type: 'item', id, external_reference: id, title: 'Vaas' }
  for (const [index, { uuid: id, number: lot_number, closes }] of lots.entries()) {
    const times = { closes_at: closes, scheduled_closes_at: closes }
    const offered = { item: items[index % items.length], lot_number, active: true, starting_bid: eur(startingBid) }
    yield { type: 'lot', id, session, ...offered, ...times }
  }
}
