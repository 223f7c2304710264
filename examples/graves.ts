// Converts London picture sales from A. Graves, Art Sales: CSV files, read by OCR, with one row for each lot, by artist.
// The rows of one house and day become an auction with one session. Pounds, shillings and pence become new pence.
// Usage: npx node examples/graves.ts graves_1891-06-06_Christies.csv | bin/catalogue load -
import { readCsv, type Row } from './lib/files.ts'
import { countSellers, numberLots } from './lib/numbers.ts'
import { newPence } from './lib/prices.ts'
import { Remarks, write, writeOnce, type NamedRecord } from './lib/records.ts'
import { dayInWords, isDay, sitting, type Day } from './lib/sessions.ts'
import { paragraphs, shorten, slugify, tidy } from './lib/text.ts'

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']

/** The day of a sale from its year and `Nov. 16`, `June6` or Excel's `11/16/2016`, whose year is not that of the sale. */
export function saleDay(year: string, monthDay: string): Day | undefined {
  const [, number, excelDay] = /^(\d\d?)\/(\d\d?)\/\d{4}$/.exec(monthDay) ?? []
  const [, word, wordDay] = /^([A-Za-z]{3})[a-z]*\.?\s*(\d\d?)$/.exec(monthDay) ?? []
  const month = number ? Number(number) : months.indexOf(word?.toLowerCase() ?? '') + 1
  const day = `${year}-${String(month).padStart(2, '0')}-${(excelDay ?? wordDay ?? '').padStart(2, '0')}`
  return /^1[6-9]/.test(day) && isDay(day) ? day : undefined
}

/**
 * Reads seller, lot number, title and size from `Mr. Sykes. (322 P.) 20. A Boy Fiddling. 1630. 30x25`, as far as they can
 * be recognised. Four digits that may be a year are not taken as a lot number.
 */
export function readArtwork(cell: string): { seller: string; lot: string; title: string; size: string } {
  const [, prefix = '', lot = '', rest = cell] =
    /^(.*?)[.,]?[\s-]*(?<!\()\b(?!1[5-9]\d\d\b)(\d{1,4}\*?[A-Za-z]?)\s*\.\s*([^\s\d].*)$/.exec(cell) ?? []
  const [, text = rest, size = ''] = /^(.*?)[.,]\s*(\d[^.,]*[xX^][^.,]*)$/.exec(rest) ?? []
  const seller = prefix.replace(/\.?\s*\([^)]*\)$/, '').replaceAll(/^[-—\s]+|[-—\s]+$/g, '')
  const title = text.replace(/[.,]\s*(?:1[4-9]\d\d(?:-\d\d)?)?[.,]?$/, '').trim()
  return { seller, lot, title: title || text || cell, size: size.trim() }
}

function nameOf(row: Row): string {
  return tidy(row['auction house']) || 'Unnamed house'
}

/** The records of all sales in the rows, house by house. */
export function* convert(rows: Row[], remarks: Remarks): Generator<NamedRecord> {
  const once = writeOnce()
  const seen = new Set<string>()
  const kept = rows.filter((row) => {
    const line = Object.values(row).join()
    if (seen.has(line)) remarks.add('row repeated in every column: left out', line)
    return !seen.has(line) && seen.add(line)
  })
  for (const [house, itsRows] of Map.groupBy(kept, (row) => slugify(nameOf(row)) || 'unnamed-house')) {
    const name = nameOf(itsRows[0]!)
    yield { type: 'house', ref: `house/${house}`, slug: house, name, default_locale: 'en', currency: 'GBP' }
    const sellerNamed = countSellers(house, remarks)
    const when = (row: Row) =>
      saleDay(tidy(row.year), tidy(row.month_day)) ?? `${tidy(row.year)} ${tidy(row.month_day)}`
    for (const [date, saleRows] of Map.groupBy(itsRows, when)) {
      yield* convertSale(house, name, date, saleRows, sellerNamed, once, remarks)
    }
  }
}

