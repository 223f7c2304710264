import type { Operation } from './document.ts'
import type { House } from './houses.ts'

/** The sender of a request: the holder of a key of a house, or of a text that is not a valid key. */
export type Holder = { house: House; key: string | undefined; may: 'everything' | 'read' | 'nothing' }

/** A request, and its correct answers. */
export type Call = {
  kind: 'valid' | 'almost' | 'hostile'
  /** The special trait of the request. */
  note: string
  holder: Holder
  method: string
  target: string
  headers: [name: string, value: string][]
  body?: Buffer | undefined
  /** The correct statuses. Default: all that the document has. */
  expected?: readonly number[]
  /** The JSON of a valid body. The record in the answer must agree with it. */
  sent?: Record<string, unknown>
  /** The bytes to send, if they are not those that the fields above make. The framing may be broken. */
  bytes?: Buffer
  /** The HTTP itself is broken: the parser answers, or the connection is closed. */
  broken?: true
  /** Closes the connection after the request, or after this many milliseconds. */
  close?: true
  abort?: number
  /** The operation that the request was made for. */
  operation?: Operation
}

/** The path of a request target, without its query. */
export const pathOf = ({ target }: Pick<Call, 'target'>) => target.split('?', 1)[0]!

/** The bytes of a request with these headers, in their order. */
export function printRequest(method: string, target: string, headers: [string, string][], body?: Buffer): Buffer {
  const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`).join('')
  return Buffer.concat([Buffer.from(`${method} ${target} HTTP/1.1\r\n${lines}\r\n`, 'latin1'), body ?? Buffer.alloc(0)])
}

/** All headers of a call. */
export function headersOf({ holder, headers, body }: Call): [string, string][] {
  const has = (name: string) => headers.some(([each]) => each.toLowerCase() === name)
  return [
    ...(has('host') ? [] : [['Host', '127.0.0.1'] as [string, string]]),
    ...(holder.key === undefined || has('authorization')
      ? []
      : [['Authorization', `Bearer ${holder.key}`] as [string, string]]),
    ...headers,
    ...(body === undefined || has('content-length') || has('transfer-encoding')
      ? []
      : [['Content-Length', String(body.length)] as [string, string]]),
  ]
}

/** The bytes of a call. */
export function bytesOf(call: Call): Buffer {
  return call.bytes ?? printRequest(call.method, call.target, headersOf(call), call.body)
}

// How much of a request is shown.
const longest = 1_500

/** A shell command that sends the request again. */
export function describeCall(call: Call, origin: string): string {
  const escape = (sign: string) => `\\x${sign.charCodeAt(0).toString(16).padStart(2, '0')}`
  const text = bytesOf(call)
    .toString('latin1')
    .replaceAll(/[^\x20-\x7e]|[\\%']/g, escape)
    .replaceAll('\\x0d\\x0a', '\\r\\n')
  const shown = text.length > longest ? `${text.slice(0, longest)}…(${text.length} in all)` : text
  const { hostname, port } = new URL(origin)
  return `printf '${shown}' | nc -q1 ${hostname} ${port}`
}
