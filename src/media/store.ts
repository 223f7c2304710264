import type { Area } from './object-keys.ts'

/** Where originals and renditions are kept: a folder or a bucket. Errors mean that it can't be reached, or is full. */
export type MediaStore = {
  /** The URL of a public file is `<publicBase>/<key>`, and stays so. */
  publicBase: string
  /** Stores a local file (by its path) or bytes. The key is there whole or not at all; what it held is replaced. */
  put(key: string, source: string | Buffer): Promise<void>
  /** Writes a stored file to a local path, for reading only. Rejects where the key is missing. */
  download(key: string, path: string): Promise<void>
  /** Copies inside the store, as `put` does. Rejects where `from` is missing. */
  copy(from: string, to: string): Promise<void>
  /** Deletes a file; one that is missing is fine. */
  delete(key: string): Promise<void>
  /** The URL of a file: of a public one for ever, of any other signed and good for an hour from `now`. */
  url(key: string, now: Date): Promise<string>
  /** Everything in an area, those of one folder together, also what a crash left of a `put`; for clean-up. */
  list(area: Area): AsyncIterable<{ key: string; bytes: number; storedAt: Date }>
}
