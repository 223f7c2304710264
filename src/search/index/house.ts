import { LRUCache } from 'lru-cache'
import { locales, type Locale } from '../../values/locales.ts'
import { int32 } from '../../values/bounds.ts'
import { hashReference, ItemColumns, itemFlags, LotColumns, lotFlags, results, Sets } from './columns.ts'
import { Names, Table, textsOfNames, type Auction, type Session } from './names.ts'
import { Postings } from './postings.ts'
import type { AuctionRow, CategoryRow, ItemRow, LotRow, MakerRow, Rows, SessionRow } from './rows.ts'
import { countTitle, encode, termsOf, Texts, type Text } from './texts.ts'
import { Vocabulary } from './vocabulary.ts'

const mostCounts = 10_000
// Each takes a kilobyte or less.
const mostFinds = 1_000

/** The items that an index leaves out: from a creation on the older ones, and archived ones before others. */
export type LeftOut = { archived: boolean; created: number }

function isLeftOut([, , created, archived]: ItemRow, leftOut: LeftOut | undefined): boolean {
  if (!leftOut) return false
  return archived === leftOut.archived ? (created ?? -Infinity) <= leftOut.created : archived
}

/** The index of a house: its words, and the state of its records by which a search filters, sorts and counts. */
export class HouseIndex {
  readonly locale: Locale
  readonly vocabulary = new Vocabulary()
  readonly postings = new Postings()
  readonly texts = new Texts()
  readonly items = new ItemColumns()
  readonly lots = new LotColumns()
  readonly makers = new Names('maker', this.vocabulary)
  readonly categories = new Names('category', this.vocabulary)
  readonly makerSets = new Sets()
  readonly categorySets = new Sets()
  readonly auctions = new Table<Auction>((id, place) => ({ id, place, uuid: null, isPublished: false }))
  readonly sessions = new Table<Session>((id, place) => {
    const state = { isLive: false, closes: NaN, isPublished: false, isFinished: false, name: null }
    return { id, place, uuid: null, auction: -1, ...state }
  })

  // How many items have a text in each language.
  readonly #texts = new Int32Array(locales.length)
  // How many items have keys with several terms, since the last change.
  readonly #counts = new Map<number, number>()
  // What searches have looked for among the keys since then.
  readonly #finds = new LRUCache<string, number[]>({ max: mostFinds })

  /** `locale`: the house's default. */
  constructor(locale: Locale) {
    this.locale = locale
  }

