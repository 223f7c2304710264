import type { Row } from './files.ts'
import { hundredths, newPence } from './prices.ts'
import type { Money } from '../../src/values/money.ts'
import type { Remarks } from './records.ts'
import { tidy } from './text.ts'

/** A section of the index as a house. `units` are the source's names of its currency. */
export type House = { slug: string; name: string; locale: string; currency: string; units: string[] }

/** The houses by the first letters of their catalogues' numbers. */
export const houses: { [section: string]: House } = {
  Br: { slug: 'getty-british', name: 'Getty: British sales', locale: 'en', currency: 'GBP', units: ['pounds', '£'] },
  B: { slug: 'getty-belgian', name: 'Getty: Belgian sales', locale: 'fr', currency: 'FRF', units: ['frs', 'francs'] },
  F: { slug: 'getty-french', name: 'Getty: French sales', locale: 'fr', currency: 'FRF', units: ['frs', 'francs'] },
  N: { slug: 'getty-dutch', name: 'Getty: Dutch sales', locale: 'nl', currency: 'NLG', units: ['fl'] },
  D: { slug: 'getty-german', name: 'Getty: German sales', locale: 'de', currency: 'XXX', units: ['Reichsmark'] },
  SC: { slug: 'getty-scandinavian', name: 'Getty: Scandinavian sales', locale: 'en', currency: 'XXX', units: [] },
}
type Outcome = 'sold' | 'unsold' | 'withdrawn'
const outcomes: [outcome: Outcome, words: RegExp][] = [
  ['sold', /^(?:sold|verkauft|vendu)$/i],
  ['unsold', /^(?:bought in|passed|unverkauft|non vendu)/i],
  ['withdrawn', /^(?:withdrawn|zurückgezogen|retiré)$/i],
]

/** The result of a lot. Prices that cannot be read as an amount are in `printed`, for the description. */
export function readResult(
  lot: Row,
  house: House,
  key: string,
  remarks: Remarks,
): {
  outcome: Outcome | undefined
  hammer: Money | undefined
  start: Money | undefined
  estimate: Money | undefined
  printed: string[]
} {
  const transaction = tidy(lot.transaction)
  const outcome = outcomes.find(([, words]) => words.test(transaction))?.[0]
  if (!outcome) remarks.add('result unknown: the lot is loaded as unsold', transaction)
  if (outcome === 'withdrawn') remarks.add('withdrawn: the lot is inactive', key)
  const printed: string[] = []
  const money = (price: string | undefined, unit: string | undefined, note?: string) => {
    if (!price) return undefined
    const read = note || !house.units.includes(unit ?? '') ? undefined : readAmount(price, house)
    const text = [price, unit, note].filter(Boolean).join(' ')
    if (!read?.exact) printed.push(text)
    if (read?.exact === false)
      remarks.add('price that is no whole number of new pence: rounded, printed price in the description', text)
    else if (note) remarks.add('price of several lots together: no amount, kept in the description', `${key}: ${text}`)
    else if (!read)
      remarks.add('price not readable or not in the house’s money: no amount, kept in the description', text)
    return read && { amount: read.amount, currency: house.currency }
  }
  const estimate = money(lot.est_price, lot.est_price_curr)
  if (estimate) remarks.add('estimate with one figure: taken as the lower bound', key)
  return {
    outcome,
    hammer: money(lot.price_amount_1, lot.price_currency_1, lot.price_note_1),
    start: money(lot.start_price || lot.ask_price, lot.start_price_curr || lot.ask_price_curr),
    estimate,
    printed,
  }
}

/** Minor units from `15.5` or `6-16-6` (pounds, shillings, pence), or from `50,000`, `2 3/4` and `2.50` (decimal money). */
function readAmount(text: string, house: House): { amount: number; exact: boolean } | undefined {
  if (house.currency === 'GBP') {
    const [, pounds = '', shillings = '', pence = ''] = /^(\d+)(?:[.-](\d+)(?:[.-](\d+))?)?$/.exec(text) ?? []
    return newPence(pounds, shillings, pence)
  }
  const [, whole, quarters] = /^(\d+) ([123])\/4$/.exec(text) ?? []
  if (whole && quarters) return { amount: Number(whole) * 100 + Number(quarters) * 25, exact: true }
  // `48.1` may mean 48.01 or 48.10, so a single digit after the point is not read.
  const amount = /\.\d$/.test(text) ? undefined : hundredths(text)
  return amount === undefined ? undefined : { amount, exact: true }
}
