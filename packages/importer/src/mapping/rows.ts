// Rows of cells become records. The mapping (`mapping.ts`) names the fields of each column. `row-kinds.ts` tells headings
// that come again and totals from records, `fields.ts` reads the fields of a row, `row-session.ts` its session, `pictures.ts`
// its pictures. `cell-errors.ts` finds cells without a usable value, `amounts.ts` (with `currencies.ts`), `dates.ts` and
// `absences.ts` parse texts, `doubts.ts` compares starting bids with estimates, and this file builds the records of each row.
// Errors go with their record, with column and value, so that the run rejects it.
import { locales, textNames, type Locale } from '@auction-catalogue/client'
import { isNoAmount, printMoney } from './amounts.ts'
import { findDoubt } from './doubts.ts'
import { findCellErrors } from './cell-errors.ts'
import { Fields, printCell, type Column } from './fields.ts'
import type { Mapping } from './mapping.ts'
import { readPictures } from './pictures.ts'
import { createRowJudge } from './row-kinds.ts'
import { readSession, wholeNumber } from './row-session.ts'
import { createWidthCheck } from './row-width.ts'
import { Misfit, Unusable } from '../misfit.ts'
import { Names } from '../names.ts'
import {
  compact,
  type FieldError,
  type LoadRecord,
  type Money,
  type Place,
  type Records,
  type SourceRecord,
  type Texts,
} from '../records.ts'
import { nameByPlace } from '../source/headings.ts'
import type { RowAccount } from '../source/row-account.ts'
import type { Sheet } from '../source/sheet.ts'

/** The reference that `external_reference: row` makes: the file, the sheet behind the first one, and the number of the row. */
const referenceOf = (file: string, { further_sheet: sheet }: Mapping, row: number) =>
  [file.replace(/\.[^.]+$/, ''), ...(sheet === undefined ? [] : [sheet]), row].join('-')

/** The fields that differ between two records, with both values. */
function printDifferences(there: string, here: string): string {
  const [first, second] = [there, here].map((text): Record<string, unknown> => JSON.parse(text))
  const print = (value: unknown) => JSON.stringify(value ?? undefined) ?? 'nothing'
  return Object.keys({ ...first, ...second })
    .filter((field) => print(first?.[field]) !== print(second?.[field]))
    .map((field) => `${field} is ${print(first?.[field])} there and ${print(second?.[field])} here`)
    .join(', ')
}

/**
 * Reads the records of a sheet row by row: each row is an item with its pictures and its lot. An auction, session, seller,
 * category, maker, delivery class or consignment comes before the first record that points to it. `placed` are the files
 * of the pictures in cells, by line.
 */
