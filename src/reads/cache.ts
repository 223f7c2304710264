import type { Forms } from '../http/encoding/forms.ts'
import { LRUCache } from 'lru-cache'
import { identify, type House } from '../context.ts'

/**
 * A cached answer: the body; the tag, made of the revisions in it; the end of each record in the body; the cursor of
 * the next page; the encoded forms of the body.
 */
export type Answer = {
  tag: string
  body: Buffer
  ends: Uint32Array
  cursor?: string | undefined
  forms: Forms
  etag?: Etag
}

/** The last ETag printed for an answer, and the text that it was printed for. */
type Etag = { of: string; text: string }

// Called after every use: whether the answer was current (`kept`) or built, and the bytes in the cache.
export type CountCacheUse = (outcome: 'kept' | 'built', bytes: number) => void

/** The answers of a house, with the settings that they were made with. */
type Partition = { identity: string; answers: LRUCache<string, Answer> }

// The memory of an answer besides its texts and its body.
const answerBytes = 1_024
// Storefronts do not repeat longer names, and these would take more memory than the answer's other fields.
const longestName = 1_024

// Counts the whole buffer that the body keeps alive. A letter of a name may take two bytes.
function measure({ tag, body, ends, forms }: Answer, name: string): number {
  return answerBytes + 2 * name.length + tag.length + body.buffer.byteLength + ends.byteLength + forms.bytes
}

/**
 * Caches answers in `maxBytes` of memory (0: none). The caller compares the tag of an answer with the present one.
 * When memory is short, the house that uses the most loses its least recently requested answers.
 */
export function createAnswerCache(maxBytes: number, count: CountCacheUse = () => undefined) {
  const partitions = new Map<string, Partition>()
  let bytes = 0

  // Answers with the house's old settings are wrong and are never requested again.
  function findAnswers(house: House): Partition['answers'] | undefined {
    const partition = partitions.get(house.id)
    if (!partition || partition.identity === identify(house)) return partition?.answers
    partitions.delete(house.id)
    bytes -= partition.answers.calculatedSize
    return undefined
  }

  function addAnswers(house: House): Partition['answers'] {
    const answers = new LRUCache<string, Answer>({ maxSize: maxBytes, sizeCalculation: measure })
    partitions.set(house.id, { identity: identify(house), answers })
    return answers
  }

  function store(house: House, name: string, answer: Answer) {
    if (measure(answer, name) > maxBytes || name.length > longestName) return forget(house, name)
    const answers = findAnswers(house) ?? addAnswers(house)
    bytes -= answers.calculatedSize
    // Without that, the cache would keep the size of an answer that it has.
    answers.delete(name)
    answers.set(name, answer)
    bytes += answers.calculatedSize
    makeRoom()
  }

  function forget(house: House, name: string) {
    const answers = findAnswers(house)
    if (!answers) return
    bytes -= answers.calculatedSize
    answers.delete(name)
    bytes += answers.calculatedSize
    if (answers.size === 0) partitions.delete(house.id)
  }

  function makeRoom() {
    if (bytes <= maxBytes) return
    let most: [id: string, partition: Partition] | undefined
    for (const each of partitions) {
      if (!most || each[1].answers.calculatedSize > most[1].answers.calculatedSize) most = each
    }
    const [id, { answers }] = most!
    bytes -= answers.calculatedSize
    while (bytes + answers.calculatedSize > maxBytes) answers.pop()
    bytes += answers.calculatedSize
    if (answers.size === 0) partitions.delete(id)
  }

  return {
    /** The cached answer to a read. It may be out of date. */
    find: (house: House, name: string): Answer | undefined => findAnswers(house)?.get(name),
    /** Counts a cached answer that was current. */
    noteKept: () => count('kept', bytes),
    /** Replaces the cached answer to the read. */
    keep(house: House, name: string, answer: Answer): void {
      store(house, name, answer)
      answer.forms.onGrowth = () => {
        if (partitions.get(house.id)?.answers.peek(name) === answer) store(house, name, answer)
      }
      count('built', bytes)
    },
    forget,
    /** The bytes in the cache, as counted against `maxBytes`. */
    size: () => bytes,
  }
}
