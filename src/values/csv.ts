import { decimalsOf } from './currencies.ts'

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

/** The options of `csv-stringify` for a file that spreadsheets open as they should, and never run as formulas. */
export const csvOptions = { bom: true, header: true, escape_formulas: true, cast: { boolean: String } }

/** An amount in units, with all decimals of its currency behind a point: `450.50`. */
export function printUnits({ amount, currency }: { amount: number; currency: string }): string {
  const digits = decimalsOf(currency)
  const text = String(amount).padStart(digits + 1, '0')
  return digits === 0 ? text : `${text.slice(0, -digits)}.${text.slice(-digits)}`
}
