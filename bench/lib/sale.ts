import { randomUUID } from 'node:crypto'
import type { Line } from '../../test/support/lines.ts'
import { catalogueRecords } from './data.ts'
import { openBenchDatabase } from './database.ts'

/** The increment of each bid, in minor units. */
export const increment = 500
const slug = 'closing'

/** A sale that closes in two minutes, so that every bid extends its lot, in a house with `others` other lots. */
export type Sale = Awaited<ReturnType<typeof openSale>>

/** The lines of an auction with one timed session, which has opened and takes bids. */
export function openingLines(session: string, closes: Date, extension: object = {}, strategy?: string): Line[] {
  return [
    { type: 'auction', ref: 'sale', external_reference: 'sale', title: 'Sale', published: true },
    {
      type: 'session',
      id: session,
      auction: 'sale',
      external_reference: 'sale',
      titles: { nl: 'Sale' },
      kind: 'timed',
      opens_at: new Date(Date.now() - 60_000),
      timed: { first_closes_at: closes, group_size: 1, interval_seconds: 60, ...extension },
      increment_strategy: strategy,
      published: true,
      customer_bidding_enabled: true,
    },
  ]
}

function* saleRecords(session: string, lots: string[], closes: Date) {
  const eur = (amount: number) => ({ amount, currency: 'EUR' })
  const words = (count: number) => Array.from({ length: count }, () => 'zeldzaam').join(' ')
  yield { type: 'house', slug, name: 'Bench', default_locale: 'nl', currency: 'EUR' }
  yield* openingLines(session, closes, { extension_threshold_seconds: 600, extension_seconds: 600 })
  for (const [index, id] of lots.entries()) {
    const texts = { title: `Kavel ${index}`, description: words(45), condition: words(10) }
    const translations = { nl: texts, en: texts }
    yield { type: 'item', ref: `sale ${index}`, external_reference: `sale ${index}`, ...texts, translations }
    for (let position = 0; position < 3; position++)
      yield { type: 'image', item: `sale ${index}`, external_reference: `${position}`, public: true, position }
    const times = { closes_at: closes, scheduled_closes_at: closes }
    const own = { id, session, item: `sale ${index}`, lot_number: index + 1, active: true }
    yield { type: 'lot', ...own, starting_bid: eur(increment), current_bid: null, ...times }
  }
}

/** Opens a sale of `lotCount` lots on an embedded server in a folder of its own, which `close()` removes. */
export async function openSale(lotCount: number, others: number) {
  const database = await openBenchDatabase(10)
  const session = randomUUID()
  const lots = Array.from({ length: lotCount }, () => randomUUID())
  await database.load(catalogueRecords(slug, others))
  await database.load(saleRecords(session, lots, new Date(Date.now() + 120_000)))
  return { ...database, ...(await database.openHouse(slug)), session, lots }
}
