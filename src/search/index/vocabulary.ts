import { correctionKeys } from '../words/corrections.ts'

const mostCorrectable = 500_000
const endLetters = 3
// About 2 MB.
const mostRemembered = 20_000

// Words and the Dutch and German forms, in whose parts compounds are looked for; and all other forms.
const shelved = /^(?:(?:nl|de)\/|[^/]*$)/
const classOf = (word: string) => word.slice(0, word.indexOf('/') + 1)

/**
 * The words of a house: words (`zilver`), forms (`nl/zilver`), and links to makers and categories (`maker/12`). Each has a
 * number from 0.
 */
export class Vocabulary {
  readonly #words: string[] = []
  readonly #terms = new Map<string, number>()
  // By class and the first two letters, sorted; by class and the last letters; by the keys of corrections.
  readonly #beginnings = new Map<string, number[]>()
  readonly #ends = new Map<string, number[]>()
  readonly #corrections = new Map<string, number[]>()
  // The codes of words that were read lately.
  #codes = new Map<string, number[]>()
  /** The classes of the words: none, `nl/`, `de/`. */
  readonly classes = new Set<string>()
  bytes = 0

  get size(): number {
    return this.#words.length
  }

  /** The number of a word; undefined if no text has had it. */
  find(word: string): number | undefined {
    return this.#terms.get(word)
  }

  wordOf(term: number): string {
    return this.#words[term]!
  }

  /** The number of a word, which it gets if it is new. */
  add(word: string): number {
    const known = this.#terms.get(word)
    if (known !== undefined) return known
    // A word of a long text would keep the whole text.
    const own = Buffer.from(word).toString()
    const term = this.#words.push(own) - 1
    this.#terms.set(own, term)
    this.bytes += 90 + own.length
    if (shelved.test(own)) this.#shelve(own, term)
    return term
  }

  /** The codes of a word, as `make` has made them before or makes them. */
  remember(name: string, make: () => number[]): number[] {
    const known = this.#codes.get(name)
    if (known) return known
    if (this.#codes.size === mostRemembered) this.#codes = new Map()
    const made = make()
    this.#codes.set(name, made)
    return made
  }

  #shelve(word: string, term: number): void {
    const start = classOf(word)
    this.classes.add(start)
    const name = word.slice(0, start.length + 2)
    const shelf = this.#beginnings.get(name)
    if (shelf) shelf.splice(this.#placeIn(shelf, word), 0, term)
    else this.#beginnings.set(name, [term])
    append(this.#ends, start + word.slice(start.length).slice(-endLetters), term)
    const keys = start === '' && this.#words.length <= mostCorrectable ? correctionKeys(word) : []
    for (const key of keys) append(this.#corrections, key, term)
    this.bytes += 20 + 24 * keys.length
  }

  /** The words of a class (none, `nl/`, `de/`) that begin so. */
  *begun(beginning: string): Generator<number> {
    const letters = classOf(beginning).length + 2
    const shelves = beginning.length < letters ? this.#shelvesOf(beginning) : [beginning.slice(0, letters)]
    for (const name of shelves) {
      const shelf = this.#beginnings.get(name) ?? []
      for (let at = this.#placeIn(shelf, beginning); at < shelf.length; at++) {
        if (!this.#words[shelf[at]!]!.startsWith(beginning)) break
        yield shelf[at]!
      }
    }
  }

  // The first place of a sorted shelf whose word is not before `word`.
  #placeIn(shelf: readonly number[], word: string): number {
    let [low, high] = [0, shelf.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if (this.#words[shelf[middle]!]! < word) low = middle + 1
      else high = middle
    }
    return low
  }

  *#shelvesOf(beginning: string): Generator<string> {
    const start = classOf(beginning)
    for (const name of this.#beginnings.keys()) if (name.startsWith(beginning) && classOf(name) === start) yield name
  }

  /** The words of a class that end with `end`, of three letters or more. */
  *ending(start: string, end: string): Generator<number> {
    for (const term of this.#ends.get(start + end.slice(-endLetters)) ?? [])
      if (this.#words[term]!.endsWith(end)) yield term
  }

  /** The words with any of these keys of corrections. */
  near(keys: readonly string[]): Set<number> {
    return new Set(keys.flatMap((key) => this.#corrections.get(key) ?? []))
  }
}

function append(lists: Map<string, number[]>, name: string, term: number): void {
  const list = lists.get(name)
  if (list) list.push(term)
  else lists.set(name, [term])
}
