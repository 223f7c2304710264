import { decimalsOf, type IncrementStrategy, type Item, type Money, type Session } from '@auction-catalogue/client'
import { catalogue } from '../../../api/index.ts'
import { roundDown } from '../../clerk/doubts.ts'

/** The increments of a session; none if it has none or the key may not read them. */
export async function readIncrements({ increment_strategy: id }: Session, may: boolean) {
  return id !== null && may ? (await catalogue().incrementStrategies.get(id)).steps : []
}

/**
 * A starting bid: so many per cent of the low estimate, down to whole units that the increments allow; null without an
 * estimate, or if nothing is left.
 */
export function proposeBid(
  { estimate }: Pick<Item, 'estimate'>,
  percent: number,
  steps: IncrementStrategy['steps'],
): Money | null {
  const { amount, currency } = estimate?.low ?? estimate?.high ?? { amount: 0, currency: '' }
  const unit = 10 ** decimalsOf(currency)
  const whole = Math.floor((amount * percent) / 100 / unit) * unit
  const rounded = roundDown(whole, steps)
  return rounded > 0 ? { amount: rounded, currency } : null
}

/** A typed percentage: a whole number from 1 to 1000; undefined for an empty text. Throws `refusal` for any other. */
export function readPercent(text: string | undefined, refusal: string): number | undefined {
  if (!text?.trim()) return undefined
  const percent = Number(text.trim())
  if (!/^\d{1,4}$/.test(text.trim()) || percent === 0 || percent > 1000) throw refusal
  return percent
}
