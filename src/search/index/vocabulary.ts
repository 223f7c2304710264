import { correctionKeys } from '../words/corrections.ts'
import { keysOf, type Language } from '../words/words.ts'
import { foldWord, longestWord, type Token } from '../words/letters.ts'
import { Chains, hashText } from './chains.ts'
import { Having } from './having.ts'
import { Sorted } from './sorted.ts'
import { Strings } from './strings.ts'

const mostCorrectable = 500_000
const endLetters = 4

const classOf = (key: string) => key.slice(0, key.indexOf('/') + 1)
const endOf = (start: string, word: string) => hashText(start + word.slice(-endLetters))

/**
 * The words of a house. A word as texts of a language have it is a *term* (`zilveren` in Dutch), and so is a link to a
 * maker or a category. A term is found by its *keys*: exact ones (`zilveren`) and forms (`nl/zilver`). Terms and keys have
 * numbers from 0.
 */
export class Vocabulary {
  readonly #terms = new Strings()
  readonly #keys = new Strings()
  // The terms of each key.
  readonly #having = new Having()
  // Exact keys, and the Dutch and German forms, in whose parts compounds are looked for.
  readonly #sorted = new Map(['', 'nl/', 'de/'].map((name) => [name, new Sorted(this.#keys)]))
  readonly #ends = new Chains()
  readonly #corrections = new Chains()

  get bytes(): number {
    const parts = [this.#terms, this.#keys, this.#having, this.#ends, this.#corrections, ...this.#sorted.values()]
    return parts.reduce((sum, { bytes }) => sum + bytes, 0)
  }

  /** How many terms there are. */
  get size(): number {
    return this.#terms.count
  }

  /** The term of a word in a text of a language. */
  add(word: string, kind: Token['kind'], language: Language): number {
    // Short words and numbers have no forms, so they are the same in every language. Long ones are kept as their keys.
    const hasForms = kind === 'word' && word.length > 2 && word.charCodeAt(0) > 0x39
    const name = word.length > longestWord ? foldWord(word).join(' ') : word
    const known = this.#terms.count
    const term = this.#terms.add(hasForms && language !== null ? `${language} ${name}` : ` ${name}`)
    if (term === known) for (const key of keysOf(word, kind, language)) this.#having.add(this.#addKey(key), term)
    return term
  }

  /** The term of a link, as `maker/12`. It has no keys. */
  addLink(name: string): number {
    return this.#terms.add(name)
  }

  #addKey(key: string): number {
    const known = this.#keys.count
    const number = this.#keys.add(key)
    const start = classOf(key)
    const sorted = this.#sorted.get(start)
    if (number < known || !sorted) return number
    sorted.add(number)
    this.#ends.add(endOf(start, key.slice(start.length)), number)
    if (start === '' && sorted.count <= mostCorrectable)
      for (const part of correctionKeys(key)) this.#corrections.add(hashText(part), number)
    return number
  }

  /** The number of a key; undefined if no text has had it. */
  find(key: string): number | undefined {
    return this.#keys.find(key)
  }

  keyOf(number: number): string {
    return this.#keys.of(number)
  }

  /** How many bytes a key has. */
  lengthOf(number: number): number {
    return this.#keys.lengthOf(number)
  }

  /** Tells of each term with a key. */
  eachTerm(key: number, tell: (term: number) => void): void {
    this.#having.each(key, tell)
  }

  /** The keys of a class (none, `nl/`, `de/`) that begin so. */
  begun(beginning: string): Int32Array {
    return this.#sorted.get(classOf(beginning))?.begun(beginning) ?? new Int32Array()
  }

  /** The keys of a class that end with `end`, of four letters or more. */
  ending(start: string, end: string): Int32Array {
    const bytes = Buffer.from(end)
    const found: number[] = []
    this.#ends.each(endOf(start, end), (number) => {
      if (this.#keys.endsWith(number, bytes)) found.push(number)
    })
    return Int32Array.from(found.filter((number) => classOf(this.keyOf(number)) === start))
  }

  /** The keys with any of these keys of corrections, and few others. */
  near(parts: readonly string[]): Set<number> {
    const found = new Set<number>()
    for (const part of parts) this.#corrections.each(hashText(part), (number) => found.add(number))
    return found
  }
}
