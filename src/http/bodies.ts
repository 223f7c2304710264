import type { Readable } from 'node:stream'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { LosslessNumber, parse } from 'lossless-json'
import { Problem } from '../problems.ts'

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false })

// A number that is not written as a plain integer (1.0, 1e2) stays what no schema takes: a LosslessNumber. One of more
// than three hundred digits must not become Infinity, which is no integer, but what it is: out of every range.
function parseNumber(text: string): number | LosslessNumber {
  if (!/^-?\d+$/.test(text)) return new LosslessNumber(text)
  const value = Math.min(Math.max(Number(text), -Number.MAX_VALUE), Number.MAX_VALUE)
  return value === 0 ? 0 : value
}

// The parser lets a key pass that is given twice with one value; the object then has fewer keys than the text.
function countKeys(value: unknown): number {
  if (typeof value !== 'object' || value === null || value instanceof LosslessNumber) return 0
  const own = Array.isArray(value) ? 0 : Object.keys(value).length
  return Object.values(value).reduce<number>((sum, each) => sum + countKeys(each), own)
}

function countKeysOfText(json: string): number {
  let keys = 0
  for (const [, colon] of json.matchAll(/"[^"\\]*(?:\\.[^"\\]*)*"(\s*:)?/g)) if (colon !== undefined) keys++
  return keys
}

/** Whether a body comes with the request, be it an empty one of chunks. */
export function hasBody({ headers }: FastifyRequest): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}

/**
 * Reads a JSON body strictly: UTF-8, no key named twice.
 * @throws Problem malformed-json
 */
export function parseJson(bytes: Buffer): unknown {
  try {
    const text = decoder.decode(bytes)
    const value = parse(text, undefined, {
      parseNumber,
      onDuplicateKey: ({ key }) => {
        throw new SyntaxError(`The key ${JSON.stringify(key)} is given twice.`)
      },
    })
    if (countKeys(value) !== countKeysOfText(text)) throw new SyntaxError('A key is given twice.')
    return value
  } catch (error) {
    const detail = error instanceof SyntaxError ? error.message : 'The body is nested too deeply or is not UTF-8.'
    throw new Problem('malformed-json', detail)
  }
}

// What comes beyond the limit is let pass: the connection goes on, and the client reads the answer.
function readBytes(payload: Readable, limit: number): Promise<Buffer> {
  const pieces: Buffer[] = []
  let size = 0
  return new Promise((resolve, reject) => {
    payload.on('data', (piece: Buffer) => {
      size += piece.length
      if (size <= limit) pieces.push(piece)
      else reject(new Problem('payload-too-large', `The body is larger than ${limit} bytes.`))
    })
    payload.on('end', () => resolve(Buffer.concat(pieces)))
    payload.on('error', () => reject(new Problem('malformed-json', 'The body did not arrive whole.')))
  })
}

async function readBody({ headers, routeOptions }: FastifyRequest, payload: Readable): Promise<unknown> {
  const encoding = headers['content-encoding']
  const charset = /charset="?([^\s;"]+)/i.exec(headers['content-type']!)?.[1]
  if ((encoding && encoding !== 'identity') || (charset && !/^utf-?8$/i.test(charset))) {
    throw new Problem('unsupported-media-type', 'The body must be plain UTF-8 without a content encoding.')
  }
  return parseJson(await readBytes(payload, routeOptions.bodyLimit))
}

/**
 * Replaces the framework's JSON parser, which would accept a repeated key and lose what it held first. What is wrong
 * with a body takes the body's place, for the kernel to throw: thrown here, it would end the connection.
 */
export function useStrictJson(app: FastifyInstance): void {
  app.removeContentTypeParser(['application/json', 'text/plain'])
  app.addContentTypeParser('application/json', (request: FastifyRequest, payload: Readable) =>
    readBody(request, payload).catch((problem: unknown) => problem),
  )
}
