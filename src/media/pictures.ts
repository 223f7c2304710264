import { open } from 'node:fs/promises'
import sharp, { type ResizeOptions } from 'sharp'
import type { Rendition } from './keys.ts'
import { recognise } from './formats.ts'

// A picture keeps one thread busy, and two are worked on at once: of the four threads that Node.js has for
// such work, two remain for files and names. Large ones are worked on alone, which bounds the memory.
sharp.concurrency(1)
sharp.cache(false)
const picturesAtOnce = 2
const pixelsAtOnce = 40_000_000

const maxPixels = 100_000_000
const decoding = { failOn: 'error', limitInputPixels: maxPixels } as const
const decodingTimeout = { seconds: 60 }

const types = {
  jpeg: 'image/jpeg',
  png: 'image/png',
  webp: 'image/webp',
  avif: 'image/avif',
  tiff: 'image/tiff',
  gif: 'image/gif',
} as const

/** A file that no renditions can be made of: another kind of file, not readable as a picture, or over 100 megapixels. */
export class PictureError extends Error {
  readonly reason: 'unsupported' | 'unreadable' | 'too-many-pixels'

  constructor(reason: PictureError['reason'], message: string, options?: ErrorOptions) {
    super(message, options)
    this.reason = reason
  }
}

/** What a picture is: its media type, and its size in pixels as it is shown (EXIF orientation applied). */
export type Picture = { type: (typeof types)[keyof typeof types]; width: number; height: number }

/**
 * Checks a local file by decoding it whole (of an animation the first frame); its name does not count.
 * @throws PictureError
 */
export async function inspectPicture(path: string): Promise<Picture> {
  const picture = await readHeader(path)
  await inTurn(picture.width * picture.height, () =>
    readable(sharp(path, decoding).timeout(decodingTimeout).resize(16, 16, { fit: 'fill' }).raw().toBuffer()),
  )
  return picture
}

/**
 * Makes the renditions of section 2.4 as WebP: first frame, upright, sRGB, 8 bits, transparency kept, no metadata.
 * The file is decoded once, to what the largest of them needs.
 * @throws PictureError
 */
export async function deriveRenditions(path: string): Promise<Record<Rendition, Buffer>> {
  const { width, height } = await readHeader(path)
  // Wide and tall pictures are kept larger than their `image`, so that the squares are not cut from too few pixels.
  const scale = Math.min(1, Math.max(Math.min(900 / width, 1200 / height), 250 / Math.min(width, height)))
  const size = { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) }

  return inTurn(width * height, async () => {
    const { data, info } = await readable(
      sharp(path, { ...decoding, autoOrient: true })
        .timeout(decodingTimeout)
        .resize({ ...size, fit: 'fill' })
        .toColourspace('srgb')
        .raw()
        .toBuffer({ resolveWithObject: true }),
    )
    const raw = { width: info.width, height: info.height, channels: info.channels }
    const derive = (width: number, height: number, options: ResizeOptions) =>
      sharp(data, { raw, limitInputPixels: maxPixels })
        .resize(width, height, options)
        .webp({ quality: 80, effort: 2 })
        .toBuffer()
    const whole: ResizeOptions = { fit: 'inside', withoutEnlargement: true }
    const square: ResizeOptions = { fit: 'cover' }
    return {
      image: await derive(900, 1200, whole),
      preview: await derive(250, 250, whole),
      thumbnail: await derive(250, 250, square),
      mini: await derive(70, 70, square),
    }
  })
}

async function readHeader(path: string): Promise<Picture> {
  const format = recognise(await readHead(path))
  if (format === undefined) throw new PictureError('unreadable', 'The file is no picture.')
  // Only what begins as one of the six formats does reaches a decoder: above all no SVG, which may name other files.
  if (format === 'other') throw new PictureError('unsupported', 'The file is of a type that is not accepted.')
  const found = await readable(sharp(path, { ...decoding, limitInputPixels: false }).metadata())
  const decoder = found.format === 'heif' && found.compression === 'av1' ? 'avif' : found.format
  if (decoder !== format) throw new PictureError('unsupported', 'The file is of a type that is not accepted.')
  const { width, height } = found.autoOrient
  if (width * height > maxPixels)
    throw new PictureError('too-many-pixels', `The picture has ${width} x ${height} pixels, more than 100 megapixels.`)
  return { type: types[format], width, height }
}

async function readHead(path: string): Promise<Buffer> {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(64), 0, 64, 0)
    return buffer.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}

async function readable<T>(result: Promise<T>): Promise<T> {
  return result.catch((error: unknown) => {
    throw new PictureError('unreadable', 'The file cannot be read as a picture.', { cause: error })
  })
}

const busy = { pictures: 0, pixels: 0 }
const waiting: { pixels: number; start: () => void }[] = []

async function inTurn<T>(pixels: number, work: () => Promise<T>): Promise<T> {
  await new Promise<void>((start) => {
    waiting.push({ pixels, start })
    startNext()
  })
  try {
    return await work()
  } finally {
    busy.pictures--
    busy.pixels -= pixels
    startNext()
  }
}

function startNext(): void {
  const next = waiting[0]
  if (next === undefined || busy.pictures === picturesAtOnce) return
  if (busy.pictures > 0 && busy.pixels + next.pixels > pixelsAtOnce) return
  waiting.shift()
  busy.pictures++
  busy.pixels += next.pixels
  next.start()
  startNext()
}
