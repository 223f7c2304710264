import { createHash } from 'node:crypto'
import { Readable, type Writable } from 'node:stream'
import type { ReadableStream as WebStream } from 'node:stream/web'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { createTarDecoder, createTarPacker } from 'modern-tar'

// An archive is a tar. The entries in sums/ have the SHA-256 of the entries before them, in the format of sha256sum -c.
// They come after the first entry, at intervals, and at the end. The last entry counts the others; without it the
// archive is cut.

/** An archive that cannot be restored. The message says why. */
export class ArchiveError extends Error {
  override name = 'ArchiveError'
}

/** The content of an entry, whose length must be known. */
type Content = { bytes: number; stream: AsyncIterable<Uint8Array> | Iterable<Uint8Array> }

/** An entry of an archive that is read. Read `content` once, before the next entry. */
export type Entry = { name: string; bytes: number; content: AsyncIterable<Uint8Array> }

/** Adds an entry to an archive. */
export type Add = (name: string, content: Content | Buffer) => Promise<void>

const entriesPerSum = 10_000
const longestName = 100

/** The most bytes of a row in a part. */
export const longestRow = 32 * 1024 * 1024

/** The most bytes, packed or unpacked, of an entry that is read whole. Backups write 8 MiB and the rest of a row. */
export const longestInMemory = 64 * 1024 * 1024

const last = 'complete.json'
const printEnd = (entries: number) => `${JSON.stringify({ entries })}\n`

/** Writes an archive of the entries that `fill` adds, and ends the output. After a failure the end mark is missing. */
export async function writeArchive(output: Writable, fill: (add: Add) => Promise<void>): Promise<void> {
  const { readable, controller } = createTarPacker()
  const written = pipeline(Readable.fromWeb(readable as WebStream), output)
  // It may fail before the code below awaits it.
  written.catch(() => undefined)
  let entries = 0
  let sums: string[] = []
  let sections = 0

  const put: Add = async (name, content) => {
    const { bytes, stream } = Buffer.isBuffer(content) ? { bytes: content.length, stream: [content] } : content
    const digest = createHash('sha256')
    const entry = controller.add({ name, size: bytes, mode: 0o600 }).getWriter()
    for await (const chunk of stream) {
      digest.update(chunk)
      await entry.write(chunk)
    }
    await entry.close()
    entries++
    sums.push(printSum(digest.digest('hex'), name))
  }
  const putSums = async () => {
    const text = sums.join('')
    await put(printSums(++sections), Buffer.from(text))
    sums = []
  }
  try {
    await fill(async (name, content) => {
      await put(name, content)
      if (entries === 1 || sums.length >= entriesPerSum) await putSums()
    })
    await putSums()
    await put(last, Buffer.from(printEnd(entries)))
    controller.finalize()
  } catch (error) {
    controller.error(error)
    // The output's error comes first, because it may have caused the other.
    await written
    throw error
  }
  await written
}

const printSums = (section: number) => `sums/${String(section).padStart(6, '0')}.sha256`
const printSum = (hash: string, name: string) => `${hash}  ${name}\n`

/**
 * Reads an archive. Once the last entry is read without an error, all entries are proved whole.
 * @throws ArchiveError if it is damaged, cut, or not an archive of a catalogue
 */
export async function* readArchive(input: Readable): AsyncGenerator<Entry> {
  let entries = 0
  let sums: string[] = []
  let sections = 0
  let isComplete = false
  const source = Readable.toWeb(input) as ReadableStream<Uint8Array<ArrayBuffer>>
  const decoded = source.pipeThrough(createTarDecoder({ strict: true }))
  for await (const { header, body } of explain(decoded, () => entries)) {
    if (isComplete) throw new ArchiveError('the archive goes on after its end')
    if (header.type !== 'file' || header.name.length > longestName)
      throw new ArchiveError(`the archive holds ${header.name.slice(0, longestName)}, which is no file of a backup`)
    const digest = createHash('sha256')
    const entry = {
      name: header.name,
      bytes: header.size,
      content: observe(
        explain(body, () => entries),
        digest,
      ),
    }
    if (entry.name === last) {
      if (sums.length > 0 || sections < 2) throw new ArchiveError('the archive is damaged: its last sums are missing')
      if ((await readText(entry)) !== printEnd(entries)) throw new ArchiveError('the archive is damaged at its end')
      isComplete = true
    } else if (entry.name === printSums(sections + 1)) {
      sections++
      compareSums(sums, await readText(entry))
      sums = []
    } else {
      if (sums.length > (sections === 0 ? 0 : entriesPerSum))
        throw new ArchiveError(`the archive is damaged: ${printSums(sections + 1)} is missing before ${entry.name}`)
      yield entry
      // The sums also cover content that the caller did not read.
      for await (const _ of entry.content);
      sums.push(printSum(digest.digest('hex'), entry.name))
    }
    entries++
  }
  if (!isComplete) throw new ArchiveError('the archive is cut: its end is missing')
}

async function* observe(body: AsyncIterable<Uint8Array>, digest: ReturnType<typeof createHash>) {
  for await (const chunk of body) {
    digest.update(chunk)
    yield chunk
  }
}

// The errors of files and networks have a code; those of the decoder do not.
async function* explain<T>(source: AsyncIterable<T>, countEntries: () => number): AsyncGenerator<T> {
  try {
    yield* source
  } catch (error) {
    if (!(error instanceof Error) || 'code' in error) throw error
    const reason = countEntries() === 0 ? 'it is no backup of a catalogue' : 'it is damaged or cut'
    throw new ArchiveError(`the archive cannot be read: ${reason} (${error.message})`, { cause: error })
  }
}

function compareSums(found: string[], text: string): void {
  const expected = text.split(/(?<=\n)/)
  if (text === found.join('')) return
  const first = found.find((line, index) => line !== expected[index]) ?? expected.at(-1)!
  throw new ArchiveError(`the archive is damaged: ${first.trim().split('  ')[1]} is not as it was written`)
}

/** The whole text of a small entry. */
export async function readText(entry: Entry): Promise<string> {
  return (await readBytes(entry)).toString()
}

/**
 * All bytes of an entry.
 * @throws ArchiveError if they are too many for memory
 */
export async function readBytes({ name, bytes, content }: Entry): Promise<Buffer> {
  if (bytes > longestInMemory) throw new ArchiveError(`the archive is damaged: ${name} is too long`)
  return buffer(content)
}
