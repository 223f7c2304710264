type Accepted = 'jpeg' | 'png' | 'webp' | 'avif' | 'tiff' | 'gif'

// How files begin: `?` is any byte. The first that fits counts.
const beginnings: [string, Accepted | 'other'][] = [
  ['\xff\xd8\xff', 'jpeg'],
  ['\x89PNG\r\n\x1a\n', 'png'],
  ['GIF8', 'gif'],
  ['RIFF????WEBP', 'webp'],
  ['II*\0', 'tiff'],
  ['MM\0*', 'tiff'],
  ['II+\0', 'tiff'],
  ['MM\0+', 'tiff'],
  ['????ftypavi', 'avif'],
  ['????ftypmif1', 'avif'],
  ['????ftyp', 'other'], // HEIC, MP4, JPEG 2000 …
  ['\0\0\0\x0cJXL ', 'other'],
  ['\0\0\0\x0cjP  ', 'other'],
  ['\xff\x0a', 'other'], // JPEG XL
  ['RIFF', 'other'], // sound, film
  ['BM', 'other'], // Windows bitmap
  ['\0\0\x01\0', 'other'], // icon
  ['8BPS', 'other'], // Photoshop
  ['%PDF-', 'other'],
  ['%!PS', 'other'],
  ['PK\x03\x04', 'other'], // ZIP, Office
  ['\x1f\x8b', 'other'], // gzip
  ['\xd0\xcf\x11\xe0', 'other'], // Word, Excel
  ['{\\rtf', 'other'],
]

/**
 * Tells by its first bytes whether a file may be one of the formats accepted, is known to be another,
 * or neither (undefined). Text that begins as XML, SVG or HTML do is another.
 */
export function recognise(head: Buffer): Accepted | 'other' | undefined {
  const text = head.toString('latin1')
  const fits = (beginning: string) =>
    beginning.length <= text.length && Array.from(beginning).every((char, at) => char === '?' || char === text[at])
  return (
    beginnings.find(([beginning]) => fits(beginning))?.[1] ?? (/^(\xef\xbb\xbf)?\s*</.test(text) ? 'other' : undefined)
  )
}
