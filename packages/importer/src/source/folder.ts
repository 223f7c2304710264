import { readdir } from 'node:fs/promises'
import { basename, join, relative, sep } from 'node:path'
import type { FieldError, SourceRecord } from '../records.ts'

const ignored = new Set(['thumbs.db', 'desktop.ini'])
const byName = new Intl.Collator('en', { numeric: true })

/** The path of a picture without its extension. */
const nameOf = (path: string) => path.replace(/\.[^./]+$/, '')

const isText = (path: string) => /\.txt$/i.test(path)

/** The files in a folder and below it, without the texts beside pictures. Links are listed too, so that the run reports them. */
async function listFiles(folder: string): Promise<{ path: string; isLink: boolean }[]> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true })
  const files = entries
    .filter((entry) => !entry.isDirectory() && !entry.name.startsWith('.') && !ignored.has(entry.name.toLowerCase()))
    .map((entry) => ({
      path: relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/'),
      isLink: !entry.isFile(),
    }))
    .filter(({ path }) => !path.split('/').some((part) => part.startsWith('.')))
  const pictures = new Set(files.filter(({ path }) => !isText(path)).map(({ path }) => nameOf(path).normalize()))
  return files
    .filter(({ path }) => !isText(path) || !pictures.has(nameOf(path).normalize()))
    .toSorted((a, b) => byName.compare(nameOf(a.path), nameOf(b.path)))
}

/** The references with which a picture's name may begin, the longest first: `V-118/02` gives itself, `V-118` and `V`. */
export function* findReferences(name: string): Generator<string> {
  yield name
  for (let end = name.length - 1; end > 0; end--)
    if (/[^\p{L}\p{M}\p{N}]/u.test(name[end]!) && /[\p{L}\p{M}\p{N}]/u.test(name[end - 1]!)) yield name.slice(0, end)
}

/** Finds the reference of a stored item that equals the given one, or differs only in capitals. */
export type FindItem = (reference: string) => Promise<string | undefined>

/**
 * Reads the pictures of a folder in the order of their names. The reference of a picture is its path without the extension.
 * Its item is the one with the longest reference that begins the path.
 */
export async function* readFolder(folder: string, findItem: FindItem): AsyncGenerator<SourceRecord> {
  const known = new Map<string, string | undefined>()
  const positions = new Map<string, number>()
  for (const { path, isLink } of await listFiles(folder)) {
    const file = `${basename(folder)}/${path}`
    const place = { file, line: 1 }
    // File names on macOS store accents separately from their letters. References usually have both in one character.
    const reference = nameOf(path).normalize()
    let [item, similar]: (string | undefined)[] = []
    const tried: string[] = []
    for (const candidate of findReferences(reference)) {
      tried.push(candidate)
      for (const form of new Set([candidate, candidate.normalize('NFD')])) {
        if (!known.has(form)) known.set(form, await findItem(form))
        const found = known.get(form)
        if (found === form) item ??= form
        similar ??= found
      }
      if (item !== undefined) break
    }
    if (item !== undefined && !positions.has(item))
      yield { place, record: { type: 'item', ref: `item/${item}`, external_reference: item }, errors: [] }
    const errors: FieldError[] = []
    if (item === undefined) {
      const hint = similar === undefined ? '' : `, but there is ${similar}: name the picture like that`
      const message = `no item has the reference ${tried.join(' or ')}${hint}`
      errors.push({ field: 'item', code: 'unavailable', message })
    }
    if (isText(path)) errors.push({ field: 'file', code: 'invalid', message: 'is a text, and no picture has its name' })
    if (isLink) errors.push({ field: 'file', code: 'invalid', message: 'is a link: put the picture itself here' })
    const position = positions.get(item ?? '') ?? 0
    positions.set(item ?? '', position + 1)
    yield {
      place,
      record: {
        type: 'image',
        item: `item/${item ?? reference}`,
        external_reference: reference,
        file,
        public: true,
        position,
      },
      errors,
    }
  }
}
