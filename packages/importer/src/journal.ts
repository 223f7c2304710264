import type { FileHandle } from 'node:fs/promises'
import { openBeside } from './files.ts'

/** What became of a record. `uploaded` is a picture whose renditions are still being made, `settled` one that has them. */
export type State = 'created' | 'changed' | 'same' | 'uploaded' | 'settled' | 'removed'

/** A line of the journal. The hash is of the record, of a picture of its file's bytes; `size` and `mtime` are the file's. */
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
}

/** What is kept in memory of a record: there may be a hundred thousand. */
type Last = Pick<Entry, 'id' | 'hash'>

function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error
}

/**
 * What was done, in a file to which lines are only added. A line is on the disk when `add` has ended. A file that broke off
 * in the middle of a line is read up to there. Nothing depends on it but time: without it, all is found again.
 */
export class Journal {
  readonly #file: FileHandle | undefined
  // By kind and reference.
  readonly #entries = new Map<string, Map<string, Last>>()
  readonly #pictures = new Map<string, Map<string, Entry>>()
  #waiting: { text: string; done: () => void; failed: (error: unknown) => void }[] = []
  #writing: Promise<void> | undefined

  private constructor(file: FileHandle | undefined) {
    this.#file = file
  }

  /**
   * Opens the journal of a source. One that is only read need not exist.
   * @throws Unusable when it cannot be opened
   */
  static async open(path: string, isWritten: boolean): Promise<Journal> {
    const file = isWritten ? await openBeside(path, 'add') : undefined
    const journal = new Journal(file)
    const read = file ?? (await openBeside(path, 'read').catch(ignoreMissing))
    const lines = read?.readLines({ start: 0, autoClose: file === undefined }) ?? []
    for await (const line of lines) {
      try {
        if (line !== '') journal.#keep(JSON.parse(line) as Entry)
      } catch {
        // The run was killed while it wrote this line.
      }
    }
    // What is added begins on a line of its own.
    const size = (await file?.stat())?.size ?? 0
    if (size > 0 && (await file!.read(Buffer.alloc(1), 0, 1, size - 1)).buffer.toString() !== '\n')
      await file!.appendFile('\n')
    return journal
  }

  #keep(entry: Entry): void {
    if (entry.item === undefined) {
      const { kind, reference, id, hash } = entry
      const entries = this.#entries.get(kind) ?? new Map<string, Last>()
      this.#entries.set(kind, entries.set(reference, { id, hash }))
      return
    }
    const pictures = this.#pictures.get(entry.item) ?? new Map<string, Entry>()
    this.#pictures.set(entry.item, pictures.set(entry.reference, entry))
  }

  /** What the last entry of a record says. */
  find(kind: string, reference: string): Last | undefined {
    return this.#entries.get(kind)?.get(reference)
  }

  /** The last entries of an item's pictures, by their references. */
  picturesOf(item: string): ReadonlyMap<string, Entry> {
    return this.#pictures.get(item) ?? new Map()
  }

  /** Adds a line, and ends when it is on the disk. What was the same before is not written again. */
  async add(entry: Entry): Promise<void> {
    const { id, hash, state } = entry
    const last = this.find(entry.kind, entry.reference)
    if (state === 'same' && last?.id === id && last.hash === hash) return
    this.#keep(entry)
    await new Promise<void>((done, failed) => {
      this.#waiting.push({ text: `${JSON.stringify(entry)}\n`, done, failed })
      this.#writing ??= this.#write().finally(() => (this.#writing = undefined))
    })
  }

  // Lines that come while the disk is at work go together.
  async #write(): Promise<void> {
    while (this.#waiting.length > 0) {
      const lines = this.#waiting
      this.#waiting = []
      try {
        await this.#file?.appendFile(lines.map(({ text }) => text).join(''))
        await this.#file?.datasync()
        for (const { done } of lines) done()
      } catch (error) {
        for (const { failed } of lines) failed(error)
      }
    }
  }

  async close(): Promise<void> {
    await this.#writing
    await this.#file?.close()
  }
}
