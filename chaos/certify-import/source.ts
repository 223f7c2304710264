import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Random } from '../lib/random.ts'
import { picture } from '../../test/support/pictures.ts'

type Money = { amount: number; currency: string }
// An item of a generated source, as it must be stored.
type MadeItem = { external_reference: string; title: string; description: string; estimate: { low: Money } }
// A picture of a generated source: the bytes that must be stored.
type MadeImage = { item: string; external_reference: string; bytes: Buffer }

/** A small catalogue: the records that must be stored at the end, and the references of those that must be rejected. */
export type Made = {
  file: string
  auction: string
  session: string
  items: MadeItem[]
  images: MadeImage[]
  rejected: string[]
}

/** Writes a small catalogue, sometimes with a wrong item and a broken picture. */
export async function makeSource(folder: string, run: number, random: Random): Promise<Made> {
  await mkdir(folder, { recursive: true })
  const [auction, session] = [`A-${run}`, `A-${run}/1`]
  const lines: object[] = [
    { type: 'house', slug: 'certify', default_locale: 'nl', currency: 'EUR' },
    { type: 'auction', ref: 'auction', external_reference: auction, title: `Veiling ${run}` },
    {
      type: 'session',
      ref: 'session',
      auction: 'auction',
      external_reference: session,
      titles: { nl: 'Zitting' },
      kind: 'live',
      opens_at: '2099-04-02T19:00:00+02:00',
      live: { closes_at: '2099-04-02T22:00:00+02:00' },
    },
  ]
  const made: Made = { file: path.join(folder, 'source.ndjson'), auction, session, items: [], images: [], rejected: [] }
  const count = 2 + random.below(3)
  for (let index = 0; index < count; index++) {
    const item: MadeItem = {
      external_reference: `I-${run}-${index}`,
      title: `Vaas ${index}`,
      description: 'blauw '.repeat(random.below(20) + 1).trim(),
      estimate: { low: { amount: 100 * (index + 1), currency: 'EUR' } },
    }
    made.items.push(item)
    lines.push({ type: 'item', ref: `item-${index}`, ...item })
    const pictures = random.below(3)
    for (let number = 0; number < pictures; number++) {
      const colour = `#${random.below(0xffffff).toString(16).padStart(6, '0')}`
      const image: MadeImage = {
        item: item.external_reference,
        external_reference: `I-${run}-${index}-${number}`,
        bytes: await picture(colour, 30 + number, 20 + index),
      }
      made.images.push(image)
      const name = `${image.external_reference}.jpg`
      await writeFile(path.join(folder, name), image.bytes)
      const { external_reference } = image
      lines.push({ type: 'image', item: `item-${index}`, external_reference, file: name, public: true })
    }
  }
  if (random.chance(0.4)) {
    made.rejected.push(`W-${run}`)
    const estimate = { low: { amount: 150, currency: 'EUR' } }
    lines.push({ type: 'item', external_reference: `W-${run}`, title: 'Fout', estimate })
  }
  if (random.chance(0.4)) {
    made.rejected.push(`B-${run}`)
    await writeFile(path.join(folder, 'broken.jpg'), (await picture('#123456', 400, 300)).subarray(0, 200))
    lines.push({ type: 'image', item: 'item-0', external_reference: `B-${run}`, file: 'broken.jpg', public: true })
  }
  await writeFile(made.file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
  return made
}
