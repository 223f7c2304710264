import { isNext, isWord, termOf, type Texts } from './texts.ts'

const nearPlaces = 7
const nearShare = 3 / 8
const filterSize = 1_024
const none: number[] = []

/**
 * Weighs how near to each other texts have neighbours of a query: the weight of the more frequent one where one follows the
 * other, three eighths of it where they are not far apart.
 */
export class Nearness {
  readonly #texts: Texts
  readonly #words = new Map<number, number[]>()
  // Whether a term may be one of the words: most are not, and are found out without a look into the map.
  readonly #filter = new Uint8Array(filterSize)
  // What each word is worth beside the one before it, and near it.
  readonly #beside: Int32Array
  readonly #near: Int32Array
  /** The most that a text may be worth. */
  readonly most: number
  // The last place of each word, and what it is worth.
  readonly #last: Int32Array
  readonly #worths: Int32Array

  constructor(texts: Texts, words: readonly { terms: readonly number[]; weight: number }[]) {
    this.#texts = texts
    this.#last = new Int32Array(words.length)
    this.#worths = new Int32Array(words.length)
    this.#beside = Int32Array.from(words, ({ terms, weight }, at) => {
      const before = words[at - 1]
      return before && before.terms.length > 0 && terms.length > 0 ? Math.min(weight, before.weight) : 0
    })
    this.#near = this.#beside.map((worth) => Math.round(worth * nearShare))
    this.most = this.#beside.reduce((sum, each) => sum + each, 0)
    for (const [word, { terms }] of words.entries())
      for (const term of terms) {
        this.#words.set(term, [...(this.#words.get(term) ?? []), word])
        this.#filter[term % filterSize] = 1
      }
  }

  /** What the texts of a record are worth. */
  of(row: number): number {
    const [last, worths, filter] = [this.#last, this.#worths, this.#filter]
    const [beside, near] = [this.#beside, this.#near]
    const words = worths.length
    last.fill(-nearPlaces - 1)
    worths.fill(0)
    const bytes = this.#texts.bytesOf(row)
    let place = 0
    let code = 0
    let shift = 0
    for (let at = 0; at < bytes.length; at++) {
      const byte = bytes[at]!
      code |= (byte & 127) << shift
      shift += 7
      if (byte > 127) continue
      // A line is far from the one before it.
      if (!isWord(code)) place += nearPlaces
      else {
        if (isNext(code)) place += 1
        const term = termOf(code)
        const found = filter[term % filterSize] === 1 ? this.#words.get(term) : undefined
        for (const word of found ?? none) {
          const before = word > 0 ? place - last[word - 1]! : nearPlaces + 1
          if (before <= nearPlaces) worths[word] = Math.max(worths[word]!, before === 1 ? beside[word]! : near[word]!)
          if (word + 1 < words && place - last[word + 1]! <= nearPlaces)
            worths[word + 1] = Math.max(worths[word + 1]!, near[word + 1]!)
          last[word] = place
        }
      }
      code = 0
      shift = 0
    }
    return worths.reduce((sum, each) => sum + each, 0)
  }
}
