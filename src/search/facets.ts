import { kinds } from '../kinds.ts'
import { filterOf, isOpen, type Facet, type Filters } from './filters.ts'
import { results, type Sets } from './index/columns.ts'
import type { HouseIndex } from './index/house.ts'
import type { Named, Table } from './index/names.ts'

/** A value of a facet, and how many records have it. `name` is null where the value says it. */
export type FacetValue = { value: string; name: string | null; count: number }

const mostValues = 50

/** What a record counts for: `place` is the place of the counted record, or a number. */
type Counts = Map<number, number>

const countBy = (records: readonly number[], placeOf: (record: number) => number): Counts => {
  const counts: Counts = new Map()
  for (const record of records) {
    const place = placeOf(record)
    counts.set(place, (counts.get(place) ?? 0) + 1)
  }
  return counts
}

// Many records share a set: each set is looked at once. `above`: the record that counts too where one counts.
function countMembers(sets: Sets, ofSets: Counts, above: (place: number) => number): Counts {
  const counts: Counts = new Map()
  for (const [set, count] of ofSets) {
    const counted = new Set<number>()
    for (const member of sets.all[set]!)
      for (let place = member; place >= 0 && !counted.has(place); place = above(place)) counted.add(place)
    for (const place of counted) counts.set(place, (counts.get(place) ?? 0) + count)
  }
  return counts
}

type Value = FacetValue & { id: string }

function listNamed(
  kind: 'category' | 'maker' | 'session',
  counts: Counts,
  all: Pick<Named, 'uuid' | 'name'>[],
): Value[] {
  return [...counts].flatMap(([place, count]) => {
    const { uuid, name } = all[place]!
    return uuid === null ? [] : [{ value: `${kinds[kind].prefix}_${uuid}`, name, count, id: uuid }]
  })
}

const listPlain = (counts: Counts, names: readonly string[]): Value[] =>
  [...counts].map(([number, count]) => ({ value: names[number]!, name: null, count, id: names[number]! }))

function listValues(index: HouseIndex, facet: Facet, areLots: boolean, records: readonly number[], now: number) {
  const { items, lots } = index
  const itemOf = (record: number) => (areLots ? lots.item[record]! - 1 : record)
  const parentOf =
    ({ all }: Table<Named>) =>
    (place: number) =>
      all[place]!.parent
  if (facet === 'category') {
    const { table } = index.categories
    const ofSets = countBy(records, (record) => items.categories[itemOf(record)]!)
    return listNamed(facet, countMembers(index.categorySets, ofSets, parentOf(table)), table.all)
  }
  if (facet === 'maker') {
    const ofSets = countBy(records, (record) => items.makers[itemOf(record)]!)
    return listNamed(
      facet,
      countMembers(index.makerSets, ofSets, () => -1),
      index.makers.table.all,
    )
  }
  if (facet === 'session')
    return listNamed(
      facet,
      countBy(records, (lot) => lots.session[lot]!),
      index.sessions.all,
    )
  if (facet === 'result')
    return listPlain(
      countBy(records, (lot) => lots.result[lot]!),
      results,
    )
  const takesBids = isOpen(index, now)
  return listPlain(
    countBy(records, (lot) => (takesBids(lot) ? 1 : 0)),
    ['false', 'true'],
  )
}

/**
 * Counts a facet over records: the 50 most frequent values, and those that its filter names. These are shown even if no
 * record has them, but then without their names, which the other filters may hide. `now`: milliseconds.
 */
export function countFacet(
  index: HouseIndex,
  facet: Facet,
  areLots: boolean,
  records: readonly number[],
  filters: Filters,
  now: number,
): FacetValue[] {
  const values = listValues(index, facet, areLots, records, now)
  const chosen = new Set([filters[filterOf[facet]] ?? []].flat().map(String))
  const counted = new Set(values.map(({ id }) => id))
  const prefix = facet === 'result' || facet === 'open' ? '' : `${kinds[facet].prefix}_`
  for (const id of chosen) if (!counted.has(id)) values.push({ value: prefix + id, name: null, count: 0, id })
  return values
    .toSorted((one, other) => other.count - one.count || (one.value < other.value ? -1 : 1))
    .filter(({ id }, place) => place < mostValues || chosen.has(id))
    .map(({ value, name, count }) => ({ value, name, count }))
}
