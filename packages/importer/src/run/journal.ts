import { readSync } from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import { openBeside } from '../files.ts'
import { Names } from '../names.ts'

// The outcome for a record. The renditions of an `uploaded` picture are still being made; a `settled` one has them.
type State = 'created' | 'changed' | 'same' | 'uploaded' | 'settled' | 'removed'

/**
 * A line of the journal. The hash is that of the record with its links, or of a picture's bytes. `size` and `mtime` are those of the
 * picture's file, `alts` is the hash of its texts.
 */
export type Entry = {
  line: number
  kind: string
  reference: string
  id: string
  hash: string
  state: State
  item?: string
  size?: number
  mtime?: number
  alts?: string
}

/** An entry with its catalogue. An item's id belongs to only one catalogue, and so do its pictures. */
type Line = Entry & { catalogue: string }

function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error
}

const newline = 0x0a

/**
 * The journal: a file to which runs only add lines. A line is on the disk when `add` ends. An unfinished last line is
 * ignored. Without the journal a run only takes longer: it finds all records again.
 */
export class Journal {
  readonly #file: FileHandle | undefined
  readonly #isWritten: boolean
  readonly #catalogue: string
  // A source may have 100,000 records: memory has only the positions of their lines, and the file is read again.
  readonly #starts = [0]
  readonly #records = new Names()
  readonly #pictures = new Map<string, number[]>()
  #waiting: { entry: Line; done: () => void; failed: (error: unknown) => void }[] = []
  #writing: Promise<void> | undefined

  private constructor(file: FileHandle | undefined, isWritten: boolean, catalogue: string) {
    this.#file = file
    this.#isWritten = isWritten
    this.#catalogue = catalogue
  }

  /**
   * Opens the journal of a source. A journal that is only read may be missing. A source may be imported into several
   * catalogues, for trial and for real: entries of another catalogue are ignored.
   * @throws Unusable if it cannot be opened
   */
  static async open(path: string, isWritten: boolean, catalogue: string): Promise<Journal> {
    const file = isWritten ? await openBeside(path, 'add') : await openBeside(path, 'read').catch(ignoreMissing)
    const journal = new Journal(file, isWritten, catalogue)
    let rest = Buffer.alloc(0)
    for await (const piece of (file?.createReadStream({ start: 0, autoClose: false }) ?? []) as AsyncIterable<Buffer>) {
      let start = 0
      for (let end; (end = piece.indexOf(newline, start) + 1) > 0; start = end) {
        journal.#readEntry(Buffer.concat([rest, piece.subarray(start, end)]))
        rest = Buffer.alloc(0)
      }
      rest = Buffer.concat([rest, piece.subarray(start)])
    }
    if (rest.length > 0) {
      // New entries begin on a new line.
      if (isWritten) await file!.appendFile('\n')
      journal.#readEntry(Buffer.concat([rest, Buffer.of(newline)]))
    }
    return journal
  }

  #readEntry(line: Buffer): void {
    try {
      this.#keep(JSON.parse(line.toString()) as Line)
    } catch {
      // The run was killed while it wrote this line.
    }
    this.#count(line.length)
  }

  #count(length: number): void {
    this.#starts.push(this.#starts.at(-1)! + length)
  }

  /** Keeps the position of the entry on the next line. */
  #keep({ kind, reference, item, catalogue }: Line): void {
    const line = this.#starts.length - 1
    if (item !== undefined) {
      this.#pictures.set(item, [...(this.#pictures.get(item) ?? []), line])
      return
    }
    if (catalogue !== this.#catalogue) return
    this.#records.set(`${kind} ${reference}`, line)
  }

  // Another run may have written to the file meanwhile. The line may then be unreadable, or that of another record.
  #find(line: number): Partial<Line> {
    const [start, end] = [this.#starts[line]!, this.#starts[line + 1]!]
    const bytes = Buffer.allocUnsafe(end - start)
    const length = readSync(this.#file!.fd, bytes, 0, bytes.length, start)
    try {
      return JSON.parse(bytes.toString('utf8', 0, length)) as Line
    } catch {
      return {}
    }
  }

  /** The last entry of a record. */
  find(kind: string, reference: string): Entry | undefined {
    const line = this.#records.get(`${kind} ${reference}`)
    if (line === undefined) return undefined
    const entry = this.#find(line)
    const isFound = entry.kind === kind && entry.reference === reference && entry.catalogue === this.#catalogue
    return isFound ? (entry as Line) : undefined
  }

  /** The last entries of an item's pictures, by reference. */
  picturesOf(item: string): ReadonlyMap<string, Entry> {
    const pictures = new Map<string, Entry>()
    for (const line of this.#pictures.get(item) ?? []) {
      const entry = this.#find(line)
      if (entry.item === item) pictures.set(entry.reference!, entry as Entry)
    }
    return pictures
  }

  /**
   * Adds a line, and ends when it is on the disk. Skips a `same` entry with the id and hash of the last one. A journal
   * that is only read stays unchanged.
   */
  async add(entry: Entry): Promise<void> {
    if (!this.#isWritten) return
    const { id, hash, state } = entry
    const last = state === 'same' ? this.find(entry.kind, entry.reference) : undefined
    if (last?.id === id && last.hash === hash) return
    await new Promise<void>((done, failed) => {
      this.#waiting.push({ entry: { ...entry, catalogue: this.#catalogue }, done, failed })
      this.#writing ??= this.#write().finally(() => (this.#writing = undefined))
    })
  }

  // Lines that arrive during a write go into the next write together.
  async #write(): Promise<void> {
    while (this.#waiting.length > 0) {
      const added = this.#waiting
      this.#waiting = []
      try {
        const lines = added.map(({ entry }) => `${JSON.stringify(entry)}\n`)
        await this.#file!.appendFile(lines.join(''))
        await this.#file!.datasync()
        for (const [index, { entry, done }] of added.entries()) {
          this.#keep(entry)
          this.#count(Buffer.byteLength(lines[index]!))
          done()
        }
      } catch (error) {
        for (const { failed } of added) failed(error)
      }
    }
  }

  async close(): Promise<void> {
    await this.#writing
    await this.#file?.close()
  }
}
