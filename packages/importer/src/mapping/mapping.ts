import { readFile } from 'node:fs/promises'
import { locales, textNames, type Discovery } from '@auction-catalogue/client'
import { parse, YAMLParseError } from 'yaml'
import type { DecimalSign } from '@auction-catalogue/client/amounts'
import { dateOrders, type DateOrder } from './dates.ts'
import { isEncoding } from '../source/encodings.ts'
import { Unusable } from '../misfit.ts'
import type { SheetFormat } from '../source/sheet.ts'

/** The fields that a column can have. A text may name its locale: `title.en`. */
export const fields: readonly string[] = [
  'external_reference',
  ...textNames,
  'estimate',
  'estimate.low',
  'estimate.high',
  'seller',
  'categories',
  'makers',
  'delivery_class',
  'consignment',
  'images',
  'alt',
  'lot_number',
  'starting_bid',
  'auction',
  'auction.title',
  'auction.description',
  'session',
  'session.title',
  'session.kind',
  'session.opens_at',
  'session.closes_at',
  'session.group_size',
  'session.interval_seconds',
  'session.buyer_premium_percentage',
  'session.increment_strategy',
]

const translations = new Set([...textNames, 'alt'].flatMap((name) => locales.map((locale) => `${name}.${locale}`)))

// Whether a column can have this field.
const isField = (field: string): boolean => fields.includes(field) || translations.has(field)

/** The house of the key, as the service tells it. */
export type House = Discovery['house']

/** What a mapping need not say: the language of titles and texts, the currency of amounts, the zone of times. */
type HouseSettings = Pick<House, 'locale' | 'currency' | 'time_zone'>

/**
 * The mapping of a sheet's columns to the fields of records, where the house has added what the file does not say. Texts in
 * another language than that of the house are translations. `further_sheet` is a sheet behind the first one of a workbook.
 */
export type Mapping = MappingFile & HouseSettings & { house_locale: string; further_sheet: string | undefined }

/** A mapping as its file says it. */
export type MappingFile = SheetFormat &
  Partial<HouseSettings> & {
    decimal: DecimalSign
    dates: DateOrder
    /** The separator of several values in one cell. */
    list: string
    /** The separator between the bounds of an estimate. */
    range: string
    /** Whether the pictures in and over the cells of a workbook are read. */
    cell_pictures?: 'read' | 'ignore'
    /** What a maker such as `unbekannt` is: no maker, or one of this name. */
    unknown_makers?: 'none' | 'keep'
    /** The folder of the pictures, relative to the sheet. */
    pictures: string
    /** The values of the fields that are the same in all rows. */
    all: Record<string, string>
    /** The fields of each column by its heading. */
    columns: Record<string, string[]>
    /** The headings of all columns in the mapping, with or without fields. */
    headings: string[]
  }

const choices: Record<string, { allows: (value: string) => boolean; fits: string }> = {
  encoding: { allows: isEncoding, fits: 'such as utf-8, windows-1252 or macintosh' },
  separator: { allows: (text) => text.length === 1, fits: 'one character, such as ";" or "\\t"' },
  sheet: { allows: (text) => text !== '', fits: 'the name of a sheet' },
  heading_row: { allows: (text) => /^[1-9]\d{0,6}$/.test(text), fits: 'the line of the headings, such as 4' },
  heading_rows: { allows: (text) => text === '1' || text === '2', fits: 'the number of rows of headings, 1 or 2' },
  locale: { allows: (text) => (locales as readonly string[]).includes(text), fits: `one of ${locales.join(', ')}` },
  currency: { allows: (text) => /^[A-Z]{3}$/.test(text), fits: 'three capitals, such as EUR' },
  decimal: { allows: (text) => text === ',' || text === '.', fits: '"," or "."' },
  dates: {
    allows: (text) => (dateOrders as readonly string[]).includes(text),
    fits: `one of ${dateOrders.join(', ')}`,
  },
  time_zone: {
    allows: (text) => {
      try {
        return new Intl.DateTimeFormat('en', { timeZone: text }).format() !== ''
      } catch {
        return false
      }
    },
    fits: 'such as Europe/Amsterdam',
  },
  list: { allows: (text) => text !== '', fits: 'a text, such as ";"' },
  range: { allows: (text) => text !== '', fits: 'a text, such as "/"' },
  unknown_makers: { allows: (text) => text === 'none' || text === 'keep', fits: 'none or keep' },
  cell_pictures: { allows: (text) => text === 'read' || text === 'ignore', fits: 'read or ignore' },
  pictures: { allows: (text) => text !== '', fits: 'a folder, such as "."' },
}

