import { identify, type House } from '../context.ts'

/** A response in the cache: its body, and its tag, which is the revisions that it was built from. */
export type CachedResponse = { tag: string; body: Buffer; link?: string }

/** Where a response comes from: `check` finds its present tag, `build` reads all of it from the database. */
export type ResponseSource = { check(): Promise<string>; build(): Promise<CachedResponse> }

/** What the cache has for one URL. `sharedCheck` and `refresh` are shared by the requests that wait for them. */
type Entry = ResponseSource & {
  sharedCheck(): Promise<string>
  refresh(): Promise<CachedResponse>
  response?: CachedResponse
  bytes: number
}

/** Called after every use: whether the response was still current or was built, and how many bytes the cache has now. */
export type CountCacheUse = (outcome: 'kept' | 'built', bytes: number) => void

/** The entries of a house, with the settings that it had when they were made. */
type Partition = { identity: string; entries: Map<string, Entry>; bytes: number }

// Memory of an entry besides its texts and its body: the selection, the compiled check, the bookkeeping (4 to 6 KB).
const entryBytes = 6_144
// A longer URL would take more memory than that, and storefronts do not repeat it.
const longestUrl = 1_024
// A run that takes longer has probably lost its connection. The next run does not wait for it.
const timeoutMilliseconds = 1_000

// Counts the whole buffer that the body keeps alive.
function measure(url: string, { tag = '', link = '', body }: Partial<CachedResponse> = {}): number {
  return entryBytes + url.length + tag.length + link.length + (body?.buffer.byteLength ?? 0)
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
    const isStuck = performance.now() - begun > timeoutMilliseconds
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
 * Caches responses in `maxBytes` of memory (0: none). The cache checks the tag of a response before each use, so no
 * response is older than the last commit before its request. When memory is short, the house that uses most loses the
 * response that it requested least recently.
 */
export function createResponseCache(maxBytes: number, count: CountCacheUse = () => undefined) {
  const partitions = new Map<string, Partition>()
  let bytes = 0
  const size = () => bytes

  function resize(partition: Partition, entry: Entry, to: number) {
    partition.bytes += to - entry.bytes
    bytes += to - entry.bytes
    entry.bytes = to
  }

  function drop(id: string, partition: Partition, url: string, entry: Entry) {
    if (partition.entries.get(url) !== entry) return
    partition.entries.delete(url)
    resize(partition, entry, 0)
    if (partition.entries.size === 0 && partitions.get(id) === partition) partitions.delete(id)
  }

  function findLargest() {
    return [...partitions].reduce((most, each) => (each[1].bytes > most[1].bytes ? each : most))
  }

  function makeRoom() {
    while (size() > maxBytes) {
      const [id, partition] = findLargest()
      const [url, entry] = partition.entries.entries().next().value!
      drop(id, partition, url, entry)
    }
  }

  function createEntry(id: string, partition: Partition, url: string, source: ResponseSource): Entry {
    const entry: Entry = {
      ...source,
      bytes: 0,
      sharedCheck: shareRuns(() => source.check()),
      refresh: shareRuns(async () => {
        const { response } = entry
        if (response && (await entry.check()) === response.tag) {
          count('kept', bytes)
          return response
        }
        try {
          entry.response = await entry.build()
        } catch (error) {
          drop(id, partition, url, entry)
          throw error
        }
        if (partition.entries.get(url) === entry) resize(partition, entry, measure(url, entry.response))
        makeRoom()
        count('built', bytes)
        return entry.response
      }),
    }
    partition.entries.set(url, entry)
    resize(partition, entry, measure(url))
    makeRoom()
    return entry
  }

  // Responses built with the house's old settings are wrong and are never requested again.
  function findPartition(house: House): Partition {
    const identity = identify(house)
    const partition = partitions.get(house.id)
    if (partition?.identity === identity) return partition
    if (partition) for (const [url, entry] of partition.entries) drop(house.id, partition, url, entry)
    return { identity, entries: new Map(), bytes: 0 }
  }

  function findEntry(house: House, url: string, prepare: () => ResponseSource): Entry {
    const partition = findPartition(house)
    const known = partition.entries.get(url)
    if (!known) {
      const source = prepare()
      partitions.set(house.id, partition)
      return createEntry(house.id, partition, url, source)
    }
    partition.entries.delete(url)
    partition.entries.set(url, known)
    return known
  }

  return {
    /**
     * Gives the response of a house to a URL, as it is now. `prepare` gives its source if the URL is new. If `isHeld`
     * says that the client holds the present tag, only the tag is returned.
     */
    async get(
      house: House,
      url: string,
      isHeld: ((tag: string) => boolean) | undefined,
      prepare: () => ResponseSource,
    ): Promise<CachedResponse | { tag: string; body?: undefined }> {
      const entry: ResponseSource & Partial<Entry> =
        maxBytes === 0 || url.length > longestUrl ? prepare() : findEntry(house, url, prepare)
      if (isHeld && !entry.response) {
        const tag = await (entry.sharedCheck ? entry.sharedCheck() : entry.check())
        if (isHeld(tag)) return { tag }
      }
      return entry.refresh ? entry.refresh() : entry.build()
    },
    /** The bytes of the cache, as counted against `maxBytes`. */
    size,
  }
}
