import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { Unusable } from './misfit.ts'
import type { FieldError, LoadRecord, SourceRecord } from './records.ts'

const maxLineLength = 16 * 1024 * 1024

async function* readLines(path: string): AsyncGenerator<string> {
  const file = createReadStream(path)
  const bytes = path.endsWith('.gz') ? pipeline(file, createGunzip(), () => {}) : file
  const decoder = new TextDecoder('utf-8')
  let rest = ''
  try {
    for await (const piece of bytes as AsyncIterable<Buffer>) {
      const lines = (rest + decoder.decode(piece, { stream: true })).split('\n')
      rest = lines.pop()!
      if (rest.length > maxLineLength) throw new Unusable(`${path} has a line of more than 16 MiB`)
      yield* lines
    }
  } catch (error) {
    if (error instanceof Unusable) throw error
    throw new Unusable(`${path} cannot be read to its end: ${(error as Error).message}`)
  }
  rest += decoder.decode()
  if (rest !== '') yield rest
}

/**
 * The records of a file in the load format (`.ndjson`, `.gz` of it). A `rejection` in a line, as `rejected.ndjson` has it, is
 * left out.
 * @throws Unusable when the file cannot be read
 */
export async function* readLoadFile(path: string, name: string): AsyncGenerator<SourceRecord> {
  let line = 0
  for await (const text of readLines(path)) {
    line++
    if (text.trim() === '') continue
    const place = { file: name, line }
    const refuse = (message: string): SourceRecord => {
      const error: FieldError = { field: '', code: 'invalid', message, value: text.slice(0, 80) }
      return { place, record: undefined, text, errors: [error] }
    }
    let value: unknown
    try {
      value = JSON.parse(text)
    } catch {
      yield refuse('is no JSON')
      continue
    }
    if (typeof value !== 'object' || value === null || Array.isArray(value)) yield refuse('is no JSON object')
    else {
      const { rejection: _, ...record } = value as { rejection?: unknown }
      yield { place, record: record as LoadRecord, errors: [] }
    }
  }
}
