import {
  bound,
  date,
  general,
  estimate,
  internalNumber,
  languages,
  lower,
  minimum,
  premium,
  reserve,
  sub,
  times,
  upper,
  upperAlone,
  without,
  words,
  type Words,
} from './words.ts'

/** A heading as the words are: `Schätzpreis (€)` is `schatzpreis`, `LowEst` is `low est`, `N° lot` is `nr lot`. */
function normalize(heading: string): string {
  const numbered = heading.slice(0, 200).replaceAll(/n[°º]|№|#/gi, ' nr ')
  return numbered
    .replaceAll(/(\p{Ll})(?=\p{Lu})/gu, '$1 ')
    .replaceAll(/(?<=\p{L})(?=\d)/gu, ' ')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replaceAll('ł', 'l')
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
    .replaceAll(/\bstart(price|bid)\b/g, 'start $1')
}

/** A field to which a heading may lead. The lower its rank, the more telling the heading. */
export type Candidate = { field: string; rank: number }

/** What a heading means: the fields to which it may lead, the most probable first, or that it is a reserve. */
export type Meaning = { isReserve: boolean; isKnown: boolean; candidates: Candidate[] }

const find = (table: Words, text: string): Candidate[] =>
  table.flatMap(([field, pattern], rank) => (pattern.test(text) ? [{ field, rank }] : []))

function findCandidates(text: string): Candidate[] {
  if (premium.test(text)) return [{ field: 'session.buyer_premium_percentage', rank: 0 }]
  if (without.some((pattern) => pattern.test(text)) && !internalNumber.test(text)) return []
  if (estimate.test(text)) {
    const [isLow, isHigh] = [lower.test(text), upper.test(text)]
    return [{ field: isLow === isHigh ? 'estimate' : isLow ? 'estimate.low' : 'estimate.high', rank: 0 }]
  }
  const found = find(words, text)
  if (!date.test(text)) return [...found, ...find(times, text)]
  // The day on which a seller brought something in is no time of a sale.
  return found.some(({ field }) => field === 'seller' || field === 'consignment') ? [] : find(times, text)
}

const translatable = new Set(['title', 'description', 'condition', 'dimensions', 'weight'])

/** A text in a language that its heading names at its beginning or end: `Titel EN`, `Description anglaise`. */
function findTranslation(text: string): Candidate | undefined {
  const tokens = text.split(' ')
  const divided = [
    { name: tokens.at(-1)!, rest: tokens.slice(0, -1) },
    { name: tokens[0]!, rest: tokens.slice(1) },
  ]
  for (const { name, rest } of divided) {
    const [language] = find(languages, name)
    const found = language && findCandidates(rest.join(' ')).find(({ field }) => translatable.has(field))
    if (found) return { ...found, field: `${found.field}.${language.field}` }
  }
  return undefined
}

/**
 * What a heading means, in any of the languages that are known. What is the house's own (a reserve, an address, a hammer
 * price) leads to no field.
 */
export function readHeading(heading: string): Meaning {
  const text = normalize(heading)
  const isReserve = reserve.test(text) || (minimum.test(text) && !estimate.test(text))
  if (isReserve) return { isReserve, isKnown: true, candidates: [] }
  const translation = findTranslation(text)
  const candidates = translation ? [translation] : findCandidates(text)
  const isKnown = candidates.length > 0 || without.some((pattern) => pattern.test(text))
  return { isReserve, isKnown, candidates }
}

/** Whether a heading says only where something ends, such as `bis` behind `Schätzpreis von`. */
export const isUpperBound = (heading: string): boolean => upperAlone.test(normalize(heading))

/** Whether a heading says little without one above it: `von`, `H`, `(cm)`, `English`. */
export const isSubheading = (heading: string): boolean => {
  const text = normalize(heading)
  return text === '' || sub.test(text) || isLanguage(heading) || (bound.test(text) && !isHeading(heading))
}

/** Whether a heading is a language alone. */
export const isLanguage = (heading: string): boolean => find(languages, normalize(heading)).length > 0

/** Whether a heading may belong to anything: `Nr.`, `Name`, `Datum`. */
export const isGeneral = (heading: string): boolean => general.test(normalize(heading))

/** Whether a cell reads like a heading. */
export const isHeading = (text: string): boolean => text.length <= 50 && readHeading(text).isKnown
