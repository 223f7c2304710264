import type { DecimalSign } from './amounts.ts'
import { FormattedNumber, type Cell } from './cells.ts'
import type { DateOrder } from './dates.ts'
import type { Samples } from './survey.ts'
import { isUpperBound, readHeading, type Meaning } from './vocabulary.ts'

/** The field that a column probably is, and whether it is a reserve, which has none. */
export type Guess = { field: string | undefined; isReserve: boolean }

const currencies: Record<string, string> = { '€': 'EUR', '£': 'GBP', $: 'USD', Fr: 'CHF', zł: 'PLN', Ft: 'HUF' }
const sign = String.raw`(?:[€£$]|\b(?:EUR|euro|GBP|USD|CHF|PLN|HUF)\b|\bFr\.|zł|\bFt\b)`
const between = String.raw`(?:[/–—-]|tot|bis|à|to|do|a)`
const digits = String.raw`\d[\d.,'’ \u00a0\u202f]*`
const amount = String.raw`(?:${sign}\s*)?${digits}(?:[–-]{1,2})?\s*${sign}?`
const aSign = new RegExp(sign, 'i')
const anAmount = new RegExp(`^${amount}(?:\\s*${between}\\s*${amount})?$`, 'i')
const aRange = new RegExp(`${digits}(?:[–-]{1,2})?\\s*${sign}?\\s*(${between})\\s*${sign}?\\s*\\d`, 'i')
const maxAmountLength = 60

// The beginnings of months in the languages of the headings; of `1. Sitzung` the rest is none.
const month =
  '(?:ja[nn]|gen|ene|sty|feb|fev|fév|lut|m[aä]r|maa|mrt|mar|kwi|a[pbv]r|ápr|ma[ijyg]|máj|j[uú][nl]|jui|giu|lug|cze|lip|a[uo][gû]|sie|s[ze]|set|wrz|o[ck]t|ott|paź|nov|lis|d[eéiz]c|dez|dic|gru)'
const day = new RegExp(
  String.raw`(?:^|\s)(?:\d{1,2}[-./ ]\d{1,2}[-./ ](?:20)?\d{2}|20\d{2}-\d{1,2}-\d{1,2}|\d{1,2}\.?(?:er|st|nd|rd|th)?\s+(?:de\s+)?${month}\p{L}*\.?(?:(?:\s+de)?\s+20\d{2})?)(?!\d)`,
  'iu',
)
const onlyDay = new RegExp(String.raw`^(?:\p{L}+[.,]*\s+)?(?:${day.source})`, 'iu')
const clock = /(?:^|\s)\d{1,2}(?:[:.uh]\d{2}(?::\d{2})?|\s?[h]|\s?(?:uur|Uhr|[ap]\.?m\.?))(?!\d)/i

/** Whether half of the cells fit or more; so do those of an empty column. */
const most = (cells: Cell[], fits: (text: string) => boolean) =>
  cells.filter((cell) => fits(String(cell).trim())).length >= cells.length * 0.5

const isText = (text: string) => /\p{L}{2}/u.test(text)
const isTime = (text: string) => day.test(text) || clock.test(text)
const isAmount = (text: string) => text.length <= maxAmountLength && anAmount.test(text)

/** Whether what a column holds can be what its heading says. */
function fits(field: string, { cells }: Samples): boolean {
  switch (field.split('.')[0] === 'session' ? field : field.split('.')[0]!) {
    case 'external_reference':
      // One that was typed twice by mistake is reported with its row.
      return new Set(cells.map(String)).size >= cells.length * 0.95
    case 'lot_number':
      return most(cells, (text) => /^\d{1,6} ?(?:[a-z]|bis|ter)?$/i.test(text))
    case 'estimate':
    case 'starting_bid': {
      // Others say that there is none, or that it is to be asked for.
      const numbers = cells.filter((cell) => /\d/.test(String(cell)))
      return (numbers.length > 0 || cells.length === 0) && most(numbers, isAmount)
    }
    case 'session.opens_at':
    case 'session.closes_at':
      return most(cells, isTime)
    case 'session':
      // What stands before a day names the session.
      return cells.length === 0 || !most(cells, (text) => onlyDay.test(text))
    case 'session.buyer_premium_percentage':
      return most(cells, (text) => Number.parseFloat(text) <= 100)
    case 'images':
      return most(cells, (text) => /\.(?:jpe?g|png|webp|avif|tiff?|gif)\b/i.test(text) && !/^https?:/i.test(text))
    case 'title':
    case 'description':
    case 'makers':
      return most(cells, isText)
    case 'dimensions':
    case 'weight':
      return most(cells, (text) => /\d/.test(text))
    case 'delivery_class':
      return (
        cells.length === 0 ||
        !most(
          cells,
          (text) => isAmount(text) || /^(?:[yjnsotx]|yes|no|ja|nee|nein|oui|non|si|sì|sí|tak|nie)$/i.test(text),
        )
      )
    default:
      return true
  }
}

