import { LRUCache } from 'lru-cache'
import { createStemmer } from 'multilingual-stemmer'
import { type Locale } from '../../values/locales.ts'
import { baseForms, mergeStem } from './irregular.ts'
import { foldWord, longestWord } from './letters.ts'

/** The languages with stems. Chinese has none. */
export const stemmed = ['nl', 'en', 'fr', 'de', 'es', 'it', 'pl', 'hu'] as const satisfies Locale[]

// Of cases of names: Rembrandts, Rembrandtem, Picassónak.
const cases = 's em owi t at et ot nak nek val vel ban ben bol rol tol ra re hoz hez nal nel ert'.split(' ')
const shortestName = 4

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
 * The form keys of a normalized word of a name: itself, and its Polish stem if that is almost as long (`pl/matejk`). Of four
 * letters only an a is dropped: Olga, not Anne.
 */
export function nameForms(word: string): string[] {
  if (!hasForms(word)) return []
  const dropped = word.length > 4 || word.endsWith('a') ? 1 : 0
  const kept = stemWord(word, 'pl').filter((form) => form.length + dropped >= `pl/${word}`.length)
  return [...foldWord(word).map((name) => `name/${name}`), ...kept]
}

/** The form keys by which a normalized word of a query finds names. Stems in all languages would find Roche by rocher. */
export function formsOfName(word: string): string[] {
  if (!hasForms(word)) return []
  const names = foldWord(word).flatMap((folded) =>
    cases.flatMap((ending) => (folded.endsWith(ending) ? [folded.slice(0, folded.length - ending.length)] : [])),
  )
  return names.filter((name) => name.length >= shortestName).map((name) => `name/${name}`)
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
  const forms = stemsOf(word, language).map((stem) => `${language}/${stem}`)
  words.set(word, forms)
  return forms
}

const hasForms = (word: string) => word.length > 2 && word.length <= longestWord && !/\p{N}/u.test(word)

function stemsOf(word: string, language: Stemmed): string[] {
  const variants = /[^\0-\x7f]/.test(word) ? [word, ...foldWord(word)] : [word]
  const bases = variants.flatMap((variant) => baseForms(variant, language))
  return [...new Set(bases.map((base) => mergeStem(foldWord(stemAgain(base, language))[0]!, language)))]
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
