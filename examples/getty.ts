// Converts the Getty Provenance Index: a file of lots (contents) and a file of catalogues (descriptions), in any order.
// Each catalogue becomes an auction. Each section of the index (British, German, …) becomes a house with one language.
// Usage: npx node examples/getty.ts getty_sales_contents_sample.csv getty_sales_descriptions_sample.csv | bin/catalogue load -
import { readCsv, type Row } from './lib/files.ts'
import { houses, readResult, type House } from './lib/getty-results.ts'
import { countSellers, numberLots } from './lib/numbers.ts'
import { Remarks, write, writeOnce, type NamedRecord } from './lib/records.ts'
import { isDay, sitting, type Day } from './lib/sessions.ts'
import { paragraphs, shorten, slugify, tidy } from './lib/text.ts'

/** Columns without a place in the load format: the first one of each group. */
const leftOut = [
  'sell_name_2',
  'prev_owner_1',
  'post_own_1',
  'prev_sale_cat_1',
  'post_sale_cat_1',
  'pres_loc_inst_1',
].concat([
  'subject',
  'format',
  'nationality_1',
  'artist_info_1',
  'hand_note_1',
  'expert_auth_1',
  'commissaire_pr_1',
  'pg',
  'price_source_1',
])

/** The records of all catalogues that have lots, section by section. */
export function* convert(lots: Row[], descriptions: Row[], remarks: Remarks): Generator<NamedRecord> {
  const described = new Map(descriptions.map((row) => [row.catalog_number, row]))
  for (const [section, itsLots] of Map.groupBy(lots, (lot) => lot.catalog_number?.split('-', 1)[0] ?? '')) {
    const house = houses[section]
    if (!house) {
      for (const lot of itsLots) remarks.add('catalogue of an unknown section: lot left out', lot.catalog_number)
      continue
    }
    const { slug, name, locale, currency } = house
    yield { type: 'house', ref: `house/${slug}`, slug, name, default_locale: locale, currency }
    if (currency === 'XXX')
      remarks.add('money without an ISO 4217 code: currency XXX (none)', [name, ...house.units].join(', '))
    const once = writeOnce()
    const sellerNamed = countSellers(slug, remarks)
    for (const [number, saleLots] of Map.groupBy(itsLots, (lot) => lot.catalog_number ?? '')) {
      if (!described.has(number)) remarks.add('catalogue without a description: titled by its lots', number)
      yield* convertSale(house, number, saleLots, described.get(number) ?? {}, sellerNamed, once, remarks)
    }
  }
}

