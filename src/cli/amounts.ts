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

const aRange = /^(\D*)(\d(?:[^-–—]*\d)?)\s*[-–—]\s*(\d(?:[^-–—]*\d)?)(\D*)$/s

/**
 * Reads two typed amounts such as `EUR 400-600`, in the currency of a house, in minor units. The currency stands once.
 * @throws UsageError
 */
export function readAmountRange(option: string, text: string, house: House): [low: number, high: number] {
  const [, before = '', low, high, behind = ''] = aRange.exec(text) ?? []
  if (low === undefined || high === undefined)
    throw new UsageError(`${option}: ${JSON.stringify(text)} is not two amounts: write "${house.currency} 400-600"`)
  const read = (number: string) => readAmount(option, before + number + behind, house)
  return [read(low), read(high)]
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
