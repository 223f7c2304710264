import { open } from 'node:fs/promises'
import path from 'node:path'
import { pipeline, type Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { terminal } from '../values/program.ts'
import { messageOf } from './errors.ts'

/** The source of a load: its name in messages, its bytes, and the folder that the images' files are relative to. */
export type Source = { name: string; stream: Readable; directory: string }

/**
 * Opens a file of the load format. `-` is standard input; a `.gz` file is unpacked while it is read.
 * @throws Error that names the file, if it cannot be read
 */
export async function openSource(file: string): Promise<Source> {
  if (file === '-') return { name: '-', stream: terminal().stdin, directory: process.cwd() }
  const handle = await open(file).catch((error: unknown) => {
    throw new Error(`${file} cannot be read: ${messageOf(error)}`)
  })
  if ((await handle.stat()).isDirectory()) {
    await handle.close()
    throw new Error(`${file} cannot be read: it is a folder`)
  }
  const bytes = handle.createReadStream({ highWaterMark: 256 * 1024 })
  // The last stream passes an error of the unpacking on to the reader.
  const stream = file.toLowerCase().endsWith('.gz') ? pipeline(bytes, createGunzip(), () => undefined) : bytes
  return { name: file, stream, directory: path.dirname(path.resolve(file)) }
}
