import { decimalsOf, type Estimate, type House, type Money } from '@auction-catalogue/client'
import { html } from './html.ts'
import { chooseLanguage } from './words.ts'

/** The site of a house. `origin` is its public address, without a slash at the end. */
export function makeSite({ name, locale, time_zone }: House, origin: string) {
  const { language, region, say } = chooseLanguage(locale)
  return {
    name,
    origin,
    language,
    say,
    /** The attribute of what holds the house's own texts, if they have another language than the page. */
    lang: locale === language ? undefined : html` lang="${locale}"`,
    printNumber: (number: number) => number.toLocaleString(region),
    printPercentage: (percentage: number) =>
      (percentage / 100).toLocaleString(region, { style: 'percent', maximumFractionDigits: 4 }),
    printMoney: (money: Money) => printRange(region, { low: money, high: money }),
    printEstimate: (estimate: Estimate) => printRange(region, estimate),
    /** In the time zone of the house. A house without one has the times of this machine. */
    printTime: (time: string, style: 'full' | 'short' = 'full') =>
      html`<time datetime="${time}"
        >${new Intl.DateTimeFormat(region, { ...styles[style], timeZone: time_zone ?? undefined }).format(new Date(time))}</time
      >`,
  }
}
export type Site = ReturnType<typeof makeSite>

const clock = { hour: '2-digit', minute: '2-digit' } as const
const styles = {
  full: { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric', ...clock, timeZoneName: 'short' },
  short: { weekday: 'short', day: 'numeric', month: 'short', ...clock },
} as const

function printRange(region: string, { low, high }: Estimate): string {
  const { currency } = (low ?? high)!
  const format = new Intl.NumberFormat(region, { style: 'currency', currency, trailingZeroDisplay: 'stripIfInteger' })
  const [from, to] = [low, high].map((bound) => bound && bound.amount / 10 ** decimalsOf(currency))
  if (from === undefined) return `– ${format.format(to!)}`
  if (to === undefined) return `${format.format(from)} –`
  return from === to ? format.format(from) : format.formatRange(from, to)
}
