import { headersOf, type Call } from '../call.ts'
import { any, foreignHost, request, type Headers, type Trick } from './trick.ts'

/** A call with invalid bytes: the parser answers 400 or closes the connection. */
const broken = (call: Call, note: string, bytes: Buffer | string): Call =>
  any(call, note, { bytes: Buffer.from(bytes as string), broken: true, close: true })

/** Bytes that are not HTTP/1.1, or almost. */
export const brokenHttp: Trick = (random, call) => {
  const headers = headersOf(call)
  const head = request(
    { ...call, method: 'GET' },
    headers.filter(([name]) => !/^content/i.test(name)),
  )
    .toString('latin1')
    .split('\r\n\r\n')[0]!
  const [line, ...rest] = head.split('\r\n') as [string, ...string[]]
  const lines = rest.join('\r\n')
  const cases: Record<string, string> = {
    'no HTTP': '\u0016\u0003\u0001\u0002\0\u0001\0',
    'an empty line and no more': '\r\n\r\n\r\n',
    'no version': `GET ${call.target}\r\n\r\n`,
    'version 3': `GET ${call.target} HTTP/3.0\r\n${lines}\r\n\r\n`,
    'a blank in the target': `GET /api/v2/lots x HTTP/1.1\r\n${lines}\r\n\r\n`,
    'a control character in the target': `GET /api/v2/\u0001 HTTP/1.1\r\n${lines}\r\n\r\n`,
    'no target': `GET  HTTP/1.1\r\n${lines}\r\n\r\n`,
    'an unknown method': `${random.pick(['FOO', 'get', 'G ET', 'GETT'])} ${call.target} HTTP/1.1\r\n${lines}\r\n\r\n`,
    'a blank before a colon': `${line}\r\nX-A : b\r\n${lines}\r\n\r\n`,
    'a header without a name': `${line}\r\n: b\r\n${lines}\r\n\r\n`,
    'a NUL in a header': `${line}\r\nX-A: a\0b\r\n${lines}\r\n\r\n`,
    'lines that end without CR': `${line}\nHost: a\nX: b\n\n`,
    'a folded header': `${line}\r\nX-A: a\r\n b\r\n${lines}\r\n\r\n`,
    'a negative length': `${line}\r\nContent-Length: -1\r\n${lines}\r\n\r\n`,
    'a length that is none': `${line}\r\nContent-Length: 1e3\r\n${lines}\r\n\r\n`,
    'two lengths': `${line}\r\nContent-Length: 1\r\nContent-Length: 2\r\n${lines}\r\n\r\nab`,
    'a length beside chunks': `${line}\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n${lines}\r\n\r\n0\r\n\r\n`,
    'another encoding beside chunks': `${line}\r\nTransfer-Encoding: chunked, gzip\r\n${lines}\r\n\r\n0\r\n\r\n`,
    'a chunk of no size': `${line}\r\nTransfer-Encoding: chunked\r\n${lines}\r\n\r\nzz\r\nab\r\n0\r\n\r\n`,
    'a chunk of any size': `${line}\r\nTransfer-Encoding: chunked\r\n${lines}\r\n\r\nffffffffffffffff1\r\nab\r\n0\r\n\r\n`,
    'HTTP/2': 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
    CONNECT: `CONNECT ${foreignHost}:443 HTTP/1.1\r\nHost: ${foreignHost}\r\n\r\n`,
    'half a head': head.slice(0, random.size(head.length)),
  }
  const [note, text] = random.pick(Object.entries(cases))
  return broken(call, note, Buffer.from(text, 'latin1'))
}

/** A body in chunks of any size. */
export const chunked: Trick = (random, call) => {
  const body = call.body ?? Buffer.alloc(0)
  const pieces: Buffer[] = []
  const extension = random.pick(['', ';a=b', ';a="b;c"'])
  for (let at = 0; at < body.length;) {
    const piece = body.subarray(at, (at += random.size(body.length)))
    pieces.push(Buffer.from(`${piece.length.toString(16)}${extension}\r\n`), piece, Buffer.from('\r\n'))
  }
  pieces.push(Buffer.from(random.pick(['0\r\n\r\n', '0\r\nX-Trailer: a\r\n\r\n'])))
  const headers: Headers = [...call.headers, ['Transfer-Encoding', 'chunked']]
  const bare = { ...call, headers, body: Buffer.alloc(0) }
  // A method without a body gets one, even if it is empty.
  const expected = call.body ? call.expected : [400]
  return {
    ...call,
    kind: 'hostile',
    note: 'a body in chunks',
    headers,
    bytes: Buffer.concat([request(bare, headersOf(bare)), ...pieces]),
    ...(expected && { expected }),
  }
}

/** A client that disconnects before its request is complete. */
export const aborted: Trick = (random, call) => {
  const whole = request(call, headersOf(call))
  const bytes = whole.subarray(0, random.size(whole.length - 1))
  return any(call, 'cut off', { bytes, broken: true, abort: random.size(40) })
}

/** A body that is shorter than its Content-Length. */
export const truncated: Trick = (random, call) => {
  const headers: Headers = [...call.headers, ['Content-Length', String(call.body!.length + random.size(10_000))]]
  return any(call, 'shorter than its length', { headers, broken: true, close: true })
}
