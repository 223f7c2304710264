import { HouseIndex } from '../../src/search/index/house.ts'
import type { ItemRow, MakerRow } from '../../src/search/index/rows.ts'
import { Matching } from '../../src/search/matching.ts'
import { search } from '../../src/search/stages.ts'
import { uuid } from '../../test/support/lines.ts'
import type { Source } from './known-items.ts'
import { most, type Engine } from './sqlite-engine.ts'

const pause = () => undefined

/** The search of the catalogue on an index of the records of a source: how it matches and ranks, without the database. */
export async function openCatalogue({ locale, items }: Source): Promise<Engine> {
  const index = new HouseIndex(locale)
  const names = [...new Set(items.flatMap(({ maker }) => maker || []))]
  const makers = new Map(names.map((name, at) => [name, `${at}`]))
  await index.apply(
    {
      maker: names.map((name, at): MakerRow => [`${at}`, uuid(at), false, name.slice(0, 255)]),
      item: items.map(({ id, title, maker, description }): ItemRow => {
        const made = maker === '' ? null : [makers.get(maker)!]
        const texts: ItemRow[10] = [[locale, true, title.slice(0, 900), description || null]]
        return [id, uuid(Number(id)), Number(id), false, null, null, null, null, false, null, texts, made, null]
      }),
    },
    undefined,
    pause,
  )
  const matching = new Matching(index)
  const asked = { kind: 'item', filters: {}, owners: {}, limit: most, categories: true, now: 0 } as const
  const first = { after: undefined, walk: undefined, sorting: { by: 'relevance', descending: false } } as const
  return {
    name: 'the catalogue',
    async search(q) {
      const found = await search(index, matching, { ...asked, ...first, facets: [], q }, pause)
      if (typeof found === 'string') return { ids: [] }
      const { page, walk, isRelaxed } = found
      const ids = page.slice(0, most).map(({ row }) => row)
      return { ids, corrected: Object.keys(walk.taken?.corrected ?? {}).length > 0, relaxed: isRelaxed }
    },
  }
}
