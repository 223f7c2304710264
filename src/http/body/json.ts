import { isUtf8 } from 'node:buffer'
import { finished, type Readable } from 'node:stream'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Problem } from '../../problems.ts'
import { toSentence } from '../../sentences.ts'
import { withoutMark } from '../../values/bytes.ts'
import { groupBy } from '../../values/groups.ts'
import { overloaded } from '../server/overload.ts'
import { takeSlot, type Slots } from '../server/slots.ts'
import { JsonError, readJson, type JsonRules } from '../../values/json.ts'
import { shorten } from '../../values/text.ts'

// Stands for a number that is not a plain integer, such as 1.0 or 1e2. No schema accepts an object without a prototype.
const otherNumber = Object.freeze(Object.create(null) as object)

// An integer beyond the range of a double becomes the largest double: Infinity would be a wrong type, not out of range.
function toNumber(text: string): number | object {
  if (!/^-?\d+$/.test(text)) return otherNumber
  const value = Math.min(Math.max(Number(text), -Number.MAX_VALUE), Number.MAX_VALUE)
  return value === 0 ? 0 : value
}

// The limit of a body's bytes bounds the rest.
const rules: JsonRules = { name: 'body', deepest: 1_000, mostValues: Infinity, mostCharacters: Infinity, toNumber }

/** Whether the request has a body. An empty chunked body counts. */
export function hasBody({ headers }: FastifyRequest): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}

/**
 * Reads a JSON body strictly: UTF-8, and no key twice.
 * @throws Problem malformed-json
 */
export function parseJson(bytes: Buffer): unknown {
  if (!isUtf8(bytes)) throw new Problem('malformed-json', 'The body is not UTF-8.')
  try {
    return readJson(withoutMark(bytes), rules)
  } catch (error) {
    if (!(error instanceof JsonError)) throw error
    const { path, problem } = error
    const place = path.length === 0 ? '' : `${JSON.stringify(shorten(path.join('.')))} `
    throw new Problem('malformed-json', toSentence(`${place}${problem}`))
  }
}

const mebibyte = 1024 * 1024
const mostBytes = 64 * mebibyte
const leastBytes = 4_096
// What a period brings at least, so that a body of the largest size takes minutes at most.
const leastProgress = 10 * 1024

type Body = { house: string; bytes: number; refuse: () => void }

/**
 * A complete body. It counts against the limit until `forget()`. `onRefusal` sets the function to call if another
 * body needs its memory.
 */
type Received = { bytes: Buffer; forget(): void; onRefusal(refuse: () => void): void }

/**
 * Receives bodies of at most 64 MiB in all. Beyond that, the house whose bodies take the most memory loses its largest
 * one. Each period of `stallMilliseconds` must bring 10 KiB of a body, or its end.
 */
function createReceiver(stallMilliseconds: number) {
  const held = new Set<Body>()

  function findLargest(): Body {
    const byHouse = [...groupBy(held, ({ house }) => house).values()]
    const sizeOf = (bodies: Body[]) => bodies.reduce((sum, { bytes }) => sum + bytes, 0)
    const most = byHouse.reduce((largest, each) => (sizeOf(each) > sizeOf(largest) ? each : largest))
    return most.reduce((largest, each) => (each.bytes > largest.bytes ? each : largest))
  }

  let total = 0
  const isFull = () => total > mostBytes
  function resize(body: Body, bytes: number) {
    total += bytes - body.bytes
    body.bytes = bytes
    while (isFull()) findLargest().refuse()
  }

  // The rest of a refused body is read and dropped, so that the connection stays open and the client can read the answer.
  return (house: string, payload: Readable, limit: number) =>
    new Promise<Received>((resolve, reject) => {
      let bytes = Buffer.allocUnsafeSlow(leastBytes)
      let size = 0
      let received = 0
      let seen = 0
      const forget = () => {
        if (held.delete(body)) resize(body, 0)
      }
      const refuse = (problem: Problem = overloaded) => {
        forget()
        bytes = Buffer.alloc(0)
        reject(problem)
      }
      const body: Body = { house, bytes: 0, refuse }
      const timer = setInterval(() => {
        const isEnough = received - seen >= leastProgress
        seen = received
        if (isEnough) return
        clearInterval(timer)
        if (held.has(body)) refuse(stalled())
        else payload.destroy()
      }, stallMilliseconds)
      held.add(body)
      resize(body, leastBytes)
      payload.on('data', (piece: Buffer) => {
        received += piece.length
        if (!held.has(body)) return
        const end = size + piece.length
        if (end > limit) return refuse(new Problem('payload-too-large', `The body is larger than ${limit} bytes.`))
        if (end > bytes.length) {
          const larger = Buffer.allocUnsafeSlow(Math.min(limit, Math.max(end, 2 * bytes.length)))
          bytes.copy(larger)
          bytes = larger
          resize(body, larger.length)
        }
        piece.copy(bytes, size)
        size = end
      })
      // Also reports a client that left during the look-up of its key.
      finished(payload, { writable: false }, (error) => {
        clearInterval(timer)
        if (error) return refuse(new Problem('malformed-json', 'The body is incomplete.'))
        const onRefusal = (leave: () => void) => {
          body.refuse = () => {
            forget()
            leave()
          }
        }
        resolve({ bytes: bytes.subarray(0, size), forget, onRefusal })
      })
    })
}

// The connection is closed, because further bytes would belong to this body.
const stalled = () =>
  new Problem('malformed-json', 'The body did not arrive in time.', { status: 408, headers: { connection: 'close' } })

/**
 * Refuses a body that is not UTF-8 or has a content encoding. A form must have no content encoding either.
 * @throws Problem unsupported-media-type
 */
export function requirePlainText({ headers }: FastifyRequest): void {
  const encoding = headers['content-encoding']
  const charset = /charset="?([^\s;"]+)/i.exec(headers['content-type']!)?.[1]
  if ((encoding && encoding !== 'identity') || (charset && !/^utf-?8$/i.test(charset))) {
    throw new Problem('unsupported-media-type', 'The body must be plain UTF-8 without a content encoding.')
  }
}

/**
 * Replaces the framework's JSON parser, which accepts a repeated key and loses its first value. An error takes the
 * place of the body, and `checks.ts` throws it: thrown here, it would close the connection. A request waits for its
 * slot before it is parsed, because a parsed body takes many times the memory of its bytes.
 */
export function useStrictJson(app: FastifyInstance, slots: Slots, stallMilliseconds: number): void {
  const receive = createReceiver(stallMilliseconds)
  async function readBody(request: FastifyRequest, payload: Readable): Promise<unknown> {
    requirePlainText(request)
    const body = await receive(request.credentials.house.id, payload, request.routeOptions.bodyLimit)
    await takeSlot(request, slots, (refuse) => body.onRefusal(refuse)).finally(() => body.forget())
    return parseJson(body.bytes)
  }
  app.removeContentTypeParser(['application/json', 'text/plain'])
  app.addContentTypeParser('application/json', (request: FastifyRequest, payload: Readable) =>
    readBody(request, payload).catch((problem: unknown) => problem),
  )
}
