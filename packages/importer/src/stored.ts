import type { Listing } from '@auction-catalogue/client'
import { openScratch, type Scratch } from './files.ts'

type Referenced = { id: string; external_reference: string | null }

/** Up to here, records are asked for one by one. */
const fewRecords = 100

/**
 * Finds the records of one kind by their references. A few are asked for one by one. Otherwise the whole list is read into a
 * temporary file once, so that memory does not grow with the catalogue.
 */
export class Stored<T extends Referenced> {
  readonly #list: (filter: { external_reference?: string }) => Listing<T>
  // The numbers of the records in the file, and where each begins; the last one is the end.
  readonly #numbers = new Map<string, number>()
  readonly #starts = [0]
  #folded: Map<string, string> | undefined
  #scratch: Scratch | undefined
  #reading: Promise<void> | undefined

  constructor(list: (filter: { external_reference?: string }) => Listing<T>) {
    this.#list = list
  }

  /** Prepares to find so many records. */
  prepare(count: number): void {
    if (count <= fewRecords) return
    this.#reading ??= this.#readAll()
    // It may fail before anything is looked for: then that fails.
    this.#reading.catch(() => undefined)
  }

  async #readAll(): Promise<void> {
    const { file } = (this.#scratch = await openScratch())
    let texts: Buffer[] = []
    const flush = async () => {
      await file.appendFile(Buffer.concat(texts))
      texts = []
    }
    for await (const record of this.#list({})) {
      if (record.external_reference === null) continue
      const text = Buffer.from(JSON.stringify(record))
      this.#numbers.set(record.external_reference, this.#starts.length - 1)
      this.#starts.push(this.#starts.at(-1)! + text.length)
      if (texts.push(text) === 100) await flush()
    }
    await flush()
  }

  /** The record with a reference. */
  async find(reference: string): Promise<T | undefined> {
    if (this.#reading === undefined) return this.ask(reference)
    await this.#reading
    const number = this.#numbers.get(reference)
    if (number === undefined) return undefined
    const [start, end] = [this.#starts[number]!, this.#starts[number + 1]!]
    const { buffer } = await this.#scratch!.file.read(Buffer.allocUnsafe(end - start), 0, end - start, start)
    return JSON.parse(buffer.toString()) as T
  }

  /** A stored reference that is this one, or differs from it in capitals alone. All records must have been prepared for. */
  async findReference(reference: string): Promise<string | undefined> {
    await this.#reading
    if (this.#numbers.has(reference)) return reference
    this.#folded ??= new Map(Array.from(this.#numbers.keys(), (each) => [each.toLowerCase(), each]))
    return this.#folded.get(reference.toLowerCase())
  }

  /** The record with a reference as the service has it now. */
  async ask(reference: string): Promise<T | undefined> {
    const { data } = await this.#list({ external_reference: reference }).page()
    return data[0]
  }

  async close(): Promise<void> {
    await this.#reading?.catch(() => undefined)
    await this.#scratch?.close()
  }
}
