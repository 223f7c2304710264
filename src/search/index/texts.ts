import type { Locale } from '../../values/locales.ts'
import { keysOf, readTokens } from '../words/words.ts'
import type { Token } from '../words/letters.ts'
import { Arena, grow } from './arena.ts'
import type { Vocabulary } from './vocabulary.ts'

/** A text of a record. `locale` is null for names and references. */
export type Text = { text: string; locale: Locale | null; isTitle: boolean }

// How a text is written: a line begins with what it is, and has a number for each place, and one more for each further
// word or form there.
/** Begins a text that is no title. */
export const plainLine = 0
/** Begins a title. */
export const titleLine = 1
const linkLine = 2
const firstWord = 4

/** Whether a number of `Texts.read` is a word, not the beginning of a line. */
export const isWord = (code: number) => code >= firstWord
/** The word of such a number. */
export const termOf = (code: number) => (code - firstWord) >> 1
/** Whether it stands at the place after the word before it, not at the same. */
export const isNext = (code: number) => (code & 1) === 0

const codeOf = (term: number, next: boolean) => firstWord + term * 2 + (next ? 0 : 1)

function codesOf(vocabulary: Vocabulary, token: Token, locale: Locale | null): number[] {
  const { exact, forms } = keysOf(token, locale)
  return [...exact, ...forms].map((key, at) => codeOf(vocabulary.add(key), at === 0))
}

/** The numbers of texts and of the links of their record, in the words of a vocabulary. The same text counts once. */
export function encode(vocabulary: Vocabulary, texts: readonly Text[], links: readonly number[] = []): number[] {
  const codes: number[] = []
  const known = new Set<string>()
  for (const { text, locale, isTitle } of texts) {
    const name = `${locale} ${isTitle} ${text}`
    if (known.has(name)) continue
    known.add(name)
    codes.push(isTitle ? titleLine : plainLine)
    for (const token of readTokens(text)) {
      const isPlain = token.joined.length === 0 && token.kind === 'word'
      const all = isPlain
        ? vocabulary.remember(`${locale} ${token.word}`, () => codesOf(vocabulary, token, locale))
        : codesOf(vocabulary, token, locale)
      for (const code of all) codes.push(code)
    }
  }
  if (links.length > 0) codes.push(linkLine, ...links.map((term) => codeOf(term, true)))
  return codes
}

/** The words among numbers, each with whether a title or a link has it. */
export function termsOf(codes: ArrayLike<number>, length = codes.length): Map<number, boolean> {
  const terms = new Map<number, boolean>()
  let isTitle = false
  for (let at = 0; at < length; at++) {
    const code = codes[at]!
    if (!isWord(code)) isTitle = code !== plainLine
    else if (isTitle || !terms.has(termOf(code))) terms.set(termOf(code), isTitle)
  }
  return terms
}

let scratch = new Uint8Array(65_536)

/** The texts of records by their rows, in about a byte and a half for each number. */
export class Texts {
  readonly #arena = new Arena((cells) => new Uint8Array(cells))
  #refs = new Uint32Array(1024)
  #lengths = new Int32Array(1024)
  /** What `read` has read last. */
  codes = new Int32Array(1024)

  get bytes(): number {
    return this.#arena.cells + this.#refs.length * 8
  }

  /** Writes the numbers of a record in the place of those before. Returns whether they differ. */
  write(row: number, codes: readonly number[]): boolean {
    if (codes.length * 5 > scratch.length) scratch = new Uint8Array(codes.length * 5)
    let length = 0
    for (const code of codes) {
      let rest = code
      for (; rest > 127; rest >>>= 7) scratch[length++] = (rest & 127) | 128
      scratch[length++] = rest
    }
    if (row >= this.#refs.length) {
      const rows = Math.max(row + 1, this.#refs.length * 2)
      this.#refs = grow(this.#refs, rows)
      this.#lengths = grow(this.#lengths, rows)
    }
    const written = scratch.subarray(0, length)
    const before = this.#lengths[row]!
    if (before > 0) {
      const [page, offset] = [this.#arena.page(this.#refs[row]!), this.#arena.offset(this.#refs[row]!)]
      if (before === length && written.every((byte, at) => page[offset + at] === byte)) return false
      this.#arena.free(this.#refs[row]!, before)
    }
    this.#lengths[row] = length
    if (length === 0) return before > 0
    this.#refs[row] = this.#arena.allocate(length)
    this.#arena.page(this.#refs[row]).set(written, this.#arena.offset(this.#refs[row]))
    return true
  }

  /** Reads the numbers of a record into `codes`. Returns how many they are. */
  read(row: number): number {
    const length = this.#lengths[row] ?? 0
    if (length === 0) return 0
    if (this.codes.length < length) this.codes = new Int32Array(length * 2)
    const page = this.#arena.page(this.#refs[row]!)
    const { codes } = this
    let at = this.#arena.offset(this.#refs[row]!)
    let count = 0
    for (const end = at + length; at < end;) {
      let byte = page[at++]!
      let code = byte & 127
      for (let shift = 7; byte > 127; shift += 7) {
        byte = page[at++]!
        code |= (byte & 127) << shift
      }
      codes[count++] = code
    }
    return count
  }
}
