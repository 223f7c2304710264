import { LRUCache } from 'lru-cache'
import { createStemmer } from 'multilingual-stemmer'
import { type Locale } from '../../values/locales.ts'
import { baseForms, mergeStem } from './irregular.ts'
import { foldWord, longestWord } from './letters.ts'

/** The languages with stems. Chinese has none. */
export const stemmed = ['nl', 'en', 'fr', 'de', 'es', 'it', 'pl', 'hu'] as const satisfies Locale[]

/** A language with stems. */
type Stemmed = (typeof stemmed)[number]

// The algorithms of Snowball 3, Polish included.
const stemmers = Object.fromEntries(stemmed.map((language) => [language, createStemmer(language)])) as Record<
  Stemmed,
  (word: string) => string
>

// The forms of words lately read, for indexing. At most 1 MB for each language that is used.
const remembered = Object.fromEntries(
  stemmed.map((language) => [language, new LRUCache<string, string[]>({ max: 5_000 })]),
) as Record<Stemmed, LRUCache<string, string[]>>

/**
 * The form keys of a normalized word in a language: `nl/zilver`. None for fewer than three letters, and with digits. An
 * accent that is left out may change the stem, so the word without accents is stemmed too.
 */
export function stemWord(word: string, language: Stemmed): string[] {
  if (word.length < 3 || word.length > longestWord) return []
  const words = remembered[language]
  const known = words.get(word)
  if (known) return known
  const forms = /\p{N}/u.test(word) ? [] : findForms(word, language)
  words.set(word, forms)
  return forms
}

function findForms(word: string, language: Stemmed): string[] {
  const variants = /[^\0-\x7f]/.test(word) ? [word, ...foldWord(word)] : [word]
  const bases = variants.flatMap((variant) => baseForms(variant, language))
  return [...new Set(bases.map((base) => `${language}/${foldWord(stem(base, language))[0]!}`))]
}

// Snowball leaves épület as épül and épületeinek as épület, silbern as silb and silberne as silbern. Repeated, they agree.
function stem(word: string, language: Stemmed): string {
  let last = word
  for (;;) {
    const next = stemmers[language](last)
    if (next === last || next.length < 2 || language === 'en') return mergeStem(next, language)
    last = next
  }
}
