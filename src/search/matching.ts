import { lotFlags } from './index/columns.ts'
import type { HouseIndex } from './index/house.ts'
import { hasSequence, type Place } from './index/sequences.ts'
import type { Plan, Way, Word } from './plan.ts'

/**
 * Items that a plan finds, and their scores without nearness. `numbered`: lots that have the number which a word may be,
 * whose items have all else.
 */
export type Matched = { rows: number[]; scores: number[]; numbered: { lot: number; score: number }[] }

type Wanted = Pick<Word, 'ways' | 'apart' | 'weight'>

const dropped = 255
// What a way is worth that no text has word by word.
const otherwise = 2

/** Finds the items that have every word and every phrase of a plan, and nothing that is taken away. */
export class Matching {
  readonly #index: HouseIndex
  // How many words an item has had; what the best way to the last word is worth; its score. All are zero between searches.
  #stages = new Uint8Array(0)
  #worths = new Uint8Array(0)
  #scores = new Int32Array(0)
  #stage = 0

  constructor(index: HouseIndex) {
    this.#index = index
  }

  get bytes(): number {
    return this.#stages.length * 6
  }

  /** `areLots`: whether the records are lots, so that a word may be the number of one. */
  find({ words, phrases, without, numbered }: Plan, areLots: boolean): Matched {
    const { items, postings } = this.#index
    if (this.#stages.length < items.count) {
      this.#stages = new Uint8Array(items.room)
      this.#worths = new Uint8Array(items.room)
      this.#scores = new Int32Array(items.room)
    }
    this.#stage = 0
    const sizeOf = (ways: readonly Way[]) => ways.reduce((sum, { term }) => sum + postings.count(term), 0)
    const byNumber = areLots && numbered ? words[numbered.at]! : undefined
    const others: Wanted[] = words.filter((word) => word !== byNumber)
    const ordered = others
      .map((word) => ({ word, size: sizeOf(word.ways) }))
      .toSorted((one, other) => one.size - other.size)
    // Undefined: all items, none of which is touched yet.
    let rows: number[] | undefined
    let touched: number[] | undefined
    for (const { word } of ordered) {
      rows = this.#advance(word)
      touched ??= rows
    }
    for (const { ways, sequences } of phrases) {
      const having = this.#advance({ ways, apart: [], weight: 0 })
      touched ??= having
      rows = having.filter((row) => this.#worths[row] === otherwise || this.#has(row, sequences) || this.#drop(row))
    }
    if (without.terms.length + without.sequences.length > 0) {
      rows ??= Array.from({ length: items.count }, (_, row) => row)
      touched ??= rows
      this.#takeAway(without)
      rows = rows.filter((row) => this.#stages[row] === this.#stage)
    }
    const found: Matched = { rows: [], scores: [], numbered: [] }
    if (byNumber) {
      rows = this.#advance(byNumber)
      touched ??= rows
      found.numbered = this.#findNumbered(numbered!.number, otherwise * byNumber.weight)
    }
    found.rows = rows ?? []
    found.scores = found.rows.map((row) => this.#scores[row]!)
    for (const row of touched ?? []) {
      this.#stages[row] = 0
      this.#scores[row] = 0
    }
    return found
  }

  // Those of the items so far that have a word.
  #advance({ ways, apart, weight }: Wanted): number[] {
    const { postings } = this.#index
    const [stages, worths, scores] = [this.#stages, this.#worths, this.#scores]
    const before = this.#stage
    const after = before + 1
    const having: number[] = []
    for (const { term, title, text } of ways) {
      const list = postings.of(term)
      for (let at = 0; at < list.length; at++) {
        const posting = list[at]!
        const row = posting >> 1
        const worth = posting & 1 ? title : text
        if (stages[row] === before) {
          stages[row] = after
          worths[row] = worth
          having.push(row)
        } else if (stages[row] === after && worths[row]! < worth) worths[row] = worth
      }
    }
    for (const two of apart) {
      const places = two.map((term, offset): Place => ({ offset, terms: new Set([term]) }))
      const rarest = postings.count(two[0]) < postings.count(two[1]) ? two[0] : two[1]
      for (const posting of postings.of(rarest)) {
        const row = posting >> 1
        if (stages[row] !== before || !this.#has(row, [places])) continue
        stages[row] = after
        worths[row] = otherwise
        having.push(row)
      }
    }
    for (const row of having) scores[row]! += weight * worths[row]!
    this.#stage = after
    return having
  }

  #has(row: number, sequences: readonly Place[][]): boolean {
    const { texts } = this.#index
    const length = texts.read(row)
    return hasSequence(texts.codes, length, sequences)
  }

  #drop(row: number): false {
    this.#stages[row] = dropped
    return false
  }

  #takeAway({ terms, sequences }: Plan['without']): void {
    const { postings } = this.#index
    const rowsOf = (all: readonly number[]) =>
      all.flatMap((term) => [...postings.of(term)].map((posting) => posting >> 1))
    const isLeft = (row: number) => this.#stages[row] === this.#stage
    for (const row of rowsOf(terms)) if (isLeft(row)) this.#drop(row)
    for (const { among, places } of sequences)
      for (const row of rowsOf(among)) if (isLeft(row) && this.#has(row, [places])) this.#drop(row)
  }

  // Lots with a number whose items have all but the last word, which the number may be.
  #findNumbered(number: number, worth: number): Matched['numbered'] {
    const { lots } = this.#index
    const all: Matched['numbered'] = []
    for (let lot = 0; lot < lots.count; lot++) {
      if (lots.place[lot] !== number || (lots.flags[lot]! & lotFlags.archived) !== 0) continue
      const item = lots.item[lot]! - 1
      if (this.#stages[item] === this.#stage - 1) all.push({ lot, score: this.#scores[item]! + worth })
    }
    return all
  }
}
