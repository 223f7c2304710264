import { textNames } from '@auction-catalogue/client'
import { isNone, isNoPicture, isNoRecord, isUnknownMaker } from './absences.ts'
import { isNoAmount, parseAmount, splitRange } from './amounts.ts'
import { FormattedNumber, type Cell, type Row } from '../source/cells.ts'
import { divideShown, printGeneral } from '../source/shown-numbers.ts'
import type { Mapping } from './mapping.ts'
import { Misfit, Unusable } from '../misfit.ts'
import type { CellOf, FieldError, Money } from '../records.ts'
import type { RowAccount } from '../source/row-account.ts'

/** A column that the mapping names, and its fields. */
export type Column = { heading: string; index: number; fields: string[] }

/** The text of a cell; empty if there is none. A vertical tab breaks a line, as FileMaker exports it. */
export const printCell = (cell: Cell | undefined) =>
  cell === null || cell === undefined ? '' : String(cell).replaceAll('\v', '\n').trim()

/** The text of a cell, in which a number has the decimal sign of a language. */
export function showCell(cell: Cell | undefined, locale: string): string {
  if (cell instanceof FormattedNumber) return cell.shown(locale)
  return typeof cell === 'number' ? printGeneral(cell, locale) : printCell(cell)
}

// A cell may say that such a field has no value, and how it says it.
const absences = new Map([
  ...textNames.filter((field) => field !== 'title').map((field) => [field, isNone] as const),
  ...'seller categories makers delivery_class consignment'.split(' ').map((field) => [field, isNoRecord] as const),
  ...'images alt'.split(' ').map((field) => [field, isNoPicture] as const),
])
const amounts = new Set(['estimate', 'estimate.low', 'estimate.high', 'starting_bid'])
const lists = new Set(['makers', 'categories'])

/** Whether a text says that a field has no value, such as `-` or `n.v.t.` in a column of makers. */
const isAbsent = (field: string, text: string) => absences.get(field.split('.')[0]!)?.(text) ?? false

// A reference is the same in all languages.
const references = new Set(['external_reference', 'seller', 'consignment', 'auction', 'session'])
const counts = new Set(['lot_number', 'session.group_size', 'session.interval_seconds'])

/** In a format such as `Lot 0`, a field that counts takes only the number. `0"a"` is another lot than `0`. */
function showCount(field: string, cell: FormattedNumber): string | undefined {
  const shown = counts.has(field) ? divideShown(cell.number, cell.format) : undefined
  return shown && (field !== 'lot_number' || shown.behind === '') ? String(shown.number) : undefined
}

/** Reads the fields of a row from its cells, and collects the errors. */
export class Fields {
  readonly errors: FieldError[] = []
  readonly #row: Row
  readonly #columns: Column[]
  readonly #mapping: Mapping

  constructor(row: Row, columns: Column[], mapping: Mapping) {
    this.#row = row
    this.#columns = columns
    this.#mapping = mapping
  }

