import { findCurrencies, type DecimalSign } from '@auction-catalogue/client/amounts'
import { isUnknownMaker } from '../mapping/absences.ts'
import { DateCell, FormattedNumber } from '../source/cells.ts'
import type { DateOrder } from '../mapping/dates.ts'
import type { Guess } from './guesses.ts'
import { aRange, aSign, maxAmountLength, type Samples } from './values.ts'

/** The notation of a sheet's values. What the values do not show is undefined. */
export type Notation = {
  currency: string | undefined
  decimal: DecimalSign | undefined
  dates: DateOrder | undefined
  list: string | undefined
  range: string | undefined
  /** A maker such as `unbekannt`. */
  unknownMaker: string | undefined
}

/** The currency of the first sign. A sign that several currencies share leaves it to the house. */
function guessCurrency(texts: string[]): string | undefined {
  const found = texts.flatMap((text) => aSign.exec(text.normalize('NFKC'))?.[0] ?? [])
  return found.map(findCurrencies).find((codes) => codes.length === 1)?.[0]
}

function guessDates(texts: string[]): DateOrder | undefined {
  const first = texts
    .map((text) => /^(?:\p{L}+\.?,? )?(\d{1,2})[-./ ](\d{1,2})[-./ ](?:20)?\d{2}/u.exec(text))
    .filter((match) => match !== null)
  if (first.some((match) => Number(match[1]) > 12)) return 'd-m-y'
  if (first.some((match) => Number(match[2]) > 12)) return 'm-d-y'
  if (texts.some((text) => /^\d{4}[-./年]\s*\d/.test(text))) return 'y-m-d'
  return first.length === 0 && texts.some((text) => /\d\.?\s+\p{L}{3}/u.test(text)) ? 'd-m-y' : undefined
}

/** Recognises the notation by the columns of amounts, dates and pictures. */
export function guessNotation(columns: Samples[], guesses: Guess[]): Notation & { said: string[] } {
  const of = (...fields: string[]) => columns.filter((_, index) => fields.includes(guesses[index]!.field ?? ''))
  const textsOf = (found: Samples[]) =>
    found.flatMap(({ cells }) =>
      cells.filter((cell) => typeof cell === 'string' || cell instanceof DateCell).map(String),
    )
  const said: string[] = []
  const priced = of('estimate', 'estimate.low', 'estimate.high', 'starting_bid')
  const amounts = textsOf(priced)
  const signs = priced.flatMap(({ cells }) => cells.filter((cell) => cell instanceof FormattedNumber)).map(String)
  // A sign before three digits separates thousands, a sign before one or two the cents.
  const [commas, points] = [
    amounts.filter((text) => /\.\d{3}(?!\d)|,(?:\d{1,2}(?!\d)|[–-])/.test(text)).length,
    amounts.filter((text) => /,\d{3}(?!\d)|\.(?:\d{1,2}(?!\d)|[–-])/.test(text)).length,
  ]
  const decimal = commas > points ? ',' : points > commas ? '.' : undefined
  if (amounts.length > 0)
    said.push(`amounts: ${commas} of ${amounts.length} show a decimal comma, ${points} a decimal point`)
  const times = textsOf(of('session.opens_at', 'session.closes_at')).map((text) => text.trim())
  const dates = guessDates(times)
  if (times.length > 0) said.push(dates ? `dates: ${dates}` : 'dates: day and month cannot be told apart')
  return {
    currency: guessCurrency([...amounts, ...signs, ...priced.map(({ heading }) => heading)]),
    decimal,
    dates,
    list: textsOf(of('images'))
      .map((text) => /[;,|\n]/.exec(text)?.[0])
      .find((each) => each !== undefined),
    range: textsOf(of('estimate'))
      .map((text) => (text.length <= maxAmountLength ? aRange.exec(text)?.[1] : undefined))
      .find((each) => each !== undefined),
    unknownMaker: textsOf(of('makers'))
      .map((text) => text.trim())
      .find(isUnknownMaker),
    said,
  }
}
