import { int32 } from '../../values/bounds.ts'
import { readTokens, type Language } from '../words/words.ts'
import { Arena, grow } from './arena.ts'
import type { Vocabulary } from './vocabulary.ts'

/** A text of a record. */
export type Text = { text: string; language: Language; isTitle: boolean }

// How a text is written: a line begins with what it is, and has a number for each word, and one more for each that is
// joined of it and its neighbours.
/** Begins a text that is no title. */
export const plainLine = 0
/** Begins a title. */
export const titleLine = 1
const linkLine = 2
const firstWord = 4

/** Whether a number of `Texts.read` is a term, not the beginning of a line. */
export const isWord = (code: number) => code >= firstWord
/** The term of such a number. */
export const termOf = (code: number) => (code - firstWord) >> 1
/** Whether it stands at the place after the word before it, not at the same. */
export const isNext = (code: number) => (code & 1) === 0

const codeOf = (term: number, next: boolean) => firstWord + term * 2 + (next ? 0 : 1)

/** The numbers of texts and of the links of their record, in the terms of a vocabulary. The same text counts once. */
export function encode(vocabulary: Vocabulary, texts: readonly Text[], links: readonly number[] = []): number[] {
  const codes: number[] = []
  for (const [at, { text, language, isTitle }] of texts.entries()) {
    const isSame = (other: Text) => other.text === text && other.language === language && other.isTitle === isTitle
    if (texts.findIndex(isSame) < at) continue
    codes.push(isTitle ? titleLine : plainLine)
    for (const { word, joined, kind } of readTokens(text)) {
      codes.push(codeOf(vocabulary.add(word, kind, language), true))
      for (const each of joined) codes.push(codeOf(vocabulary.add(each, kind, language), false))
    }
  }
  if (links.length > 0) codes.push(linkLine, ...links.map((term) => codeOf(term, true)))
  return codes
}

/** The words of the shortest title among numbers; 0 if they have none. */
export function countTitle(codes: readonly number[]): number {
  let least = Infinity
  for (let at = 0; at < codes.length;) {
    const isTitle = codes[at] === titleLine
    let words = 0
    for (at += 1; at < codes.length && isWord(codes[at]!); at++) if (isNext(codes[at]!)) words += 1
    if (isTitle && words > 0 && words < least) least = words
  }
  return least === Infinity ? 0 : least
}

// The last call of `termsOf` that has seen each term.
let seen = new Int32Array(65_536)
let calls = 0

/** The terms among numbers, each once: times two, plus one if a title or a link has it. */
export function termsOf(codes: ArrayLike<number>, length = codes.length): number[] {
  if (calls === int32.maximum) seen.fill((calls = 0))
  calls += 1
  const found: number[] = []
  for (const titles of [1, 0]) {
    let isWanted = false
    for (let at = 0; at < length; at++) {
      const code = codes[at]!
      if (!isWord(code)) isWanted = (code === plainLine) === (titles === 0)
      else if (isWanted) {
        const term = termOf(code)
        if (term >= seen.length) seen = grow(seen, term + 1)
        if (seen[term] === calls) continue
        seen[term] = calls
        found.push(term * 2 + titles)
      }
    }
  }
  return found
}

const none = new Uint8Array()
let packed = new Uint8Array(65_536)

/** Numbers in as few bytes as they need, until the next call. */
export function pack(codes: readonly number[]): Uint8Array {
  if (codes.length * 5 > packed.length) packed = new Uint8Array(codes.length * 5)
  let length = 0
  for (const code of codes) {
    let rest = code
    for (; rest > 127; rest >>>= 7) packed[length++] = (rest & 127) | 128
    packed[length++] = rest
  }
  return packed.subarray(0, length)
}

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
    const written = pack(codes)
    const { length } = written
    if (row >= this.#refs.length) {
      this.#refs = grow(this.#refs, row + 1)
      this.#lengths = grow(this.#lengths, row + 1)
    }
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

  /** The numbers of a record, as `pack` writes them. */
  bytesOf(row: number): Uint8Array {
    const length = this.#lengths[row] ?? 0
    if (length === 0) return none
    const offset = this.#arena.offset(this.#refs[row]!)
    return this.#arena.page(this.#refs[row]!).subarray(offset, offset + length)
  }

  /** Reads the numbers of a record into `codes`. Returns how many they are. */
  read(row: number): number {
    const bytes = this.bytesOf(row)
    if (this.codes.length < bytes.length) this.codes = new Int32Array(bytes.length * 2)
    const { codes } = this
    let count = 0
    let code = 0
    let shift = 0
    for (let at = 0; at < bytes.length; at++) {
      const byte = bytes[at]!
      code |= (byte & 127) << shift
      shift += 7
      if (byte < 128) {
        codes[count++] = code
        code = 0
        shift = 0
      }
    }
    return count
  }
}
