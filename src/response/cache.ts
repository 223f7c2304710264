import { identify, type House } from '../context.ts'

/** The body of an answer, and the tag: the revisions that it was built from. */
export type Answer = { tag: string; body: Buffer; link?: string }

/** How to make an answer: `check` finds its present tag, `build` reads it from the database. */
export type Question = { check(): Promise<string>; build(): Promise<Answer> }

/** What is kept for one address: the question, the last answer, and the run that brings it up to date. */
type Entry = Question & { look(): Promise<string>; refresh(): Promise<Answer>; kept?: Answer; bytes: number }

/** Called after every check: whether the answer was still current or was built, and how many bytes are kept now. */
export type CountAnswer = (outcome: 'kept' | 'built', bytes: number) => void

/** The entries of a house, with the settings that it had when they were made. */
type Shelf = { identity: string; entries: Map<string, Entry>; bytes: number }

// Memory of an entry besides its texts and its body: the selection, the compiled check, the bookkeeping (4 to 6 KB).
const entryBytes = 6_144
// Longer addresses would take more memory than that, and storefronts do not repeat them.
const longestAddress = 1_024
// A run that takes longer has probably lost its connection. The next one does not wait for it.
const patienceMilliseconds = 1_000

// Counts the whole buffer that the body keeps alive.
function measure(address: string, { tag = '', link = '', body }: Partial<Answer> = {}): number {
  return entryBytes + address.length + tag.length + link.length + (body?.buffer.byteLength ?? 0)
}

/**
 * Returns a function whose runs are shared. A call before a run has begun gets the result of that run. A call during a
 * run waits for the next run. So no result is older than its call.
 */
function shareRuns<Result>(work: () => Promise<Result>): () => Promise<Result> {
  let last: Promise<unknown> = Promise.resolve()
  let next: Promise<Result> | undefined
  let begun = Infinity
  return () => {
    const isStuck = performance.now() - begun > patienceMilliseconds
    if (next && !isStuck) return next
    const run = (isStuck ? Promise.resolve() : last).then(() => {
      if (next === run) next = undefined
      begun = performance.now()
      return work()
    })
    next = run
    last = run.then(noteEnd, noteEnd)
    return run
  }
  function noteEnd() {
    begun = Infinity
  }
}

/**
 * Keeps answers, at most `maxBytes` of them (0: none). It checks the tag of an answer before it sends it again, so no
 * answer is older than the last commit before its request. When memory is short, the house that uses most loses the
 * answer that it requested least recently.
 */
export function createAnswers(maxBytes: number, count: CountAnswer = () => undefined) {
  const shelves = new Map<string, Shelf>()
  let bytes = 0
  const size = () => bytes

  function resize(shelf: Shelf, entry: Entry, to: number) {
    shelf.bytes += to - entry.bytes
    bytes += to - entry.bytes
    entry.bytes = to
  }

  function drop(id: string, shelf: Shelf, address: string, entry: Entry) {
    if (shelf.entries.get(address) !== entry) return
    shelf.entries.delete(address)
    resize(shelf, entry, 0)
    if (shelf.entries.size === 0 && shelves.get(id) === shelf) shelves.delete(id)
  }

  function findLargest() {
    return [...shelves].reduce((most, each) => (each[1].bytes > most[1].bytes ? each : most))
  }

  function makeRoom() {
    while (size() > maxBytes) {
      const [id, shelf] = findLargest()
      const [address, entry] = shelf.entries.entries().next().value!
      drop(id, shelf, address, entry)
    }
  }

  function createEntry(id: string, shelf: Shelf, address: string, question: Question): Entry {
    const entry: Entry = {
      ...question,
      bytes: 0,
      look: shareRuns(() => question.check()),
      refresh: shareRuns(async () => {
        const { kept } = entry
        if (kept && (await entry.check()) === kept.tag) {
          count('kept', bytes)
          return kept
        }
        try {
          entry.kept = await entry.build()
        } catch (error) {
          drop(id, shelf, address, entry)
          throw error
        }
        if (shelf.entries.get(address) === entry) resize(shelf, entry, measure(address, entry.kept))
        makeRoom()
        count('built', bytes)
        return entry.kept
      }),
    }
    shelf.entries.set(address, entry)
    resize(shelf, entry, measure(address))
    makeRoom()
    return entry
  }

  // Answers made with the house's old settings are wrong and are never requested again.
  function findShelf(house: House): Shelf {
    const identity = identify(house)
    const shelf = shelves.get(house.id)
    if (shelf?.identity === identity) return shelf
    if (shelf) for (const [address, entry] of shelf.entries) drop(house.id, shelf, address, entry)
    return { identity, entries: new Map(), bytes: 0 }
  }

  function findEntry(house: House, address: string, open: () => Question): Entry {
    const shelf = findShelf(house)
    const known = shelf.entries.get(address)
    if (!known) {
      const question = open()
      shelves.set(house.id, shelf)
      return createEntry(house.id, shelf, address, question)
    }
    shelf.entries.delete(address)
    shelf.entries.set(address, known)
    return known
  }

  return {
    /**
     * Answers a request of a house for an address. `open` gives the question if the address is new. If `has` says that
     * the client holds the present tag, only the tag is returned.
     */
    async answer(
      house: House,
      address: string,
      has: ((tag: string) => boolean) | undefined,
      open: () => Question,
    ): Promise<Answer | { tag: string; body?: undefined }> {
      const entry: Question & Partial<Entry> =
        maxBytes === 0 || address.length > longestAddress ? open() : findEntry(house, address, open)
      if (has && !entry.kept) {
        const tag = await (entry.look ? entry.look() : entry.check())
        if (has(tag)) return { tag }
      }
      return entry.refresh ? entry.refresh() : entry.build()
    },
    /** The bytes of the kept answers, as counted against `maxBytes`. */
    size,
  }
}
