import { sql } from 'kysely'
import { completeIndex } from '../../src/search/indexing.ts'
import { search } from '../../src/search/search.ts'
import { houseLine, uuid } from '../../test/support/lines.ts'
import type { openBenchDatabase } from './database.ts'
import { type KnownItem, type Source } from './known-items.ts'
import { fold, most, split, type Engine } from './search-engines.ts'
import { contextNow } from '../../src/context.ts'

type Data = Awaited<ReturnType<typeof openBenchDatabase>>

const slugOf = ({ name, items }: Source) => `${name.replaceAll(/[^a-z]+/g, '-')}-${items.length}`

function* printRecords(source: Source) {
  yield houseLine(slugOf(source), { default_locale: source.locale })
  const makers = new Map<string, string>()
  let last = 0
  for (const { maker } of source.items)
    if (maker !== '' && !makers.has(maker)) {
      makers.set(maker, uuid((last += 1)))
      yield { type: 'maker', id: makers.get(maker), name: maker.slice(0, 255) }
    }
  for (const { id, title, maker, description } of source.items)
    yield {
      type: 'item',
      id: uuid(Number(id)),
      title: title.slice(0, 900),
      description: description || undefined,
      makers: maker === '' ? [] : [makers.get(maker)],
    }
}

/** The search of the catalogue, on a house with the records of a source. Loads them unless the database has the house. */
export async function openCatalogue(data: Data, source: Source): Promise<Engine> {
  const slug = slugOf(source)
  const { rows } = await sql`select from catalogue.houses where slug = ${slug}`.execute(data.db)
  if (rows.length === 0) {
    await data.load(printRecords(source))
    await sql`vacuum analyze`.execute(data.db)
  }
  const { house } = await data.openHouse(slug)
  const context = contextNow(data.db, house)
  await completeIndex(context)
  const idOf = await readIds(data, house.id)
  const asked = { kind: 'item', filters: {}, facets: [], limit: most, categories: true } as const
  const first = { after: undefined, taken: undefined, sorting: { by: 'relevance', descending: false } } as const
  return {
    name: 'the catalogue',
    async search(q) {
      const { page, taken, isRelaxed } = await retry(() => search(context, { ...asked, ...first, q }))
      const ids = page.slice(0, most).map(({ row }) => idOf.get(row)!)
      return { ids, corrected: Object.keys(taken?.corrected ?? {}).length > 0, relaxed: isRelaxed }
    },
  }
}

// On a busy machine a search may be cut off after its second.
async function retry<Found>(work: () => Promise<Found>, times = 20): Promise<Found> {
  try {
    return await work()
  } catch (error) {
    if (times === 0 || (error as { code?: string }).code !== '57014') throw error
    return retry(work, times - 1)
  }
}

async function readIds({ db }: Data, house: string): Promise<Map<string, string>> {
  type Row = { id: string; public_id: string }
  const { rows } = await sql<Row>`select id, public_id from catalogue.items where house_id = ${house}`.execute(db)
  return new Map(rows.map(({ id, public_id }) => [id, String(Number(public_id.slice(-12)))]))
}

const dictionaries: Record<string, string> = {
  nl: 'dutch',
  en: 'english',
  fr: 'french',
  de: 'german',
  es: 'spanish',
  it: 'italian',
  hu: 'hungarian',
}

/** PostgreSQL's own: a GIN index on `tsvector`, and `ts_rank`. Every word, the last as a beginning; or else any word. */
export async function openTsRank({ db }: Data, { items, locale }: Source): Promise<Engine> {
  const dictionary = sql.lit(dictionaries[locale] ?? 'simple')
  const table = sql.table(`judge_${locale}_${items.length}`)
  const texts = (item: KnownItem) => {
    return { id: item.id, names: fold(`${item.title} ${item.maker}`), others: fold(item.description) }
  }
  await sql`drop table if exists ${table}`.execute(db)
  await sql`create table ${table} (id text, words tsvector)`.execute(db)
  for (let start = 0; start < items.length; start += 5_000)
    await sql`insert into ${table} select id, setweight(to_tsvector(${dictionary}, names), 'A') || to_tsvector(${dictionary}, others)
      from json_to_recordset(${JSON.stringify(items.slice(start, start + 5_000).map(texts))}::json) r (id text, names text, others text)`.execute(
      db,
    )
  await sql`create index on ${table} using gin (words)`.execute(db)
  await sql`analyze ${table}`.execute(db)
  const find = async (words: string[], between: string) => {
    const { rows } = await sql<{ id: string }>`
      select id from ${table}, to_tsquery(${dictionary}, ${words.join(between)}) q
      where words @@ q order by ts_rank(words, q) desc limit ${most}`.execute(db)
    return rows.map(({ id }) => id)
  }
  return {
    name: 'ts_rank',
    async search(q) {
      const words = split(q)
      if (words.length === 0) return { ids: [] }
      if (!/\s$/.test(q)) words.push(`${words.pop()!}:*`)
      const all = await find(words, ' & ')
      return { ids: all.length > 0 ? all : await find(words, ' | ') }
    },
  }
}