/** Makes of `Estimate | to` or `Estimate | High estimate` the two bounds that they are. */
function pairBounds(columns: Samples[], meanings: Meaning[]): void {
  for (const [index, { heading }] of columns.entries()) {
    const before = meanings[index - 1]?.candidates[0]
    if (before?.field !== 'estimate' && before?.field !== 'estimate.low') continue
    const isUpper = isUpperBound(heading) || meanings[index]!.candidates[0]?.field === 'estimate.high'
    if (!isUpper || !fits('estimate', columns[index]!)) continue
    // A heading that says so itself comes first.
    if (before.field === 'estimate') Object.assign(before, { field: 'estimate.low', rank: 1 })
    meanings[index] = { isReserve: false, isKnown: true, candidates: [{ field: 'estimate.high', rank: 0 }] }
  }
}

// Their columns are joined.
const joined = new Set(['images', 'dimensions'])

/** Proposes a field for each column, by its heading and by what it holds. */
export function guessFields(columns: Samples[]): Guess[] {
  const meanings = columns.map(({ heading }) => readHeading(heading))
  pairBounds(columns, meanings)
  const found = columns.map((column, index) => meanings[index]!.candidates.find(({ field }) => fits(field, column)))
  const isBest = (index: number) =>
    !found.some(
      (other, at) =>
        other?.field === found[index]!.field &&
        (other.rank < found[index]!.rank || (other.rank === found[index]!.rank && at < index)),
    )
  // A date and a time may stand in two columns, and neither in more than one.
  const isRepeated = (index: number) =>
    columns.some(
      (other, at) =>
        at < index &&
        found[at]?.field === 'session.opens_at' &&
        [day, clock].some((kind) =>
          [other, columns[index]!].every(({ cells }) => most(cells, (text) => kind.test(text))),
        ),
    )
  const fields = found.map((candidate, index) => {
    if (candidate === undefined) return undefined
    const { field } = candidate
    const isFirst = field === 'session.opens_at' ? !isRepeated(index) : joined.has(field) || isBest(index)
    return isFirst ? field : undefined
  })
  // An estimate beside its bounds would be a second one.
  const hasBound = fields.includes('estimate.low') || fields.includes('estimate.high')
  const hasTitle = fields.some((field) => field?.startsWith('title'))
  return fields.map((found, index) => {
    const field = hasBound && found === 'estimate' ? undefined : found
    const isShort = columns[index]!.cells.every((cell) => String(cell).length <= 100)
    // Of one text alone a short one is a title, which an item needs.
    const isTitle = !hasTitle && isShort && field?.startsWith('description')
    return { field: isTitle ? field!.replace('description', 'title') : field, isReserve: meanings[index]!.isReserve }
  })
}

/** What the values of a sheet show of how they are written. What they do not show is undefined. */
export type Notation = {
  currency: string | undefined
  decimal: DecimalSign | undefined
  dates: DateOrder | undefined
  list: string | undefined
  range: string | undefined
}

function guessCurrency(texts: string[]): string | undefined {
  const found = texts.map((text) => aSign.exec(text)?.[0]).find((each) => each !== undefined)
  return found && (currencies[found.replace(/\.$/, '')] ?? (/^euro$/i.test(found) ? 'EUR' : found.toUpperCase()))
}

function guessDates(texts: string[]): DateOrder | undefined {
  const first = texts
    .map((text) => /^(?:\p{L}+\.?,? )?(\d{1,2})[-./ ](\d{1,2})[-./ ](?:20)?\d{2}/u.exec(text))
    .filter((match) => match !== null)
  if (first.some((match) => Number(match[1]) > 12)) return 'd-m-y'
  if (first.some((match) => Number(match[2]) > 12)) return 'm-d-y'
  if (texts.some((text) => /^\d{4}-/.test(text))) return 'y-m-d'
  return first.length === 0 && texts.some((text) => /\d\.?\s+\p{L}{3}/u.test(text)) ? 'd-m-y' : undefined
}

/** Sees in the columns of amounts, dates and pictures how they are written. */
export function guessNotation(columns: Samples[], guesses: Guess[]): Notation & { said: string[] } {
  const of = (...fields: string[]) => columns.filter((_, index) => fields.includes(guesses[index]!.field ?? ''))
  const textsOf = (found: Samples[]) => found.flatMap(({ cells }) => cells.filter((cell) => typeof cell === 'string'))
  const said: string[] = []
  const priced = of('estimate', 'estimate.low', 'estimate.high', 'starting_bid')
  const amounts = textsOf(priced)
  const signs = priced.flatMap(({ cells }) => cells.filter((cell) => cell instanceof FormattedNumber)).map(String)
  // A sign before three digits separates thousands, one before two the cents.
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
    said,
  }
}
