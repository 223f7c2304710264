import { randomBytes } from 'node:crypto'

/** The renditions of an original that have an address of their own (section 2.4), by the names of their files. */
export const renditions = ['image', 'preview', 'thumbnail', 'mini'] as const
export type Rendition = (typeof renditions)[number]

/** The name of a file in the folder of an image: a rendition, or the width of a source in pixels. */
export type FileName = Rendition | number

/** The top folders of a store. `public` needs no signature. The others need a signed URL. */
export const areas = ['public', 'private', 'originals'] as const
export type Area = (typeof areas)[number]

const names = `${renditions.join('|')}|[1-9][0-9]{0,3}`
const shape = new RegExp(`^(originals/[0-9a-f]{32}|(public|private)/[0-9a-f]{32}/(${names})\\.webp)$`)

/** An unguessable name: 128 random bits in hexadecimal. */
const unguessable = () => randomBytes(16).toString('hex')

/** A new key for an upload: `originals/<hex32>`. */
export const newOriginal = () => `originals/${unguessable()}`

/** A new folder for the renditions of one image: `public/<hex32>` or `private/<hex32>`. */
export const newFolder = (visible: boolean) => `${visible ? 'public' : 'private'}/${unguessable()}`

/** The key of one file in the folder of its image. */
export const renditionKey = (folder: string, name: FileName) => `${folder}/${name}.webp`

/** Whether a text is the key of an original or a rendition. The service serves no other file. */
export const isKey = (text: string) => shape.test(text)

/** Whether the file needs no signature. */
export const isPublic = (key: string) => key.startsWith('public/')

/**
 * The headers of a file. A browser must save an original and never show it: an uploaded file that is both a picture
 * and a page must not run as a page.
 */
export function presentation(key: string): { contentType: string; contentDisposition?: string } {
  return key.startsWith('originals/')
    ? { contentType: 'application/octet-stream', contentDisposition: 'attachment' }
    : { contentType: 'image/webp' }
}

/** `Cache-Control` of a public file. The bytes of a key never change. */
export const cacheForEver = 'public, max-age=31536000, immutable'
