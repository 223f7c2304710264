import { eur, houseLine, uuid, type Line } from '../../test/support/lines.ts'

/** The house's short name. */
export const house = 'kill'

/** The schedule of the draft session, which opens in a day. */
export const schedule = { first_closes_at: new Date(Date.now() + 48 * 3_600_000), group_size: 7, interval_seconds: 90 }

/** The extension of the running session. Its threshold is longer than the extension, so not every late bid moves the close. */
export const extension = { extension_threshold_seconds: 4, extension_seconds: 3 }

/** The lowest first bid, and the increment above a bid. Minor units. */
export const startingBid = 5_000
export const incrementAt = (amount: number) => (amount >= 20_000 ? 1_000 : 500)

/** The loaded items; each is in lots of both sessions. */
export const loadedItems = Array.from({ length: 12 }, (_, index) => ({ uuid: uuid(100 + index), index }))

/** The lots of the draft session. */
export const draftLots = Array.from({ length: 60 }, (_, index) => ({ uuid: uuid(1_000 + index), number: index + 1 }))

/** A lot of the running session, with its close as loaded. */
export type RunningLot = { uuid: string; closes: Date }

/** Lots of the running session. The first closes in half a minute, and then one every two seconds. */
export function planLots(count: number): RunningLot[] {
  const first = Date.now() + 30_000
  return Array.from({ length: count }, (_, index) => ({
    uuid: uuid(10_000 + index),
    closes: new Date(first + index * 2_000),
  }))
}

/** The texts of an item after its nth change. Each names n, so that a change that is half written shows. */
export function textsOf(n: number) {
  return {
    nl: { title: `Vaas ${n}`, description: `Een vaas ${n}` },
    en: { title: `Vase ${n}`, description: `A vase ${n}` },
  }
}

/** A house with a draft sale and a running one, in the load format. */
export function* records(lots: RunningLot[]): Generator<Line> {
  const [draft, running] = [uuid(1), uuid(2)]
  yield houseLine(house)
  const steps = [0, 20_000].map((from) => ({ from: eur(from), increment: eur(incrementAt(from)) }))
  yield { type: 'increment_strategy', ref: 'steps', name: 'Steps', steps }
  yield { type: 'auction', ref: 'draft', external_reference: 'draft', title: 'Draft' }
  yield { type: 'auction', ref: 'running', external_reference: 'running', title: 'Running', published: true }
  const session = (id: string, auction: string, opens: number, timed: object) => {
    const common = { type: 'session', kind: 'timed', titles: { nl: auction }, increment_strategy: 'steps' }
    return { ...common, id, auction, external_reference: auction, opens_at: new Date(Date.now() + opens), timed }
  }
  yield session(draft, 'draft', 24 * 3_600_000, schedule)
  const timed = { first_closes_at: lots[0]!.closes, group_size: 1, interval_seconds: 2, ...extension }
  yield { ...session(running, 'running', -60_000, timed), published: true, customer_bidding_enabled: true }
  for (const { uuid: id, index } of loadedItems)
    yield { type: 'item', id, external_reference: `loaded ${index}`, translations: textsOf(0) }
  const itemOf = (index: number) => loadedItems[index % loadedItems.length]!.uuid
  for (const [index, { uuid: id, number }] of draftLots.entries())
    yield { type: 'lot', id, session: draft, item: itemOf(index), lot_number: number, starting_bid: eur(startingBid) }
  for (const [index, { uuid: id, closes }] of lots.entries()) {
    const own = { id, session: running, item: itemOf(index), lot_number: index + 1, active: true }
    yield { type: 'lot', ...own, starting_bid: eur(startingBid), closes_at: closes, scheduled_closes_at: closes }
  }
}
