import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib'
import type { Call } from './call.ts'

/** An answer as it came over the connection, with its body decoded. `headers` by their names in lower case. */
export type Answer = { status: number; headers: Map<string, string>; body: Buffer; milliseconds: number }

/** The outcome of the bytes that were sent. There are fewer answers than requests if the service closed the connection. */
type Outcome = { answers: Answer[]; late: boolean; surplus: number }

const decoders: Record<string, (body: Buffer) => Buffer> = {
  gzip: (body) => gunzipSync(body),
  br: (body) => brotliDecompressSync(body),
  zstd: (body) => zstdDecompressSync(body),
}
const headEnd = Buffer.from('\r\n\r\n')
const lateMilliseconds = 10_000

function readChunks(bytes: Buffer, from: number): { body: Buffer; end: number } | undefined {
  const pieces: Buffer[] = []
  for (let at = from; ;) {
    const line = bytes.indexOf('\r\n', at)
    if (line === -1) return undefined
    const size = Number.parseInt(bytes.toString('latin1', at, line), 16)
    const end = line + 2 + size + 2
    if (bytes.length < end) return undefined
    if (size === 0) return { body: Buffer.concat(pieces), end }
    pieces.push(bytes.subarray(line + 2, line + 2 + size))
    at = end
  }
}

/** The first answer in the bytes and its end, or how many bytes it takes at least. `closed`: nothing follows. */
function parseAnswer(bytes: Buffer, method: string, closed: boolean) {
  const end = bytes.indexOf(headEnd)
  if (end === -1) return 0
  const [first, ...lines] = bytes.toString('latin1', 0, end).split('\r\n')
  const status = Number(/^HTTP\/1\.[01] (\d{3})/.exec(first!)?.[1])
  const headers = new Map<string, string>()
  for (const line of lines) {
    const colon = line.indexOf(':')
    const name = line.slice(0, colon).toLowerCase()
    headers.set(name, [...[headers.get(name) ?? []].flat(), line.slice(colon + 1).trim()].join(', '))
  }
  const from = end + headEnd.length
  if (method === 'HEAD' || status < 200 || status === 204 || status === 304)
    return { answer: { status, headers, body: Buffer.alloc(0) }, end: from }
  const decode = decoders[headers.get('content-encoding') ?? '']
  const done = (body: Buffer, end: number) => ({ answer: { status, headers, body: decode?.(body) ?? body }, end })
  if (headers.get('transfer-encoding') === 'chunked') {
    const chunks = readChunks(bytes, from)
    return chunks ? done(chunks.body, chunks.end) : 0
  }
  const length = headers.get('content-length')
  const to = length === undefined ? bytes.length : from + Number(length)
  return bytes.length < to || (length === undefined && !closed) ? to : done(bytes.subarray(from, to), to)
}

export type Connection = ReturnType<typeof openConnection>

/**
 * A connection that stays open as long as the service keeps it, and is opened again when needed. It sends bytes that no
 * HTTP client would send.
 */
export function openConnection(port: number) {
  let socket: Socket | undefined
  let pieces: Buffer[] = []
  let size = 0
  let notice = () => {}

  async function open(): Promise<Socket> {
    if (socket && !socket.destroyed && socket.writable) return socket
    const fresh = connect({ host: '127.0.0.1', port, noDelay: true, allowHalfOpen: true })
    socket = fresh
    pieces = []
    size = 0
    fresh.on('data', (piece) => {
      if (socket !== fresh) return
      pieces.push(piece)
      size += piece.length
      notice()
    })
    const leave = () => {
      fresh.destroy()
      if (socket !== fresh) return
      socket = undefined
      notice()
    }
    fresh.on('end', leave).on('close', leave).on('error', leave)
    await once(fresh, 'connect')
    return fresh
  }

  function close(): void {
    const old = socket
    socket = undefined
    old?.destroy()
  }

  return {
    close,
    /**
     * Sends bytes and waits for the answers to requests with these methods, for ten seconds at most. `close` ends the
     * connection after the bytes, and `abort` after so many milliseconds.
     */
    async exchange(
      bytes: Buffer,
      methods: readonly string[],
      { abort, close: ends }: Pick<Call, 'abort' | 'close'>,
    ): Promise<Outcome> {
      const own = await open()
      const surplus = size
      pieces = []
      size = 0
      const begun = performance.now()
      const answers: Answer[] = []
      let needed = 0
      const isLate = await new Promise<boolean>((resolve) => {
        const timer = setTimeout(() => resolve(abort === undefined), abort ?? lateMilliseconds)
        notice = () => {
          const closed = socket !== own
          // A long body is parsed only when it is complete.
          if (size < needed && !closed) return
          let rest = pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces)
          needed = 0
          while (answers.length < methods.length) {
            const parsed = parseAnswer(rest, methods[answers.length]!, closed)
            if (typeof parsed === 'number') {
              needed = parsed
              break
            }
            const { answer, end } = parsed
            rest = rest.subarray(end)
            if (answer.status >= 200) answers.push({ ...answer, milliseconds: performance.now() - begun })
          }
          pieces = [rest]
          size = rest.length
          if (!closed && answers.length < methods.length) return
          clearTimeout(timer)
          resolve(false)
        }
        if (ends) own.end(bytes)
        else own.write(bytes)
      })
      notice = () => {}
      const isAsked = answers.at(-1)?.headers.get('connection') === 'close'
      if (isAsked || ends || abort !== undefined || answers.length < methods.length) close()
      return { answers, late: isLate, surplus }
    },
  }
}