  /** The memory that the index takes, about. */
  get bytes(): number {
    const parts = [this.vocabulary, this.postings, this.texts, this.items, this.lots, this.makers, this.categories]
    const others = [this.makerSets, this.categorySets, this.auctions, this.sessions]
    return [...parts, ...others].reduce((sum, { bytes }) => sum + bytes, this.#finds.size * 1_000)
  }

  /** What `find` finds among the keys, remembered by a name until words or names change. */
  remember(name: string, find: () => number[]): number[] {
    const known = this.#finds.get(name) ?? find()
    this.#finds.set(name, known)
    return known
  }

  /** How many items or names have a key. `categories`: whether the names of categories count. */
  count(key: number, categories: boolean): number {
    const terms: number[] = []
    this.vocabulary.eachTerm(key, (term) => void terms.push(term))
    const names = this.makers.count(terms) + (categories ? this.categories.count(terms) : 0)
    return names + (terms.length === 1 ? this.postings.count(terms[0]!) : this.#countItems(key, terms))
  }

  #countItems(key: number, terms: number[]): number {
    const known = this.#counts.get(key)
    if (known !== undefined) return known
    const count = this.postings.countAny(terms)
    if (this.#counts.size === mostCounts) this.#counts.clear()
    this.#counts.set(key, count)
    return count
  }

  /**
   * Brings records to the state of these rows. `leftOut`: the items that the index does not have, and does not take up. Calls `pause` between records. Returns the items that lots offer and the index does not have: these lots
   * are left out.
   */
  async apply(rows: Rows, leftOut: LeftOut | undefined, pause: () => Promise<void> | undefined): Promise<string[]> {
    if ([rows.category, rows.maker, rows.item].some((some) => (some?.length ?? 0) > 0)) {
      this.#counts.clear()
      this.#finds.clear()
    }
    const lotless = new Set<string>()
    const applyAll = async <Row>(some: readonly Row[] | null | undefined, apply: (row: Row) => void) => {
      for (const row of some ?? []) {
        apply(row)
        const rest = pause()
        if (rest) await rest
      }
    }
    await applyAll(rows.auction, (row) => this.#applyAuction(row))
    await applyAll(rows.session, (row) => this.#applySession(row))
    await applyAll(rows.category, (row) => this.#applyCategory(row))
    await applyAll(rows.maker, (row) => this.#applyMaker(row))
    await applyAll(rows.item, (row) => {
      const isKnown = this.items.rows.find(BigInt(row[0])) !== undefined
      if (isKnown || !isLeftOut(row, leftOut)) this.#applyItem(row)
    })
    await applyAll(rows.lot, (row) => {
      if (!this.#applyLot(row)) lotless.add(row[5])
    })
    return [...lotless]
  }

  #applyAuction([id, uuid, isPublished]: AuctionRow): void {
    const auction = this.auctions.of(id)
    this.auctions.setUuid(auction, uuid)
    auction.isPublished = isPublished
  }

  #applySession([id, uuid, auction, isLive, closes, isPublished, isFinished, names]: SessionRow): void {
    const session = this.sessions.of(id)
    this.sessions.setUuid(session, uuid)
    const name = names?.[this.locale] ?? null
    const state = { isLive, closes: closes ?? NaN, isPublished, isFinished, name }
    Object.assign(session, state, { auction: this.auctions.of(auction).place })
  }

  #applyCategory([id, uuid, parent, archived, names]: CategoryRow): void {
    const category = this.categories.table.of(id)
    this.categories.table.setUuid(category, uuid)
    category.name = names?.[this.locale] ?? null
    category.parent = parent === null ? -1 : this.categories.table.of(parent).place
    this.categories.write(category, archived ? [] : textsOfNames(names))
  }

  #applyMaker([id, uuid, archived, name]: MakerRow): void {
    const maker = this.makers.table.of(id)
    this.makers.table.setUuid(maker, uuid)
    maker.name = name
    this.makers.write(maker, archived || !name ? [] : [{ text: name, language: 'name', isTitle: true }])
  }

  #applyItem(given: ItemRow): void {
    const [id, uuid, created, archived, low, high, seller, consignment, images, reference, texts] = given
    const row = this.items.rowOf(BigInt(id))
    const { items } = this
    items.setIdentity(row, uuid, created)
    items.flags[row] = (archived ? itemFlags.archived : 0) | (images ? itemFlags.images : 0)
    items.estimateLow[row] = low ?? NaN
    items.estimateHigh[row] = high ?? NaN
    items.seller[row] = BigInt(seller ?? 0)
    items.consignment[row] = BigInt(consignment ?? 0)
    items.reference[row] = reference === null ? 0 : hashReference(reference)
    const makers = (given[11] ?? []).map((each) => this.makers.table.of(each))
    const categories = (given[12] ?? []).map((each) => this.categories.table.of(each))
    items.makers[row] = this.makerSets.numberOf(makers.map(({ place }) => place))
    items.categories[row] = this.categorySets.numberOf(categories.map(({ place }) => place))
    this.#countTexts(items.languages[row]!, -1)
    items.languages[row] = 0
    const all: Text[] = texts.flatMap(([locale, isAny, ...columns]) => {
      if (isAny) items.languages[row]! |= 1 << locales.indexOf(locale)
      return columns.flatMap((text, at) => (text ? [{ text, language: locale, isTitle: at === 0 }] : []))
    })
    this.#countTexts(items.languages[row], 1)
    const codes = encode(this.vocabulary, all)
    items.titleWords[row] = countTitle(codes)
    const others: Text[] = reference === null ? [] : [{ text: reference, language: null, isTitle: true }]
    const links = [...makers, ...categories].map(({ link }) => link)
    this.#writeTexts(row, [...codes, ...encode(this.vocabulary, others, links)])
  }

  #countTexts(languages: number, change: 1 | -1): void {
    for (let at = 0; at < locales.length; at++) if ((languages & (1 << at)) !== 0) this.#texts[at]! += change
  }

  /** Whether items have texts in a language. */
  hasTexts(language: Locale): boolean {
    return this.#texts[locales.indexOf(language)]! > 0
  }

  #writeTexts(row: number, codes: number[]): void {
    const length = this.texts.read(row)
    const before = termsOf(this.texts.codes, length)
    if (!this.texts.write(row, codes)) return
    const after = termsOf(codes)
    const kept = new Set(before.length > 0 ? after : [])
    const known = new Set<number>()
    for (const each of before)
      if (kept.has(each)) known.add(each)
      else this.postings.remove(each >> 1, row * 2 + (each & 1))
    for (const each of after) if (!known.has(each)) this.postings.add(each >> 1, row * 2 + (each & 1))
  }

  #applyLot(given: LotRow): boolean {
    const [id, uuid, created, archived, session, item, number, active, held, result, bid, closes] = given
    const itemRow = this.items.rows.find(BigInt(item))
    if (itemRow === undefined) return false
    const { lots } = this
    const row = lots.rowOf(BigInt(id))
    lots.setIdentity(row, uuid, created)
    lots.flags[row] = (archived ? lotFlags.archived : 0) | (active ? lotFlags.active : 0) | (held ? lotFlags.held : 0)
    lots.result[row] = results.indexOf(result ?? 'none')
    lots.session[row] = this.sessions.of(session).place
    lots.place[row] = number ?? int32.maximum + 1
    lots.bid[row] = bid ?? NaN
    lots.closes[row] = closes ?? NaN
    if (lots.item[row] === itemRow + 1) return true
    if (lots.item[row] !== 0) this.#unlink(row, lots.item[row]! - 1)
    lots.item[row] = itemRow + 1
    lots.next[row] = this.items.firstLot[itemRow]!
    this.items.firstLot[itemRow] = row + 1
    return true
  }

  #unlink(lot: number, item: number): void {
    const { next } = this.lots
    if (this.items.firstLot[item] === lot + 1) {
      this.items.firstLot[item] = next[lot]!
      return
    }
    let before = this.items.firstLot[item]! - 1
    while (next[before] !== lot + 1) before = next[before]! - 1
    next[before] = next[lot]!
  }
}
