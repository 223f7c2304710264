import path from 'node:path'
import { Readable } from 'node:stream'
import { sql } from 'kysely'
import { findHouse } from '../../src/houses/locks.ts'
import { openBenchDatabase, printLines } from './database.ts'

const lotsPerSession = 500
const sessionsPerAuction = 5
const counts = { sellers: 500, makers: 2_000, categories: 200, consignments: 2_000, deliveryClasses: 5 }
const currency = 'EUR'

const vocabulary = {
  nl: `de het een van met en in op uit achttiende negentiende eeuw olieverf doek paneel gesigneerd gedateerd linksonder
    rechtsonder zilver porselein mahonie eiken notenhout vaas kast stoel klok pendule kandelaar landschap stilleven
    portret boerderij molen schepen haven bloemen vruchten lijst herkomst particuliere verzameling literatuur
    tentoongesteld afkomstig zeldzaam decoratief beschilderd gemonogrammeerd gemerkt meester Delft Haarlem Amsterdam`,
  en: `the a of with and in on from eighteenth nineteenth century oil canvas panel signed dated lower left right silver
    porcelain mahogany oak walnut vase cabinet chair clock mantel candlestick landscape still life portrait farmhouse
    windmill ships harbour flowers fruit frame provenance private collection literature exhibited formerly rare
    decorative painted monogrammed marked master Delft Haarlem Amsterdam`,
}
type Language = keyof typeof vocabulary
const words = { nl: vocabulary.nl.split(/\s+/), en: vocabulary.en.split(/\s+/) }

