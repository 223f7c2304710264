import { join } from 'node:path'
import { hall, online } from './bidding.ts'
import { photographs, pieces } from './catalogue.ts'
import { categories, deliveryClasses } from './departments.ts'
import { seeded } from './drawings/paint.ts'
import { offer } from './offers.ts'
import { consignments, makers, sellers } from './people.ts'
import type { Piece, Text } from './pieces/piece.ts'
import { sales } from './sales.ts'
import type { Sale, Sitting } from './sales.ts'

/** The slug of the demo house. */
export const demoSlug = 'terbraeck'

/** A line of the load format. */
export interface LoadRecord {
  type: string
  [field: string]: unknown
}

const [minute, day] = [60_000, 86_400_000]
const money = (euros: number) => ({ amount: euros * 100, currency: 'EUR' })
const stamp = (at: number) => new Date(at).toISOString()
const since = (at: number, changed = at) => ({ created_at: stamp(at), updated_at: stamp(changed) })
const named = ([nl, en, de]: Text) => ({ nl, en, de })

/**
 * The demo house as lines of the load format, each pointing to earlier lines only: Veilinghuis Terbraeck with a sale
 * gone by, one running and one coming, as they stand at `now`. `pictures` is the folder of the drawings, relative to
 * where the lines will lie ('' for the same folder).
 */
export function* demoRecords(now: Date, pictures: string): Generator<LoadRecord> {
  yield* reference(now)
  const offered = new Set<string>()
  for (const sale of sales(now)) {
    const prepared = sale.published
      ? Math.min(...sale.sittings.map(({ opens }) => opens.getTime())) - 24 * day
      : now.getTime() - 9 * day
    yield {
      type: 'auction',
      ref: `auction:${sale.number}`,
      external_reference: `veiling-${sale.number}`,
      title: sale.title,
      description: sale.description,
      published: sale.published,
      archived: false,
      ...since(prepared),
    }
    for (const [at, sitting] of sale.sittings.entries()) {
      yield session(sale, sitting, prepared + (at + 1) * 20 * minute)
      for (const [index, name] of sitting.lots.entries()) {
        if (!offered.has(name))
          yield* item(sale, sitting, index, prepared + day + (at * 60 + index) * 7 * minute, pictures)
        offered.add(name)
      }
      yield* lots(sitting, prepared + 5 * day + at * 90 * minute, now)
    }
  }
}

function* reference(now: Date): Generator<LoadRecord> {
  const founded = now.getTime() - 1200 * day
  const row = (index: number) => since(founded + index * day)
  yield {
    type: 'house',
    ref: 'house',
    slug: demoSlug,
    name: 'Veilinghuis Terbraeck',
    default_locale: 'nl',
    currency: 'EUR',
    defaults: {
      buyer_premium_percentage: '25',
      extension_threshold_seconds: 120,
      extension_seconds: 120,
      group_size: 1,
      interval_seconds: 60,
    },
    ...since(founded - day),
  }
  for (const [index, { number, name, account, archived = false }] of sellers.entries())
    yield {
      type: 'seller',
      ref: `seller:${number}`,
      seller_number: number,
      profile_name: name,
      account_name: account,
      archived,
      ...row(90 * index),
    }
  for (const [index, [slug, parent, ...names]] of categories.entries())
    yield {
      type: 'category',
      ref: `category:${slug}`,
      slug,
      names: named(names),
      parent: parent && `category:${parent}`,
      ...row(index),
    }
  for (const [index, { ref, name, inactive }] of makers.entries())
    yield { type: 'maker', ref: `maker:${ref}`, name, active: !inactive, ...row(30 * index) }
  for (const [index, [ref, { name, instructions }]] of Object.entries(deliveryClasses).entries())
    yield { type: 'delivery_class', ref: `delivery:${ref}`, name, instructions, ...row(index) }
  for (const [index, { ref, name, steps }] of [online, hall].entries())
    yield {
      type: 'increment_strategy',
      ref: `increments:${ref}`,
      name,
      steps: steps.map(([from, increment]) => ({ from: money(from), increment: money(increment) })),
      ...row(index),
    }
  for (const [index, { number, seller, sale, commission, notes }] of consignments.entries())
    yield {
      type: 'consignment',
      ref: `consignment:${number}`,
      number,
      seller: `seller:${seller}`,
      locked: sale !== '114',
      archived: false,
      commission_percentage: commission,
      private_notes: notes,
      ...since(now.getTime() - (75 - index * 5) * day),
    }
}

