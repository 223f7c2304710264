import measure from 'fast-string-truncated-width'
import { terminal } from '../values/program.ts'
import { escapeControls } from '../values/text.ts'
import { printCount, printResult, type CommonOptions } from './command.ts'

/** A column of a table: its heading, and its value for a row. A `text` may be cut, a `number` is aligned right. */
export type Column<Row> = { heading: string; show: (row: Row) => string; kind?: 'number' | 'text' }

const gap = '  '
const leastText = 12

const widthOf = (text: string) => measure(text).width

function cut(text: string, limit: number): string {
  const { index, ellipsed } = measure(text, { limit, ellipsis: '…' })
  return text.slice(0, index) + (ellipsed ? '…' : '')
}

type Fitted = { kind: string | undefined; cells: string[]; width: number }

// The most important columns come first. The last ones are omitted until the others fit with their texts cut.
function fit(columns: Fitted[], width: number): Fitted[] {
  const excess = (least: (column: Fitted) => number) =>
    columns.reduce((sum, column) => sum + least(column), gap.length * (columns.length - 1)) - width
  const shortest = ({ kind, width }: Fitted) => (kind === 'text' ? Math.min(width, leastText) : width)
  if (columns.length > 2 && excess(shortest) > 0) return fit(columns.slice(0, -1), width)
  for (let over = excess((column) => column.width); over > 0; over--) {
    const texts = columns.filter((column) => column.kind === 'text' && column.width > shortest(column))
    const widest = texts.toSorted((one, other) => other.width - one.width)[0]
    if (widest) widest.width--
  }
  return columns
}

function pad({ kind, width, cells }: Fitted, line: number): string {
  const text = cut(cells[line]!, width)
  const padding = ' '.repeat(width - widthOf(text))
  return kind === 'number' ? padding + text : text + padding
}

/** The lines of a table with headings, at most as wide as the terminal if there is one. */
export function printTable<Row>(
  rows: Row[],
  columns: Column<Row>[],
  width = terminal().stdout.columns ?? Infinity,
): string[] {
  const whole = columns.map(({ heading, kind, show }): Fitted => {
    const cells = [heading, ...rows.map((row) => escapeControls(show(row)))]
    return { kind, cells, width: cells.reduce((most, cell) => Math.max(most, widthOf(cell)), 0) }
  })
  const fitted = fit(whole, width)
  return Array.from({ length: rows.length + 1 }, (_, line) =>
    fitted
      .map((column) => pad(column, line))
      .join(gap)
      .trimEnd(),
  )
}

/** Prints a list: with --json the rows, else a table of them and their number. */
export function printList<Row>(
  rows: Row[],
  noun: string,
  options: CommonOptions,
  columns: Column<Row>[],
): Promise<void> {
  return printResult(rows, options, () => {
    const count = printCount(rows.length, noun)
    return rows.length === 0 ? count : [...printTable(rows, columns), '', count]
  })
}
