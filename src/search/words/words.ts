import { type Locale } from '../../values/locales.ts'
import { byteLength } from '../../values/text.ts'
import { foldWord, normalize, tokenize, type Token } from './letters.ts'
import { nameForms, stemWord } from './stems.ts'

const mostBytes = 65_536

/** A word of a text, with the keys by which it is found. */
export interface TextWord {
  /** Place in its text, from 0. Parts of a hyphenated word and Chinese characters have a place each. */
  position: number
  /** Exact keys: mostly one. `Müller`: `muller`, `mueller`. `art-deco`: `art`, `artdeco` and `deco`, `artdeco`. */
  exact: string[]
  /** Form keys in the language of the text, mostly one: `nl/zilver`. */
  forms: string[]
}

/** The tokens of a text's first 64 KiB. */
export function readTokens(text: string): Token[] {
  const read = byteLength(text) > mostBytes ? Buffer.from(text).subarray(0, mostBytes).toString() : text
  return tokenize(normalize(read))
}

/** The language of a text. A name has the forms of all languages, a reference (null) has none. */
export type Language = Locale | 'name' | null

/** The keys of a word in the language of its text, exact ones and forms. */
export function keysOf(word: string, kind: Token['kind'], language: Language): string[] {
  const exact = foldWord(word)
  if (kind !== 'word' || language === null || language === 'zh') return exact
  return [...exact, ...(language === 'name' ? nameForms(word) : stemWord(word, language))]
}

/** The words of a text's first 64 KiB. `locale` is the language of the text. */
export const readText = (text: string, locale: Language): TextWord[] =>
  readTokens(text).map(({ position, word, joined, kind }) => {
    const keys = [word, ...joined].flatMap((each) => keysOf(each, kind, locale))
    return { position, exact: keys.filter((key) => !key.includes('/')), forms: keys.filter((key) => key.includes('/')) }
  })
