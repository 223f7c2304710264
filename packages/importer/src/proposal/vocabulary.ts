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

/** A heading as the words are: `Schätzpreis (€)` is `schatzpreis`, `LowEst` is `low est`, `N° lot` is `nr lot`. */
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

const translatable = new Set<string>(textNames)

/** A text in a language that its heading names at its beginning or end: `Titel EN`, `Description anglaise`. */
function findTranslation(text: string): Candidate | undefined {
  const tokens = text.split(' ')
  const [first, last] = [tokens[0]!, tokens.at(-1)!]
  const [before, behind] = [tokens.slice(0, -1).join(' '), tokens.slice(1).join(' ')]
  for (const [names, name, rest, fields, most] of [
    [languages, last, before, translatable, Infinity],
    [languages, first, behind, translatable, Infinity],
    // `Maße D` is no German, and `Lot N` a number.
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
 * What a heading means, in any of the languages that are known. What is the house's own (a reserve, an address, a hammer
 * price) leads to no field. Of one that is not known as it is, words in brackets are left out, and cut words completed.
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
export const isHeading = (text: string): boolean => text.length <= 50 && readText(normalize(text)).isKnown

/** Which end of a range a heading is that names nothing else, or a price: `Preis von`, `Low`. */
export function findBound(heading: string): 'low' | 'high' | undefined {
  const text = normalize(heading).replace(price, '').trim()
  if (!bound.test(text)) return undefined
  const [isLow, isHigh] = [lower.test(` ${text}`), upper.test(` ${text}`)]
  return isLow === isHigh ? undefined : isLow ? 'low' : 'high'
}

/** Whether a heading is the first letter of a measure: `H`, `B (cm)`. */
export const isMeasureLetter = (heading: string): boolean =>
  /^[hbdlwtpaøs](?: (?:cm|mm|in|inch))?$/.test(normalize(heading))
