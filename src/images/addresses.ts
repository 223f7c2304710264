import type { Static } from 'typebox'
import { renditionKey, type FileName } from '../media/object-keys.ts'
import type { SourceSize } from '../media/sources.ts'
import type { MediaStore } from '../media/store.ts'
import { folderFits } from './files.ts'
import type { ManagedImage } from './schema.ts'

type Addresses = 'url' | 'preview_url' | 'thumbnail_url' | 'mini_url' | 'original_url'
type Image = Static<typeof ManagedImage>
type StoredImage = Omit<Image, Addresses | 'sources'> & {
  renditions: string | null
  original: string | null
  sources: SourceSize[]
}

/**
 * The document of an image for the management view. Addresses of private files are signed. The address of a missing
 * file is null.
 */
export async function printManagedImage(media: Pick<MediaStore, 'url'>, document: string, now: Date): Promise<string> {
  return JSON.stringify(await addAddresses(media, JSON.parse(document) as StoredImage, now))
}

/** The same for the `data` of an answer: one image or several. */
export async function printManagedImages(media: Pick<MediaStore, 'url'>, body: string, now: Date): Promise<string> {
  const { data, ...rest } = JSON.parse(body) as { data: StoredImage | StoredImage[] }
  const shown = Array.isArray(data)
    ? await Promise.all(data.map((image) => addAddresses(media, image, now)))
    : await addAddresses(media, data, now)
  return JSON.stringify({ data: shown, ...rest })
}

async function addAddresses(media: Pick<MediaStore, 'url'>, stored: StoredImage, now: Date) {
  const { renditions, original, sources, alt, alt_translations, created_at, updated_at, ...image } = stored
  const address = (key: string | null) => (key === null ? null : media.url(key, now))
  const folder = renditions !== null && folderFits(renditions, image.public) ? renditions : null
  const rendition = (name: FileName) => address(folder && renditionKey(folder, name))
  const sized: Image['sources'] = []
  if (folder !== null)
    for (const { width, height } of sources)
      sized.push({ url: await media.url(renditionKey(folder, width), now), width, height, type: 'image/webp' })
  return {
    ...image,
    url: await rendition('image'),
    preview_url: await rendition('preview'),
    thumbnail_url: await rendition('thumbnail'),
    mini_url: await rendition('mini'),
    original_url: await address(original),
    sources: sized,
    alt,
    alt_translations,
    created_at,
    updated_at,
  }
}
