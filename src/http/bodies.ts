import type { FastifyInstance } from 'fastify'
import { LosslessNumber, parse } from 'lossless-json'
import { Problem } from '../problems.ts'

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false })

// A number that is not written as a plain integer (1.0, 1e2) stays what no schema takes: a LosslessNumber.
function parseNumber(text: string): number | LosslessNumber {
  return /^-?\d+$/.test(text) ? Number(text) : new LosslessNumber(text)
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

/** Replaces the framework's JSON parser, which would accept a repeated key and lose what it held first. */
export function useStrictJson(app: FastifyInstance): void {
  app.removeContentTypeParser(['application/json', 'text/plain'])
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, bytes, done) => {
    const encoding = request.headers['content-encoding']
    const charset = /charset="?([^\s;"]+)/i.exec(request.headers['content-type']!)?.[1]
    if ((encoding && encoding !== 'identity') || (charset && !/^utf-?8$/i.test(charset))) {
      return done(new Problem('unsupported-media-type', 'The body must be plain UTF-8 without a content encoding.'))
    }
    try {
      done(null, parseJson(bytes as Buffer))
    } catch (error) {
      done(error as Problem)
    }
  })
}