export async function* readRecords(
  file: string,
  sheet: Sheet,
  mapping: Mapping,
  isConfirmed: boolean,
  account: RowAccount,
  placed: ReadonlyMap<number, string[]> = new Map(),
): AsyncGenerator<SourceRecord> {
  const columns = Object.entries(mapping.columns).map(([heading, fields]): Column => {
    const index = sheet.headings.indexOf(heading)
    if (index < 0)
      throw new Unusable(
        `${file} has no column "${heading}": it has ${sheet.headings.map((name) => `"${name}"`).join(', ')}`,
      )
    if (sheet.headings.lastIndexOf(heading) !== index)
      throw new Unusable(
        `${file} has several columns "${heading}": rename all but one, or name the others in the mapping by their letters, such as "${nameByPlace(sheet.headings.lastIndexOf(heading))}"`,
      )
    return { heading, index, fields }
  })
  const isMapped = (field: string) => field in mapping.all || columns.some(({ fields }) => fields.includes(field))
  if (!isMapped('external_reference'))
    throw new Unusable(
      'the mapping names no column as external_reference: name one, or "external_reference: row" under "all:" if the sheet never changes its order',
    )
  for (const bound of ['estimate.low', 'estimate.high'])
    if (isMapped('estimate') && isMapped(bound))
      throw new Unusable(
        `the mapping names both estimate and ${bound}: name estimate.low and estimate.high, or estimate`,
      )
  if (isMapped('lot_number') && !isMapped('session'))
    throw new Unusable('the mapping has lots, and no session: name one, such as "session: 2026-1/A" under "all:"')
  if (isMapped('starting_bid') && !isMapped('lot_number'))
    throw new Unusable('the mapping has starting bids, and no lot numbers: name a column as lot_number')
  if (['alt', ...locales.map((locale) => `alt.${locale}`)].some(isMapped) && !isMapped('images'))
    throw new Unusable('the mapping has texts of pictures, and no pictures: name a column as images')
  if (mapping.time_zone === null && (isMapped('session.opens_at') || isMapped('session.closes_at')))
    throw new Unusable('the house has no time zone: name one in the mapping, such as "time_zone: Europe/Amsterdam"')

  const place = (line: number): Place => ({ file, line })
  yield {
    place: place(1),
    record: { type: 'house', slug: '-', default_locale: mapping.locale, currency: mapping.currency },
    errors: [],
  }
  const isByRow = mapping.all['external_reference'] === 'row'
  const named = new Map<string, string>()
  checkShared(mapping, columns)
  const unreadable = new Set<string>()
  const items = new Names()
  const judge = createRowJudge(file, sheet, columns)
  const checkWidth = createWidthCheck(sheet)
  const headed = sheet.headings.filter((heading) => heading !== '').length
  const below = sheet.headingRows.at(-1)!.line
  const unused = new Set([...placed.keys()].filter((line) => line > below))
  for await (const row of sheet.rows(account)) {
    const where: Place = { ...place(row.line), ...(row.last !== undefined && { last: row.last }) }
    const kind = judge(row)
    account.note(kind, { first: row.line, last: row.line })
    if (kind !== 'record') continue
    unused.delete(row.line)
    const broken = [...findCellErrors(row, columns, mapping.locale), ...checkWidth(row)]
    const [text, ...others] = row.cells.map(printCell).filter((each) => each !== '')
    const isAlone =
      others.length === 0 && !placed.has(row.line) && (isByRow ? headed > 2 : headed > 1 && isMapped('title'))
    if (broken.length === 0 && isAlone) broken.push({ ...aloneInRow, value: text! })
    if (broken.length > 0) {
      yield { place: where, record: undefined, text: row.cells.map(printCell).join('\t'), errors: broken }
      continue
    }
    const all = isByRow ? { ...mapping.all, external_reference: referenceOf(file, mapping, account.rows) } : mapping.all
    const cells = new Fields(row, columns, { ...mapping, all })
    cells.noteNones(account)
    const differing: FieldError[] = []
    const earlier: SourceRecord[] = []
    /**
     * Returns the ref of a record. At its first use the record itself is queued for output, and the errors of a session
     * with it. They are not reported again, neither by a row with the same session nor as a difference from another.
     */
    const point = (record: LoadRecord): string => {
      const { ref } = record as { ref: string }
      const text = JSON.stringify(record)
      const isUnreadable = record.type === 'session' && cells.errors.length > 0
      if (!named.has(ref)) {
        if (isUnreadable) unreadable.add(ref)
        earlier.push({
          place: where,
          record,
          errors: record.type === 'session' ? cells.errors.splice(0) : [],
          ...((record.type === 'session' || record.type === 'auction') && { cellOf: cells.cellOfSale(record.type) }),
        })
      } else if (named.get(ref) === text) {
        if (isUnreadable) cells.errors.splice(0)
      } else if (!isUnreadable && !unreadable.has(ref)) {
        const message = `${ref} is described in another way in an earlier row: ${printDifferences(named.get(ref)!, text)}`
        differing.push({ field: record.type, code: 'invalid', message })
      }
      named.set(ref, named.get(ref) ?? text)
      return ref
    }
    const session = readSession(cells, mapping, point)
    const item = readItem(cells, mapping, point)
    // Rows with the same reference, or none, have separate pictures and lots.
    if (!item.external_reference || items.get(item.ref!) !== undefined) item.ref = `item/row ${row.line}`
    items.set(item.ref!, row.line)
    yield* earlier
    const { cellOf } = cells
    yield { place: where, record: item, errors: [...differing, ...cells.errors.splice(0)], cellOf }
    yield* readPictures(cells, mapping, where, item.ref!, {
      placed: placed.get(row.line) ?? [],
      reference: item.external_reference ?? '',
    })
    const number = cells.read('lot_number', 'lot_number', wholeNumber)
    const starting_bid = cells.read('starting_bid', 'starting_bid', (text) => {
      if (isNoAmount(text)) return null
      const bid = cells.parseMoney('starting_bid', text)
      const { low, high } = item.estimate ?? {}
      const doubt = findDoubt(bid.amount, { low: low?.amount ?? null, high: high?.amount ?? null })
      if (doubt === undefined || isConfirmed) return bid
      const bound = printMoney({ ...bid, amount: doubt.bound })
      throw new Misfit(`is ${printMoney(bid)}, ${doubt.words}, ${bound}: say --yes if it is right`)
    })
    if (isFilled(number) || isFilled(starting_bid)) {
      const lot: Records['lot'] = compact({
        type: 'lot',
        session: session ?? '',
        item: item.ref!,
        lot_number: number ?? undefined,
        active: true,
        starting_bid,
      })
      const errors = cells.errors.splice(0)
      if (session === undefined)
        errors.push({ field: 'session', code: 'required', message: 'a lot needs a session, and the row has none' })
      if (!isFilled(number)) errors.push({ ...withoutNumber, ...cellOf('starting_bid') })
      yield { place: where, record: lot, errors, cellOf }
    } else if (number === null) {
      const lot: Records['lot'] = { type: 'lot', session: session ?? '', item: item.ref!, lot_number: null }
      yield { place: where, record: lot, errors: [], cellOf, isAbsent: true }
    }
  }
  if (unused.size > 0)
    throw new Unusable(
      `${file} has pictures on rows without an item (line ${[...unused].join(', ')}): move each to the row of its item, or say "cell_pictures: ignore"`,
    )
}

