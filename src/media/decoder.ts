import { open, readFile } from 'node:fs/promises'
import sharp, { type ResizeOptions, type WebpOptions } from 'sharp'
import { rgbaToThumbHash } from 'thumbhash'
import type { Decoded, Job, Refusal, Reply, Task } from './decoders.ts'
import { mediaTypes, recognise } from './formats.ts'
import { sizeSources, sourceQuality } from './sources.ts'

// The program of a decoder process (see decoders.ts). It decodes one picture at a time, on one thread, and ends with
// its parent process.
sharp.concurrency(1)
sharp.cache(false)

const maxPixels = 100_000_000
const decoding = { failOn: 'error', limitInputPixels: maxPixels } as const
const decodingTimeout = { seconds: 60 }
const unsupported = 'The file is not a JPEG, PNG, WebP, AVIF, TIFF or GIF.'

class Refused extends Error {
  readonly reason: Refusal

  constructor(reason: Refusal, message: string) {
    super(message)
    this.reason = reason
  }
}

const tasks: { [Name in Task]: (path: string, widest: number) => Promise<Decoded[Name]> } = { inspect, derive }

async function inspect(path: string): Promise<Decoded['inspect']> {
  const picture = await readHeader(path)
  await readable(sharp(path, decoding).timeout(decodingTimeout).resize(16, 16, { fit: 'fill' }).raw().toBuffer())
  return picture
}

async function derive(path: string, widest: number): Promise<Decoded['derive']> {
  const { width, height } = await readHeader(path)
  const sizes = sizeSources(width, height).filter((size) => size.width <= widest)
  // Wide and tall pictures stay larger than their `image`, so that the squares have enough pixels.
  const least = Math.max(Math.min(900 / width, 1200 / height), 250 / Math.min(width, height))
  const scale = Math.min(1, Math.max(least, (sizes.at(-1)?.width ?? 0) / width))
  const size = { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) }
  const { data, info } = await readable(
    sharp(path, { ...decoding, autoOrient: true })
      .timeout(decodingTimeout)
      .resize({ ...size, fit: 'fill' })
      .toColourspace('srgb')
      .raw()
      .toBuffer({ resolveWithObject: true }),
  )
  const raw = { width: info.width, height: info.height, channels: info.channels }
  const resize = (options: ResizeOptions) => sharp(data, { raw, limitInputPixels: maxPixels }).resize(options)
  const rendition = (width: number, height: number, options: ResizeOptions, webp: WebpOptions = { quality: 80 }) =>
    resize({ width, height, ...options })
      .webp({ effort: 2, ...webp })
      .toBuffer()
  const whole: ResizeOptions = { fit: 'inside', withoutEnlargement: true }
  const square: ResizeOptions = { fit: 'cover' }
  const renditions = {
    image: await rendition(900, 1200, whole),
    preview: await rendition(250, 250, whole),
    thumbnail: await rendition(250, 250, square),
    mini: await rendition(70, 70, square),
  }
  const sources: Decoded['derive']['sources'] = []
  for (const size of sizes)
    sources.push({ ...size, data: await rendition(size.width, size.height, { fit: 'fill' }, sourceQuality) })
  // Of a side of one or two pixels, a ThumbHash makes stripes.
  const shrunk = (side: number) => Math.max(8, Math.round(side * Math.min(1, 100 / Math.max(width, height))))
  const tiny = await resize({ width: shrunk(width), height: shrunk(height), fit: 'fill' })
    .toColourspace('srgb')
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
  const placeholder = Buffer.from(rgbaToThumbHash(tiny.info.width, tiny.info.height, tiny.data)).toString('base64')
  return { width, height, renditions, sources, placeholder }
}

async function readHeader(path: string): Promise<Decoded['inspect']> {
  // Only files that begin like one of the six formats reach a decoder. SVG must not: it may refer to other files.
  await using file = await open(path)
  const format = await recognise(file)
  if (format === undefined) throw new Refused('unsupported', unsupported)
  const found = await readable(sharp(path, { ...decoding, limitInputPixels: false }).metadata())
  const decoder = found.format === 'heif' && found.compression === 'av1' ? 'avif' : found.format
  if (decoder !== format) throw new Refused('unsupported', unsupported)
  const { width, height } = found.autoOrient
  if (width * height > maxPixels)
    throw new Refused('too-large', `The picture has ${width} x ${height} pixels, more than 100 megapixels.`)
  return { type: mediaTypes[format], width, height }
}

async function readable<T>(result: Promise<T>): Promise<T> {
  return result.catch((error: Error) => {
    throw new Refused('unreadable', `The file cannot be read as a picture: ${error.message}`)
  })
}

async function work({ task, path, widest }: Job): Promise<Reply> {
  try {
    return { value: await tasks[task](path, widest) }
  } catch (error) {
    // Some libraries end the process when memory is short. The others have an error message each.
    if (
      /memory (alloc|usage|error)|(out of|insufficient) memory|failed to allocate|creating thread|unable to encode/i.test(
        (error as Error).message,
      )
    )
      process.abort()
    if (error instanceof Refused) return { refusal: error.reason, message: error.message }
    const { message, code } = error as NodeJS.ErrnoException
    return { message, code }
  }
}

process.on('message', (job: Job) => {
  void work(job).then((reply) => process.send!(reply))
})
// Exits at once, without waiting for running threads.
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'))
// Signals to the whole group are for the parent, which lets running work finish.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined)

// The memory of a decoder before its first picture, in KiB: all that it may write to, used or not. Only Linux reports
// it.
await sharp({ create: { width: 1, height: 1, channels: 3, background: '#000000' } })
  .webp()
  .toBuffer()
const status = await readFile('/proc/self/status', 'utf8').catch(() => '')
process.send!({ atRest: Number(/^VmData:\s*(\d+) kB$/m.exec(status)?.[1] ?? Infinity) })
