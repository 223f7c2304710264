import { setTimeout as sleep } from 'node:timers/promises'
import { numberChanges, numberMarked } from '../changes/numbering.ts'
import type { Context } from '../context.ts'
import type { Engine } from './engine.ts'
import type { LeftOut } from './index/house.ts'
import {
  indexedKinds,
  mostWaiting,
  readBeginning,
  readChanges,
  readItems,
  readLotless,
  readWaiting,
  type PageEnd,
  type Places,
} from './queries.ts'
import type { Search } from './search.ts'
import type { Size } from './worker.ts'

type Followed = Pick<Context, 'db' | 'house'>

/**
 * What all followers share. `hasRoom`: whether an index may grow further, after others have made room. `hasOutgrown`: whether
 * one has grown so far beyond its memory that it is to be made anew.
 */
type Shared = {
  engine: Engine
  hasRoom(follower: Follower): boolean
  /** Called with the number of items in an index that is being built, beyond the newest. */
  onProgress(items: number): void
  hasOutgrown(follower: Follower): boolean
  /** Notes what uses the database, so that the end of the search waits for it. */
  track<Result>(work: Promise<Result>): Promise<Result>
  /** Carries out work one after the other. Long work takes many turns, so that no house waits for all of another's. */
  inTurn<Result>(work: () => Promise<Result>): Promise<Result>
}

/** Where a page of items begins. */
type Start = { archived: boolean; after: PageEnd | undefined }

const newestItems = 1_000
const itemsTogether = 500
const pagesInTurn = 4
const marksNumbered = 100

let numbers = 0

/** Makes the index of a house, and keeps it up to date. */
export class Follower {
  readonly #shared: Shared
  readonly #number = (numbers += 1)
  readonly #mostItems: number
  #places: Places | undefined
  #begun: Places | undefined
  // The build or the catching up that is under way, and the part of it that a search waits for.
  #work: Promise<void> | undefined
  #newest: Promise<Start | null> | undefined
  #running: Promise<boolean> | undefined
  #next: Promise<boolean> | undefined
  #isNumbering = false
  #leftOut: LeftOut | undefined
  isDropped = false
  /** Whether it has at most the items that were created last, for others need the memory. */
  readonly isSmall: boolean
  /** Whether the index leaves the oldest items out. */
  isPartial = false
  size: Size = { bytes: 0, items: 0 }
  /** The memory of the index when it was made. */
  builtBytes = 0
  /** When it was made, by `performance.now()`. */
  builtAt = Infinity
  /** How many searches use it now. */
  searches = 0

  constructor(shared: Shared, mostItems: number) {
    this.#shared = shared
    this.#mostItems = mostItems
    this.isSmall = mostItems < Infinity
  }

