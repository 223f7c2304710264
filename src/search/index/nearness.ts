import { far, Occurrences } from './occurrences.ts'
import type { Texts } from './texts.ts'

const nearPlaces = 7
const nearShare = 3 / 8

/**
 * Weighs how near to each other texts have neighbours of a query: the weight of the more frequent one where one follows the
 * other, three eighths of it where they are not far apart.
 */
export class Nearness {
  readonly #texts: Texts
  readonly #words: Occurrences
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
    this.#words = new Occurrences(words.map(({ terms }) => terms))
  }

  /** What the texts of a record are worth. */
  of(row: number): number {
    this.#last.fill(-far)
    this.#worths.fill(0)
    this.#words.find(this.#texts.bytesOf(row), this.#weigh)
    return this.#worths.reduce((sum, each) => sum + each, 0)
  }

  readonly #weigh = (word: number, place: number): false => {
    const [last, worths] = [this.#last, this.#worths]
    if (word > 0) {
      const before = place - last[word - 1]!
      if (before === 1) worths[word] = this.#beside[word]!
      else if (before <= nearPlaces && worths[word]! < this.#near[word]!) worths[word] = this.#near[word]!
    }
    if (word + 1 < worths.length && place - last[word + 1]! <= nearPlaces)
      worths[word + 1] = Math.max(worths[word + 1]!, this.#near[word + 1]!)
    last[word] = place
    return false
  }
}
