// Converts French autograph sales and price lists of the Katabase project: a file of catalogues, then files of lots.
// Each catalogue becomes an auction, and each day of its sale a session. The house is the catalogue's publisher.
// Usage: npx node examples/katabase.ts katabase_catalogues.ndjson.gz kat_CAT_000323.ndjson | bin/catalogue load -
import { readJson } from './lib/files.ts'
import { numberLots } from './lib/numbers.ts'
import { hundredths } from './lib/prices.ts'
import { Remarks, write, writeOnce, type NamedRecord } from './lib/records.ts'
import { daysBetween, isDay, sitting, type Day } from './lib/sessions.ts'
import { firstClause, paragraphs, shorten, slugify, tidy } from './lib/text.ts'

type Nullable = string | null
/** A catalogue as the source writes it; element names are those of its TEI files. */
export type Catalogue = {
  'xml:id': string
  'titleStmt.title': string
  'bibl.title': Nullable
  'bibl.num': Nullable
  'bibl.editor': Nullable
  'bibl.publisher': Nullable
  'bibl.pubPlace': Nullable
  'bibl.date': Nullable
  'event.addrLine': string[]
  'event.persName': { type: string; text: string }[]
  'event.date': { from?: string; to?: string; when?: string }[]
  language: string[]
}
/** A lot as the source writes it: one `desc` for each of its pieces. */
export type Lot = {
  catalogue: string
  'xml:id': string
  n: Nullable
  num: Nullable
  name: Nullable
  'name@type': Nullable
  trait: Nullable
  desc: { text: Nullable }[]
  note: Nullable[]
  measure: Nullable
  'measure@quantity': Nullable
  'measure@unit': Nullable
  other?: { element: string; text: Nullable }[]
}

/** The records of all catalogues that have lots, house by house. */
export function* convert(catalogues: Catalogue[], lots: Lot[], remarks: Remarks): Generator<NamedRecord> {
  const lotsOf = Map.groupBy(lots, (lot) => lot.catalogue)
  const sales = catalogues.filter((catalogue) => lotsOf.has(catalogue['xml:id']))
  const known = new Set(sales.map((sale) => sale['xml:id']))
  for (const lot of lots)
    if (!known.has(lot.catalogue)) remarks.add('lot of an unknown catalogue: left out', lot['xml:id'])
  const once = writeOnce()
  for (const [house, itsSales] of Map.groupBy(sales, (sale) => slugify(publisher(sale)))) {
    const name = publisher(itsSales[0]!)
    yield { type: 'house', ref: `house/${house}`, slug: house, name, default_locale: 'fr', currency: 'FRF' }
    for (const sale of itsSales) yield* convertSale(house, sale, lotsOf.get(sale['xml:id'])!, once, remarks)
  }
}

