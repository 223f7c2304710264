import { createReadStream, readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { gunzipSync, createGunzip } from 'node:zlib'
import { parse } from 'csv-parse/sync'
import type { Remarks } from './records.ts'

/** A row of a CSV file by column name. A missing column is undefined. */
export type Row = { [column: string]: string | undefined }

/** The rows of a CSV file, gzipped or not. A file that is not UTF-8 is read as MacRoman, and the remarks say so. */
export function readCsv(path: string, remarks: Remarks): Row[] {
  const stored = readFileSync(path)
  const text = decode(path.endsWith('.gz') ? gunzipSync(stored) : stored, path, remarks)
  return parse(text, { columns: true, bom: true })
}

// The text of a file of unknown encoding: UTF-8 if the bytes are valid UTF-8, else MacRoman.
function decode(bytes: Uint8Array, name: string, remarks: Remarks): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    remarks.add('file not in UTF-8: read as MacRoman', name)
    return new TextDecoder('macintosh').decode(bytes)
  }
}

/** The records of a newline-delimited JSON file, gzipped or not, one at a time. `T` is not checked. */
export async function* readJson<T>(path: string): AsyncGenerator<T> {
  const stored = createReadStream(path)
  const input = path.endsWith('.gz') ? stored.pipe(createGunzip()) : stored
  for await (const line of createInterface({ input, crlfDelay: Infinity })) {
    if (line === '') continue
    const record: T = JSON.parse(line)
    yield record
  }
}
