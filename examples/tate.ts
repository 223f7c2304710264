// Converts works of the Tate collection: a file of artworks becomes the items of one house, with makers and categories.
// There are no auctions and no lots, as before a sale. The file is read as a stream, so it may be of any length.
// Usage: npx node examples/tate.ts [--limit 60000] tate_artworks.ndjson.gz | bin/catalogue load -
import { parseArgs } from 'node:util'
import { readJson } from './lib/files.ts'
import { Remarks, write, writeOnce, type NamedRecord } from './lib/records.ts'
import { paragraphs, slugify, tidy } from './lib/text.ts'

/** An artwork as the source writes it. The source leaves empty fields out. */
export type Artwork = {
  acno: string
  title: string
  foreignTitle?: string
  all_artists: string
  classification?: string
  medium?: string
  dateText: string
  dimensions?: string
  inscription?: string
  creditLine?: string
  groupTitle?: string
  thumbnailUrl?: string
  movements?: unknown[]
  contributors: { id: number; fc: string; role: string }[]
  subjects?: string[]
}

/** The house, then the artworks. Each maker and category comes before the first artwork that needs it. */
export async function* convert(
  artworks: Iterable<Artwork> | AsyncIterable<Artwork>,
  remarks: Remarks,
): AsyncGenerator<NamedRecord> {
  const once = writeOnce()
  yield { type: 'house', ref: 'house/tate', slug: 'tate', name: 'Tate', default_locale: 'en', currency: 'GBP' }
  for await (const work of artworks) {
    const makers = makersOf(work, remarks)
    for (const { id, fc } of makers) yield* once({ type: 'maker', ref: `maker/${id}`, name: tidy(fc) })
    const categories = categoriesOf(work, remarks)
    for (const category of categories) yield* once(category)
    const parents = new Set(categories.map(({ parent }) => parent))
    remarks.add('years of birth and acquisition, and measures that the dimensions repeat: left out')
    if (work.foreignTitle)
      remarks.add('foreign title without a language: a line of the description, not a translation', work.foreignTitle)
    if (work.thumbnailUrl) remarks.add('picture on another server: left out, since the load takes only files')
    if (work.movements) remarks.add('art movements: left out')
    if (/^\[?(?:no title|title not known|untitled)\]?$/i.test(work.title))
      remarks.add('title that says that there is no title: kept as it is', work.title)
    yield {
      type: 'item',
      ref: `item/${work.acno}`,
      external_reference: work.acno,
      title: tidy(work.title),
      description: paragraphs(
        makers.length === work.contributors.length ? '' : work.all_artists,
        work.foreignTitle,
        work.medium,
        work.dateText,
        work.groupTitle,
        work.inscription,
        work.creditLine,
      ),
      dimensions: paragraphs(...(work.dimensions ?? '').split('\r\n')),
      weight: weightOf(work, remarks),
      categories: [...new Set(categories.map(({ ref }) => ref))].filter((ref) => !parents.has(ref)),
      makers: makers.map(({ id }) => `maker/${id}`),
    }
  }
}

/** The artists, each once. Contributors with another role (after, attributed to, studio of) go into the description. */
function makersOf(work: Artwork, remarks: Remarks): Artwork['contributors'] {
  const makers = new Map<number, Artwork['contributors'][number]>()
  for (const contributor of work.contributors) {
    if (contributor.role === 'artist') makers.set(contributor.id, contributor)
    else
      remarks.add(
        'contributor who is not the artist: no maker, named in the description',
        `${contributor.role} ${contributor.fc}`,
      )
  }
  return [...makers.values()]
}

/** The classification, and the first two levels of the paths `nature/seascapes and coasts/beach`, parents first. */
function categoriesOf(work: Artwork, remarks: Remarks): NamedRecord<'category'>[] {
  const classification = work.classification ? [category(work.classification, work.classification)] : []
  const subjects = (work.subjects ?? []).flatMap((path) => {
    const [first, second, third] = path.split('/')
    if (third) remarks.add('third level of a subject: left out, two levels are categories', path)
    const top = category(first!, first!)
    return second ? [top, category(`${first}/${second}`, second, top.ref)] : [top]
  })
  return [...classification, ...subjects]
}

function category(path: string, name: string, parent?: string): NamedRecord<'category'> {
  return { type: 'category', ref: `category/${path}`, slug: slugify(path), names: { en: name }, parent }
}

/** The weights in the text of the dimensions. That text is not changed. */
function weightOf(work: Artwork, remarks: Remarks): string | undefined {
  const weights = work.dimensions?.match(/\d[\d.,]*\s?kg\b/g)
  if (weights) remarks.add('weight inside the dimensions: copied to the weight', `${work.acno}: ${weights.join('; ')}`)
  return weights?.join('; ')
}

async function* take<T>(count: number, values: AsyncIterable<T>) {
  let left = count
  for await (const value of values) {
    if (left === 0) return
    left -= 1
    yield value
  }
}

if (import.meta.main) {
  const { values, positionals } = parseArgs({ options: { limit: { type: 'string' } }, allowPositionals: true })
  const remarks = new Remarks()
  const artworks = readJson<Artwork>(positionals[0] ?? '')
  await write(convert(take(Number(values.limit ?? Infinity), artworks), remarks), remarks)
}