  /**
   * Brings the index up to date with every change that was committed before the call. Returns whether it is, and has all
   * records. If that takes longer than `patience` milliseconds, it goes on, and the index has what was created last.
   */
  async prepare(context: Followed, patience: number): Promise<boolean> {
    const end = performance.now() + patience
    for (;;) {
      if (this.#work) {
        await this.#newest
        if (!(await isDoneWithin(this.#work, end - performance.now()))) return false
      } else if (!this.#places) {
        this.#newest = this.#buildNewest(context)
        this.#begin(this.#newest.then((start) => this.#buildRest(context, start)))
      } else if (await this.#refresh(context)) return !this.isPartial
      // Another search may have begun meanwhile.
      else if (!this.#work) {
        this.#newest = undefined
        this.#begin(this.#catchUp(context))
      }
    }
  }

  /** Searches the index, which `prepare` has made. */
  async search(search: Search) {
    return (await this.#shared.engine.run({ house: this.#number, do: 'search', search })).found!
  }

  /** Frees the memory of the index. */
  async drop(): Promise<void> {
    this.isDropped = true
    this.size = { bytes: 0, items: 0 }
    await this.#shared.engine.run({ house: this.#number, do: 'drop' })
  }

  #begin(work: Promise<void>): void {
    // Those that wait for it get its error.
    this.#work = this.#shared.track(work.finally(() => (this.#work = undefined)))
  }

  async #apply(rows: string): Promise<string[]> {
    const task = { house: this.#number, do: 'apply', rows, leftOut: this.#leftOut } as const
    const { size, lotless } = await this.#shared.engine.run(task)
    this.size = size!
    return lotless ?? []
  }

  // A house of few items is complete with it.
  async #buildNewest(context: Followed): Promise<Start | null> {
    await this.#shared.engine.run({ house: this.#number, do: 'open', locale: context.house.defaultLocale })
    const { places, rows } = await readBeginning(context)
    await this.#apply(rows)
    this.#begun = places
    const newest = await readPage(context, { archived: false, after: undefined }, newestItems)
    await this.#apply(newest.rows)
    if (!newest.next?.archived) return newest.next
    const archived = await readPage(context, newest.next, newestItems)
    await this.#apply(archived.rows)
    return archived.next
  }

  async #buildRest(context: Followed, start: Start | null): Promise<void> {
    let next = start
    this.#stopIfFull(next)
    while (next !== null && !this.isPartial) {
      const rest = next
      next = await this.#shared.inTurn(() => this.#applyPages(context, rest))
    }
    this.builtBytes = this.size.bytes
    this.builtAt = performance.now()
    this.#places = this.#begun
  }

  // `next`: where the next page would begin.
  #stopIfFull(next: Start | null): void {
    const isFull = !this.#shared.hasRoom(this) || this.size.items >= this.#mostItems
    if (!isFull || next === null) return
    this.isPartial = true
    const { archived, after } = next
    this.#leftOut = { archived, created: after ? (after.created ?? -Infinity) : Infinity }
  }

  // The next page is read while one is applied. Returns where to go on.
  async #applyPages(context: Followed, start: Start): Promise<Start | null> {
    let page = readPage(context, start, itemsTogether)
    for (let left = pagesInTurn - 1; ; left--) {
      const { next, rows } = await page
      const isLast = next === null || left === 0
      if (!isLast) page = this.#shared.track(readPage(context, next, itemsTogether))
      await this.#apply(rows)
      this.#shared.onProgress(this.size.items)
      this.#stopIfFull(next)
      if (isLast || this.isPartial) return next
    }
  }

  // Several searches share a statement, which begins after them.
  #refresh(context: Followed): Promise<boolean> {
    this.#next ??= this.#afterRunning(context)
    return this.#next
  }

  async #afterRunning(context: Followed): Promise<boolean> {
    await this.#running?.catch(() => undefined)
    this.#next = undefined
    this.#running = this.#read(context)
    return this.#running
  }

  async #read(context: Followed): Promise<boolean> {
    const { marks, records, places, rows } = await readWaiting(context, this.#places!)
    if (records > mostWaiting) return false
    // Marks are read again by each search until they have a place in the feed.
    if (marks >= marksNumbered && !this.#isNumbering) {
      this.#isNumbering = true
      void this.#shared.track(numberMarked(context).finally(() => (this.#isNumbering = false)))
    }
    if (rows !== null) await this.#applyAll(context, rows)
    Object.assign(this.#places!, places)
    return true
  }

  // Lots may have come before their items.
  async #applyAll(context: Followed, rows: string): Promise<void> {
    const lotless = await this.#apply(rows)
    if (lotless.length > 0 && !this.isPartial) await this.#apply(await readLotless(context, lotless))
    if (!this.#shared.hasOutgrown(this)) return
    await this.drop()
    throw new Error('the index has outgrown its memory')
  }

  async #catchUp(context: Followed): Promise<void> {
    while (!(await this.#shared.inTurn(() => numberChanges(context))));
    while (await this.#shared.inTurn(() => this.#applyChanges(context)));
  }

  // Returns whether there was a change.
  async #applyChanges(context: Followed): Promise<boolean> {
    for (const kind of indexedKinds) {
      const { last, rows } = await readChanges(context, kind, this.#places![kind])
      if (last === null) continue
      await this.#applyAll(context, rows)
      this.#places![kind] = last
      return true
    }
    return false
  }
}

// Those that are archived come last.
async function readPage(context: Followed, { archived, after }: Start, limit: number) {
  const { end, rows } = await readItems(context, archived, after, limit)
  if (end) return { next: { archived, after: end }, rows }
  return { next: archived ? null : { archived: true, after: undefined }, rows }
}

async function isDoneWithin(work: Promise<void>, milliseconds: number): Promise<boolean> {
  const done = work.then(() => true)
  if (milliseconds === Infinity) return done
  return Promise.race([done, sleep(Math.max(0, milliseconds), false, { ref: false })])
}
