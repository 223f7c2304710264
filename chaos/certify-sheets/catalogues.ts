import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { gunzipSync } from 'node:zlib'
import { parse } from 'csv-parse/sync'
import iconv from 'iconv-lite'

const folder = path.join(import.meta.dirname, '../../../shared/data')
const records = (text: string) =>
  text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>)

type Lot = { name: string | null; desc: { text: string }[] }
type Subject = { text: { [locale: string]: string | undefined } }

/** A text and a maker as a catalogue printed them. */
export type Printed = { title: string; maker: string }

const clean = (text: string) => text.replaceAll(/\s+/g, ' ').trim()

/** Texts by their language: lots of sales in French and English, and subjects of pictures in all languages. */
export function readCatalogues(locales: string[]): Map<string, Printed[]> {
  const printed = new Map(locales.map((locale): [string, Printed[]] => [locale, []]))
  const add = (locale: string, title: string | undefined, maker = '') => {
    const text = clean(title ?? '')
    if (text.length > 3 && text.length < 300 && clean(maker).length < 100)
      printed.get(locale)?.push({ title: text, maker: clean(maker) })
  }
  if (!existsSync(folder)) {
    // A clone alone has texts of our own.
    for (const locale of locales)
      for (let index = 0; index < 400; index++) add(locale, `${invented[locale]} ${index}`, `A. Jansen ${index % 9}`)
    return printed
  }
  for (const file of ['kat_CAT_000323', 'kat_CAT_000185', 'kat_CAT_000006'])
    for (const lot of records(readFileSync(path.join(folder, 'sales', `${file}.ndjson`), 'utf8')) as Lot[])
      add('fr', lot.desc[0]?.text, lot.name ?? '')
  const paintings = iconv.decode(
    readFileSync(path.join(folder, 'sales/bulk/paris_other_22_sales.macroman.csv')),
    'macintosh',
  )
  for (const row of parse<{ subject: string; authorstandard: string }>(paintings, {
    columns: true,
    relax_quotes: true,
  }))
    add('fr', row.subject, row.authorstandard.replaceAll(';', ','))
  for (const row of parse<{ [column: string]: string }>(
    readFileSync(path.join(folder, 'sales/graves_1891-06-06_Christies.csv')),
    {
      columns: true,
      bom: true,
    },
  ))
    add('en', row['seller/artwork'], row['artist'])
  const subjects = gunzipSync(readFileSync(path.join(folder, 'translations/iconclass_9_locales.ndjson.gz'))).toString()
  for (const { text } of records(subjects) as Subject[]) for (const locale of locales) add(locale, text[locale])
  return printed
}

const invented: Record<string, string> = {
  nl: 'Delfts blauwe vaas, reünie te Curaçao, één',
  en: 'Worcester teapot, painted café',
  fr: 'Théière en porcelaine, décor d’été',
  de: 'Gemälde, größer als üblich',
  es: 'Bodegón español con niño',
  it: 'Veduta della città, più bella',
  pl: 'Srebrna łyżka, piękna książka',
  hu: 'Őszi tájkép, tűzzománc',
  zh: '青花瓷瓶，清代',
}
