import type { Operation, Parameter } from './document.ts'
import type { House } from './houses.ts'
import { canonicalAddress, type Knowledge } from './knowledge.ts'
import { blanks, prototypeNames, strangeId } from './mutations.ts'
import type { Random } from './random.ts'
import { prefixIn, type createValues } from './values.ts'

type Pairs = [name: string, value: string][]

const encode = (text: string) => encodeURIComponent(text.toWellFormed())
const print = (pairs: Pairs) =>
  pairs.map(([name, value]) => `${name.replaceAll('&', '%26')}=${encode(value)}`).join('&')
const filterLists = ['category[]', 'maker[]']
const isPaging = (name: string) =>
  name === 'limit' || name === 'cursor' || (name.endsWith('[]') && !filterLists.includes(name))

/** The filters of a query that bind a cursor: all parameters except those that may change between pages. */
export function filtersOf(target: string): string {
  const pairs = (target.split('?')[1] ?? '').split('&').filter((pair) => pair !== '' && !isPaging(pair.split('=')[0]!))
  return canonicalAddress(pairs.toSorted().join('&'))
}

/** A query that the operation accepts. */
export function buildQuery(
  random: Random,
  operation: Operation,
  { value }: ReturnType<typeof createValues>,
  known: { house: House; path: string; knowledge: Knowledge },
): string {
  const { house, knowledge } = known
  const pairs: Pairs = []
  for (const { name, schema } of operation.query) {
    if (name === 'cursor' || name === 'after' || !random.chance(isPaging(name) ? 0.4 : 0.2)) continue
    if (schema.type === 'array')
      for (let many = random.size(3); many > 0; many--) pairs.push([name, String(value(schema.items!, name))])
    else {
      const seen =
        schema.pattern === undefined && random.chance(0.7) ? knowledge.pickValue(random, house, name) : undefined
      const fits = typeof seen === 'string' && schema.type === 'string' && /\S/.test(seen)
      pairs.push([name, String(fits ? seen : value(schema, name))])
    }
  }
  const query = print(pairs)
  if (!operation.query.some(({ name }) => name === 'cursor') || !random.chance(0.4)) return query
  // The cursor and its filters come from an earlier page.
  const path = canonicalAddress(known.path)
  const fitting = knowledge.cursors.filter((each) => each.house === house && each.path === path)
  if (fitting.length === 0) return query
  const { filters, cursor } = random.pick(fitting)
  const paging = pairs.filter(([name]) => isPaging(name))
  return [filters, print(paging), `cursor=${cursor}`].filter(Boolean).join('&')
}

function badCursor(
  random: Random,
  known: { house: House; path: string; knowledge: Knowledge },
  filters: string,
): string {
  const { house, knowledge } = known
  const path = canonicalAddress(known.path)
  const wrong = knowledge.cursors.filter(
    (each) => each.house !== house || each.path !== path || each.filters !== filters,
  )
  const { cursor } = wrong.length > 0 ? random.pick(wrong) : { cursor: 'x' }
  const at = random.below(cursor.length)
  return random.weigh([
    [4, cursor],
    [1, cursor.slice(0, at) + (cursor[at] === 'A' ? 'B' : 'A') + cursor.slice(at + 1)],
    [1, random.pick(['', 'null', 'undefined', '0', 'A'.repeat(400), 'é', '{"a":1}', '\0'])],
  ])
}

function badText(random: Random, { schema }: Parameter): string {
  const prefix = prefixIn(schema.pattern)
  if (prefix) {
    const [uuid, kind] = [random.uuid(), prefix === 'itm_' ? 'auc_' : 'itm_']
    return random.pick([
      '',
      'x',
      '0',
      `${prefix}${uuid}0`,
      `xxx_${uuid}`,
      kind + uuid,
      kind + uuid,
      prefix,
      '\0',
      `{${uuid}}`,
    ])
  }
  if (schema.type === 'integer')
    return random.pick([
      '',
      ' 5',
      '5 ',
      '+5',
      '5.0',
      '0x5',
      '1e1',
      '-',
      '9'.repeat(40),
      'NaN',
      String((schema.maximum ?? 0) + 1),
      String((schema.minimum ?? 0) - 1),
      '٣',
    ])
  if (schema.type === 'boolean') return random.pick(['', 'TRUE', '1', '0', 'yes', 'true ', 'null'])
  if (schema.type === 'array')
    return random.pick(['', 'nonsense', 'constructor', '__proto__', 'item ', 'a,b', 'x'.repeat(3_000)])
  return random.pick([...blanks, 'a\0b'])
}

/** A query with one mistake, which must be refused. `note` says which. */
export function mutateQuery(
  random: Random,
  operation: Operation,
  query: string,
  known: { house: House; path: string; knowledge: Knowledge },
): { query: string; note: string } {
  const add = (pair: string) => [query, pair].filter(Boolean).join('&')
  const without = (name: string) =>
    query
      .split('&')
      .filter((pair) => pair !== '' && !pair.startsWith(`${name}=`))
      .join('&')
  const parameter = operation.query.length > 0 && random.chance(0.7) ? random.pick(operation.query) : undefined
  if (!parameter) {
    const name = random.pick([
      'nonsense',
      'Limit',
      'expand',
      'limit[]',
      'cursor[a]',
      'house',
      'house_id',
      '',
      '%20limit',
      'limit%00',
      '%zz',
      ...prototypeNames,
      'x'.repeat(random.size(5_000)),
    ])
    return { query: add(`${name}=1`), note: `unknown parameter ${name.slice(0, 20)}` }
  }
  const { name, schema } = parameter
  if (name === 'cursor') {
    const rest = without(name)
    const cursor = badCursor(random, known, filtersOf(`?${rest}`))
    return { query: [rest, `cursor=${encode(cursor)}`].filter(Boolean).join('&'), note: 'a cursor of another list' }
  }
  if (schema.type !== 'array' && random.chance(0.2)) return { query: `${name}=1&${name}=1`, note: `${name} twice` }
  const bad = badText(random, parameter)
  return { query: [without(name), `${name}=${encode(bad)}`].filter(Boolean).join('&'), note: `another ${name}` }
}

/** An id for a path that names no record of the house. */
export function strangePathId(random: Random, prefix: string, house: House, knowledge: Knowledge): string {
  const id = strangeId(random, prefix, house, knowledge)
  if (id === '') return '%20'
  return random.weigh([
    [9, encode(id)],
    [1, random.pick(['%00', '%ff', '%zz', `${encode(id)}%00`, '%2e%2e', '..%2f', 'a;b', 'x'.repeat(3_000)])],
  ])
}
