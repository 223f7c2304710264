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
 * The form keys of a normalized word, of a name or of a query that may mean one: `name/rembrandt`. A name is of no language.
 * `shortest`: the letters that a stem must keep, for Snowball leaves three of Manet.
 */
export function stemName(word: string, shortest: number): string[] {
  if (!hasForms(word)) return []
  const stems = stemmed.flatMap((language) => stemsOf(word, language, (base) => stemmers[language](base)))
  const kept = stems.filter(({ length }) => length >= shortest)
  return [...new Set([...foldWord(word), ...kept])].map((stem) => `name/${stem}`)
}

/**
 * The form keys of a normalized word in a language: `nl/zilver`. None for fewer than three letters, and with digits. An
 * accent that is left out may change the stem, so the word without accents is stemmed too.
 */
export function stemWord(word: string, language: Stemmed): string[] {
  if (!hasForms(word)) return []
  const words = remembered[language]
  const known = words.get(word)
  if (known) return known
  const stems = stemsOf(word, language, (base) => stemAgain(base, language))
  const forms = stems.map((stem) => `${language}/${stem}`)
  words.set(word, forms)
  return forms
}

const hasForms = (word: string) => word.length > 2 && word.length <= longestWord && !/\p{N}/u.test(word)

function stemsOf(word: string, language: Stemmed, stem: (base: string) => string): string[] {
  const variants = /[^\0-\x7f]/.test(word) ? [word, ...foldWord(word)] : [word]
  const bases = variants.flatMap((variant) => baseForms(variant, language))
  return [...new Set(bases.map((base) => mergeStem(foldWord(stem(base))[0]!, language)))]
}

// Snowball leaves épület as épül and épületeinek as épület, silbern as silb and silberne as silbern. Repeated, they agree.
function stemAgain(word: string, language: Stemmed): string {
  let last = word
  for (;;) {
    const next = stemmers[language](last)
    if (next === last || next.length < 2 || language === 'en') return next
    last = next
  }
}
