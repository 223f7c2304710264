import { locales, type Locale } from '../../values/locales.ts'
import { grow } from './arena.ts'
import { encode, pack, termsOf, type Text } from './texts.ts'
import type { Language } from '../words/words.ts'
import type { Vocabulary } from './vocabulary.ts'

/** A record that is small and not many. `place`: its number in `all`. */
type Placed = { id: string; place: number; uuid: string | null }

/** Records by their internal ids and by their places. One that others refer to before it is known is empty. */
export class Table<Of extends Placed> {
  readonly #places = new Map<string, number>()
  readonly #byUuid = new Map<string, number>()
  readonly #make: (id: string, place: number) => Of
  readonly all: Of[] = []

  constructor(make: (id: string, place: number) => Of) {
    this.#make = make
  }

  /** The record with an internal id, perhaps empty. */
  of(id: string): Of {
    const known = this.#places.get(id)
    if (known !== undefined) return this.all[known]!
    const place = this.all.length
    this.#places.set(id, place)
    const record = this.#make(id, place)
    this.all.push(record)
    return record
  }

  setUuid(record: Of, uuid: string | null): void {
    record.uuid = uuid
    if (uuid !== null) this.#byUuid.set(uuid, record.place)
  }

  /** The place of the record with a public UUID. */
  find(uuid: string): number | undefined {
    return this.#byUuid.get(uuid)
  }

  get bytes(): number {
    return this.all.length * 400
  }
}

/** An auction. */
export type Auction = Placed & { isPublished: boolean }
/** A session. `closes`: of a live session, in microseconds; NaN if it has no such time. */
export type Session = Placed & {
  auction: number
  isLive: boolean
  closes: number
  isPublished: boolean
  isFinished: boolean
  name: string | null
}
/** A maker or a category. `link`: the term by which items are linked to it. `words`: its names as `Texts.bytesOf`. */
export type Named = Placed & {
  name: string | null
  link: number
  terms: number[]
  words: Uint8Array
  languages: Language[]
  parent: number
}

/** Makers or categories, by the words of their names. */
export class Names {
  readonly table: Table<Named>
  readonly #vocabulary: Vocabulary
  readonly #byTerm = new Map<number, Set<number>>()
  #links = 0
  // How many records have a name in each language.
  readonly #languages = new Map<Language, number>()
  // How many records have a term: asked for many terms, most of which are in no name.
  #counts = new Int32Array(1024)

  constructor(kind: 'maker' | 'category', vocabulary: Vocabulary) {
    this.#vocabulary = vocabulary
    this.table = new Table((id, place) => {
      return {
        id,
        place,
        uuid: null,
        name: null,
        link: vocabulary.addLink(`${kind}/${id}`),
        terms: [],
        words: new Uint8Array(),
        languages: [],
        parent: -1,
      }
    })
  }

  /** Gives a record its names. A deleted one has none. */
  write(record: Named, names: readonly Text[]): void {
    for (const term of record.terms) {
      this.#byTerm.get(term)!.delete(record.place)
      this.#counts[term]! -= 1
      this.#links -= 1
    }
    this.#countLanguages(record, -1)
    record.languages = names.map(({ language }) => language)
    this.#countLanguages(record, 1)
    const codes = encode(this.#vocabulary, names)
    record.terms = termsOf(codes).map((each) => each >> 1)
    record.words = pack(codes).slice()
    for (const term of record.terms) {
      const places = this.#byTerm.get(term)
      if (places) places.add(record.place)
      else this.#byTerm.set(term, new Set([record.place]))
      if (term >= this.#counts.length) this.#counts = grow(this.#counts, term + 1)
      this.#counts[term]! += 1
      this.#links += 1
    }
  }

  #countLanguages({ languages }: Named, change: 1 | -1): void {
    for (const each of languages) this.#languages.set(each, (this.#languages.get(each) ?? 0) + change)
  }

  /** Whether a record has a name in a language. */
  has(language: Language): boolean {
    return (this.#languages.get(language) ?? 0) > 0
  }

  /** How many records have any of some terms in their names. */
  count(terms: readonly number[]): number {
    let count = 0
    for (const term of terms) {
      const having = this.#counts[term] ?? 0
      if (having > 0 && count > 0) return this.having(terms).length
      count += having
    }
    return count
  }

  /** The records that have any of these terms in their names. */
  having(terms: readonly number[]): Named[] {
    const places = new Set<number>()
    for (const term of terms) for (const place of this.#byTerm.get(term) ?? []) places.add(place)
    return [...places].map((place) => this.table.all[place]!)
  }

  get bytes(): number {
    return this.table.bytes + this.#byTerm.size * 200 + this.#links * 30 + this.#counts.length * 4
  }
}

/** The names of a record in all languages, as texts. The database may have others, which are defects. */
export const textsOfNames = (names: Partial<Record<Locale, string | null>> | null): Text[] =>
  locales.flatMap((locale) => {
    const text: unknown = names?.[locale]
    return typeof text === 'string' && text !== '' ? [{ text, language: locale, isTitle: true }] : []
  })
