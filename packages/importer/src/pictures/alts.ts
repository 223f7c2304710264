import type { FileHandle } from 'node:fs/promises'
import type { ImageUpdate, ManagedImage } from '@auction-catalogue/client'
import { openBeside } from '../files.ts'
import type { Picture } from './pictures.ts'
import { compact, type Records } from '../records.ts'
import { refuse } from '../rejections.ts'

/** What a picture shows, as the source says it. Null clears a text; a text that the source does not have stays. */
export type Alts = Pick<ImageUpdate, 'alt' | 'alt_translations'>

const maxCharacters = 1_000
const maxBytes = 64 * 1024

// Cameras and older systems write extensions in capitals.
const extensions = ['.txt', '.TXT']

async function openText(name: string): Promise<FileHandle | undefined> {
  const names = new Set([name, name.normalize('NFC'), name.normalize('NFD')])
  const forms = [...names].flatMap((each) => extensions.map((extension) => each + extension))
  for (const form of forms)
    try {
      return await openBeside(form, 'read')
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT')
        throw refuse('alt', 'unavailable', (error as Error).message)
    }
  return undefined
}

/** The text beside a picture, `V-118-1.txt` (or `.TXT`) of `V-118-1.jpg`: null if it is empty, undefined if there is none. */
async function readBeside(picture: string): Promise<string | null | undefined> {
  const file = await openText(picture.replace(/\.[^./\\]+$/, ''))
  if (file === undefined) return undefined
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(maxBytes), 0, maxBytes, 0)
    // The decoder leaves out a byte order mark.
    return new TextDecoder('utf-8', { fatal: true }).decode(buffer.subarray(0, bytesRead)).trim() || null
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    throw refuse('alt', 'invalid', 'the text beside the picture is not UTF-8')
  } finally {
    await file.close()
  }
}

/**
 * Reads what a picture shows: the texts of its record, or else the text of the file beside it.
 * @throws Refused for a text of more than 1,000 characters, or a file that is no UTF-8
 */
export async function readAlts({ alt, alt_translations }: Records['image'], { path }: Picture): Promise<Alts> {
  const text = alt === undefined ? await readBeside(path) : alt
  const named = Object.entries(alt_translations ?? {}).map(([locale, each]) => [`alt_translations.${locale}`, each])
  for (const [field, each] of [['alt', text], ...named] as [string, string | null | undefined][]) {
    const { length } = Array.from(each ?? '')
    if (length > maxCharacters)
      throw refuse(field, 'too_long', `has ${length} characters, and ${maxCharacters} are allowed`)
  }
  return compact({ alt: text, alt_translations: alt_translations ?? undefined })
}

/** The update that the texts of a source mean for an image; undefined if nothing differs. */
export function changeAlts(
  { alt, alt_translations }: Alts,
  stored: Pick<ManagedImage, 'alt' | 'alt_translations'>,
): ImageUpdate | undefined {
  const translations = Object.entries(alt_translations ?? {}).filter(
    ([locale, text]) => text !== (stored.alt_translations[locale as 'nl'] ?? null),
  )
  const change: ImageUpdate = {
    ...(alt !== undefined && alt !== stored.alt && { alt }),
    ...(translations.length > 0 && { alt_translations: Object.fromEntries(translations) }),
  }
  return Object.keys(change).length > 0 ? change : undefined
}

/** The texts as fields of an upload. */
export function uploadAlts({ alt, alt_translations = {} }: Alts) {
  const translations = Object.entries(alt_translations).filter(([, text]) => text !== null)
  return {
    ...(alt && { alt }),
    ...(translations.length > 0 && { alt_translations: Object.fromEntries(translations) as Record<string, string> }),
  }
}
