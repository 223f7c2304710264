import type { Context } from '../context.ts'
import { Problem, temporarilyUnavailable } from '../problems.ts'
import { Engine } from './engine.ts'
import { Follower } from './follower.ts'
import { findOwners } from './queries.ts'
import type { Found, Search } from './search.ts'
import type { QueryFault } from './words/query.ts'

/** Searches; see `createSearcher`. */
export type Searcher = ReturnType<typeof createSearcher>

/** A search as a request asks for it. */
type Asked = Omit<Search, 'owners' | 'now'>

type Searching = Pick<Context, 'db' | 'house' | 'now'>

const faults: Record<QueryFault, string> = {
  length: 'q has 1 to 200 characters.',
  'no-letter': 'q needs a letter or a digit.',
  phrases: 'q takes at most four phrases.',
  exclusions: 'q takes away at most four words.',
}

// One that must be complete is refused after this time.
const longestPatience = 5_000
const mostAttempts = 3
const pauseAfterEviction = 60_000
const newestItems = 1_000
const mostGrowth = 1.25

/** A house, its settings and the database's generation: of others the index is another. */
const nameOf = ({ house }: Searching) =>
  [house.id, house.defaultLocale, 'generation' in house ? house.generation : ''].join()
const houseOf = (name: string) => name.split(',')[0]

/**
 * Creates the search of a process: indexes of houses in a thread of its own, as many as fit into `memoryBytes`. `patience`:
 * after so many milliseconds an answer need not be complete. `onPartial`: called when a house does not fit, so that its
 * oldest records are left out. `onProgress`: called with the number of items that the index of a large house has so far.
 */
export function createSearcher(
  memoryBytes: number,
  patience: number,
  onPartial: (slug: string, items: number) => void = () => undefined,
  onProgress: (items: number) => void = () => undefined,
) {
  // The house that was searched last is the last.
  const followers = new Map<string, Follower>()
  const evicted = new Map<string, number>()
  const reported = new Set<string>()
  const engine = new Engine(() => {
    for (const follower of followers.values()) follower.isDropped = true
    followers.clear()
  })
  const underWay = new Set<Promise<unknown>>()
  let turn: Promise<unknown> = Promise.resolve()

  // Its error belongs to those that wait for it, if any do.
  function track<Result>(work: Promise<Result>): Promise<Result> {
    const ended: Promise<unknown> = work.catch(() => undefined).then(() => underWay.delete(ended))
    underWay.add(ended)
    return work
  }

  function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const done = turn.then(async () => {
      if (!engine.isClosed) return work()
      throw new Error('the search has ended')
    })
    turn = done.catch(() => undefined)
    return done
  }

  const bytesOf = () => [...followers.values()].reduce((sum, { size }) => sum + size.bytes, 0)

  function drop(name: string, follower: Follower): void {
    followers.delete(name)
    void follower.drop().catch(() => undefined)
  }

  // The houses that were searched longest ago make room, but for those that are being searched.
  function hasRoom(growing: Follower): boolean {
    for (const [name, follower] of followers) {
      if (bytesOf() <= memoryBytes) return true
      if (follower === growing || follower.searches > 0) continue
      // A small one does not begin the pause anew.
      if (!follower.isSmall) evicted.set(name, performance.now())
      drop(name, follower)
    }
    return bytesOf() <= memoryBytes
  }

  // A house grows with what is created and changed. One that no longer fits is made anew, with the newest items.
  const hasOutgrown = (growing: Follower) =>
    !hasRoom(growing) && growing.size.bytes > mostGrowth * Math.max(memoryBytes, growing.builtBytes)

  const isLongAgo = (time: number) => performance.now() - time >= pauseAfterEviction

  function follow(name: string): Follower {
    const known = followers.get(name)
    // A house that had to make room, or had none beside others, is indexed as a whole again after a while.
    const isPassed = known?.isPartial && known.size.bytes <= memoryBytes && isLongAgo(known.builtAt)
    const isKept = known && !known.isDropped && !isPassed
    if (known && !isKept) drop(name, known)
    const shared = { engine, track, inTurn, hasRoom, hasOutgrown, onProgress }
    const follower = isKept
      ? known
      : new Follower(shared, isLongAgo(evicted.get(name) ?? -Infinity) ? Infinity : newestItems)
    followers.delete(name)
    followers.set(name, follower)
    // Other settings and generations of the house are former ones.
    for (const [other, former] of followers)
      if (other !== name && houseOf(other) === houseOf(name) && former.searches === 0) drop(other, former)
    return follower
  }

  function report(name: string, slug: string, { isPartial, size }: Follower): void {
    if (!isPartial || size.bytes <= memoryBytes || reported.has(name)) return
    reported.add(name)
    onPartial(slug, size.items)
  }

  async function search(context: Searching, asked: Asked): Promise<Found & { isComplete: boolean }> {
    const mustBeComplete = asked.walk?.isComplete === true
    const time = mustBeComplete ? Math.max(patience, longestPatience) : patience
    const name = nameOf(context)
    let lost: unknown
    for (let attempt = 1; attempt <= mostAttempts && !engine.isClosed; attempt++) {
      const owners = await findOwners(context, asked.filters)
      const follower = follow(name)
      follower.searches += 1
      try {
        const isComplete = await follower.prepare(context, time)
        if (mustBeComplete && !isComplete)
          throw temporarilyUnavailable('The search is still reading the records of the house.', 1)
        const found = await follower.search({ ...asked, owners, now: context.now.getTime() })
        if (typeof found === 'string') throw new Problem('invalid-parameter', faults[found])
        hasRoom(follower)
        report(name, context.house.slug, follower)
        return { ...found, isComplete }
      } catch (error) {
        // It has made room for others meanwhile, or the thread has ended.
        const isLost = follower.isDropped || engine.isClosed
        if (!isLost || error instanceof Problem) throw error
        lost = error
      } finally {
        follower.searches -= 1
      }
    }
    throw temporarilyUnavailable('The index of the house was lost during the search.', 1, lost)
  }

  return {
    /**
     * The memory of the indexes, and how many there are: of houses that are whole or become so, of those that had to make
     * room, or had none beside others, and have only their newest items for a while (`displaced`), and of those that do not
     * fit.
     */
    measure() {
      const houses = { whole: 0, displaced: 0, too_large: 0 }
      for (const { isPartial, size } of followers.values())
        houses[!isPartial ? 'whole' : size.bytes <= memoryBytes ? 'displaced' : 'too_large'] += 1
      return { bytes: bytesOf(), houses }
    },
    /**
     * Searches a house. Every change that was committed before is found, unless the answer is not complete.
     * @throws Problem invalid-parameter, temporarily-unavailable
     */
    search: (context: Searching, asked: Asked) => track(search(context, asked)),
    /** Ends the thread, and waits for all statements that are under way. */
    async close() {
      await engine.close()
      while (underWay.size > 0) await Promise.all(underWay)
    },
  }
}