function* convertSale(
  house: string,
  sale: Catalogue,
  lots: Lot[],
  once: ReturnType<typeof writeOnce>,
  remarks: Remarks,
) {
  const id = sale['xml:id']
  if (sale.language[0] !== 'fr') remarks.add('catalogue not in French: its texts are loaded as French', id)
  const auction = {
    type: 'auction',
    ref: `auction/${id}`,
    external_reference: id,
    title: shorten(tidy(sale['titleStmt.title'])),
    description: paragraphs(
      sale['bibl.title'],
      [sale['bibl.num'], sale['bibl.editor'], sale['bibl.publisher'], sale['bibl.pubPlace'], sale['bibl.date']]
        .filter(Boolean)
        .join(', '),
      ...sale['event.addrLine'],
      ...sale['event.persName'].filter(({ text }) => text).map(({ type, text }) => `${text} (${type})`),
    ),
    published: true,
  } satisfies NamedRecord<'auction'>
  yield auction
  const days = saleDays(sale, remarks)
  if (days.length === 0)
    remarks.add('catalogue without a full day of sale (most are price lists): one session without times', id)
  const sessions = (days.length > 0 ? days : [undefined]).map((day) => sitting(auction, day, 'fr'))
  yield* sessions
  if (days.length > 1)
    remarks.add('source does not say on which day a lot was sold: lots divided evenly over the days, in order', id)

  const collection = /, (collection .+)$/.exec(auction.title)?.[1]
  const seller = collection && `seller/${house}/${collection}`
  if (seller) {
    const number = Number(id.replace('CAT_', ''))
    remarks.add('seller without a number: gets the number of the catalogue', `${collection} → ${number}`)
    yield* once({ type: 'seller', ref: seller, seller_number: number, profile_name: collection })
  }
  const numbers = numberLots(
    lots.map((lot) => tidy(lot.num) || tidy(lot.n)),
    remarks,
  )
  for (const [index, lot] of lots.entries()) {
    const { number, note } = numbers[index]!
    const key = lot['xml:id']
    if (lot.num && lot.n !== lot.num) {
      remarks.add(
        'number in the markup differs from the printed one: the printed one is taken',
        `${lot.n} ≠ ${lot.num}`,
      )
    }
    const others = lot.other?.map((other) => other.text) ?? []
    const name = tidy(lot.name)
    const pieces = lot.desc.map(({ text }) => text)
    const title = name || tidy(lot.other?.find(({ element }) => element === 'name')?.text)
    if (pieces.length > 1)
      remarks.add('several pieces in a lot: one item, its description lists them', `${key}: ${pieces.length}`)
    if (others.length > 0) remarks.add('element outside the source’s own scheme: kept in the description', key)
    if (!name)
      remarks.add('lot without a name: its title is a name beside it or the first clause of its text', title || key)
    const price = askingPrice(lot, remarks)
    const maker = name && lot['name@type'] === 'author' ? `maker/${house}/${name}` : undefined
    if (name && !maker) remarks.add('name that is not marked as an author: used as title, not as maker', name)
    if (maker) yield* once({ type: 'maker', ref: maker, name })
    yield {
      type: 'item' as const,
      ref: `item/${key}`,
      external_reference: key,
      title: title || shorten(firstClause(tidy([...pieces, ...lot.note].find(tidy)))) || `Nº ${number}`,
      description: paragraphs(
        lot.trait,
        ...pieces,
        ...lot.note,
        ...others,
        note,
        price === undefined ? lot.measure : '',
      ),
      seller,
      makers: maker ? [maker] : [],
    }
    remarks.add('no result in the source: lots are loaded as unsold')
    yield {
      type: 'lot' as const,
      ref: `lot/${key}`,
      session: sessions[Math.floor((index * sessions.length) / lots.length)]!.ref,
      item: `item/${key}`,
      lot_number: number,
      active: true,
      starting_bid: price === undefined ? undefined : { amount: price, currency: 'FRF' },
      sold: false,
    }
  }
}

function publisher(sale: Catalogue): string {
  return tidy(sale['bibl.publisher']) || tidy(sale['bibl.editor']) || 'Sans nom'
}

function saleDays(sale: Catalogue, remarks: Remarks): Day[] {
  return sale['event.date'].flatMap(({ from, to, when }) => {
    if (!isDay(from) || !isDay(to)) return isDay(when) ? [when] : []
    const days = daysBetween(from, to)
    if (days.length > 0 && days.length <= 31) return days
    remarks.add(
      'sale that ends before it begins, or lasts over a month: a mistake, so it has no days',
      `${from} to ${to}`,
    )
    return []
  })
}

/** The asking price in centimes. For 2.50 the catalogues print `2 50`; the source has its reading as the quantity. */
function askingPrice(lot: Lot, remarks: Remarks): number | undefined {
  const [printed, quantity] = [tidy(lot.measure), tidy(lot['measure@quantity'])]
  if (!printed) return undefined
  const price = lot['measure@unit'] === 'FRF' ? hundredths(quantity) : undefined
  if (price === undefined)
    remarks.add('price not readable or not in francs: kept in the description', `${lot['xml:id']}: ${printed}`)
  else if (printed !== quantity)
    remarks.add('printed price differs from its quantity: the quantity is taken', `${printed} = ${quantity}`)
  return price
}

if (import.meta.main) {
  const remarks = new Remarks()
  const rows: (Catalogue | Lot)[] = []
  for (const file of process.argv.slice(2)) for await (const row of readJson<Catalogue | Lot>(file)) rows.push(row)
  const lots = rows.filter((row) => 'catalogue' in row)
  const catalogues = rows.filter((row): row is Catalogue => !('catalogue' in row))
  await write(convert(catalogues, lots, remarks), remarks)
}
