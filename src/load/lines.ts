import { isUtf8 } from 'node:buffer'
import { LoadError, messageOf } from './errors.ts'
import { withoutMark } from '../values/bytes.ts'
import type { Source } from './source.ts'

/** The longest line that is read, in bytes. */
const longestLine = 16 * 1024 * 1024

// A line of the file, numbered from 1, and how many bytes were read up to its end.
type Line = { number: number; line: Buffer; bytes: number }

const newline = 0x0a

async function* chunks(source: Source, line: () => number): AsyncGenerator<Buffer> {
  try {
    for await (const chunk of source.stream as AsyncIterable<Buffer>) yield chunk
  } catch (error) {
    throw new LoadError({ file: source.name, line: line() }, '', `cannot be read further: ${messageOf(error)}`)
  }
}

const isBlank = (line: Buffer) => line.every((byte) => byte === 0x20 || (byte >= 0x09 && byte <= 0x0d))

/**
 * Reads the lines that are not blank, in bytes of UTF-8 and without a byte order mark. Holds at
 * most one line and one chunk in memory.
 * @throws LoadError for a line that is not UTF-8 or is longer than `longestLine`, and for a stream that breaks off
 */
export async function* readLines(source: Source): AsyncGenerator<Line> {
  let number = 1
  let bytes = 0
  let pieces: Buffer[] = []
  let length = 0

  const add = (piece: Buffer) => {
    length += piece.length
    if (length > longestLine)
      throw new LoadError({ file: source.name, line: number }, '', 'the line is too long (more than 16 MiB)')
    pieces.push(piece)
  }
  const take = (): Line | undefined => {
    const line = withoutMark(pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces))
    if (!isUtf8(line)) throw new LoadError({ file: source.name, line: number }, '', 'the line is not valid UTF-8')
    const taken = isBlank(line) ? undefined : { number, line, bytes }
    number += 1
    pieces = []
    length = 0
    return taken
  }

  for await (const chunk of chunks(source, () => number)) {
    let start = 0
    for (let end = chunk.indexOf(newline); end >= 0; end = chunk.indexOf(newline, start)) {
      add(chunk.subarray(start, end))
      bytes += end + 1 - start
      start = end + 1
      const line = take()
      if (line) yield line
    }
    if (start === chunk.length) continue
    bytes += chunk.length - start
    add(chunk.subarray(start))
  }
  if (length > 0) {
    const line = take()
    if (line) yield line
  }
}