function* convertSale(
  house: string,
  name: string,
  date: string,
  rows: Row[],
  sellerNamed: ReturnType<typeof countSellers>,
  once: ReturnType<typeof writeOnce>,
  remarks: Remarks,
) {
  const day = isDay(date) ? date : undefined
  const reference = `${house}/${date}`
  if (!day) remarks.add('no day of sale can be read: the session has no times', reference)
  else if (day < '1752-09-14') remarks.add('day in the old English calendar: taken as printed', reference)
  for (const row of rows) {
    if (row.month_day?.includes('/'))
      remarks.add('day that Excel moved to another year: the year is taken from the year column', row.month_day)
  }
  const auction = {
    type: 'auction',
    ref: `auction/${reference}`,
    external_reference: reference,
    title: `${name}, ${day ? dayInWords(day, 'en') : date}`,
    description: 'After A. Graves, Art Sales, which lists works by artist: the sale had more lots than these.',
    published: true,
  } satisfies NamedRecord<'auction'>
  const session = sitting(auction, day, 'en')
  yield auction
  yield session

  const artworks = rows.map((row) => readArtwork(tidy(row['seller/artwork'])))
  const numbers = numberLots(
    artworks.map(({ lot }) => lot),
    remarks,
  )
  for (const [index, row] of rows.entries()) {
    const [{ title, size, ...artwork }, { number }] = [artworks[index]!, numbers[index]!]
    const key = `${reference}/${number}`
    const sellerName = tidy(row.seller).replace(/^—$/, '') || artwork.seller
    const seller = sellerName ? sellerNamed(sellerName) : undefined
    if (seller) yield* once(seller)
    const artist = tidy(row.artist)
    const maker = artist ? `maker/${house}/${artist}` : undefined
    if (maker) yield* once({ type: 'maker', ref: maker, name: artist })
    const { amount, sold, printed } = readResult(row, key, remarks)
    yield {
      type: 'item' as const,
      ref: `item/${key}`,
      external_reference: key,
      title: shorten(title || artist || `Lot ${number}`),
      description: paragraphs(row['seller/artwork'], printed),
      dimensions: size || undefined,
      seller: seller?.ref,
      makers: maker ? [maker] : [],
    }
    yield {
      type: 'lot' as const,
      ref: `lot/${key}`,
      session: session.ref,
      item: `item/${key}`,
      lot_number: number,
      active: true,
      current_bid: amount === undefined ? undefined : { amount, currency: 'GBP' },
      sold,
    }
  }
}

/** The hammer price in new pence, whether the lot sold, and the printed price if the amount does not equal it exactly. */
function readResult(row: Row, key: string, remarks: Remarks): { amount?: number; sold: boolean; printed?: string } {
  const cells = [row.purchaser, row.pounds, row.shillings, row.pence].map((text) => tidy(text).replace(/^—$/, ''))
  const [purchaser = '', pounds = '', shillings = '', pence = ''] = cells
  const printed = cells.slice(1).filter(Boolean).join(' ')
  const boughtIn = /^(?:bought in|passed|withdrawn)/i.test(purchaser)
  if (boughtIn) remarks.add('bought in: unsold, the price is the highest bid', key)
  else if (purchaser) remarks.add('buyer: the load format has no place for one, left out', purchaser)
  else if (!printed) remarks.add('neither buyer nor price, so the result is unknown: loaded as unsold', key)
  if (!printed) return { sold: purchaser !== '' && !boughtIn }
  const price = newPence(pounds, shillings, pence)
  if (!price) remarks.add('price not readable or not in pounds: no amount, kept in the description', printed)
  else if (!price.exact)
    remarks.add('price that is no whole number of new pence: rounded, printed price in the description', printed)
  return {
    ...(price && { amount: price.amount }),
    ...(!price?.exact && { printed: `£ s d: ${printed}` }),
    sold: !boughtIn,
  }
}

if (import.meta.main) {
  const remarks = new Remarks()
  const rows = process.argv.slice(2).flatMap((file) => readCsv(file, remarks))
  await write(convert(rows, remarks), remarks)
}
