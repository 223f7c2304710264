import { houseLine, uuid, type Line } from '../../test/support/lines.ts'
import type { Random } from '../lib/random.ts'
import { strategy, type PlannedSale } from '../lib/sale.ts'

/** The house's short name. */
export const house = 'close'

const items = Array.from({ length: 12 }, (_, index) => uuid(100 + index))

// The lots of a sale close in groups.
const groupSize = 10

/** A lot with its close as loaded. */
export type ClosingLot = { uuid: string; closes: Date }

/** A running sale whose first lots close at `first`, and whose last ones so many seconds later. */
export function planSale(random: Random, count: number, first: Date, seconds: number): PlannedSale<ClosingLot> {
  const step = (seconds * 1_000) / Math.ceil(count / groupSize)
  const lots = Array.from({ length: count }, (_, index) => ({
    uuid: random.uuid(),
    closes: new Date(first.getTime() + Math.floor(index / groupSize) * step),
  }))
  const session = random.uuid()
  const timed = { first_closes_at: first, group_size: groupSize, interval_seconds: 60 }
  return { session, name: `sale ${session}`, opens: new Date(Date.now() - 3_600_000), timed, items, lots }
}

/** The house with its items. Its results are recorded by the job. */
export const houseLines: Line[] = [
  houseLine(house, { defaults: { results: 'automatic' } }),
  strategy,
  ...items.map((id) => ({ type: 'item', id, external_reference: id, title: 'Vaas' })),
]
