import { kinds } from '../kinds.ts'
import { filterOf, isOpen, type Facet, type Filters } from './filters.ts'
import { results, type Sets } from './index/columns.ts'
import type { HouseIndex } from './index/house.ts'
import type { Named, Table } from './index/names.ts'
import { findBound } from './newest.ts'

/** A value of a facet, and how many records have it. `name` is null where the value says it. */
export type FacetValue = { value: string; name: string | null; count: number }

const mostValues = 50

/** How many records count for each of some places, of `counts.length`. `places`: those for which any does. */
type Counts = { counts: Int32Array; places: number[] }

function countBy(size: number, records: Int32Array, placeOf: (record: number) => number): Counts {
  const found: Counts = { counts: new Int32Array(size), places: [] }
  for (const record of records) count(found, placeOf(record), 1)
  return found
}

function count({ counts, places }: Counts, place: number, records: number): void {
  if (counts[place] === 0) places.push(place)
  counts[place]! += records
}

// Many records share a set: each set is looked at once. A record counts for those above its own too, but once for each.
function countMembers(sets: Sets, ofSets: Counts, { all }: Table<Named>): Counts {
  const found: Counts = { counts: new Int32Array(all.length), places: [] }
  const lastSet = new Int32Array(all.length).fill(-1)
  for (const set of ofSets.places)
    for (const member of sets.all[set]!)
      for (let place = member; place >= 0 && lastSet[place] !== set; place = all[place]!.parent) {
        lastSet[place] = set
        count(found, place, ofSets.counts[set]!)
      }
  return found
}

type Value = FacetValue & { id: string }

// The most frequent, those that may be among them by their ids, and those that are chosen.
function listNamed(
  kind: 'category' | 'maker' | 'session',
  { counts, places }: Counts,
  all: Pick<Named, 'uuid' | 'name'>[],
  chosen: ReadonlySet<string>,
): Value[] {
  const known = places.filter((place) => all[place]!.uuid !== null)
  const bound =
    known.length > mostValues
      ? findBound(
          Float64Array.from(known, (place) => counts[place]!),
          mostValues,
        )
      : 0
  return known.flatMap((place) => {
    const { uuid, name } = all[place]!
    const isShown = counts[place]! >= bound || chosen.has(uuid!)
    return isShown ? [{ value: `${kinds[kind].prefix}_${uuid}`, name, count: counts[place]!, id: uuid! }] : []
  })
}

const listPlain = ({ counts, places }: Counts, names: readonly string[]): Value[] =>
  places.map((place) => ({ value: names[place]!, name: null, count: counts[place]!, id: names[place]! }))

function listValues(
  index: HouseIndex,
  facet: Facet,
  areLots: boolean,
  records: Int32Array,
  chosen: ReadonlySet<string>,
  now: number,
): Value[] {
  const { items, lots, sessions } = index
  if (facet === 'session') {
    const counts = countBy(sessions.all.length, records, (lot) => lots.session[lot]!)
    return listNamed(facet, counts, sessions.all, chosen)
  }
  if (facet === 'result')
    return listPlain(
      countBy(results.length, records, (lot) => lots.result[lot]!),
      results,
    )
  if (facet === 'open') {
    const takesBids = isOpen(index, now)
    return listPlain(
      countBy(2, records, (lot) => (takesBids(lot) ? 1 : 0)),
      ['false', 'true'],
    )
  }
  const [{ table }, sets, setOf] =
    facet === 'category'
      ? [index.categories, index.categorySets, items.categories]
      : [index.makers, index.makerSets, items.makers]
  const ofSets = countBy(sets.all.length, records, (record) => setOf[areLots ? lots.item[record]! - 1 : record]!)
  return listNamed(facet, countMembers(sets, ofSets, table), table.all, chosen)
}

/**
 * Counts a facet over records: the 50 most frequent values, and those that its filter names. These are shown even if no
 * record has them, but then without their names, which the other filters may hide. `now`: milliseconds.
 */
export function countFacet(
  index: HouseIndex,
  facet: Facet,
  areLots: boolean,
  records: Int32Array,
  filters: Filters,
  now: number,
): FacetValue[] {
  const chosen = new Set([filters[filterOf[facet]] ?? []].flat().map(String))
  const values = listValues(index, facet, areLots, records, chosen, now)
  const counted = new Set(values.map(({ id }) => id))
  const prefix = facet === 'result' || facet === 'open' ? '' : `${kinds[facet].prefix}_`
  for (const id of chosen) if (!counted.has(id)) values.push({ value: prefix + id, name: null, count: 0, id })
  return values
    .toSorted((one, other) => other.count - one.count || (one.value < other.value ? -1 : 1))
    .filter(({ id }, place) => place < mostValues || chosen.has(id))
    .map(({ value, name, count }) => ({ value, name, count }))
}
