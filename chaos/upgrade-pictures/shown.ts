import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Catalogue, GalleryImage, ManagedImage } from '@auction-catalogue/client'
import sharp from 'sharp'

/** What must not change of an image, as text: its addresses without their signatures, its time, its state. */
export function keptOf({ updated_at, processing, processing_failure, ...image }: ManagedImage): string {
  const addresses = [image.url, image.preview_url, image.thumbnail_url, image.mini_url, image.original_url]
  const unsigned = addresses.map((address) => address?.split('?')[0] ?? null)
  return JSON.stringify({ unsigned, updated_at, processing, processing_failure })
}

/** Asserts that an image has either nothing that the earlier version lacked, or all of it. */
export function assertWhole({ sources, placeholder, width, height }: ManagedImage | GalleryImage): void {
  const made = [placeholder, width, height].filter((each) => each !== null).length + (sources.length > 0 ? 1 : 0)
  assert.ok(made === 0 || made === 4, JSON.stringify({ sources, placeholder, width, height }))
  if (sources.length > 0) assert.equal(sources.at(-1)!.width, Math.min(width!, 2_560))
}

/** Downloads a picture and decodes all of it. Returns its width and height. */
async function decode(url: string): Promise<{ width: number; height: number }> {
  let reply = await fetch(url)
  // The service has no turn for it at the moment.
  while (reply.status === 503) {
    await sleep(1_000)
    reply = await fetch(url)
  }
  assert.equal(reply.status, 200, url)
  const { info } = await sharp(Buffer.from(await reply.arrayBuffer()), { failOn: 'truncated' })
    .raw()
    .toBuffer({ resolveWithObject: true })
  return info
}

/** Asserts that each address of an image leads to a whole picture at this moment. Returns their number. */
export async function assertReadable(image: ManagedImage, isDamaged: boolean): Promise<number> {
  const { url, preview_url, thumbnail_url, mini_url, original_url, sources } = image
  const plain = [url, preview_url, thumbnail_url, mini_url, isDamaged ? [] : original_url].flat()
  for (const address of plain) await decode(address!)
  for (const { url, width, height } of sources) {
    const found = await decode(url)
    assert.deepEqual([found.width, found.height], [width, height], url)
  }
  return plain.length + sources.length
}

/** The version of each image in the feed. */
export async function readVersions(catalogue: Catalogue): Promise<Map<string, string | null>> {
  const versions = new Map<string, string | null>()
  for await (const { id, version } of catalogue.changes({ types: ['image'] })) versions.set(id!, version)
  return versions
}
