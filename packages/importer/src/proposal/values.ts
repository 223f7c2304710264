import { currencyPattern } from '@auction-catalogue/client/amounts'
import { FormattedNumber, type Cell } from '../source/cells.ts'

/** A column of a sheet: its heading, and its first cells with a value. */
export type Samples = { heading: string; cells: Cell[] }

const sign = `(?:${currencyPattern})`
const between = String.raw`(?:[/–—-]|t/m|tot|bis|à|to|do|a)`
const digits = String.raw`\d[\d.,'’\s]*`
const amount = String.raw`(?:${sign}\s*)?${digits}(?:[–-]{1,2})?\s*${sign}?`
/** The sign of a currency. */
export const aSign = new RegExp(sign, 'iu')
const anAmount = new RegExp(`^${amount}(?:\\s*${between}\\s*${amount})?$`, 'iu')
/** A range of two amounts. Its first group is the separator. */
export const aRange = new RegExp(`${digits}(?:[–-]{1,2})?\\s*${sign}?\\s*(${between})\\s*${sign}?\\s*\\d`, 'iu')
/** Longer texts are no amounts. */
export const maxAmountLength = 60

// The first letters of months in the languages of the headings. `1. Sitzung` is no day of a month.
const month =
  '(?:ja[nn]|gen|ene|sty|feb|fev|fév|lut|m[aä]r|maa|mrt|mar|kwi|a[pbv]r|ápr|ma[ijyg]|máj|j[uú][nl]|jui|giu|lug|cze|lip|a[uo][gû]|sie|s[ze]|set|wrz|o[ck]t|ott|paź|nov|lis|d[eéiz]c|dez|dic|gru)'
/** A day within a text. */
export const day = new RegExp(
  String.raw`(?:^|\s)(?:\d{1,2}[-./ ]\d{1,2}[-./ ](?:20)?\d{2}|20\d{2}-\d{1,2}-\d{1,2}|\d{1,2}\.?(?:er|st|nd|rd|th)?\s+(?:de\s+)?${month}\p{L}*\.?(?:(?:\s+de)?\s+20\d{2})?)(?!\d)`,
  'iu',
)
// A day at the beginning of a text, with or without its weekday.
const onlyDay = new RegExp(String.raw`^(?:\p{L}+[.,]*\s+)?(?:${day.source})`, 'iu')
/** A time of day within a text. */
export const clock = /(?:^|\s)\d{1,2}(?:[:.uh]\d{2}(?::\d{2})?|\s?[h]|\s?(?:uur|Uhr|[ap]\.?m\.?))(?!\d)/i

/** Whether at least half of the cells fit. An empty column fits. */
export const most = (cells: Cell[], fits: (text: string) => boolean) =>
  cells.filter((cell) => fits(String(cell).trim())).length >= cells.length * 0.5

/** Whether a text has words. */
export const isText = (text: string) => /\p{L}{2}/u.test(text)
/** Whether a text has a day or a time of day. */
export const isTime = (text: string) => day.test(text) || clock.test(text)
// Whether a text is an amount or a range.
const isAmount = (text: string) => text.length <= maxAmountLength && anAmount.test(text)

const anAddress = /^(?:https?:|www\.)|\S@\S+\.\p{L}/iu
/** Whether a text can only be a value, and no heading: the name of a file, an address, an amount or a date. */
export const isValue = (text: string): boolean =>
  isPicture(text) || anAddress.test(text) || onlyDay.test(text) || (/\d\D?\d|\p{Sc}\s*\d/u.test(text) && isAmount(text))

/** Whether a text names files of pictures. */
export const isPicture = (text: string): boolean =>
  /\.(?:jpe?g|png|webp|avif|tiff?|gif)\b/i.test(text) && !/^https?:/i.test(text)

/** The number of an amount. */
export const toNumber = (cell: Cell): number =>
  typeof cell === 'number'
    ? cell
    : cell instanceof FormattedNumber
      ? cell.number
      : Number(
          String(cell)
            .replace(/[.,]\d{2}(?!\d)/, '')
            .replaceAll(/\D/g, ''),
        )

/** Whether the cells of a column fit a field. */
export function fits(field: string, { cells }: Samples): boolean {
  switch (field.split('.')[0] === 'session' ? field : field.split('.')[0]!) {
    case 'external_reference':
      // The import reports a reference that was typed twice with its row.
      return new Set(cells.map(String)).size >= Math.min(cells.length * 0.95, Math.max(cells.length - 1, 3))
    case 'lot_number':
      return most(cells, (text) => /^\d{1,6} ?(?:[a-z]|bis|ter)?$/i.test(text))
    case 'estimate':
    case 'starting_bid': {
      // Cells without digits may state that there is no amount, or that it is on request.
      const numbers = cells.filter((cell) => /\d/.test(String(cell)))
      return (numbers.length > 0 || cells.length === 0) && most(numbers, isAmount)
    }
    case 'session.opens_at':
    case 'session.closes_at':
      return most(cells, isTime)
    case 'session':
      // A text that begins with a day does not name a session.
      return cells.length === 0 || !most(cells, (text) => onlyDay.test(text))
    case 'session.buyer_premium_percentage':
      return most(cells, (text) => Number.parseFloat(text) <= 100)
    case 'images':
      return most(cells, isPicture)
    case 'alt':
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
