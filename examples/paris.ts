// Converts paintings in Paris sales 1764-1780: CSV files in UTF-8 or MacRoman, with one row for each painting.
// Rows with the same lot number and price become one item. The house is the dealer, and its currency the livre.
// Usage: npx node examples/paris.ts paris_R1776.csv | bin/catalogue load -
import { readCsv, type Row } from './lib/files.ts'
import { numberLots } from './lib/numbers.ts'
import { hundredths } from './lib/prices.ts'
import { Remarks, write, writeOnce, type NamedRecord } from './lib/records.ts'
import { sitting } from './lib/sessions.ts'
import { paragraphs, shorten, slugify, tidy } from './lib/text.ts'

const dealers: { [letter: string]: string } = { R: 'Remy', L: 'Lebrun', J: 'Joullain', P: 'Paillet' }

/** The columns of 0 or 1 that classify the paintings, and what they mean. */
const subjects: { [column: string]: { fr: string; en: string } } = {
  relig: { fr: 'Sujets religieux', en: 'Religious subjects' },
  mytho: { fr: 'Mythologie', en: 'Mythology' },
  history: { fr: 'Histoire', en: 'History' },
  allegory: { fr: 'Allégories', en: 'Allegories' },
  portrait: { fr: 'Portraits', en: 'Portraits' },
  still_life: { fr: 'Natures mortes', en: 'Still lifes' },
  landsALL: { fr: 'Paysages', en: 'Landscapes' },
  pastorale: { fr: 'Pastorales', en: 'Pastorals' },
  peasant: { fr: 'Scènes paysannes', en: 'Peasant scenes' },
}
const anonymous = new Set([
  '',
  'n/a',
  'Anonymous',
  'Unknown',
  'French',
  'Flemish',
  'Dutch',
  'Italian',
  'German',
  'Spanish',
])

/** The records of all sales in the rows, dealer by dealer. */
export function* convert(rows: Row[], remarks: Remarks): Generator<NamedRecord> {
  const once = writeOnce()
  for (const { sale } of rows) remarks.add('other columns on school, style, prices, figures and owners: left out', sale)
  for (const [letter, itsRows] of Map.groupBy(rows, (row) => row.dealer ?? '')) {
    const name = dealers[letter] ?? letter
    const house = slugify(name)
    yield { type: 'house', ref: `house/${house}`, slug: house, name, default_locale: 'fr', currency: 'XXX' }
    remarks.add('livres have no ISO 4217 code: currency XXX (none), amounts are hundredths of a livre', name)
    for (const [sale, saleRows] of Map.groupBy(itsRows, (row) => row.sale ?? '')) {
      yield* convertSale(house, name, sale, saleRows, once, remarks)
    }
  }
}

function* convertSale(
  house: string,
  dealer: string,
  sale: string,
  rows: Row[],
  once: ReturnType<typeof writeOnce>,
  remarks: Remarks,
) {
  const auction = {
    type: 'auction',
    ref: `auction/${sale}`,
    external_reference: sale,
    title: `Vente ${dealer} ${rows[0]!.year} (${sale})`,
    description: 'Tableaux seulement : les autres lots de la vente ne sont pas dans la source.',
    published: true,
  } satisfies NamedRecord<'auction'>
  const session = sitting(auction, undefined, 'fr')
  remarks.add('source gives a year and no day: the session has no times', sale)
  yield auction
  yield session

  // Two prices under one number: two lots with the same number in the catalogue, or pieces that were sold separately.
  const lots = [...Map.groupBy(rows, (row) => `${row.lot}/${row.price}`).values()]
  const numbers = numberLots(
    lots.map((pieces) => tidy(pieces[0]!.lot)),
    remarks,
  )
  for (const [index, pieces] of lots.entries()) {
    const { number, note } = numbers[index]!
    const key = `${sale}/${number}`
    const first = pieces[0]!
    if (pieces.length > 1)
      remarks.add('several pictures in a lot: one item, its description lists them', `${first.name}: ${pieces.length}`)
    const makers = [...new Set(pieces.flatMap((piece) => makersOf(piece, remarks)))]
    for (const maker of makers) yield* once({ type: 'maker', ref: `maker/${house}/${maker}`, name: maker })
    const categories = Object.keys(subjects).filter((column) => pieces.some((piece) => piece[column] === '1'))
    for (const column of categories) {
      yield* once({ type: 'category', ref: `category/${house}/${column}`, slug: column, names: subjects[column]! })
    }
    const subject = tidy(first.subject)
    if (subject.length > 255)
      remarks.add('subject longer than 255 characters: title cut, whole in the description', first.name)
    if (!subject) remarks.add('picture without a subject: its author is the title', first.name)
    yield {
      type: 'item' as const,
      ref: `item/${key}`,
      external_reference: key,
      title: shorten(subject || tidy(first.author) || `Nº ${number}`),
      description: paragraphs(...pieces.flatMap(describe), note),
      dimensions: paragraphs(...pieces.map(measure)),
      categories: categories.map((column) => `category/${house}/${column}`),
      makers: makers.map((maker) => `maker/${house}/${maker}`),
    }
    const price = hundredths(tidy(first.price))
    if (price === undefined)
      remarks.add('price not readable: the lot is loaded as unsold', `${first.name}: ${first.price}`)
    remarks.add('buyer (winningbidder, endbuyer): the load format has no place for one, left out')
    yield {
      type: 'lot' as const,
      ref: `lot/${key}`,
      session: session.ref,
      item: `item/${key}`,
      lot_number: number,
      active: true,
      current_bid: price === undefined ? undefined : { amount: price, currency: 'XXX' },
      sold: price !== undefined,
    }
  }
}

/** The makers of a picture. Copies and works of followers or schools have no maker: the description names the artist. */
function makersOf(piece: Row, remarks: Remarks): string[] {
  const standard = tidy(piece.authorstandard)
  if (anonymous.has(standard)) {
    remarks.add('no single maker (anonymous, a school): the author as printed is in the description', standard)
    return []
  }
  if (isIndirect(piece)) {
    remarks.add('copy, follower or attribution: no maker, the artist is named in the description', standard)
    return []
  }
  return standard.split(';').map(tidy)
}

function isIndirect(piece: Row): boolean {
  return !['', 'n/a'].includes(tidy(piece.authorstyle)) || /^(?:copy|after)\b/.test(tidy(piece.authorstandard))
}

/** One line on a picture: the author as printed, the subject, the material. A second line on the artist of a copy. */
function describe(piece: Row): (string | undefined)[] {
  const [style, standard] = [tidy(piece.authorstyle), tidy(piece.authorstandard)]
  const known = style === 'n/a' || standard.startsWith(style)
  return [
    [piece.author, piece.subject, piece.material].map(tidy).filter(Boolean).join('. '),
    isIndirect(piece) ? `${known ? '' : style} ${standard}` : undefined,
  ]
}

function measure(piece: Row): string {
  if (piece.Diam_in) return `${piece.Diam_in} pouces (diamètre)`
  return piece.Height_in && piece.Width_in ? `${piece.Height_in} x ${piece.Width_in} pouces` : ''
}

if (import.meta.main) {
  const remarks = new Remarks()
  const rows = process.argv.slice(2).flatMap((file) => readCsv(file, remarks))
  await write(convert(rows, remarks), remarks)
}
