import { houseLine, uuid, type Line } from '../../test/support/lines.ts'
import { saleLines, strategy } from '../lib/sale.ts'

/** The house's short name. */
export const house = 'kill'

const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000)

/** The schedule of the draft session, which opens in a day. */
export const schedule = { first_closes_at: inHours(48), group_size: 7, interval_seconds: 90 }

/** The loaded items; each is in lots of both sessions. */
export const loadedItems = Array.from({ length: 12 }, (_, index) => uuid(100 + index))

/** The lots of the draft session. */
export const draftLots = Array.from({ length: 60 }, (_, index) => uuid(1_000 + index))

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
export function* houseLines(lots: RunningLot[]): Generator<Line> {
  yield houseLine(house)
  yield strategy
  for (const [index, id] of loadedItems.entries())
    yield { type: 'item', id, external_reference: `loaded ${index}`, translations: textsOf(0) }
  const draft = draftLots.map((id) => ({ uuid: id }))
  const items = loadedItems
  yield* saleLines({ session: uuid(1), name: 'draft', opens: inHours(24), timed: schedule, items, lots: draft })
  const timed = { first_closes_at: lots[0]!.closes, group_size: 1, interval_seconds: 2 }
  yield* saleLines({ session: uuid(2), name: 'running', opens: inHours(-1 / 60), timed, items, lots })
}
