import { connect, type Socket } from 'node:net'

// The result of a measurement: answers, and how many a second, over all connections; the mean bytes of a body; how many
// answers were not encoded.
type Measured = { answers: number; perSecond: number; bytes: number; unencoded: number }

/** What a request says besides its path. */
type Wishes = { etag?: string | undefined; accepts?: string | undefined }

/** How many connections each measurement has. */
export const connections = 16
const headEnd = Buffer.from('\r\n\r\n')

type OnAnswer = (status: number, bytes: number, head: string, body?: Buffer) => void

/** The text of a request with a key; `body` is sent as JSON, `accepts` as Accept-Encoding, `headers` as they are. */
export function printRequest(
  { host, key }: { host: string; key: string },
  method: string,
  path: string,
  { etag, accepts, body, headers = {} }: Wishes & { body?: object; headers?: Record<string, string> } = {},
): string {
  const condition = etag === undefined ? '' : `If-None-Match: ${etag}\r\n`
  const accepted = accepts === undefined ? '' : `Accept-Encoding: ${accepts}\r\n`
  const others = Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('')
  const head = `${method} ${path} HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${key}\r\n${condition}${accepted}${others}`
  if (body === undefined) return `${head}\r\n`
  const json = JSON.stringify(body)
  return `${head}Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(json)}\r\n\r\n${json}`
}

/**
 * Reads the answers on one connection. `onAnswer` gets the status, the bytes of the body and the head of each. An
 * answer must have a Content-Length unless it is 304. The body is kept if `wantsBody` returns true for the head.
 */
export function createReader(onAnswer: OnAnswer, wantsBody: (head: string) => boolean = () => false) {
  let status = 0
  let head = ''
  let pieces: Buffer[] = []
  let missing = 0
  let length = 0
  let body: Buffer[] | undefined
  return (piece: Buffer) => {
    if (missing > 0) {
      missing -= piece.length
      body?.push(Buffer.from(piece))
    } else {
      const answer = pieces.length === 0 ? piece : Buffer.concat([...pieces, piece])
      const end = answer.indexOf(headEnd)
      if (end === -1) {
        pieces.push(Buffer.from(piece))
        return
      }
      head = answer.toString('latin1', 0, end)
      status = Number(head.slice(9, 12))
      length = status === 304 ? 0 : Number(/\r\ncontent-length: *(\d+)/i.exec(head)![1])
      missing = end + headEnd.length + length - answer.length
      pieces = []
      body = wantsBody(head) ? [Buffer.from(answer.subarray(end + headEnd.length))] : undefined
    }
    if (missing < 0) throw new Error('more came than one answer')
    if (missing === 0) onAnswer(status, length, head, body && Buffer.concat(body))
  }
}

// All connections read into one buffer. A buffer for each piece would double the client's cost in garbage collection,
// and the client shares the processors with the servers.
const buffer = Buffer.allocUnsafeSlow(512 * 1024)

/**
 * Opens a connection to an origin. `read` gets the pieces of its answers, each valid until it returns. An error from
 * `read` ends the connection. Far cheaper than node:http's client.
 */
export function openConnection(origin: string, read: (piece: Buffer) => void): Socket {
  const { hostname, port } = new URL(origin)
  const callback = (length: number) => {
    try {
      read(buffer.subarray(0, length))
    } catch (error) {
      socket.destroy(error as Error)
    }
    return true
  }
  const socket = connect({ host: hostname, port: Number(port), noDelay: true, onread: { buffer, callback } })
  return socket
}

/**
 * Sends requests on one connection, each after the previous answer, until `next` returns undefined. Rejects with the
 * error that `onAnswer` throws.
 */
export function ask(origin: string, next: () => string | undefined, onAnswer: OnAnswer): Promise<void> {
  let isDone = false
  const send = () => {
    const request = next()
    if (request === undefined) {
      isDone = true
      socket.end()
    } else socket.write(request)
  }
  const read = createReader((...answer) => {
    onAnswer(...answer)
    send()
  })
  const socket = openConnection(origin, read)
  return new Promise((resolve, reject) => {
    socket.on('connect', send).on('error', reject)
    socket.on('close', () => (isDone ? resolve() : reject(new Error('the server has closed a connection'))))
  })
}

/**
 * Requests URLs of one server on 16 kept connections, each with one request at a time, while `isOn` is true of how many
 * a connection has had. Each connection takes all URLs in turn from a different start.
 */
async function request(
  urls: string[],
  key: string,
  { etag, accepts }: Wishes,
  isOn: (turn: number) => boolean,
): Promise<Measured> {
  const { origin, host } = new URL(urls[0]!)
  const requests = urls.map((url) => {
    const { pathname, search } = new URL(url)
    return printRequest({ host, key }, 'GET', `${pathname}${search}`, { etag, accepts })
  })
  const expected = etag === undefined ? 200 : 304
  const begun = performance.now()
  let answers = 0
  let bytes = 0
  let unencoded = 0

  const run = (connection: number) => {
    const start = Math.floor((connection * requests.length) / connections)
    let turn = 0
    const next = () => (isOn(turn) ? requests[(start + turn++) % requests.length]! : undefined)
    return ask(origin, next, (status, length, head) => {
      if (status !== expected) throw new Error(head)
      answers += 1
      bytes += length
      if (!head.includes('\r\ncontent-encoding:')) unencoded += 1
    })
  }
  await Promise.all(Array.from({ length: connections }, (_, connection) => run(connection)))
  const seconds = (performance.now() - begun) / 1000
  return { answers, perSecond: answers / seconds, bytes: bytes / answers, unencoded }
}

/** Requests URLs of one server for some seconds. With an ETag every answer must be 304. */
export function measure(urls: string[], key: string, seconds: number, wishes: Wishes = {}): Promise<Measured> {
  const deadline = performance.now() + seconds * 1000
  return request(urls, key, wishes, () => performance.now() < deadline)
}

/** Requests each URL of one server once, or a few of them twice. */
export function visit(urls: string[], key: string, wishes: Wishes = {}): Promise<Measured> {
  return request(urls, key, wishes, (turn) => turn < Math.ceil(urls.length / connections))
}
