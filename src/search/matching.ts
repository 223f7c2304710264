import { lotFlags } from './index/columns.ts'
import type { HouseIndex } from './index/house.ts'
import type { Sequences } from './index/sequences.ts'
import { inName, sequenceOf, type Plan, type Word } from './plan.ts'

/**
 * Items that a plan finds, until the next search of the index. `numbered`: lots that have the number which a word may be,
 * whose items have all else, with their scores.
 */
export type Matched = { rows: Int32Array; numbered: ReadonlyMap<number, number> }

/** Waits where a search has taken its slice of time. */
export type Pause = () => Promise<void> | undefined

type Pair = Word['apart'][number]
type OrderedPair = { rare: number[]; frequent: number[]; size: number }
type Wanted = Pick<Word, 'ways' | 'apart' | 'weight'>

const dropped = 255
const lastStage = 254
// A search has at most so many stages: twelve words, four phrases.
const mostStages = 17
const readsBetweenPauses = 64
const phraseWeight = 20
// What a way is worth that no text has word by word.
const otherwise = 2

/** Finds the items that have every word and every phrase of a plan, and nothing that is taken away. */
export class Matching {
  readonly #index: HouseIndex
  // The stage that an item has come to; what the best way to the last word is worth; those that have come so far.
  #stages = new Uint8Array(0)
  #worths = new Uint8Array(0)
  #rows = new Int32Array(0)
  // Whether an item has the rarer word of a pair, while the pair is looked for.
  #isAmong = new Uint8Array(0)
  readonly #pairs = new WeakMap<Pair, readonly number[]>()
  #count = 0
  #stage = 0
  #isFirst = true
  /** The scores of the items found last, by their rows, without nearness. */
  scores = new Int32Array(0)

  constructor(index: HouseIndex) {
    this.#index = index
  }

  get bytes(): number {
    return this.#stages.length * 11
  }

