import { Option } from 'commander'
import type { House } from '../context.ts'
import { AmountError, readTypedMoney } from '../values/typed-money.ts'
import { UsageError, wholeNumber } from './command.ts'

/** Two options for one amount: as people type it, and for programs in minor units, at least `least`. */
export function amountOptions(name: string, what: string, least: number): [typed: Option, minor: Option] {
  return [
    new Option(`--${name} <money>`, `${what}, with its currency or all of its decimals: "EUR 450" or 450,00`),
    new Option(`--${name}-minor <n>`, `the same in minor units (cents), for programs`)
      .argParser(wholeNumber(least))
      .conflicts(name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())),
  ]
}

/**
 * Reads a typed amount in the currency of a house, in minor units. `option` is its option, such as `--amount`. With
 * `units` a bare integer is in units.
 * @throws UsageError
 */
export function readAmount(option: string, text: string, { currency }: House, units?: boolean): number {
  try {
    return readTypedMoney(text, currency, `${option}-minor`, units)
  } catch (error) {
    if (!(error instanceof AmountError)) throw error
    throw new UsageError(`${option}: ${error.message}`, { cause: error })
  }
}
