import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { Unusable } from '../misfit.ts'
import type { FieldError, LoadRecord, Place, SourceRecord } from '../records.ts'
import { digestOf } from '../rejections.ts'
import { JsonError, lineRules, readJson } from './json.ts'

type Rejected = { errors?: FieldError[]; digest?: string }

const maxLineLength = 16 * 1024 * 1024

async function* readLines(path: string): AsyncGenerator<string> {
  const file = createReadStream(path)
  const bytes = path.endsWith('.gz') ? pipeline(file, createGunzip(), () => {}) : file
  const decoder = new TextDecoder('utf-8', { fatal: true })
  // Joined once: a line that is joined with each piece would be copied as often as it has pieces.
  let parts: string[] = []
  let length = 0
  const take = () => {
    const line = parts.join('')
    parts = []
    length = 0
    return line
  }
  try {
    for await (const piece of bytes as AsyncIterable<Buffer>)
      for (const [index, part] of decoder.decode(piece, { stream: true }).split('\n').entries()) {
        if (index > 0) yield take()
        parts.push(part)
        length += part.length
        if (length > maxLineLength) throw new Unusable(`${path} has a line of more than 16 MiB`)
      }
    parts.push(decoder.decode())
  } catch (error) {
    if (error instanceof Unusable) throw error
    throw new Unusable(`${path} cannot be read to its end: ${(error as Error).message}`)
  }
  const last = take()
  if (last !== '') yield last
}

/**
 * Reads the records of a file in the load format (`.ndjson`, `.ndjson.gz`). A line of `SOURCE.rejected.ndjson` has the errors
 * of its `rejection` again if its source was wrong and it was not corrected. One that was not JSON is read from its `text`.
 * @throws Unusable if the file cannot be read
 */
export async function* readLoadFile(path: string, name: string): AsyncGenerator<SourceRecord> {
  let line = 0
  for await (const text of readLines(path)) {
    line++
    if (text.trim() !== '') yield readRecord({ file: name, line }, text)
  }
}

function readRecord(place: Place, text: string): SourceRecord {
  const refuse = (field: string, message: string): SourceRecord => {
    return { place, record: undefined, text, errors: [{ field, code: 'invalid', message }] }
  }
  let value: unknown
  try {
    value = readJson(Buffer.from(text), lineRules)
  } catch (error) {
    if (!(error instanceof JsonError)) throw error
    return refuse(error.path.map((name) => name.slice(0, 80)).join('.'), error.problem)
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return refuse('', 'the line is not a JSON object')
  const { rejection, ...record } = value as { rejection?: Rejected | null; type?: unknown; text?: unknown }
  const { digest, errors = [] } = rejection ?? {}
  if (rejection !== undefined && record.type === undefined && typeof record.text === 'string') {
    const read = readRecord(place, record.text)
    // The text of a row of a sheet is no record.
    return read.record === undefined && errors.length > 0 ? { ...read, errors } : read
  }
  const isCorrected = digest === undefined || digest !== digestOf(record as LoadRecord, errors)
  return { place, record: record as LoadRecord, errors: isCorrected ? [] : errors }
}
