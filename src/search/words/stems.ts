import { createStemmer } from 'multilingual-stemmer'
import { type Locale } from '../../values/locales.ts'
import { foldWord, longestWord } from './letters.ts'

/** The languages with stems. Chinese has none. */
export const stemmed = ['nl', 'en', 'fr', 'de', 'es', 'it', 'pl', 'hu'] as const satisfies Locale[]

/** A language with stems. */
export type Stemmed = (typeof stemmed)[number]

// The algorithms of Snowball 3, Polish included.
const stemmers = Object.fromEntries(stemmed.map((language) => [language, createStemmer(language)])) as Record<
  Stemmed,
  (word: string) => string
>

/** Whether a word has forms: at least three letters, no digit. */
export function hasForms(word: string): boolean {
  return word.length > 2 && word.length <= longestWord && !/\p{N}/u.test(word)
}

/**
 * The form keys of a normalized word in a language: `nl/zilver`. An accent that is left out may change the stem, so the
 * word without accents is stemmed too.
 */
export function stemWord(word: string, language: Stemmed): string[] {
  if (!hasForms(word)) return []
  const stem = stemmers[language]
  if (!/[^\0-\x7f]/.test(word)) return [`${language}/${stem(word)}`]
  const stems = [word, ...foldWord(word)].flatMap((variant) => foldWord(stem(variant)).slice(0, 1))
  return [...new Set(stems)].map((each) => `${language}/${each}`)
}