  #of(field: string) {
    return this.#columns.filter(({ fields }) => fields.includes(field))
  }

  /** The texts of a field's columns, empty ones too, then the text that all rows share. */
  cells(field: string): string[] {
    const cells = this.#of(field).map(({ index }) => {
      const cell = this.#row.cells[index]
      const count = cell instanceof FormattedNumber ? showCount(field, cell) : undefined
      const text = count ?? (references.has(field) ? printCell(cell) : showCell(cell, this.#mapping.locale))
      return isAbsent(field, text) ? '' : text
    })
    return [...cells, this.#mapping.all[field] ?? []].flat()
  }

  /** The texts of a field, without empty ones. */
  texts(field: string): string[] {
    return this.cells(field).filter((text) => text !== '')
  }

  /** Whether the mapping has a field. An empty cell of a mapped column means an empty field. */
  isMapped(field: string): boolean {
    return this.#of(field).length > 0 || this.#mapping.all[field] !== undefined
  }

  /** The text of a field: null if its cells are empty, undefined if no column is mapped. */
  text(field: string, joint = '\n'): string | null | undefined {
    if (!this.isMapped(field)) return undefined
    return this.texts(field).join(joint) || null
  }

  /**
   * The columns of a record's field, or of the field around it: `estimate` for `estimate.low.amount`. Those of an estimate
   * may be the columns of its bounds.
   */
  readonly cellOf: CellOf = (target) => {
    for (let field = target.replace(/^translations\.(\w+)\.(\w+)$/, '$2.$1'); ;) {
      const names = [field, ...(field === 'estimate' ? ['estimate.low', 'estimate.high'] : [])]
      const found = names.filter((name) => this.#of(name).length > 0)
      const column = found.map((name) => this.#headingsOf(name)).join(', ')
      if (column !== '') return { column, value: found.map((name) => this.text(name) ?? '').join(', ') }
      if (!field.includes('.')) return undefined
      field = field.slice(0, field.lastIndexOf('.'))
    }
  }

  /** Finds the cell of an auction's or a session's field, which the mapping calls `session.closes_at` and the like. */
  readonly cellOfSale =
    (type: 'auction' | 'session'): CellOf =>
    (target) => {
      const field = target
        .replace(/^(?:live|timed)\.(?:first_)?/, '')
        .replace(/^titles\..*/, 'title')
        .replace(/^settings\b.*/, 'buyer_premium_percentage')
      if (field === 'auction') return this.cellOf(field)
      return this.cellOf(field === 'external_reference' ? type : `${type}.${field}`)
    }

  /** Notes the words of this row's cells that say "none". */
  noteNones(account: RowAccount): void {
    for (const { heading, index, fields } of this.#columns) {
      const text = printCell(this.#row.cells[index])
      const nones = fields.flatMap((field) => {
        if (isAbsent(field, text) || (amounts.has(field) && isNoAmount(text))) return [text]
        return lists.has(field) ? this.#divide(text).filter((value) => isAbsent(field, value)) : []
      })
      for (const word of new Set(nones)) account.noteNone(heading, word, this.#row.line)
    }
  }

  // A comma may be part of a maker's name: `Basile, attr.`
  #divide(text: string): string[] {
    const { list } = this.#mapping
    return (list === ',' ? [text] : text.split(list)).map((value) => value.trim()).filter((value) => value !== '')
  }

  #headingsOf(field: string): string {
    return this.#of(field)
      .map(({ heading }) => heading)
      .join(', ')
  }

  list(field: string): string[] | undefined {
    if (!this.isMapped(field)) return undefined
    const { unknown_makers } = this.#mapping
    const values = this.texts(field).flatMap((text) => this.#divide(text))
    const named = values.filter((value) => !isAbsent(field, value))
    const unknown = field === 'makers' ? named.find(isUnknownMaker) : undefined
    if (unknown === undefined || unknown_makers === 'keep') return named
    if (unknown_makers === 'none') return named.filter((value) => !isUnknownMaker(value))
    throw new Unusable(
      `line ${this.#row.line}: the maker "${unknown}" may be nobody, or a record of this name: say "unknown_makers: none" or "unknown_makers: keep" in the mapping`,
    )
  }

  /** Parses the text of a field. An unreadable text is reported and stays in the record, so that the record is refused. */
  read<T>(field: string, target: string, parse: (text: string) => T, joint = ' '): T | null | undefined {
    const text = this.text(field, joint)
    if (text === undefined || text === null) return text
    return this.attempt(field, target, text, parse)
  }

  attempt<T>(field: string, target: string, text: string, parse: (text: string) => T): T {
    try {
      return parse(text)
    } catch (error) {
      if (!(error instanceof Misfit)) throw error
      const { message } = error
      const column = this.#headingsOf(field)
      // A cell of several fields is refused once.
      if (!this.errors.some((each) => each.column === column && each.value === text && each.message === message))
        this.errors.push({ field: target, code: 'invalid', message, column, value: text })
      return text as T
    }
  }

  #numberOf(field: string, text: string): number | FormattedNumber | undefined {
    const number = this.#of(field)
      .map(({ index }) => this.#row.cells[index])
      .find((cell) => typeof cell === 'number' || cell instanceof FormattedNumber)
    return number !== undefined && showCell(number, this.#mapping.locale) === text ? number : undefined
  }

  /** The bounds of a range. The number of an XLSX cell is none, whatever its format shows. */
  bounds(field: string, text: string, range: string): string[] {
    return this.#numberOf(field, text) === undefined ? splitRange(text, range, this.#mapping.decimal) : [text]
  }

  /** Reads an amount of a field. The number of an XLSX cell is read as it is: its decimal sign cannot be misread. */
  parseMoney(field: string, text: string): Money {
    const { decimal, currency } = this.#mapping
    if (this.texts(field).length > 1) throw new Misfit('is in several columns: name one of them in the mapping')
    const amount = parseAmount(this.#numberOf(field, text) ?? text, decimal, currency, field.startsWith('estimate'))
    return { amount, currency }
  }

  /** The amount of a field: null for an empty cell, or for one that states that there is no amount. */
  amount(field: string, target: string): Money | null | undefined {
    return this.read(field, target, (text) => {
      if (isNoAmount(text)) return null
      const bounds = this.bounds(field, text, '/')
      if (bounds.length === 2 && bounds.every((bound) => /\d/.test(bound)))
        throw new Misfit(`is a range: map the column as estimate, not as ${field}`)
      return this.parseMoney(field, text)
    })
  }
}
