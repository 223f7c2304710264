import { prepare } from './reads.ts'
import type { FoundRecord, PageRequest, Selection } from './selections.ts'
import type { ServedContext } from './context.ts'
import type { Answer } from './cache.ts'
import type { Condition } from './conditional.ts'

/** The answer for a client that holds it: only the tag. */
export type Held = Pick<Answer, 'tag' | 'etag'> & { body?: undefined }

/** Builds the text around the records. `found` may have one record more than `shown`. */
export type Frame = (found: FoundRecord[]) => {
  shown: FoundRecord[]
  begin: string
  end: string
  cursor?: string | undefined
}

/**
 * Answers a read with the present state of the database. Compares the tag of the cached answer with the present tag.
 * If they differ, builds only the changed records. If the client holds the present answer, returns only its tag.
 * @throws Problem integrity-unavailable if a record cannot be shown truthfully, and what `frame` throws
 */
export async function readAnswer(
  selection: Selection<ServedContext>,
  page: PageRequest | undefined,
  { isHeld }: Pick<Condition, 'isHeld'>,
  frame: Frame,
): Promise<Answer | Held> {
  const { context, documents } = selection
  const { house, answers } = context
  const read = prepare(selection, page)
  if (isHeld || answers.find(house, read.key)) {
    const tag = `${documents.format} ${await read.check()}`
    // Another request may have built it meanwhile.
    const current = answers.find(house, read.key)
    if (current?.tag === tag) {
      answers.noteKept()
      return current
    }
    if (isHeld?.(tag)) return { tag }
  }
  const kept = answers.find(house, read.key)
  try {
    const found = await read.build(kept && listTags(kept).join(' '))
    const tag = `${documents.format} ${found.map((record) => record.tag).join(' ')}`
    const answer = assemble(tag, frame(found), kept)
    answers.keep(house, read.key, answer)
    return answer
  } catch (error) {
    answers.forget(house, read.key)
    throw error
  }
}

// The tags of the records in the body. The answer's tag also has the format, and the record after the page.
const listTags = ({ tag, ends }: Answer) => tag.split(' ').slice(1, ends.length + 1)

// The bytes of each record by its tag.
function listRecords(answer: Answer, begin: number): Map<string, Buffer> {
  const tags = listTags(answer)
  const records = new Map<string, Buffer>()
  let start = begin
  for (const [at, end] of answer.ends.entries()) {
    records.set(tags[at]!, answer.body.subarray(start, end))
    start = end + 1
  }
  return records
}

// Not from Node's pool: a slice of it would keep 64 KiB alive for one small body.
function assemble(tag: string, { shown, begin, end, cursor }: ReturnType<Frame>, kept: Answer | undefined): Answer {
  const known = kept && listRecords(kept, begin.length)
  const parts = shown.map((record) => record.json ?? known!.get(record.tag)!)
  const size = (part: string | Buffer) => (typeof part === 'string' ? Buffer.byteLength(part) : part.length)
  const records = parts.reduce((sum, part) => sum + size(part), 0) + Math.max(0, parts.length - 1)
  const body = Buffer.allocUnsafeSlow(begin.length + records + end.length)
  const ends = new Uint32Array(parts.length)
  let at = body.write(begin, 'latin1')
  for (const [index, part] of parts.entries()) {
    if (index > 0) at += body.write(',', at, 'latin1')
    at += typeof part === 'string' ? body.write(part, at) : part.copy(body, at)
    ends[index] = at
  }
  body.write(end, at, 'latin1')
  return { tag, body, ends, cursor }
}
