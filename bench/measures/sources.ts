import path from 'node:path'
import sharp, { type Sharp } from 'sharp'
import { deriveRenditions } from '../../src/media/pictures.ts'
import { sizeSources } from '../../src/media/sources.ts'
import { computeSsim, lightnessOf } from '../lib/ssim.ts'

// Compares each source with the reduced original, for the choice of format and quality.
// node bench/measures/sources.ts FOLDER

const photographs = [
  'Landscape_5.jpg',
  'Landscape_6.jpg',
  'Landscape_9.jpg',
  'rocket.jpg',
  'coffee.png',
  'testimgl.jpg',
  'avif-orientation-6.avif',
]
const folder = process.argv[2]!

type Encoding = { name: string; encode: (picture: Sharp) => Sharp }
const encodings: Encoding[] = [
  ...[80, 84, 86].map((quality) => ({
    name: `WebP ${quality}`,
    encode: (picture: Sharp) => picture.webp({ quality, effort: 2 }),
  })),
  ...[60, 70].map((quality) => ({
    name: `AVIF ${quality}`,
    encode: (picture: Sharp) => picture.avif({ quality, effort: 2 }),
  })),
  ...[85, 90].map((quality) => ({
    name: `JPEG ${quality}`,
    encode: (picture: Sharp) => picture.jpeg({ quality, mozjpeg: true }),
  })),
]
type Result = { least: number; bytes: number; milliseconds: number }
const results = new Map<string, Result>()

async function readLightness(picture: Sharp) {
  const { data, info } = await picture.removeAlpha().toColourspace('srgb').raw().toBuffer({ resolveWithObject: true })
  return lightnessOf(data, info.width, info.height)
}

function note(name: string, ssim: number, bytes: number, milliseconds: number): void {
  const { least, bytes: others, milliseconds: before } = results.get(name) ?? { least: 1, bytes: 0, milliseconds: 0 }
  results.set(name, { least: Math.min(least, ssim), bytes: others + bytes, milliseconds: before + milliseconds })
}

sharp.concurrency(1)
for (const photograph of photographs) {
  const file = path.join(folder, photograph)
  const made = await deriveRenditions(file, 'house')
  for (const { width, height } of sizeSources(made.width, made.height)) {
    const reduced = () => sharp(file, { autoOrient: true }).resize(width, height, { fit: 'fill' }).removeAlpha()
    const original = await readLightness(reduced())
    const ours = made.sources.find((source) => source.width === width)!.data
    note('as the service makes them', computeSsim(original, await readLightness(sharp(ours))), ours.length, 0)
    const { data, info } = await reduced().toColourspace('srgb').raw().toBuffer({ resolveWithObject: true })
    for (const { name, encode } of encodings) {
      const before = process.cpuUsage()
      const bytes = await encode(sharp(data, { raw: { width, height, channels: info.channels } })).toBuffer()
      const { user, system } = process.cpuUsage(before)
      note(name, computeSsim(original, await readLightness(sharp(bytes))), bytes.length, (user + system) / 1000)
    }
  }
}
for (const [name, { least, bytes, milliseconds }] of results)
  console.log(`${name}: least SSIM ${least.toFixed(4)}, ${(bytes / 1000).toFixed(0)} kB, ${milliseconds.toFixed(0)} ms`)
process.exit()