// The same random numbers in every run, so the same catalogue.
function createRandom() {
  let state = 20_261_120
  return (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

const eur = (amount: number) => ({ amount, currency })
const ref = (kind: string, number: number) => `${kind}-${number}`
const minute = (number: number) => new Date(Date.UTC(2020, 0, 1) + number * 60_000).toISOString()
const times = (number: number) => ({ created_at: minute(number), updated_at: minute(number + 1_440) })

/**
 * The records of a house with `lots` lots. Each lot has an item with two translations and three images without files.
 */
export function* catalogueRecords(slug: string, lots: number): Generator<Record<string, unknown>> {
  const random = createRandom()
  const phrase = (language: Language, length: number) => {
    const all = words[language]
    const text = Array.from({ length }, () => all[random(all.length)]).join(' ')
    return text[0]!.toUpperCase() + text.slice(1)
  }
  const texts = (language: Language, sizes: string) => ({
    title: phrase(language, 5 + random(5)),
    description: `${phrase(language, 25 + random(40))}. ${phrase(language, 10 + random(10))}.`,
    condition: phrase(language, 6 + random(12)),
    dimensions: sizes,
  })

  yield { type: 'house', slug, name: 'Bench', default_locale: 'nl', currency }
  for (let i = 0; i < counts.sellers; i++)
    yield { type: 'seller', ref: ref('seller', i), seller_number: i, profile_name: phrase('nl', 3), ...times(i) }
  for (let i = 0; i < counts.makers; i++)
    yield { type: 'maker', ref: ref('maker', i), name: phrase('nl', 3), ...times(i) }
  for (let i = 0; i < counts.categories; i++) {
    const parent = i < 20 ? {} : { parent: ref('category', i % 20) }
    const names = { nl: phrase('nl', 2), en: phrase('en', 2) }
    yield { type: 'category', ref: ref('category', i), slug: ref('category', i), names, ...parent, ...times(i) }
  }
  for (let i = 0; i < counts.deliveryClasses; i++)
    yield { type: 'delivery_class', ref: ref('delivery', i), name: phrase('nl', 2), ...times(i) }
  yield {
    type: 'increment_strategy',
    ref: 'strategy',
    name: 'Standard',
    steps: [{ from: eur(0), increment: eur(500) }],
    ...times(0),
  }
  for (let i = 0; i < counts.consignments; i++) {
    const seller = ref('seller', i % counts.sellers)
    yield { type: 'consignment', ref: ref('consignment', i), number: `2026-${i}`, seller, ...times(i) }
  }

  const sessions = Math.ceil(lots / lotsPerSession)
  for (let i = 0; i < sessions; i++) {
    const auction = ref('auction', Math.floor(i / sessionsPerAuction))
    if (i % sessionsPerAuction === 0) {
      yield {
        type: 'auction',
        ref: auction,
        external_reference: auction,
        title: phrase('nl', 4),
        description: phrase('nl', 40),
        published: i !== 0,
        ...times(i),
      }
    }
    yield {
      type: 'session',
      ref: ref('session', i),
      external_reference: ref('session', i),
      auction,
      titles: { nl: phrase('nl', 4), en: phrase('en', 4) },
      kind: 'timed',
      opens_at: minute(i * 10_080),
      timed: { first_closes_at: minute(i * 10_080 + 7_200), group_size: 1, interval_seconds: 60 },
      increment_strategy: 'strategy',
      published: i !== 0,
      ...times(i),
    }
  }

  for (let i = 0; i < lots; i++) {
    const session = Math.floor(i / lotsPerSession)
    const sizes = `${10 + random(90)} x ${10 + random(90)} cm`
    const nl = texts('nl', sizes)
    const low = 5_000 + 500 * random(400)
    yield {
      type: 'item',
      ref: ref('item', i),
      external_reference: ref('item', i),
      ...nl,
      translations: { nl, en: texts('en', sizes) },
      estimate: { low: eur(low), high: eur(low * 2) },
      seller: ref('seller', i % counts.sellers),
      consignment: ref('consignment', i % counts.consignments),
      delivery_class: ref('delivery', i % counts.deliveryClasses),
      categories: [ref('category', random(counts.categories)), ref('category', random(counts.categories))],
      makers: [ref('maker', random(counts.makers))],
      ...times(i),
    }
    for (let position = 0; position < 3; position++) {
      const external_reference = ref('image', position)
      const featured = position === 0
      yield { type: 'image', item: ref('item', i), external_reference, public: true, featured, position, ...times(i) }
    }
    yield {
      type: 'lot',
      session: ref('session', session),
      item: ref('item', i),
      lot_number: (i % lotsPerSession) + 1,
      active: session === sessions - 1,
      starting_bid: eur(low),
      current_bid: session === 0 ? null : eur(low + 500 * random(20)),
      closes_at: minute(session * 10_080 + 7_200 + (i % lotsPerSession)),
      scheduled_closes_at: minute(session * 10_080 + 7_200 + (i % lotsPerSession)),
      ...times(i),
    }
  }
}

/** A catalogue to measure with. */
export type BenchData = Awaited<ReturnType<typeof openBenchData>>

/**
 * Opens a catalogue of BENCH_LOTS lots (200,000) on an embedded server below BENCH_DIR, and loads it if it is missing.
 * Without BENCH_DIR it is in a temporary folder that `close()` removes.
 */
export async function openBenchData(lots = Number(process.env.BENCH_LOTS ?? 200_000)) {
  const kept = process.env.BENCH_DIR
  const database = await openBenchDatabase(4, kept && path.resolve(kept, `${lots}`))
  const { db } = database
  if (!(await findHouse(db, 'bench'))) {
    console.log(`loading ${lots} lots`)
    const begun = performance.now()
    const { lines } = await database.load(catalogueRecords('bench', lots))
    console.log(`loaded ${lines} lines in ${((performance.now() - begun) / 1000).toFixed(0)} s`)
    await sql`vacuum analyze`.execute(db)
  }
  return { ...database, ...(await database.openHouse('bench')), lots }
}

// `npx node bench/lib/data.ts [lots]` prints the catalogue as a file of the load format.
if (import.meta.main) {
  Readable.from(printLines(catalogueRecords('bench', Number(process.argv[2] ?? 200_000)))).pipe(process.stdout)
}
