import type { Listing } from '@auction-catalogue/client'
import { Names } from '../names.ts'
import { Shelf } from './shelf.ts'

type Referenced = { id: string; external_reference: string | null }

/** Up to so many records are requested one by one. */
const fewRecords = 100

/**
 * Finds the records of one kind by reference, a few with a request each. For more, it reads the whole list once into a
 * temporary file, so that memory does not grow with the catalogue.
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

  /** Prepares for so many records. */
  prepare(count: number): void {
    if (count <= fewRecords) return
    this.#reading ??= this.#readAll()
    // `find` reports the failure.
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

  /** A stored reference that equals the given one, or differs only in capitals. `prepare` must have read all records. */
  async findReference(reference: string): Promise<string | undefined> {
    await this.#reading
    if (this.#numbers.get(reference) !== undefined) return reference
    const similar = this.#read(this.#folded.get(reference.toLowerCase()))
    return similar?.external_reference ?? undefined
  }

  /** Asks the service for the record with a reference. */
  async ask(reference: string): Promise<T | undefined> {
    const { data } = await this.#list({ external_reference: reference }).page()
    return data[0]
  }

  async close(): Promise<void> {
    await this.#reading?.catch(() => undefined)
    await this.#shelf?.close()
  }
}
