import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

/** An amount in minor units. */
export type Money = { amount: number; currency: string }
type Translations = { [locale: string]: { title?: string; description?: string } }

/** One line of the load format: the record types and fields that the programs beside this folder use. */
export type LoadRecord =
  | { type: 'house'; ref: string; slug: string; name: string; default_locale: string; currency: string }
  | { type: 'seller'; ref: string; seller_number: number; profile_name: string }
  | {
      type: 'category'
      ref: string
      slug: string
      names: { [locale: string]: string }
      parent?: string | undefined
    }
  | { type: 'maker'; ref: string; name: string }
  | {
      type: 'auction'
      ref: string
      external_reference: string
      title: string
      description?: string | undefined
      published: boolean
    }
  | {
      type: 'session'
      ref: string
      auction: string
      external_reference: string
      titles: { [locale: string]: string }
      kind: 'live'
      opens_at?: string | undefined
      live?: { closes_at: string } | undefined
      published: boolean
      finished: boolean
    }
  | {
      type: 'item'
      ref: string
      external_reference: string
      title: string
      description?: string | undefined
      dimensions?: string | undefined
      weight?: string | undefined
      translations?: Translations | undefined
      estimate?: { low: Money } | undefined
      seller?: string | undefined
      categories?: string[] | undefined
      makers?: string[] | undefined
    }
  | {
      type: 'lot'
      ref: string
      session: string
      item: string
      lot_number: number
      active: boolean
      starting_bid?: Money | undefined
      current_bid?: Money | undefined
      sold: boolean
    }

/** What did not fit, by reason: how often, and the first few cases. */
export class Remarks {
  readonly #reasons = new Map<string, { count: number; examples: Set<string> }>()

  /** Counts one case. The reason says what was done with it; the example names the record in the source. */
  add(reason: string, example?: string) {
    const entry = this.#reasons.get(reason) ?? { count: 0, examples: new Set() }
    entry.count += 1
    if (example && entry.examples.size < 4) entry.examples.add(example)
    this.#reasons.set(reason, entry)
  }

  /** One line a reason, in the order the reasons came up. */
  lines(): string[] {
    return Array.from(this.#reasons, ([reason, { count, examples }]) => {
      const cases = examples.size > 0 ? ` (for example ${[...examples].join(' | ')})` : ''
      return `${String(count).padStart(7)}  ${reason}${cases}`
    })
  }
}

/** Lets a record through the first time its `ref` comes by: makers, sellers and categories that items share. */
export function writeOnce(): (record: LoadRecord) => LoadRecord[] {
  const written = new Set<string>()
  return (record) => {
    if (written.has(record.ref)) return []
    written.add(record.ref)
    return [record]
  }
}

/** Writes the records to standard output, a line each, then the counts and the remarks to standard error. */
export async function write(records: Iterable<LoadRecord> | AsyncIterable<LoadRecord>, remarks: Remarks) {
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
