import type { Readable } from 'node:stream'
import type { Area } from './object-keys.ts'

/** The store of originals and renditions: a folder or a bucket. An error means that it is unreachable or full. */
export type MediaStore = {
  /** The URL of a public file is `<publicBase>/<key>` and never changes. */
  publicBase: string
  /** Stores a local file (by its path) or bytes, whole or not at all. It replaces the previous content of the key. */
  put(key: string, source: string | Buffer): Promise<void>
  /** Writes a stored file to a local path, for reading only. False if the key is missing. */
  download(key: string, path: string): Promise<boolean>
  /** A stored file as a stream, and its size; undefined if the key is missing. */
  read(key: string): Promise<{ bytes: number; stream: Readable } | undefined>
  /** Copies inside the store, whole or not at all. Rejects if `from` is missing. */
  copy(from: string, to: string): Promise<void>
  /** Deletes a file. A missing one is no error. */
  delete(key: string): Promise<void>
  /** The URL of a file. A public one is valid for ever. Any other is signed and valid for an hour from `now`. */
  url(key: string, now: Date): Promise<string>
  /** All files in an area, folder by folder, including those that a crash left behind. For the clean-up. */
  list(area: Area): AsyncIterable<{ key: string; bytes: number; storedAt: Date }>
}
