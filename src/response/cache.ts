import { identify, type House } from '../context.ts'

/**
 * An answer in the cache: its body; its tag, which is the revisions that it was built from; where each record ends in the
 * body; and the cursor of the next page.
 */
export type Answer = { tag: string; body: Buffer; ends: Uint32Array; cursor?: string | undefined; etag?: Etag }

/** The ETag that was printed for an answer last, and what for. */
type Etag = { of: string; text: string }

/** Called after every use: whether the answer was still current or was built, and how many bytes the cache has now. */
export type CountCacheUse = (outcome: 'kept' | 'built', bytes: number) => void

/** The answers of a house, with the settings that it had when they were made. */
type Partition = {
  identity: string
  answers: Map<string, Answer>
  /** Their names from the oldest on. It goes on where it was: a new one would walk over the holes of all that were dropped. */
  oldest: MapIterator<string>
  bytes: number
}

// Memory of an answer besides its texts and its body.
const answerBytes = 1_024
// A longer name would take more memory than that, and storefronts do not repeat it.
const longestName = 1_024

// Counts the whole buffer that the body keeps alive. A letter of a name may take two bytes.
function measure(name: string, { tag, body, ends }: Answer): number {
  return answerBytes + 2 * name.length + tag.length + body.buffer.byteLength + ends.byteLength
}

/**
 * Caches answers in `maxBytes` of memory (0: none). Whoever takes one compares its tag with the present one. When memory is
 * short, the house that uses most loses the answer that it requested least recently.
 */
export function createAnswerCache(maxBytes: number, count: CountCacheUse = () => undefined) {
  const partitions = new Map<string, Partition>()
  let bytes = 0

  function drop(id: string, partition: Partition, name: string) {
    const answer = partition.answers.get(name)
    if (!answer) return
    partition.answers.delete(name)
    partition.bytes -= measure(name, answer)
    bytes -= measure(name, answer)
    if (partition.answers.size === 0 && partitions.get(id) === partition) partitions.delete(id)
  }

  function findOldest(partition: Partition): string {
    let next = partition.oldest.next()
    // One that has come to the end stays there.
    if (next.done) next = (partition.oldest = partition.answers.keys()).next()
    return next.value!
  }

  function makeRoom() {
    while (bytes > maxBytes) {
      const [id, partition] = [...partitions].reduce((most, each) => (each[1].bytes > most[1].bytes ? each : most))
      drop(id, partition, findOldest(partition))
    }
  }

  // Answers built with the house's old settings are wrong and are never requested again.
  function findPartition(house: House): Partition {
    const identity = identify(house)
    const partition = partitions.get(house.id)
    if (partition?.identity === identity) return partition
    if (partition) for (const name of partition.answers.keys()) drop(house.id, partition, name)
    const answers = new Map<string, Answer>()
    return { identity, answers, oldest: answers.keys(), bytes: 0 }
  }

  return {
    /** The answer that the cache has for a read. It may be out of date. */
    find(house: House, name: string): Answer | undefined {
      const { answers } = findPartition(house)
      const answer = answers.get(name)
      if (!answer) return undefined
      answers.delete(name)
      answers.set(name, answer)
      return answer
    },
    /** Takes note that an answer was still current. */
    noteKept: () => count('kept', bytes),
    /** Puts an answer in the place of what the cache has for the read. */
    keep(house: House, name: string, answer: Answer): void {
      const partition = findPartition(house)
      drop(house.id, partition, name)
      const size = measure(name, answer)
      if (size <= maxBytes && name.length <= longestName) {
        partitions.set(house.id, partition)
        partition.answers.set(name, answer)
        partition.bytes += size
        bytes += size
        makeRoom()
      }
      count('built', bytes)
    },
    /** Forgets what the cache has for a read. */
    forget(house: House, name: string): void {
      drop(house.id, findPartition(house), name)
    },
    /** The bytes of the cache, as counted against `maxBytes`. */
    size: () => bytes,
  }
}
