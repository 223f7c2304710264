import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readdir, realpath, stat } from 'node:fs/promises'
import { basename, dirname, join, sep } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { readHead } from '../source/head.ts'
import { refuse } from '../rejections.ts'

/** The file of a picture on this machine. */
export type Picture = { path: string; size: number; mtime: number }

const maxBytes = 50 * 1024 * 1024

const isFormat = (head: Buffer): boolean => {
  const text = head.toString('latin1')
  return (
    text.startsWith('\xff\xd8\xff') ||
    text.startsWith('\x89PNG\r\n\x1a\n') ||
    text.startsWith('GIF8') ||
    text.startsWith('II*\0') ||
    text.startsWith('MM\0*') ||
    (text.startsWith('RIFF') && text.slice(8, 12) === 'WEBP') ||
    // HEIC has the same container with another brand.
    (text.slice(4, 8) === 'ftyp' && /^(avif|avis|mif1.*avif)/s.test(text.slice(8)))
  )
}

const simplify = (name: string) => name.normalize('NFC').toLowerCase()

/** A file in the same folder whose name differs only in capitals, or else in its ending. */
async function findSimilar(path: string): Promise<string | undefined> {
  const names = await readdir(dirname(path)).catch(() => [])
  const stemOf = (name: string) => simplify(name).replace(/\.[^.]+$/, '')
  const wanted = basename(path)
  return (
    names.find((name) => simplify(name) === simplify(wanted)) ?? names.find((name) => stemOf(name) === stemOf(wanted))
  )
}

/** What kind of picture a file is that is not taken, and what to do. */
const describeOther = (head: Buffer): string =>
  /^.{4}ftyp(?:hei[cxms]|hev[cxms]|mif1|msf1)/s.test(head.toString('latin1'))
    ? 'is a HEIC photograph: make a JPEG of it (macOS: Preview, File, Export; Windows: Photos, Save as; on an iPhone: Settings, Camera, Formats, Most Compatible, for new ones)'
    : 'is not a JPEG, PNG, WebP, AVIF, TIFF or GIF'

/**
 * Finds the file of a picture in a directory or below it, and checks its size and first bytes before the upload.
 * @throws Refused
 */
export async function findPicture(directory: string, file: string): Promise<Picture> {
  // The file name, or the source, may store an accent separately from its letter.
  const forms = [file, file.normalize('NFC'), file.normalize('NFD')]
  const path = await Promise.any(forms.map((form) => realpath(join(directory, form)))).catch(async () => {
    const similar = await findSimilar(join(directory, file))
    const hint = similar === undefined ? '' : `, but ${JSON.stringify(similar)} is there`
    throw refuse('file', 'unavailable', `there is no file ${file}${hint}`)
  })
  if (!path.startsWith((await realpath(directory)) + sep))
    throw refuse('file', 'invalid', 'must lie in the folder of the source, or below it')
  const found = await stat(path)
  const { size, mtimeMs } = found
  if (!found.isFile()) throw refuse('file', 'invalid', 'is not a file')
  if (size > maxBytes) throw refuse('file', 'payload-too-large', 'is larger than 50 MiB')
  const head = await readHead(path, 64)
  if (!isFormat(head)) throw refuse('file', 'unsupported-media-type', describeOther(head))
  return { path, size, mtime: Math.floor(mtimeMs) }
}

/** The SHA-256 of a file. */
export async function hashFile(path: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const piece of createReadStream(path) as AsyncIterable<Buffer>) hash.update(piece)
  return hash.digest('hex')
}

// The interface does not define the addresses of stored files, so the client does not repeat these requests.
async function repeat<T>(signal: AbortSignal, read: () => Promise<T>): Promise<T> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await read()
    } catch (error) {
      if (attempt === 6 || signal.aborted) throw error
      await sleep(500 * 2 ** attempt, undefined, { signal })
    }
  }
}

async function openFile(url: string, signal: AbortSignal): Promise<Response | undefined> {
  const answer = await fetch(url, { signal })
  if (answer.status >= 500) throw new Error(`${url} answered ${answer.status}`)
  if (answer.ok) return answer
  await answer.body?.cancel()
  return undefined
}

/** The SHA-256 of a stored file; undefined if there is no such file. */
export function hashUrl(url: string, signal: AbortSignal): Promise<string | undefined> {
  return repeat(signal, async () => {
    const answer = await openFile(url, signal)
    if (!answer?.body) return undefined
    const hash = createHash('sha256')
    for await (const piece of answer.body as unknown as AsyncIterable<Uint8Array>) hash.update(piece)
    return hash.digest('hex')
  })
}
