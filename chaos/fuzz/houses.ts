import { eur, houseLine, uuid, type Line } from '../../test/support/lines.ts'

/** The houses. Every text of a house contains its mark, which no answer to another house may contain. */
export const houses = ['noord', 'zuid', 'scheef'] as const
export type House = (typeof houses)[number]

/** The house with records that cannot be shown. */
export const defective: House = 'scheef'

const marks: Record<House, string> = { noord: 'Qnoordq', zuid: 'Qzuidq', scheef: 'Qscheefq' }

/** The mark in every text of the house. */
export const markOf = (house: House) => marks[house]

const records = 12
const currencies: Record<House, string> = { noord: 'EUR', zuid: 'CHF', scheef: 'EUR' }
const locales: Record<House, string> = { noord: 'nl', zuid: 'de', scheef: 'nl' }

/** A house with some records of every kind. The numbers in its ids begin with the number of the house. */
function* soundRecords(house: House): Generator<Line> {
  const base = (houses.indexOf(house) + 1) * 100_000
  const locale = locales[house]
  const mark = marks[house]
  const money = (amount: number) => ({ ...eur(amount), currency: currencies[house] })
  const each = function* (offset: number, line: (number: number, id: string) => Line): Generator<Line> {
    for (let number = 0; number < records; number++) yield line(number, uuid(base + offset * 1000 + number))
  }
  const of = (offset: number, number: number) => uuid(base + offset * 1000 + (number % records))

  yield houseLine(house, { name: `House ${mark}`, default_locale: locale, currency: currencies[house] })
  yield* each(1, (number, id) => ({ type: 'seller', id, seller_number: number, profile_name: `Seller ${mark}` }))
  yield* each(2, (number, id) => {
    const parent = number > 0 ? { parent: of(2, 0) } : {}
    return { type: 'category', id, slug: `c${number}-${mark}`, names: { [locale]: `Category ${mark}` }, ...parent }
  })
  yield* each(3, (number, id) => ({ type: 'maker', id, name: `Maker ${number} ${mark}`, active: number % 3 > 0 }))
  yield* each(4, (number, id) => ({ type: 'delivery_class', id, name: `Class ${number} ${mark}` }))
  yield* each(5, (number, id) => {
    const steps = [{ from: money(0), increment: money(500) }]
    return { type: 'increment_strategy', id, name: `Steps ${number} ${mark}`, steps }
  })
  yield* each(6, (number, id) => {
    const notes = { private_notes: `Notes ${mark}`, locked: number % 6 === 5 }
    return { type: 'consignment', id, number: `${number} ${mark}`, seller: of(1, number), ...notes }
  })
  yield* each(7, (number, id) => {
    const texts = { title: `Auction ${mark}`, external_reference: `A${number} ${mark}` }
    return { type: 'auction', id, ...texts, published: number % 4 === 0 }
  })
  yield* each(8, (number, id) => {
    const timed = { first_closes_at: '2099-05-08T10:00:00Z', group_size: 2, interval_seconds: 60 }
    const kind =
      number % 2 === 0 ? { kind: 'timed', timed } : { kind: 'live', live: { closes_at: '2099-06-01T10:00:00Z' } }
    const texts = { titles: { [locale]: `Session ${mark}` }, external_reference: `S${number} ${mark}` }
    const own = { opens_at: '2099-05-01T10:00:00Z', increment_strategy: of(5, number), published: number % 5 === 0 }
    return { type: 'session', id, auction: of(7, number), ...texts, ...kind, ...own }
  })
  // Older systems have left some links twice.
  yield* each(9, (number, id) => ({
    type: 'item',
    id,
    external_reference: `I${number} ${mark}`,
    title: `Item ${mark}`,
    description: `Text ${mark}`,
    estimate: { low: money(10_000), high: money(20_000) },
    categories: number % 4 === 0 ? [of(2, number), of(2, number)] : [of(2, number)],
    makers: number % 4 === 0 ? [of(3, number), of(3, number), of(3, 1)] : [of(3, number)],
  }))
  yield* each(10, (number, id) => {
    const texts = { external_reference: `P${number} ${mark}`, public: number % 3 > 0 }
    return { type: 'image', id, item: of(9, number % 4), ...texts, position: number }
  })
  yield* each(11, (number, id) => {
    // The sessions of the last numbers have no lots: these can be corrected.
    const own = { session: of(8, number % 6), item: of(9, number), lot_number: number + 1 }
    return { type: 'lot', id, ...own, active: number % 2 === 0, starting_bid: money(5_000) }
  })
}

function* defects(): Generator<Line> {
  const mark = marks[defective]
  const twice = [
    { locale: 'fr', title: `a ${mark}` },
    { locale: 'fr', title: `b ${mark}` },
  ]
  const id = (number: number) => uuid(900_000 + number)
  yield { type: 'seller', id: null, seller_number: 77, profile_name: `Unidentified ${mark}` }
  yield { type: 'maker', id: null, name: `Unidentified ${mark}` }
  yield { type: 'item', id: null, ref: 'nameless', title: `Nameless ${mark}` }
  yield { type: 'item', id: id(1), title: `Twice ${mark}`, translations: twice }
  yield { type: 'item', id: id(2), title: `Pictures ${mark}` }
  yield { type: 'image', item: id(2), id: null, public: true }
  yield { type: 'image', item: id(2), id: id(3), public: false }
  yield { type: 'image', item: id(2), id: id(3), public: false }
  yield { type: 'lot', session: uuid(308_001), item: 'nameless', lot_number: 99 }
}

/** The lines of the load format of all houses. */
export function* catalogueLines(): Generator<Line> {
  for (const house of houses) {
    yield* soundRecords(house)
    if (house === defective) yield* defects()
  }
}