const isFilled = <T>(value: T | null | undefined): value is T => value !== undefined && value !== null
/**
 * Checks the values that all rows share. One that a column adds to is read with its rows.
 * @throws Unusable
 */
function checkShared(mapping: Mapping, columns: Column[]): void {
  const shared = Object.entries(mapping.all).filter(([field]) => !columns.some(({ fields }) => fields.includes(field)))
  // The fields of a session are read only with a session.
  const cells = new Fields({ line: 0, cells: [] }, [], {
    ...mapping,
    all: { session: '-', ...Object.fromEntries(shared) },
  })
  const point = (record: LoadRecord) => record.ref ?? ''
  readSession(cells, mapping, point)
  readItem(cells, mapping, point)
  cells.read('lot_number', 'lot_number', wholeNumber)
  cells.amount('starting_bid', 'starting_bid')
  const [error] = cells.errors
  if (error) throw new Unusable(`"all" of the mapping: ${error.field}: ${JSON.stringify(error.value)} ${error.message}`)
}

const aloneInRow = {
  field: '',
  code: 'invalid',
  message:
    'stands alone in its row: it may be the name of a group, a remark, or the rest of a text. Empty the row, or fill in more',
} as const

const withoutNumber = {
  field: 'lot_number',
  code: 'required',
  message: 'a starting bid needs a lot number, and the row has none',
} as const

const areNumbers = (texts: string[]) => texts.every((text) => /^\d+(?:[.,]\d+)?$/.test(text))

function readItem(cells: Fields, mapping: Mapping, point: (record: LoadRecord) => string): Records['item'] {
  const reference = cells.text('external_reference', '-')
  const translations: { [locale in Locale]?: Texts } = {}
  const flat: Texts = {}
  for (const name of textNames) {
    const joint = name === 'title' ? ' ' : name === 'dimensions' && areNumbers(cells.texts(name)) ? ' x ' : '\n'
    const text = cells.text(name, joint)
    if (mapping.locale === mapping.house_locale) flat[name] = text
    else if (text !== undefined) (translations[mapping.locale as Locale] ??= {})[name] = text
    for (const locale of locales) {
      const text = cells.text(`${name}.${locale}`)
      if (text !== undefined) (translations[locale] ??= {})[name] = text
    }
  }
  const one = (field: string, record: (value: string) => LoadRecord) => {
    const value = cells.text(field, ' ')
    return value ? point(record(value)) : value
  }
  const several = (field: string, record: (value: string) => LoadRecord) =>
    cells.list(field)?.map((value) => point(record(value)))
  return compact({
    type: 'item',
    ref: `item/${reference}`,
    external_reference: reference ?? null,
    ...flat,
    translations: Object.keys(translations).length > 0 ? translations : undefined,
    estimate: readEstimate(cells, mapping),
    seller: one('seller', (value) => ({
      type: 'seller',
      ref: `seller/${value}`,
      ...(/^\d{1,9}$/.test(value) ? { seller_number: Number(value) } : { profile_name: value }),
    })),
    categories: several('categories', (value) => ({
      type: 'category',
      ref: `category/${value}`,
      slug: value,
      names: { [mapping.locale]: value },
    })),
    makers: several('makers', (value) => ({ type: 'maker', ref: `maker/${value}`, name: value })),
    delivery_class: one('delivery_class', (value) => ({
      type: 'delivery_class',
      ref: `delivery_class/${value}`,
      name: value,
    })),
    consignment: one('consignment', (value) => ({ type: 'consignment', ref: `consignment/${value}`, number: value })),
  })
}

function readEstimate(cells: Fields, mapping: Mapping): Records['item']['estimate'] | undefined {
  const [low, high] = [cells.amount('estimate.low', 'estimate.low'), cells.amount('estimate.high', 'estimate.high')]
  const range = cells.read('estimate', 'estimate', (text) => {
    if (isNoAmount(text)) return null
    const [, one = '', other = ''] = /^(\d{3}) (\d{3})$/.exec(text) ?? []
    if (one < other && cells.texts('estimate').length === 1)
      throw new Misfit(
        `could be ${one} to ${other}, or ${one}${other}: write "${one}${mapping.range}${other}" or "${one}${other}"`,
      )
    const bounds = cells.bounds('estimate', text, mapping.range)
    if (bounds.length > 2) throw new Misfit(`has more than two amounts: write "400${mapping.range}600" or "400"`)
    const [lowest, highest] = bounds.map((bound) => cells.parseMoney('estimate', bound))
    // Some write 6/800 for 600/800.
    const isSlash = /[/／]/.test(text) && !/t\/m/i.test(text)
    if (isSlash && highest && lowest && String(highest.amount).length - String(lowest.amount).length > 1)
      throw new Misfit(
        `could be cut short: write both bounds out, such as "600/800", or "${bounds.join(' - ')}" if that is meant`,
      )
    return { low: lowest!, high: highest ?? null }
  })
  if (low === undefined && high === undefined) return range
  return compact({ low, high } as { low: Money | null; high: Money | null })
}
