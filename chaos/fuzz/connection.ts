import { connect, type Socket } from 'node:net'

/** An answer as it came over the connection. `headers` by their names in lower case. */
export type Answer = { status: number; headers: Map<string, string>; body: Buffer; milliseconds: number }

/** The outcome of the bytes that were sent. There are fewer answers than requests if the service closed the connection. */
export type Outcome = { answers: Answer[]; closed: boolean; late: boolean; surplus: number }

const headEnd = Buffer.from('\r\n\r\n')
const lateMilliseconds = 10_000

type Parsed = { answer: Omit<Answer, 'milliseconds'>; length: number }

function readChunks(bytes: Buffer, from: number): { body: Buffer; end: number } | undefined {
  const pieces: Buffer[] = []
  for (let at = from; ;) {
    const line = bytes.indexOf('\r\n', at)
    if (line === -1) return undefined
    const size = Number.parseInt(bytes.toString('latin1', at, line), 16)
    const next = line + 2 + size + 2
    if (bytes.length < next) return undefined
    if (size === 0) return { body: Buffer.concat(pieces), end: next }
    pieces.push(bytes.subarray(line + 2, line + 2 + size))
    at = next
  }
}

/** The first answer in the bytes, if it is complete. `closed` means that nothing follows. */
function parseAnswer(bytes: Buffer, method: string, closed: boolean): Parsed | undefined {
  const end = bytes.indexOf(headEnd)
  if (end === -1) return undefined
  const [first, ...lines] = bytes.toString('latin1', 0, end).split('\r\n')
  const status = Number(/^HTTP\/1\.[01] (\d{3})/.exec(first!)?.[1])
  const headers = new Map<string, string>()
  for (const line of lines) {
    const colon = line.indexOf(':')
    const name = line.slice(0, colon).toLowerCase()
    headers.set(name, [...[headers.get(name) ?? []].flat(), line.slice(colon + 1).trim()].join(', '))
  }
  const from = end + headEnd.length
  const done = (body: Buffer, to: number) => ({ answer: { status, headers, body }, length: to })
  if (method === 'HEAD' || status < 200 || status === 204 || status === 304) return done(Buffer.alloc(0), from)
  if (headers.get('transfer-encoding') === 'chunked') {
    const chunks = readChunks(bytes, from)
    return chunks && done(chunks.body, chunks.end)
  }
  const length = headers.get('content-length')
  if (length === undefined) return closed ? done(bytes.subarray(from), bytes.length) : undefined
  const to = from + Number(length)
  return bytes.length < to ? undefined : done(bytes.subarray(from, to), to)
}

/**
 * A connection that stays open as long as the service keeps it, and is opened again when needed. It sends bytes that no
 * HTTP client would send.
 */
export function openConnection(port: number) {
  let socket: Socket | undefined
  let pieces: Buffer[] = []
  let size = 0
  let wanted = 0
  let notice = () => {}

  const opened = async (): Promise<Socket> => {
    if (socket && !socket.destroyed && socket.writable) return socket
    const fresh = connect({ host: '127.0.0.1', port, noDelay: true, allowHalfOpen: true })
    socket = fresh
    pieces = []
    size = 0
    const isCurrent = () => socket === fresh
    fresh.on('data', (piece) => {
      if (!isCurrent()) return
      pieces.push(piece)
      size += piece.length
      if (size >= wanted) notice()
    })
    const gone = () => {
      if (!isCurrent()) return
      socket = undefined
      fresh.destroy()
      notice()
    }
    fresh.on('end', gone).on('close', gone).on('error', gone)
    await new Promise<void>((resolve, reject) => fresh.once('connect', resolve).once('error', reject))
    return fresh
  }

  return {
    /**
     * Sends bytes and waits for the answers to requests with these methods, for ten seconds at most. `close` ends the
     * connection after the bytes, and `abort` after so many milliseconds.
     */
    async exchange(
      bytes: Buffer,
      methods: readonly string[],
      { abort, close = false }: { abort?: number; close?: boolean } = {},
    ): Promise<Outcome> {
      const own = await opened()
      const surplus = size
      pieces = []
      size = 0
      const begun = performance.now()
      const answers: Answer[] = []
      let timer: NodeJS.Timeout | undefined
      const outcome = await new Promise<Omit<Outcome, 'surplus'>>((resolve) => {
        notice = () => {
          const closed = socket !== own
          let buffer = pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces)
          while (answers.length < methods.length) {
            const parsed = parseAnswer(buffer, methods[answers.length]!, closed)
            if (!parsed) break
            buffer = buffer.subarray(parsed.length)
            if (parsed.answer.status >= 200) answers.push({ ...parsed.answer, milliseconds: performance.now() - begun })
          }
          pieces = buffer.length === 0 ? [] : [buffer]
          size = buffer.length
          // A long body is parsed only when it is complete.
          const head = buffer.indexOf(headEnd)
          const length =
            head === -1 ? 0 : Number(/\r\ncontent-length: *(\d+)/i.exec(buffer.toString('latin1', 0, head))?.[1] ?? 0)
          wanted = head === -1 || methods[answers.length] === 'HEAD' ? 0 : head + headEnd.length + length
          if (closed || answers.length === methods.length) resolve({ answers, closed, late: false })
        }
        timer = setTimeout(
          () => resolve({ answers, closed: false, late: abort === undefined }),
          abort ?? lateMilliseconds,
        )
        wanted = 0
        if (close) own.end(bytes)
        else own.write(bytes)
      })
      clearTimeout(timer)
      notice = () => {}
      wanted = 0
      const asked = answers.at(-1)?.headers.get('connection') === 'close'
      if (asked || close || abort !== undefined || answers.length < methods.length) this.close()
      return { ...outcome, surplus }
    },
    close() {
      const old = socket
      socket = undefined
      old?.destroy()
    },
  }
}

export type Connection = ReturnType<typeof openConnection>