function* convertSale(
  house: House,
  catalogue: string,
  lots: Row[],
  sale: Row,
  sellerNamed: ReturnType<typeof countSellers>,
  once: ReturnType<typeof writeOnce>,
  remarks: Remarks,
) {
  const first = lots[0]!
  const auctioneer = tidy(sale.auc_house_auth_1 || first.auction_house_1) || 'Anonymous'
  const auction = {
    type: 'auction',
    ref: `auction/${catalogue}`,
    external_reference: catalogue,
    title: shorten(
      `${auctioneer}, ${[sale.city_of_sale, first.lot_sale_year].filter(Boolean).join(' ')} (${catalogue})`,
    ),
    description: paragraphs(sale.title_pg_sell_1, sale.specific_loc, sale.notes),
    published: true,
  } satisfies NamedRecord<'auction'>
  yield auction
  if (sale.non_auction_flag)
    remarks.add(
      'not an auction but a lottery or a stock list: loaded as an auction',
      `${catalogue}: ${sale.non_auction_flag}`,
    )
  if (sale.catalog_number)
    remarks.add('columns of catalogues on last days, links, copies, Lugt numbers: left out', catalogue)
  const sessions = new Map(lots.map((lot) => [dayOf(lot), sitting(auction, dayOf(lot), house.locale)]))
  if (sessions.has(undefined)) remarks.add('no full day of sale: the session has no times', catalogue)
  yield* sessions.values()

  const numbers = numberLots(
    lots.map((lot) => tidy(lot.lot_number)),
    remarks,
  )
  for (const [index, lot] of lots.entries()) {
    const { number, note } = numbers[index]!
    const key = lot.persistent_puid!
    const makers: NamedRecord[] = [...new Set(makersOf(lot, remarks))].map((name) => {
      return { type: 'maker', ref: `maker/${house.slug}/${name}`, name }
    })
    const terms = [lot.object_type, ...(lot.genre ?? '').split(';')].map(tidy).filter(Boolean)
    const categories: NamedRecord[] = terms.map((term) => {
      const names = { [house.locale]: term }
      return { type: 'category', ref: `category/${house.slug}/${term}`, slug: slugify(term), names }
    })
    const sellerName = tidy(lot.sell_auth_name_1 || lot.sell_name_1)
    const seller = sellerName ? sellerNamed(sellerName) : undefined
    for (const record of [...makers, ...categories, ...(seller ? [seller] : [])]) yield* once(record)
    for (const column of leftOut) {
      if (lot[column])
        remarks.add(
          'columns on owners, earlier and later sales, places, pages, subjects, annotations: left out',
          column,
        )
    }
    if (lot.buy_name_1) remarks.add('buyer: the load format has no place for one, left out', lot.buy_name_1)

    const original = tidy(lot.title)
    const translated = tidy(lot.title_translation)
    const title = translated || original
    if (translated)
      remarks.add(
        'title in Danish, which is not a supported locale: translation as title, original in the description',
        key,
      )
    if (title.length > 255) remarks.add('title longer than 255 characters: cut, whole in the description', key)
    const result = readResult(lot, house, key, remarks)
    yield {
      type: 'item' as const,
      ref: `item/${key}`,
      external_reference: key,
      title: shorten(title) || `Nº ${number}`,
      description: paragraphs(
        shorten(title) === original ? '' : original,
        lot.title_modifier,
        lot.artist_name_1 && `${lot.artist_name_1} ${lot.attrib_mod_1 ?? ''}`,
        lot.materials,
        lot.inscription,
        lot.lot_notes,
        note,
        ...result.printed,
      ),
      dimensions: paragraphs(lot.dimensions),
      seller: seller?.ref,
      estimate: result.estimate && { low: result.estimate },
      categories: categories.map(({ ref }) => ref),
      makers: makers.map(({ ref }) => ref),
    }
    yield {
      type: 'lot' as const,
      ref: `lot/${key}`,
      session: sessions.get(dayOf(lot))!.ref,
      item: `item/${key}`,
      lot_number: number,
      active: result.outcome !== 'withdrawn',
      starting_bid: result.start,
      current_bid: result.hammer,
      sold: result.outcome === 'sold',
    }
  }
}

function dayOf(lot: Row): Day | undefined {
  const day = `${lot.lot_sale_year}-${lot.lot_sale_month}-${lot.lot_sale_day}`
  return isDay(day) ? day : undefined
}

/** The artists by their authority names. Copies, anonymous works and works of schools or followers have no maker. */
function makersOf(lot: Row, remarks: Remarks): string[] {
  return [1, 2, 3, 4, 5].flatMap((place) => {
    const authority = tidy(lot[`art_authority_${place}`])
    if (!authority || authority === '[ANONYMOUS]') return []
    const name = authority === 'NEW' ? tidy(lot[`artist_name_${place}`]) : authority
    const modifier = tidy(lot[`attrib_mod_auth_${place}`])
    if (modifier) remarks.add('copy, school or attribution: no maker', `${modifier}: ${name}`)
    return modifier ? [] : [name]
  })
}

if (import.meta.main) {
  const remarks = new Remarks()
  const rows = process.argv.slice(2).flatMap((file) => readCsv(file, remarks))
  const [lots, descriptions] = [rows.filter((row) => row.lot_number), rows.filter((row) => row.star_record_no)]
  await write(convert(lots, descriptions, remarks), remarks)
}