function session(sale: Sale, sitting: Sitting, created: number): LoadRecord {
  const { timed, live } = sitting
  return {
    type: 'session',
    ref: `session:${sitting.reference}`,
    auction: `auction:${sale.number}`,
    external_reference: sitting.reference,
    titles: named(sitting.titles),
    kind: timed ? 'timed' : 'live',
    opens_at: sitting.opens.toISOString(),
    ...(timed && {
      timed: {
        first_closes_at: timed.firstCloses.toISOString(),
        group_size: timed.groupSize,
        interval_seconds: timed.interval,
        extension_threshold_seconds: timed.threshold,
        extension_seconds: timed.extension,
      },
    }),
    ...(live && { live: { closes_at: live.closes.toISOString() } }),
    settings: { buyer_premium_percentage: sitting.premium },
    increment_strategy: `increments:${sitting.strategy.ref}`,
    published: sitting.state !== 'draft',
    hidden: false,
    finished: sitting.state === 'finished',
    customer_bidding_enabled: sitting.state === 'open',
    ...since(created),
  }
}

const catalogue = new Map(pieces.map((piece) => [piece.ref, piece]))

function find(name: string): Piece {
  const piece = catalogue.get(name)
  if (!piece) throw new Error(`The demo house has no piece ${name}`)
  return piece
}

function* item(sale: Sale, sitting: Sitting, index: number, created: number, pictures: string): Generator<LoadRecord> {
  const piece = find(sitting.lots[index] ?? '')
  const random = seeded(piece.ref)
  const open = consignments.filter((consignment) => consignment.sale === sale.number)
  const consignment = open[Math.floor(random() * open.length)]
  const words = (language: 0 | 1 | 2) => ({
    title: piece.title[language],
    description: piece.description[language],
    condition: piece.condition[language],
    dimensions: piece.size[language],
    ...(piece.weight && { weight: piece.weight[language] }),
  })
  const reference = `V${sale.number}-${String(sitting.firstNumber + index).padStart(4, '0')}`
  yield {
    type: 'item',
    ref: `item:${piece.ref}`,
    external_reference: reference,
    ...words(0),
    translations: { nl: words(0), en: words(1), de: words(2) },
    estimate: { low: money(piece.estimate[0]), high: money(piece.estimate[1]) },
    seller: consignment ? `seller:${consignment.seller}` : null,
    categories: piece.categories.map((slug) => `category:${slug}`),
    makers: (piece.makers ?? []).map((maker) => `maker:${maker}`),
    delivery_class: `delivery:${piece.delivery}`,
    // Some sellers bring a single object in without a consignment.
    consignment: consignment && random() < 0.92 ? `consignment:${consignment.number}` : null,
    archived: false,
    ...since(created, created + Math.floor(random() * 300) * minute),
  }
  // Now and then the second photograph is a record of the condition, for the house's own eyes.
  const internal = random() < 0.15
  for (const [at, { file }] of photographs(piece).entries())
    yield {
      type: 'image',
      item: `item:${piece.ref}`,
      external_reference: `${reference}-${at + 1}`,
      file: join(pictures, file),
      public: at === 0 || !internal,
      featured: at === 0,
      position: at === 0 || !internal ? at : null,
      ...since(created + (at + 1) * minute),
    }
}

function* lots(sitting: Sitting, created: number, now: Date): Generator<LoadRecord> {
  const active = sitting.lots.filter((name) => !sitting.inactive.includes(name))
  for (const [index, name] of sitting.lots.entries()) {
    const ref = `lot:${sitting.reference}:${name}`
    const { starting, scheduled, closes, sold, current, bids } = offer(sitting, find(name), active.indexOf(name), now)
    const changed = [created + index * minute, ...bids.map(({ at }) => at), ...(sold && closes ? [closes] : [])]
    yield {
      type: 'lot',
      ref,
      session: `session:${sitting.reference}`,
      item: `item:${name}`,
      lot_number: sitting.firstNumber + index,
      active: active.includes(name),
      starting_bid: money(starting),
      current_bid: current === null ? null : money(current),
      sold,
      ...(sitting.timed && { closes_at: closes && stamp(closes), scheduled_closes_at: scheduled && stamp(scheduled) }),
      archived: false,
      ...since(created + index * minute, Math.max(...changed)),
    }
    for (const { amount, at } of bids)
      yield { type: 'bid', lot: ref, amount: money(amount), placed_at: stamp(at), ...since(at) }
  }
}
