import { appendFileSync, readSync } from 'node:fs'
import { openScratch, type Scratch } from '../files.ts'

const waitingBytes = 64 * 1024

/**
 * Records in a temporary file, by their numbers from 0 on. Memory holds only where each begins, because there may be a
 * hundred thousand.
 */
export class Shelf<T extends object> {
  readonly #scratch: Scratch
  readonly #starts = [0]
  #waiting: Buffer[] = []
  // The length of the file so far. Later records wait in memory.
  #end = 0

  private constructor(scratch: Scratch) {
    this.#scratch = scratch
  }

  /** Opens an empty shelf. */
  static async open<T extends object>(): Promise<Shelf<T>> {
    return new Shelf(await openScratch())
  }

  /** Adds a record, and gives its number. */
  add(record: T): number {
    const text = Buffer.from(JSON.stringify(record))
    this.#waiting.push(text)
    const end = this.#starts.at(-1)! + text.length
    if (end - this.#end > waitingBytes) this.#flush(end)
    return this.#starts.push(end) - 2
  }

  #flush(end: number): void {
    appendFileSync(this.#scratch.file.fd, Buffer.concat(this.#waiting))
    this.#waiting = []
    this.#end = end
  }

  /** The record with a number. */
  get(number: number): T {
    const [start, end] = [this.#starts[number]!, this.#starts[number + 1]!]
    if (end > this.#end) this.#flush(this.#starts.at(-1)!)
    const bytes = Buffer.allocUnsafe(end - start)
    // An asynchronous read would leave memory outside of the heap. The system still caches what was just written.
    readSync(this.#scratch.file.fd, bytes, 0, bytes.length, start)
    return JSON.parse(bytes.toString()) as T
  }

  close(): Promise<void> {
    return this.#scratch.close()
  }
}
