import { createReadStream } from 'node:fs'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { createGunzip } from 'node:zlib'
import { parse } from 'csv-parse'
import { locales, type Locale } from '../../src/values/locales.ts'

/** A record that a query is to find. Records with one title by one maker count as one: `name`. */
export type KnownItem = { id: string; name: string; title: string; maker: string; description: string }

/** A catalogue of real records in one language. */
export type Source = { name: string; locale: Locale; items: KnownItem[] }

type Row = Record<string, unknown>

const folder = process.env.JUDGE_DATA ?? path.join(import.meta.dirname, '../../../shared/data')

function open(file: string) {
  const stream = createReadStream(path.join(folder, file))
  return file.endsWith('.gz') ? stream.pipe(createGunzip()) : stream
}

async function* readJson(file: string): AsyncGenerator<Row> {
  for await (const line of createInterface({ input: open(file) })) if (line !== '') yield JSON.parse(line) as Row
}

const readCsv = (file: string): AsyncIterable<Row> =>
  open(file).pipe(parse({ columns: true, bom: true, relaxColumnCount: true, relaxQuotes: true }))

const textsOf = (value: unknown): string[] =>
  [value ?? []].flat().map((each) => (typeof each === 'string' ? each : ((each as { text?: string }).text ?? '')))
const join = (values: unknown[], between = ' ') =>
  values.flatMap(textsOf).filter(Boolean).join(between).replaceAll(/\s+/g, ' ').trim()

type Found = { title: string; maker?: string; description?: string } | undefined

async function readSource(name: string, locale: Locale, rows: AsyncIterable<Row>, read: (row: Row) => Found) {
  const items: KnownItem[] = []
  for await (const row of rows) {
    const { title = '', maker = '', description = '' } = read(row) ?? {}
    if (!/\p{L}{3}/u.test(title) || /^\[?(?:untitled|title not known|no title)/i.test(title)) continue
    items.push({ id: `${items.length}`, name: `${title} / ${maker}`.toLowerCase(), title, maker, description })
  }
  return { name, locale, items }
}

const iconclass = (locale: Locale) =>
  readSource(`iconclass ${locale}`, locale, readJson('translations/iconclass_9_locales.ndjson.gz'), ({ text }) => {
    const texts = text as Partial<Record<Locale, string>>
    // Some translations are still English in the source.
    return texts[locale] === texts.en && locale !== 'en' ? undefined : { title: join([texts[locale]]) }
  })

/** The sources by their names: `katabase` and `tate` are for tuning, the others for the report. */
export const sources: Record<string, () => Promise<Source>> = {
  katabase: () =>
    readSource('katabase', 'fr', readJson('sales/bulk/katabase_lots.ndjson.gz'), (row) => ({
      title: join([row['name'], row['trait']], ', '),
      maker: join([row['name']]),
      description: join([row['desc'], row['note']]),
    })),
  tate: () =>
    readSource('tate', 'en', readJson('sales/bulk/tate_artworks.ndjson.gz'), (row) => ({
      title: join([row['title']]),
      maker: join([row['all_artists']]),
      description: join([row['medium'], row['inscription'], row['groupTitle'], row['subjects']]),
    })),
  graves: () =>
    readSource('graves', 'en', readCsv('sales/bulk/graves_london_sales.csv.gz'), (row) => ({
      title: join([row['seller/artwork']]),
      maker: join([row['artist']]),
    })),
  paris: () =>
    readSource('paris', 'fr', readCsv('sales/paris_R1776.csv'), (row) => ({
      title: join([row['subject']]),
      maker: join([row['authorstandard']]),
      description: join([row['author'], row['school_pntg'], row['material']]),
    })),
  ...Object.fromEntries(locales.map((locale) => [`iconclass-${locale}`, () => iconclass(locale)])),
}
