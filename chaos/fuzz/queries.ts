import type { Operation } from './document.ts'
import type { House } from './houses.ts'
import { canonicalAddress, pickAt, type Knowledge } from './knowledge.ts'
import { mayTake, strangeId, type QueryMistake } from './mistakes.ts'
import { prefixIn, type Filling } from './values.ts'

const encode = (text: string) => encodeURIComponent(text.toWellFormed())
const filterLists = ['category[]', 'maker[]']
const isPaging = (name: string) =>
  name === 'limit' || name === 'cursor' || (name.endsWith('[]') && !filterLists.includes(name))

/** The filters of a query that bind a cursor: all parameters except those that may change between pages. */
export function filtersOf(target: string): string {
  const pairs = (target.split('?')[1] ?? '').split('&').filter((pair) => pair !== '' && !isPaging(pair.split('=')[0]!))
  return canonicalAddress(pairs.toSorted().join('&'))
}

/** A query that the operation accepts, sometimes with the cursor and the filters of an earlier page. */
export function buildQuery(
  operation: Operation,
  values: Record<string, unknown>,
  cursor: number | undefined,
  { house, path, knowledge }: { house: House; path: string; knowledge: Knowledge },
): string {
  const pairs = Object.entries(values).flatMap(([name, value]) => {
    // A cursor is never made up.
    const all = name === 'cursor' || name === 'after' || value === undefined ? [] : [value].flat()
    return all.map((each): [string, string] => [name, `${name}=${encode(String(each as string | number | boolean))}`])
  })
  const print = (chosen: typeof pairs) => chosen.map(([, pair]) => pair).join('&')
  const isList = operation.query.some(({ name }) => name === 'cursor')
  const fitting = knowledge.cursors.filter((each) => each.house === house && each.path === canonicalAddress(path))
  if (!isList || cursor === undefined || fitting.length === 0) return print(pairs)
  const page = pickAt(fitting, cursor)!
  return [page.filters, print(pairs.filter(([name]) => isPaging(name))), `cursor=${page.cursor}`]
    .filter(Boolean)
    .join('&')
}

function badCursor(
  { cursor: kind, site, text }: QueryMistake,
  path: string,
  { house, knowledge }: Filling,
  filters: string,
) {
  const isOther = (each: (typeof knowledge.cursors)[number]) =>
    each.house !== house || each.path !== canonicalAddress(path) || each.filters !== filters
  const cursor = pickAt(knowledge.cursors.filter(isOther), site)?.cursor ?? 'x'
  const at = site % cursor.length
  if (kind === 'nonsense') return text
  return kind === 'foreign' ? cursor : cursor.slice(0, at) + (cursor[at] === 'A' ? 'B' : 'A') + cursor.slice(at + 1)
}

/** A query with one mistake. `note` says which; `isWrong`: it must be refused. */
export function spoilQuery(
  mistake: QueryMistake,
  { query }: Operation,
  search: string,
  { path, filling }: { path: string; filling: Filling },
): { text: string; note: string; isWrong: boolean } {
  const { isParameter, site, text, id, isTwice, name: unknown } = mistake
  const join = (...pairs: string[]) => pairs.filter(Boolean).join('&')
  const parameter = isParameter ? query[site % query.length] : undefined
  if (!parameter)
    return { text: join(search, `${unknown}=1`), note: `unknown parameter ${unknown.slice(0, 20)}`, isWrong: true }
  const { name, schema } = parameter
  const rest = join(...search.split('&').filter((pair) => !pair.startsWith(`${name}=`)))
  if (name === 'cursor') {
    const cursor = badCursor(mistake, path, filling, filtersOf(`?${rest}`))
    return { text: join(rest, `cursor=${encode(cursor)}`), note: 'a cursor of another list', isWrong: true }
  }
  if (schema.type !== 'array' && isTwice) return { text: `${name}=1&${name}=1`, note: `${name} twice`, isWrong: true }
  const prefix = prefixIn((schema.items ?? schema).pattern)
  const bad = prefix && site % 2 === 0 ? strangeId({ ...id, kind: 'wrong' }, prefix, filling) : text
  return { text: join(rest, `${name}=${encode(bad)}`), note: `another ${name}`, isWrong: !mayTake(parameter, bad) }
}
