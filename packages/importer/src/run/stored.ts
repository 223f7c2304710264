import type { Listing } from '@auction-catalogue/client'
import { Names } from '../names.ts'
import { Shelf } from './shelf.ts'

type Referenced = { id: string; external_reference: string | null }

/** Up to here, records are asked for one by one. */
const fewRecords = 100

/**
 * Finds the records of one kind by their references. A few are asked for one by one. Otherwise the whole list is read into a
 * temporary file once, so that memory does not grow with the catalogue.
 */
export class Stored<T extends Referenced> {
  readonly #list: (filter: { external_reference?: string }) => Listing<T>
  readonly #numbers = new Names()
  readonly #folded = new Names()
  #shelf: Shelf<T> | undefined
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
    const shelf = (this.#shelf = await Shelf.open<T>())
    for await (const record of this.#list({})) {
      if (record.external_reference === null) continue
      const number = shelf.add(record)
      this.#numbers.set(record.external_reference, number)
      this.#folded.set(record.external_reference.toLowerCase(), number)
    }
  }

  /** The record with a reference. */
  async find(reference: string): Promise<T | undefined> {
    if (this.#reading === undefined) return this.ask(reference)
    await this.#reading
    return this.#read(this.#numbers.get(reference))
  }

  #read(number: number | undefined): T | undefined {
    return number === undefined ? undefined : this.#shelf!.get(number)
  }

  /** A stored reference that is this one, or differs from it in capitals alone. All records must have been prepared for. */
  async findReference(reference: string): Promise<string | undefined> {
    await this.#reading
    if (this.#numbers.get(reference) !== undefined) return reference
    const similar = this.#read(this.#folded.get(reference.toLowerCase()))
    return similar?.external_reference ?? undefined
  }

  /** The record with a reference as the service has it now. */
  async ask(reference: string): Promise<T | undefined> {
    const { data } = await this.#list({ external_reference: reference }).page()
    return data[0]
  }

  async close(): Promise<void> {
    await this.#reading?.catch(() => undefined)
    await this.#shelf?.close()
  }
}
