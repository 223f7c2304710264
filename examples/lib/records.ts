import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Records, RecordType } from '../../src/load/schema.ts'

/** A record of the load format. The programs name each of theirs, so that others can point to it. */
export type NamedRecord<Type extends RecordType = RecordType> = Records[Type] & { ref: string }

/** The cases that did not fit the load format: for each reason their number and the first few. */
export class Remarks {
  readonly #reasons = new Map<string, { count: number; examples: Set<string> }>()

  /** Counts one case. The reason also says how it was handled. The example names the record of the source. */
  add(reason: string, example?: string) {
    const entry = this.#reasons.get(reason) ?? { count: 0, examples: new Set() }
    entry.count += 1
    if (example && entry.examples.size < 4) entry.examples.add(example)
    this.#reasons.set(reason, entry)
  }

  /** One line for each reason, in the order in which they came up. */
  lines(): string[] {
    return Array.from(this.#reasons, ([reason, { count, examples }]) => {
      const cases = examples.size > 0 ? ` (for example ${[...examples].join(' | ')})` : ''
      return `${String(count).padStart(7)}  ${reason}${cases}`
    })
  }
}

/** Passes a record on only the first time, by its `ref`: for makers, sellers and categories that items share. */
export function writeOnce(): (record: NamedRecord) => NamedRecord[] {
  const written = new Set<string>()
  return (record) => {
    if (written.has(record.ref)) return []
    written.add(record.ref)
    return [record]
  }
}

/** Writes the records to standard output, one on a line. Then writes the counts and the remarks to standard error. */
export async function write(records: Iterable<NamedRecord> | AsyncIterable<NamedRecord>, remarks: Remarks) {
  const counts = new Map<string, number>()
  async function* lines() {
    for await (const record of records) {
      counts.set(record.type, (counts.get(record.type) ?? 0) + 1)
      yield `${JSON.stringify(record)}\n`
    }
  }
  await pipeline(Readable.from(lines()), process.stdout, { end: false })
  console.error('written:')
  for (const [type, count] of counts) console.error(`${String(count).padStart(7)}  ${type}`)
  console.error('what did not fit, and what was done with it:')
  for (const line of remarks.lines()) console.error(line)
}