// A mapping needs these settings only if it has a field of theirs.
const needs: Record<string, string[]> = {
  decimal: ['estimate', 'estimate.low', 'estimate.high', 'starting_bid'],
  dates: ['session.opens_at', 'session.closes_at'],
}

/**
 * Reads the mapping of a sheet from a YAML file.
 * @throws Unusable with the line or the key
 */
export async function readMapping(path: string): Promise<MappingFile> {
  let given: unknown
  try {
    // The failsafe schema changes no value: 2026.10 and 0012 are texts.
    given = parse(await readFile(path, 'utf8'), { schema: 'failsafe' })
  } catch (error) {
    if (error instanceof YAMLParseError)
      throw new Unusable(`${path}: ${error.message.split(/\n+/).slice(0, 2).join(' ')}`)
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    throw new Unusable(`there is no mapping ${path}: "catalogue-import map" proposes one`)
  }
  if (typeof given !== 'object' || given === null) throw new Unusable(`${path} is not a mapping`)
  const refuse = (key: string, what: string) => new Unusable(`${path}: ${key} ${what}`)
  const { all = {}, columns = {}, ...settings } = given as Record<string, unknown>
  for (const key of Object.keys(settings))
    if (!Object.hasOwn(choices, key))
      throw refuse(key, `is unknown: ${Object.keys(choices).join(', ')}, all and columns are known`)
  const constants = Object.entries(all ?? {}).map(([field, value]) => {
    if (!isField(field)) throw refuse(`all: ${field}`, `is not a field; the fields are ${fields.join(', ')}`)
    if (typeof value !== 'string' || value === '') throw refuse(`all: ${field}`, 'needs a value, or must be left out')
    return [field, value]
  })
  const assigned = Object.entries(columns ?? {}).flatMap(([heading, value]): [string, string[]][] => {
    const named: unknown[] = value === '' ? [] : [value].flat()
    for (const field of named)
      if (typeof field !== 'string' || !isField(field))
        throw refuse(`columns: ${heading}: ${String(field)}`, `is not a field; the fields are ${fields.join(', ')}`)
    return named.length === 0 ? [] : [[heading, named as string[]]]
  })
  const used = new Set([...constants.map(([field]) => field), ...assigned.flatMap(([, named]) => named)])
  for (const [key, { allows, fits }] of Object.entries(choices)) {
    const value = settings[key]
    const isNeeded = needs[key]?.some((field) => used.has(field)) ?? false
    if ((value === undefined || (value === '' && key in needs)) && !isNeeded) continue
    if (typeof value !== 'string' || !allows(value)) throw refuse(key, `must be ${fits}`)
  }
  return {
    decimal: ',',
    dates: 'd-m-y',
    list: ';',
    range: '/',
    pictures: '.',
    ...(settings as Omit<
      MappingFile,
      'heading_row' | 'heading_rows' | 'all' | 'columns' | 'decimal' | 'dates' | 'list' | 'range' | 'pictures'
    >),
    ...(settings.heading_row !== undefined && { heading_row: Number(settings.heading_row) }),
    ...(settings.heading_rows === '2' && { heading_rows: 2 }),
    all: Object.fromEntries(constants) as Record<string, string>,
    columns: Object.fromEntries(assigned),
    headings: Object.keys(columns ?? {}),
  }
}
