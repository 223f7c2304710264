import { createReadStream } from 'node:fs'
import iconv from 'iconv-lite'
import { readHead } from './head.ts'

// An encoding, and the reason for it in words for the user.
type Recognized = { encoding: string; because: string }

const isLetter = (byte: number) => (byte >= 0x41 && byte <= 0x5a) || (byte >= 0x61 && byte <= 0x7a)

/**
 * Recognises the encoding of a file by its byte order mark, as valid UTF-8, or by the bytes between letters. Reads the
 * whole file, a piece at a time.
 */
export async function recognizeEncoding(path: string): Promise<Recognized> {
  const head = await readHead(path, 1024)
  if (head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf)
    return { encoding: 'utf-8', because: 'of its byte order mark' }
  if (head[0] === 0xff && head[1] === 0xfe) return { encoding: 'utf-16le', because: 'of its byte order mark' }
  if (head[0] === 0xfe && head[1] === 0xff) return { encoding: 'utf-16be', because: 'of its byte order mark' }
  const zeros = [0, 1].map((odd) => head.filter((byte, index) => index % 2 === odd && byte === 0).length)
  if (zeros[1]! > head.length / 8) return { encoding: 'utf-16le', because: 'every second byte is zero' }
  if (zeros[0]! > head.length / 8) return { encoding: 'utf-16be', because: 'every second byte is zero' }

  const utf8 = new TextDecoder('utf-8', { fatal: true })
  let isUtf8 = true
  let [high, windows, mac] = [0, 0, 0]
  let [before, last] = [0, 0]
  for await (const piece of createReadStream(path) as AsyncIterable<Buffer>) {
    if (isUtf8) {
      try {
        utf8.decode(piece, { stream: true })
      } catch {
        isUtf8 = false
      }
    }
    for (const byte of piece) {
      if (byte >= 0x80) high++
      // Windows-1252 has accented letters from 0xDF to 0xFF, where MacRoman has signs. MacRoman has them from 0x87 to 0x9F,
      // where Windows-1252 has signs. Of these only the apostrophe (0x92) and the ligature (0x9C) stand between letters.
      if (isLetter(before) && isLetter(byte)) {
        if (last >= 0xdf) windows++
        else if (last >= 0x87 && last <= 0x9f && last !== 0x92 && last !== 0x9c) mac++
      }
      before = last
      last = byte
    }
  }
  if (isUtf8) {
    try {
      utf8.decode()
      return { encoding: 'utf-8', because: high === 0 ? 'it is plain ASCII' : 'it is valid UTF-8' }
    } catch {}
  }
  const counts = `${windows} letters look like Windows-1252 and ${mac} like MacRoman`
  const told = windows + mac > 0 ? counts : 'nothing in it looks like another: look at the examples'
  return { encoding: mac > windows ? 'macintosh' : 'windows-1252', because: `it is not UTF-8, and ${told}` }
}

/** Whether the program can read this encoding. */
export const isEncoding = (encoding: string): boolean => iconv.encodingExists(encoding)

/** Reads the text of a file piece by piece, without its byte order mark. */
export async function* readText(path: string, encoding: string): AsyncGenerator<string> {
  const decoder = iconv.getDecoder(encoding)
  for await (const piece of createReadStream(path) as AsyncIterable<Buffer>) {
    const text = decoder.write(piece)
    if (text !== '') yield text
  }
  const rest = decoder.end()
  if (rest) yield rest
}
