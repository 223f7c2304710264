import { readSync } from 'node:fs'
import type { Readable } from 'node:stream'
import { openScratch, type Scratch } from '../files.ts'
import { readTexts } from './texts.ts'
import { readXml } from './xml.ts'

const windowBytes = 16 * 1024
const keptTexts = 10_000

/**
 * The texts of a workbook, to which cells point by number. They lie in a temporary file: 100,000 rows have millions of
 * texts.
 */
export class SharedStrings {
  readonly #scratch: Scratch
  // The start of each text, and the end of the last one. A workbook has less than 4 GiB.
  #starts = new Uint32Array(1024)
  #count = 0
  // Most cells have the text after the previous one, or a frequent text.
  #window = Buffer.alloc(0)
  #windowStart = 0
  readonly #recent = new Map<number, string>()

  private constructor(scratch: Scratch) {
    this.#scratch = scratch
  }

  /** Reads the texts from `sharedStrings.xml`. */
  static async read(stream: Readable): Promise<SharedStrings> {
    const strings = new SharedStrings(await openScratch())
    try {
      await strings.#fill(stream)
      return strings
    } catch (error) {
      await strings.close()
      throw error
    }
  }

  async #fill(stream: Readable): Promise<void> {
    let waiting: Buffer[] = []
    let bytes = 0
    const flush = async () => {
      await this.#scratch.file.appendFile(Buffer.concat(waiting))
      waiting = []
      bytes = 0
    }
    for await (const text of readXml<string>(stream, (emit) => readTexts('si', emit))) {
      const written = Buffer.from(text)
      this.#add(written.length)
      waiting.push(written)
      bytes += written.length
      if (bytes > windowBytes) await flush()
    }
    await flush()
  }

  #add(length: number): void {
    if (this.#count + 1 === this.#starts.length) {
      const longer = new Uint32Array(2 * this.#starts.length)
      longer.set(this.#starts)
      this.#starts = longer
    }
    this.#starts[this.#count + 1] = this.#starts[this.#count]! + length
    this.#count++
  }

  /** The text with this number; undefined if there is none. */
  get(number: number): string | undefined {
    if (!(number >= 0 && number < this.#count)) return undefined
    const known = this.#recent.get(number)
    if (known !== undefined) return known
    const [start, end] = [this.#starts[number]!, this.#starts[number + 1]!]
    if (start < this.#windowStart || end > this.#windowStart + this.#window.length) {
      const window = Buffer.allocUnsafe(Math.max(windowBytes, end - start))
      this.#window = window.subarray(0, readSync(this.#scratch.file.fd, window, 0, window.length, start))
      this.#windowStart = start
    }
    const text = this.#window.toString('utf8', start - this.#windowStart, end - this.#windowStart)
    if (this.#recent.size === keptTexts) this.#recent.clear()
    this.#recent.set(number, text)
    return text
  }

  close(): Promise<void> {
    return this.#scratch.close()
  }
}
