import type { FileHandle } from 'node:fs/promises'

/** The accepted formats and their media types. */
export const mediaTypes = {
  jpeg: 'image/jpeg',
  png: 'image/png',
  webp: 'image/webp',
  avif: 'image/avif',
  tiff: 'image/tiff',
  gif: 'image/gif',
} as const

// An accepted format.
type Format = keyof typeof mediaTypes

const beginnings: Record<Format, RegExp> = {
  jpeg: /^\xff\xd8\xff/,
  png: /^\x89PNG\r\n[^]\n/,
  webp: /^RIFF[^]{4}WEBP/,
  avif: /^[^]{4}ftyp(avi|mif1)/,
  tiff: /^(II[*+]\0|MM\0[*+])/,
  gif: /^GIF8/,
}

/** The accepted format that an open file begins like, if any. A file that begins as `mif1` may still not be an AVIF. */
export async function recognise(file: FileHandle): Promise<Format | undefined> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(64), 0, 64, 0)
  const text = buffer.toString('latin1', 0, bytesRead)
  return (Object.keys(beginnings) as Format[]).find((format) => beginnings[format].test(text))
}
