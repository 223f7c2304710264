/** The formats that are accepted, and their media types. */
export const mediaTypes = {
  jpeg: 'image/jpeg',
  png: 'image/png',
  webp: 'image/webp',
  avif: 'image/avif',
  tiff: 'image/tiff',
  gif: 'image/gif',
} as const

/** One of the formats that are accepted. */
export type Format = keyof typeof mediaTypes

const beginnings: Record<Format, RegExp> = {
  jpeg: /^\xff\xd8\xff/,
  png: /^\x89PNG\r\n[^]\n/,
  webp: /^RIFF[^]{4}WEBP/,
  avif: /^[^]{4}ftyp(avi|mif1)/,
  tiff: /^(II[*+]\0|MM\0[*+])/,
  gif: /^GIF8/,
}

/** Which of the accepted formats a file begins as, if any. What `mif1` begins as may yet be no AVIF. */
export function recognise(head: Buffer): Format | undefined {
  const text = head.toString('latin1')
  return (Object.keys(beginnings) as Format[]).find((format) => beginnings[format].test(text))
}