  #begin(): void {
    const { room } = this.#index.items
    if (this.#stages.length < room) {
      this.#stages = new Uint8Array(room)
      this.#worths = new Uint8Array(room)
      this.#isAmong = new Uint8Array(room)
      this.#rows = new Int32Array(room)
      this.scores = new Int32Array(room)
      this.#stage = 0
    } else if (this.#stage + mostStages >= lastStage) {
      this.#stages.fill(0)
      this.#stage = 0
    }
    this.#isFirst = true
    this.#count = 0
  }

  /** `areLots`: whether the records are lots, so that a word may be the number of one. */
  async find({ words, phrases, without, numbered }: Plan, areLots: boolean, pause: Pause): Promise<Matched> {
    const { items } = this.#index
    this.#begin()
    const sizeOf = ({ ways, apart }: Wanted) =>
      this.#countTerms(ways.map(({ term }) => term)) + apart.reduce((sum, pair) => sum + this.#orderPair(pair).size, 0)
    const byNumber = areLots && numbered ? words[numbered.at]! : undefined
    const others: Wanted[] = words.filter((word) => word !== byNumber)
    const ordered = others.map((word) => ({ word, size: sizeOf(word) })).toSorted((one, other) => one.size - other.size)
    for (const { word } of ordered) await this.#advance(word, pause)
    for (const { ways, sequences } of phrases) {
      await this.#advance({ ways, apart: [], weight: phraseWeight }, pause)
      // A record that has the word of a phrase of one word has the phrase.
      if (sequences.areLong) await this.#keep((row) => this.#worths[row] === inName || this.#has(row, sequences), pause)
    }
    const takesAway = without.terms.length + without.sequences.length > 0
    if (this.#isFirst && (takesAway || words.length + phrases.length === 0)) this.#takeAll(items.count)
    if (takesAway) {
      await this.#takeAway(without, pause)
      await this.#keep((row) => this.#stages[row] === this.#stage, pause)
    }
    let found: Matched['numbered'] = new Map()
    if (byNumber) {
      const before = this.#isFirst ? undefined : this.#stage
      await this.#advance(byNumber, pause)
      found = this.#findNumbered(numbered!.number, before, otherwise * byNumber.weight)
    }
    return { rows: this.#rows.subarray(0, this.#count), numbered: found }
  }

  #takeAll(count: number): void {
    this.#isFirst = false
    this.#stage += 1
    this.#count = count
    this.#stages.fill(this.#stage, 0, count)
    this.scores.fill(0, 0, count)
    for (let row = 0; row < count; row++) this.#rows[row] = row
  }

  async #keep(isKept: (row: number) => boolean, pause: Pause): Promise<void> {
    let kept = 0
    for (let at = 0; at < this.#count; at++) {
      if (at % readsBetweenPauses === 0) await pause()
      const row = this.#rows[at]!
      if (isKept(row)) this.#rows[kept++] = row
      else this.#stages[row] = dropped
    }
    this.#count = kept
  }

  // Leaves those of the items so far that have a word.
  async #advance({ ways, apart, weight }: Wanted, pause: Pause): Promise<void> {
    const { postings } = this.#index
    const [stages, worths, scores, rows] = [this.#stages, this.#worths, this.scores, this.#rows]
    const isFirst = this.#isFirst
    const before = this.#stage
    const after = before + 1
    const besides: (readonly number[])[] = []
    for (const pair of apart) besides.push(await this.#findPair(pair, pause))
    let count = 0
    for (const { term, title, text } of ways) {
      const list = postings.of(term)
      for (let at = 0; at < list.length; at++) {
        const posting = list[at]!
        const row = posting >> 1
        const worth = posting & 1 ? title : text
        const stage = stages[row]!
        if (stage === after) {
          if (worths[row]! < worth) worths[row] = worth
        } else if (isFirst || stage === before) {
          stages[row] = after
          worths[row] = worth
          rows[count++] = row
        }
      }
    }
    for (const found of besides)
      for (const row of found) {
        const stage = stages[row]!
        if (stage === after || (!isFirst && stage !== before)) continue
        stages[row] = after
        worths[row] = otherwise
        rows[count++] = row
      }
    for (let at = 0; at < count; at++) {
      const row = rows[at]!
      scores[row] = (isFirst ? 0 : scores[row]!) + weight * worths[row]!
    }
    this.#isFirst = false
    this.#stage = after
    this.#count = count
  }

  #countTerms(terms: readonly number[]): number {
    const { postings } = this.#index
    return terms.reduce((sum, term) => sum + postings.count(term), 0)
  }

  // `size`: how many items have the rarer word, about.
  #orderPair([one, other]: Pair): OrderedPair {
    const [size, otherSize] = [this.#countTerms(one), this.#countTerms(other)]
    return size < otherSize ? { rare: one, frequent: other, size } : { rare: other, frequent: one, size: otherSize }
  }

  // The items that have both words of a pair.
  #findBoth({ rare, frequent }: OrderedPair): number[] {
    const { postings } = this.#index
    const isAmong = this.#isAmong
    const both: number[] = []
    for (const term of rare) for (const posting of postings.of(term)) isAmong[posting >> 1] = 1
    for (const term of frequent)
      for (const posting of postings.of(term)) {
        const row = posting >> 1
        if (isAmong[row] === 1) both.push(row)
        isAmong[row] = 0
      }
    for (const term of rare) for (const posting of postings.of(term)) isAmong[posting >> 1] = 0
    return both
  }

  // The items that have two words beside each other, or those of the items so far if these are fewer. A search may ask for
  // them many times.
  async #findPair(pair: Pair, pause: Pause): Promise<readonly number[]> {
    const known = this.#pairs.get(pair)
    if (known) return known
    const words = this.#orderPair(pair)
    const isWhole = this.#isFirst || this.#count >= words.size
    const among = isWhole ? this.#findBoth(words) : this.#rows.subarray(0, this.#count)
    const sequence = sequenceOf(...pair)
    const found: number[] = []
    for (const [at, row] of among.entries()) {
      if (at % readsBetweenPauses === 0) await pause()
      if (this.#has(row, sequence)) found.push(row)
    }
    if (isWhole) this.#pairs.set(pair, found)
    return found
  }

  #has(row: number, sequences: Sequences): boolean {
    return sequences.isIn(this.#index.texts.bytesOf(row))
  }

  async #takeAway({ terms, sequences }: Plan['without'], pause: Pause): Promise<void> {
    const { postings } = this.#index
    const stages = this.#stages
    for (const term of terms) for (const posting of postings.of(term)) stages[posting >> 1] = dropped
    let reads = 0
    for (const { among, sequences: wanted } of sequences)
      for (const term of among)
        for (const posting of postings.of(term)) {
          const row = posting >> 1
          if (stages[row] !== this.#stage) continue
          if (wanted.areLong && (reads += 1) % readsBetweenPauses === 0) await pause()
          if (!wanted.areLong || this.#has(row, wanted)) stages[row] = dropped
        }
  }

  // Lots with the number that a word may be, whose items have all but that word, at the stage `before` (undefined: there
  // is no other word).
  #findNumbered(number: number, before: number | undefined, worth: number): Map<number, number> {
    const { lots } = this.#index
    const found = new Map<number, number>()
    for (let lot = 0; lot < lots.count; lot++) {
      if (lots.place[lot] !== number || (lots.flags[lot]! & lotFlags.archived) !== 0) continue
      const item = lots.item[lot]! - 1
      if (before === undefined && this.#stages[item] !== this.#stage) found.set(lot, worth)
      else if (before !== undefined && this.#stages[item] === before) found.set(lot, this.scores[item]! + worth)
    }
    return found
  }
}
