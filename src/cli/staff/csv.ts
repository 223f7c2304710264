import { Option, type Command } from 'commander'
import type { House } from '../../context.ts'
import type { Texts } from '../../items/texts.ts'
import type { Money } from '../../values/money.ts'
import { decimalsOf } from '../../values/currencies.ts'
import { locales, type Locale } from '../../values/locales.ts'
import { terminal } from '../../values/program.ts'
import { escapeControls } from '../../values/text.ts'
import { printLines, UsageError, type CommonOptions } from '../command.ts'

/** The columns of a list as CSV (docs/staff.md, "A list for a spreadsheet"). `--texts` adds the other texts at the end. */
export const csvColumns = {
  lots: [
    'session',
    'number',
    'item',
    'title',
    'active',
    'estimate_low',
    'estimate_high',
    'starting_bid',
    'current_bid',
    'currency',
    'closes_at',
    'sold',
    'result',
    'price',
    'id',
    'seller',
    'consignment',
  ],
  items: ['item', 'title', 'estimate_low', 'estimate_high', 'currency', 'images', 'created_at', 'id'],
} as const

// The options of `csv-stringify` for a file that spreadsheets open as they should, and never run as formulas.
const csvOptions = { bom: true, header: true, escape_formulas: true, cast: { boolean: String } }

/** An amount in units, with all decimals of its currency behind a point: `450.50`. */
export function printUnits({ amount, currency }: { amount: number; currency: string }): string {
  const digits = decimalsOf(currency)
  const text = String(amount).padStart(digits + 1, '0')
  return digits === 0 ? text : `${text.slice(0, -digits)}.${text.slice(-digits)}`
}

/** The options of a list that can be CSV. */
export type CsvOptions = CommonOptions & { csv?: boolean; texts?: boolean; locale?: Locale }

type List = 'lots' | 'items'
type Cell = string | number | boolean | Money | null

/** The cells of a row by column. Money is printed in units; the currency is that of the house. */
export type Cells<Name extends List, Row> = {
  [Column in Exclude<(typeof csvColumns)[Name][number], 'currency'>]: (row: Row) => Cell
}

/** Adds the options of CSV to the command of a list. */
export function describeCsv(command: Command): Command {
  return command
    .addOption(new Option('--csv', 'print CSV for a spreadsheet: all columns, amounts in units').conflicts('json'))
    .option('--texts', 'with --csv: also the other texts of the items')
    .addOption(new Option('--locale <locale>', 'with --csv: titles and texts in this language').choices(locales))
    .hook('preAction', () => {
      const { csv, texts, locale } = command.opts<CsvOptions>()
      if (!csv && (texts || locale)) throw new UsageError(`option '${texts ? '--texts' : '--locale'}' needs --csv`)
    })
}

/** The language of a list as CSV: that of --locale, or that of the house. Undefined without --csv. */
export const localeOf = ({ csv, locale }: CsvOptions, { defaultLocale }: House) =>
  csv ? (locale ?? defaultLocale) : undefined

/**
 * Prints a list as CSV, with the texts of its rows if --texts is given.
 * @throws OutputError
 */
export async function printCsv<Name extends List, Row extends { texts?: Texts }>(
  name: Name,
  rows: Row[],
  cells: Cells<Name, Row>,
  { currency }: House,
  options: CsvOptions,
): Promise<void> {
  const { stringify } = await import('csv-stringify/sync')
  const { exportedTexts } = await import('../../items/texts.ts')
  // A terminal would obey control characters. A file and a pipe get the texts as they are.
  const show = terminal().stdout.isTTY ? escapeControls : (text: string) => text
  const texts = options.texts ? exportedTexts : []
  const known = { ...cells, currency: () => currency } as Record<string, (row: Row) => Cell>
  const table = rows.map((row) => [
    ...csvColumns[name].map((column) => print(known[column]!(row), show)),
    ...texts.map((text) => print(row.texts![text], show)),
  ])
  const csv = stringify(table, { ...csvOptions, columns: [...csvColumns[name], ...texts] })
  await printLines([csv.replace(/\n$/, '')])
}

function print(cell: Cell, show: (text: string) => string) {
  if (typeof cell === 'string') return show(cell)
  return typeof cell === 'object' && cell !== null ? printUnits(cell) : cell
}
