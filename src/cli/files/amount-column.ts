import { AmountError, readTypedMoney } from '../../values/typed-money.ts'
import { readWhole, type FileFaults, type Read } from './row-file.ts'

/** An amount of a row, and the column that has it. A number is in minor units, a text as people type it. */
export type TypedAmount = { column: string; amount: number | string }

/** Reads the amount in the column `name`, or in `name`_minor. In JSON both are in minor units. Null if both are empty. */
export function readAmountColumn(read: Read, name: string, isJson: boolean, least: number): TypedAmount | null {
  const isEmpty = (value: unknown) => (value ?? '') === ''
  const readMinor = (value: unknown) => (isEmpty(value) ? null : readWhole(value, least))
  const readText = (value: unknown) => (isEmpty(value) ? null : String(value))
  const minor = 'an amount: a whole number of minor units (cents)'
  const amount = read<string | number | null>(name, isJson ? readMinor : readText, minor)
  const other = read(
    `${name}_minor`,
    (value) => (amount === null || isEmpty(value) ? readMinor(value) : undefined),
    amount === null ? minor : `allowed beside ${/^[aeiou]/.test(name) ? 'an' : 'a'} ${name}: leave one of them empty`,
  )
  if (other !== null) return { column: `${name}_minor`, amount: other }
  return amount === null ? null : { column: name, amount }
}

/** How the amounts of a file are understood: with `units` a bare integer is in units. */
type AmountTerms = { currency: string; units: boolean | undefined }

/** The amount of a row in minor units; null if the row has none, or one that is a fault. */
export function resolveAmount(
  faults: FileFaults,
  line: number,
  typed: TypedAmount | null,
  { currency, units }: AmountTerms,
): number | null {
  if (typed === null) return null
  const { column, amount } = typed
  if (typeof amount === 'number') return amount
  try {
    return readTypedMoney(amount, currency, `the column ${column}_minor, or --units`, units)
  } catch (error) {
    if (!(error instanceof AmountError)) throw error
    faults.add(line, column, error.message)
    return null
  }
}
