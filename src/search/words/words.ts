import { type Locale } from '../../values/locales.ts'
import { byteLength } from '../../values/text.ts'
import { foldWord, normalize, tokenize } from './letters.ts'
import { stemWord } from './stems.ts'

/** The format of the keys. It rises when the same text gets other keys: then every index is made anew. */
export const wordsFormat = 1

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

/**
 * The words of a text's first 64 KiB. `locale` is the language of the text. Names have none (null), and no forms.
 */
export function readText(text: string, locale: Locale | null): TextWord[] {
  const read = byteLength(text) > mostBytes ? Buffer.from(text).subarray(0, mostBytes).toString() : text
  const language = locale === 'zh' ? null : locale
  return tokenize(normalize(read)).map(({ position, word, joined, kind }) => ({
    position,
    exact: joined.length === 0 ? foldWord(word) : [word, ...joined].flatMap(foldWord),
    forms: language !== null && kind === 'word' ? [word, ...joined].flatMap((each) => stemWord(each, language)) : [],
  }))
}
