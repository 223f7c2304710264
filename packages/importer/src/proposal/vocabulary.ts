import { complete } from './completions.ts'
import { internalNumber, times, words } from './field-words.ts'
import { without } from './house-words.ts'
import { languages, languageLetters, translateChinese } from './languages.ts'
import type { Words } from './patterns.ts'
import { textNames } from '@auction-catalogue/client'
import {
  bound,
  date,
  estimate,
  general,
  lower,
  minimum,
  premium,
  price,
  reserve,
  sub,
  upper,
  upperAlone,
} from './words.ts'

/** Normalizes a heading: `Schätzpreis (€)` becomes `schatzpreis`, `LowEst` `low est`, and `N° lot` `nr lot`. */
function normalize(heading: string): string {
  const numbered = translateChinese(heading.slice(0, 200)).replaceAll(/n\.?[°º]|№|#/gi, ' nr ')
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

/** A field that a heading may mean. A lower rank is a more specific word. */
export type Candidate = { field: string; rank: number }

/** The meaning of a heading: the fields that it may mean, the most probable first, or a reserve. */
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
  // The date of a seller or a consignment is not the time of a sale.
  return found.some(({ field }) => field === 'seller' || field === 'consignment') ? [] : find(times, text)
}

const translatable = new Set<string>([...textNames, 'alt'])

/** Finds a text whose heading begins or ends with a language: `Titel EN`, `Description anglaise`. */
function findTranslation(text: string): Candidate | undefined {
  const tokens = text.split(' ')
  const [first, last] = [tokens[0]!, tokens.at(-1)!]
  const [before, behind] = [tokens.slice(0, -1).join(' '), tokens.slice(1).join(' ')]
  for (const [names, name, rest, fields, most] of [
    [languages, last, before, translatable, Infinity],
    [languages, first, behind, translatable, Infinity],
    // `Maße D` does not mean German, and `Lot N` is a number.
    [languageLetters, last, before, new Set(['title', 'description']), 1],
  ] as const) {
    const [language] = find(names, name)
    const found =
      language &&
      findCandidates(rest)
        .slice(0, most)
        .find(({ field }) => fields.has(field))
    if (found) return { ...found, field: `${found.field}.${language.field}` }
  }
  return undefined
}

function readText(text: string): Meaning {
  const isReserve = reserve.test(text) || (minimum.test(text) && !estimate.test(text))
  if (isReserve) return { isReserve, isKnown: true, candidates: [] }
  const translation = findTranslation(text)
  const candidates = translation ? [translation] : findCandidates(text)
  const isKnown = candidates.length > 0 || without.some((pattern) => pattern.test(text))
  return { isReserve, isKnown, candidates }
}

/**
 * Reads a heading in any known language. Data of the house's own (a reserve, an address, a hammer price) has no field. An
 * unknown heading is read again without words in brackets, then with its cut words completed.
 */
export function readHeading(heading: string): Meaning {
  const text = normalize(heading)
  const bare = normalize(heading.replaceAll(/[([{][^)\]}]*[)\]}]/g, ' '))
  for (const read of [() => text, () => bare, () => complete(bare)]) {
    const meaning = readText(read())
    if (meaning.isKnown) return meaning
  }
  return readText(text)
}

/** Whether a heading only names an upper bound, such as `bis` behind `Schätzpreis von`. */
export const isUpperBound = (heading: string): boolean => upperAlone.test(normalize(heading))

/** Whether a heading needs another one above it: `von`, `H`, `(cm)`, `English`. */
export const isSubheading = (heading: string): boolean => {
  const text = normalize(heading)
  return text === '' || sub.test(text) || isLanguage(heading) || (bound.test(text) && !isHeading(heading))
}

/** Whether a heading is only a language. */
export const isLanguage = (heading: string): boolean => find(languages, normalize(heading)).length > 0

/** Whether a heading fits too many fields: `Nr.`, `Name`, `Datum`. */
export const isGeneral = (heading: string): boolean => general.test(normalize(heading))

/** Whether a cell reads like a heading. */
export const isHeading = (text: string): boolean => text.length <= 50 && readText(normalize(text)).isKnown

/** The bound of a heading that names nothing else, or only a price: `Preis von`, `Low`. */
export function findBound(heading: string): 'low' | 'high' | undefined {
  const text = normalize(heading).replace(price, '').trim()
  if (!bound.test(text)) return undefined
  const [isLow, isHigh] = [lower.test(` ${text}`), upper.test(` ${text}`)]
  return isLow === isHigh ? undefined : isLow ? 'low' : 'high'
}

/** Whether a heading is the first letter of a measure: `H`, `B (cm)`. */
export const isMeasureLetter = (heading: string): boolean =>
  /^[hbdlwtpaøs](?: (?:cm|mm|in|inch))?$/.test(normalize(heading))
