import { hash } from 'node:crypto'
import type { Locale } from '../values/locales.ts'
import { readText, wordsFormat, type TextWord } from './words/words.ts'

/** The format of the index. An index in another format is made anew. */
export const indexFormat = wordsFormat * 1_000 + 3

/** A text of a record. `locale` is null for names and references. */
export type Text = { text: string; locale: Locale | null; isTitle: boolean }

/** What the index keeps of a record. `words`: a line for each text, in which each place has its exact keys. */
export type Indexed = { keys: string[]; titleKeys: string[]; words: string }

/** A hash of all that an index keeps of these texts and links. */
export function hashTexts(texts: readonly Text[], links: readonly string[]): string {
  return hash('sha1', JSON.stringify([texts, links]), 'base64url')
}

// `|muller|mueller| |vaas|`: keys have no space and no bar.
function printPlaces(words: TextWord[]): string {
  const places: string[] = []
  for (const { position, exact } of words) {
    while (places.length < position) places.push('||')
    places[position] = `${places[position] ?? '|'}${exact.join('|')}|`
  }
  return places.join(' ')
}

/** Reads the texts of a record. The same text in the same language counts once. */
export function indexTexts(texts: readonly Text[]): Indexed {
  const distinct = new Map(texts.map((each) => [JSON.stringify([each.locale, each.text, each.isTitle]), each]))
  const [keys, titleKeys, lines] = [new Set<string>(), new Set<string>(), new Set<string>()]
  for (const { text, locale, isTitle } of distinct.values()) {
    const words = readText(text, locale)
    for (const { exact, forms } of words) {
      for (const key of [...exact, ...forms]) {
        keys.add(key)
        if (isTitle) titleKeys.add(key)
      }
    }
    lines.add(printPlaces(words))
  }
  return { keys: [...keys], titleKeys: [...titleKeys], words: [...lines].join('\n') }
}

/** Whether a key is a word, not a form. */
export const isExact = (key: string) => !key.includes('/')
