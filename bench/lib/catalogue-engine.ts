import { sql } from 'kysely'
import { createSearcher } from '../../src/search/searcher.ts'
import { houseLine, uuid } from '../../test/support/lines.ts'
import type { openBenchDatabase } from './database.ts'
import { type Source } from './known-items.ts'
import { most, type Engine } from './sqlite-engine.ts'
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
  const searcher = createSearcher(Infinity, Infinity)
  const idOf = await readIds(data, house.id)
  const asked = { kind: 'item', filters: {}, facets: [], limit: most, categories: true } as const
  const first = { after: undefined, walk: undefined, sorting: { by: 'relevance', descending: false } } as const
  return {
    name: 'the catalogue',
    async search(q) {
      const { page, walk, isRelaxed } = await searcher.search(context, { ...asked, ...first, q })
      const ids = page.slice(0, most).map(({ row }) => idOf.get(row)!)
      return { ids, corrected: Object.keys(walk.taken?.corrected ?? {}).length > 0, relaxed: isRelaxed }
    },
  }
}

async function readIds({ db }: Data, house: string): Promise<Map<string, string>> {
  type Row = { id: string; public_id: string }
  const { rows } = await sql<Row>`select id, public_id from catalogue.items where house_id = ${house}`.execute(db)
  return new Map(rows.map(({ id, public_id }) => [id, String(Number(public_id.slice(-12)))]))
}
