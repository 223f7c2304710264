import { createName, type Content } from './transport.ts'

/**
 * The bytes of a picture: the path of a file (where there is a file system), a `Blob`, or a stream. A stream is sent once;
 * a function that opens one can be repeated.
 */
export type Source = string | Blob | ReadableStream<Uint8Array> | (() => Opened | Promise<Opened>)
type Opened = Blob | ReadableStream<Uint8Array>

/** The bytes of the picture that the network has taken, and their total. A repetition starts from 0. */
export type Progress = { sent: number; total: number | undefined }

type FileSystem = { openAsBlob?: (path: string) => Promise<Blob> }

async function openPath(path: string): Promise<Blob> {
  // A bundler for the edge would look for an imported module, which only a path needs.
  const { process } = globalThis as { process?: { getBuiltinModule?: (name: string) => FileSystem | undefined } }
  const openAsBlob = process?.getBuiltinModule?.('node:fs')?.openAsBlob
  if (!openAsBlob) throw new TypeError('There is no file system here: give a Blob, or a function that opens a stream.')
  return openAsBlob(path)
}

async function open(source: Source): Promise<Opened> {
  if (typeof source === 'string') return openPath(source)
  return typeof source === 'function' ? source() : source
}

async function* readAll(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = stream.getReader()
  try {
    for (let piece = await reader.read(); !piece.done; piece = await reader.read()) yield piece.value
  } finally {
    await reader.cancel().catch(() => undefined)
  }
}

function toStream(pieces: AsyncGenerator<Uint8Array>): ReadableStream<Uint8Array> {
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await pieces.next()
      if (done) controller.close()
      else controller.enqueue(value)
    },
    async cancel() {
      await pieces.return(undefined)
    },
  })
}

/** A form with text fields and one file, which is read while it is sent. */
export function createForm(
  fields: Record<string, string>,
  file: Source,
  onProgress: ((progress: Progress) => void) | undefined,
): Content {
  const boundary = `form-${createName()}`
  const print = (name: string, rest: string) => `--${boundary}\r\ncontent-disposition: form-data; name="${name}"${rest}`
  const texts = Object.entries(fields).map(([name, value]) => `${print(name, '')}\r\n\r\n${value}\r\n`)
  const type = 'content-type: application/octet-stream'
  const head = `${texts.join('')}${print('file', '; filename="file"')}\r\n${type}\r\n\r\n`
  const tail = `\r\n--${boundary}--\r\n`

  async function* stream(opened: Opened): AsyncGenerator<Uint8Array> {
    const encoder = new TextEncoder()
    const total = opened instanceof Blob ? opened.size : undefined
    yield encoder.encode(head)
    let sent = 0
    for await (const piece of readAll(opened instanceof Blob ? opened.stream() : opened)) {
      yield piece
      sent += piece.length
      onProgress?.({ sent, total })
    }
    yield encoder.encode(tail)
  }

  return {
    type: `multipart/form-data; boundary=${boundary}`,
    isOnce: file instanceof ReadableStream,
    async open() {
      const opened = await open(file)
      // The platform sends a Blob with its length, also in browsers over HTTP/1.1, but reports no progress.
      if (opened instanceof Blob && !onProgress) return new Blob([head, opened, tail])
      return toStream(stream(opened))
    },
  }
}
