import { eur, uuid, type Line } from '../../test/support/lines.ts'

/** The lowest first bid, and the increment above a bid. Minor units. */
const startingBid = 5_000
const incrementAt = (amount: number) => (amount >= 20_000 ? 1_000 : 500)

/** The least amount of the bid after this one. */
export const leastAfter = (bid: number | null) => (bid === null ? startingBid : bid + incrementAt(bid))

// Its threshold is longer than the extension, so not every late bid moves the close.
const extension = { extension_threshold_seconds: 4, extension_seconds: 3 }

/** The close of a lot after a bid at this moment. Milliseconds. */
export function closeAfter(close: number, placed: number): number {
  const isLate = close - placed <= extension.extension_threshold_seconds * 1_000
  return isLate ? Math.max(close, placed + extension.extension_seconds * 1_000) : close
}

/** A lot with its close as loaded; without one in a draft. */
export type PlannedLot = { uuid: string; closes?: Date }

/** A timed auction of one session, by its UUID, whose lots are of these items in turn. */
export type PlannedSale<Lot extends PlannedLot = PlannedLot> = {
  session: string
  name: string
  opens: Date
  timed: { first_closes_at: Date; group_size: number; interval_seconds: number }
  items: string[]
  lots: Lot[]
}

/** The increments of every sale in the load format. */
export const strategy: Line = {
  type: 'increment_strategy',
  id: uuid(9),
  name: 'Steps',
  steps: [0, 20_000].map((from) => ({ from: eur(from), increment: eur(incrementAt(from)) })),
}

/** A sale in the load format. If its lots have closes, it is published and takes bids. */
export function* saleLines({ session, name, opens, timed, items, lots }: PlannedSale): Generator<Line> {
  const isRunning = lots[0]!.closes !== undefined
  yield { type: 'auction', ref: name, external_reference: name, title: name, published: isRunning }
  yield {
    type: 'session',
    id: session,
    auction: name,
    external_reference: name,
    titles: { nl: name },
    kind: 'timed',
    opens_at: opens,
    timed: { ...timed, ...(isRunning && extension) },
    increment_strategy: strategy.id,
    ...(isRunning && { published: true, customer_bidding_enabled: true }),
  }
  for (const [index, { uuid: id, closes }] of lots.entries()) {
    const offered = { item: items[index % items.length], lot_number: index + 1, starting_bid: eur(startingBid) }
    const running = closes && { active: true, closes_at: closes, scheduled_closes_at: closes }
    yield { type: 'lot', id, session, ...offered, ...running }
  }
}
