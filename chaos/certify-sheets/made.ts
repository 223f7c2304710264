import type { Random } from '../lib/random.ts'
import type { Printed } from './catalogues.ts'
import type { Language } from './languages.ts'
import type { Table, Typed } from './table.ts'

/** An item as it was typed, on its row. The bounds of the estimate are in units of the currency. */
export type TypedItem = {
  reference: string
  title: string
  description: string
  low: number
  high: number
  maker: string
  row: Typed[]
}

/** A sheet, the items that it has, and how its mapping must be corrected where it asks. */
export type Made = {
  language: Language
  random: Random
  table: Table
  items: TypedItem[]
  /** The headings of the columns by their fields. */
  columns: Map<string, string>
  /** Answers to what the mapping asks, and settings. */
  settings: { [key: string]: string }
  all: { [field: string]: string }
}

const printAmount = (amount: number, { decimal }: Language, random: Random): string => {
  const thousand = random.pick([decimal === ',' ? '.' : ',', '', ' '])
  const grouped = String(amount).replaceAll(/\B(?=(\d{3})+$)/g, thousand)
  return random.pick([
    grouped,
    grouped,
    `€ ${grouped}`,
    `${grouped} EUR`,
    decimal === ',' ? `${grouped},-` : `${grouped}.00`,
  ])
}

/** Makes a plain sheet of some texts of a language, as CSV or as a workbook. */
export function makeSheet(language: Language, printed: readonly Printed[], run: number, random: Random): Made {
  const kind = random.pick(['csv', 'xlsx'] as const)
  const { headings } = language
  const order = random.shuffle(['title', 'description', 'low', 'high', 'maker'] as const)
  const shape = random.pick([
    (at: number) => `V-${run}-${at + 1}`,
    (at: number) => `2026/${run}/${String(at + 1).padStart(4, '0')}`,
    (at: number) => `${run}.${at + 101}`,
    (at: number) => `A${run}${String.fromCharCode(97 + (at % 26))}${at}`,
  ])
  const items = Array.from({ length: 3 + random.below(12) }, (_, at): TypedItem => {
    const { title, maker } = random.pick(printed)
    const description = random.chance(0.7) ? random.pick(printed).title : ''
    const low = 10 * (1 + random.below(900))
    const high = low + 10 * (1 + random.below(90))
    const item = { reference: shape(at), title, description, low, high, maker }
    const amount = (value: number): Typed =>
      kind === 'xlsx'
        ? { number: value, format: random.pick(['General', '#,##0', '"€" #,##0.00']) }
        : printAmount(value, language, random)
    const cells = { ...item, low: amount(low), high: amount(high) }
    return { ...item, row: [item.reference, ...order.map((field) => cells[field])] }
  })
  const columns = new Map<string, string>([
    ['external_reference', headings.reference],
    ['title', headings.title],
    ['description', headings.description],
    ['estimate.low', headings.low],
    ['estimate.high', headings.high],
    ['makers', headings.maker],
  ])
  const rows = [[headings.reference, ...order.map((field) => headings[field])], ...items.map(({ row }) => row)]
  // Signs that an encoding lacks cannot be typed in it.
  const encoding = kind === 'csv' ? random.pick(language.encodings) : 'utf-8'
  const separator = random.pick([';', ',', '\t'])
  const table = { rows, kind, encoding, separator, merged: [], hidden: [], behind: '', others: [] }
  return { language, random, table, items, columns, settings: {}, all: {} }
}

/** The index of a field's column. */
export const indexOf = ({ table, columns }: Made, field: string): number =>
  table.rows.find((cells) => cells.includes(columns.get(field)!))!.indexOf(columns.get(field)!)
