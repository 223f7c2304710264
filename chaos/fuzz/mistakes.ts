import fc, { type Arbitrary } from 'fast-check'
import type { Parameter, Schema } from './document.ts'
import { houses } from './houses.ts'
import {
  among,
  encode,
  fieldsOf,
  prefixIn,
  printJson,
  Raw,
  unknownId,
  valueOf,
  weighed,
  type Source,
} from './values.ts'

// Texts of only white space, by any definition.
const blanks = ['', ' ', '\t\r\n', '\u00a0', '\u0085', '\u2003', '\u2028', '\u3000', '\ufeff', '\u0085 \u00a0']
/** Names of properties that every object inherits. */
export const prototypeNames = '__proto__ constructor toString hasOwnProperty prototype valueOf length'.split(' ')
const shapes =
  'null true [] {} [null] [[]] {"__proto__":{"a":1}} {"constructor":{"prototype":{}}} {"toString":1}'.split(' ')
const numbers = '0 -1 -0 1.5 1.0 1e2 1e400 -1e400 1E-7 2147483648 -2147483649 99 9007199254740993'.split(' ')
const texts = ['\\u0000', 'a\\u0000b', '\\ud800', '\\udc00x\\ud800', '\\u0085', 'true', '1', 'null', 'EUR', '\\u202e']
const literals = [...shapes, ...numbers, '9'.repeat(30), ...texts.map((text) => `"${text}"`)]
const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)
const times = [
  ...'2026-02-30T00:00:00Z 2026-01-01T00:00:00 0000-01-01T00:00:00Z 9999-12-31T23:59:60Z 2026-01-01'.split(' '),
  ...'2026-01-01T24:00:00Z 2026-01-01T00:00:00+99:00 +012026-01-01T00:00:00Z'.split(' '),
]
const rawOf = (...texts: string[]) => fc.constantFrom(...texts).map((text) => new Raw(text))
const longNames = [1_000, 20_000].map((size) => 'n'.repeat(size))
const strangeNames = [...prototypeNames, ...longNames, 'nonsense', '', 'a.b', 'id', 'house_id', 'Title']

/** Values that a field probably refuses. */
const strange: Arbitrary<unknown> = weighed<unknown>(
  [6, rawOf(...literals)],
  [2, fc.constantFrom(...blanks)],
  [1, fc.constantFrom(...times)],
  [2, fc.jsonValue()],
  [1, fc.string({ unit: 'binary', maxLength: 10 })],
  [1, rawOf(...[3, 100, 5_000].map(nested))],
)

// Rarely as many as fit into a body of 1 MiB.
const many = weighed([9, fc.constantFrom(29, 2_000)], [1, fc.constant(500_000)]).chain((count) =>
  rawOf(...['0', 'null', '""', '{}'].map((value) => `[${Array(count).fill(value).join(',')}]`)),
)

/** An id that names no record of the house: of another kind or house, malformed, unknown or deleted. */
export function strangeId(prefix: string, { house, knowledge }: Source): Arbitrary<string> {
  const place = knowledge.placeOf(prefix)
  const unknown = unknownId(prefix)
  const last = (records: string[][]) =>
    among(
      records.map((ids) => ids.at(-1)!),
      unknown,
    )
  const own = last(knowledge.recordsAt(house, place))
  const foreign = houses.filter((each) => each !== house).map((each) => last(knowledge.recordsAt(each, place)))
  const others = 'itm_ auc_ xxx_ ITM_ _ null_'.split(' ').filter((each) => each !== prefix)
  const otherKind = own.chain((id) => fc.constantFrom(...others.map((each) => each + id.slice(4))))
  const malformed = own.chain((id) =>
    fc.constantFrom(id.slice(0, -1), `${id}0`, `${id}\n`, ` ${id}`, id.replaceAll('-', ''), prefix + id),
  )
  return weighed(
    [6, fc.oneof(...foreign)],
    [3, unknown],
    [2, last(knowledge.deletedAt(house, place))],
    [2, otherKind],
    [1, malformed],
    [1, fc.constantFrom('0', 'null', '__proto__', '../items', "' or 1=1 --", '%', '*', ' ')],
  )
}

/** Values of a schema with one mistake. The service may accept some of them. */
export function mistakeOf(schema: Schema, source: Source, name = ''): Arbitrary<unknown> {
  const { type, anyOf, oneOf, items, pattern, maxLength, 'x-max-bytes': bytes = 65_536 } = schema
  const { minimum = -2147483648, maximum = 2147483647, multipleOf = 1 } = schema
  const prefix = prefixIn(pattern)
  const kind = anyOf?.find((each) => each.type !== 'null')
  if (kind) return mistakeOf(kind, source, name)
  if (oneOf) {
    const all = fc.tuple(...oneOf.map((each) => valueOf(each, source)))
    const both = all.map((kinds) => Object.assign({}, ...kinds) as unknown)
    return weighed([9, fc.oneof(...oneOf.map((each) => mistakeOf(each, source)))], [1, both])
  }
  if (type === 'object') return mistakeInObject(schema, source)
  if (type === 'array') {
    const list = valueOf(schema, source, name) as Arbitrary<unknown[]>
    const other = fc.tuple(list, fc.nat(3), mistakeOf(items!, source, name))
    return weighed(
      [5, other.map(([all, at, wrong]) => all.toSpliced(at, 1, wrong))],
      [1, list.map((all) => [...all, ...all])],
      [2, many],
      [2, strange],
    )
  }
  if (prefix) return weighed([6, strangeId(prefix, source)], [4, strange])
  if (type === 'integer') return weighed([1, fc.constantFrom(minimum - 1, maximum + 1, multipleOf * 1.5)], [3, strange])
  const tooLong = fc.constantFrom('x', '🏺').map((sign) => sign.repeat((maxLength ?? bytes) + 1))
  return type === 'string' ? weighed([1, tooLong], [2, fc.constantFrom(...blanks)], [5, strange]) : strange
}

function mistakeInObject(schema: Schema, source: Source): Arbitrary<unknown> {
  const fields = fieldsOf(schema)
  const [names, required] = [Object.keys(fields), schema.required ?? []]
  const whole = valueOf(schema, source) as Arbitrary<Record<string, unknown>>
  const change = (name: string, value: Arbitrary<unknown>) =>
    fc.tuple(whole, value).map(([object, each]) => ({ ...object, [name]: each }))
  const unknown = fc.constantFrom(...strangeNames).chain((name) => change(name, rawOf(...literals)))
  const another = rawOf(...shapes, ...literals, nested(20_000))
  if (names.length === 0) return weighed<unknown>([4, unknown], [1, another])
  const name = fc.constantFrom(...names)
  const missing = fc.tuple(whole, fc.constantFrom(...(required.length > 0 ? required : names)))
  // Sometimes the name of the second one is escaped.
  const escape = (text: string) =>
    Array.from(text, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`).join('')
  const twice = fc
    .tuple(whole, name, fc.boolean(), fc.constantFrom(...literals))
    .map(([object, name, isEscaped, other]) => {
      const first = printJson(object[name] ?? null)
      return { ...object, [name]: new Raw(`${first},"${isEscaped ? escape(name) : name}":${other}`, true) }
    })
  return weighed<unknown>(
    [5, name.chain((each) => change(each, mistakeOf(fields[each]!, source, each)))],
    [1, unknown],
    [1, missing.map(([object, left]) => Object.fromEntries(Object.entries(object).filter(([each]) => each !== left)))],
    [1, twice],
    [1, another],
  )
}

/** Whether a value has a name twice in one object. */
export const hasRepeated = (value: unknown): boolean =>
  value instanceof Raw
    ? value.repeats
    : typeof value === 'object' && value !== null && Object.values(value).some(hasRepeated)

const zero = '00000000-0000-4000-8000-000000000000'
const badTexts =
  'a\0b|\0|x| 5|5 |+5|5.0|0x5|1e1|-|NaN|٣|0|-1|101|2147483648|-2147483649|TRUE|1|yes|true |null|nonsense|constructor|item |a,b|itm_'
    .split('|')
    .concat(
      ...blanks,
      '9'.repeat(40),
      'x'.repeat(3_000),
      ...['xxx_', 'itm_', 'auc_', 'ITM_', '_'].map((each) => each + zero),
    )
const badNames = 'nonsense Limit expand limit[] cursor[a] house house_id %20limit limit%00 %zz'
  .split(' ')
  .concat('', ...prototypeNames, 'x'.repeat(4_000))

// Whether a parameter may take a text. An id of another kind is none.
function mayTake(schema: Schema, text: string): boolean {
  const { type, pattern, minimum = -Infinity, maximum = Infinity, items } = schema
  if (type === 'array') return mayTake(items!, text)
  if (schema.enum) return schema.enum.includes(text)
  if (type === 'boolean') return text === 'true' || text === 'false'
  if (type === 'integer') return /^-?\d+$/.test(text) && Number(text) >= minimum && Number(text) <= maximum
  return pattern === undefined
    ? !text.includes('\0') && !/^\p{White_Space}*$|^\ufeff*$/u.test(text)
    : new RegExp(pattern).test(text)
}

// A mistake in a query: the pairs that replace those of its name. `isWrong`: the query must be refused.
type QueryMistake = { name: string; pairs: string[]; note: string; isWrong: boolean }

function parameterMistake({ name, schema }: Parameter, cursors: string[]): Arbitrary<QueryMistake> {
  const bad = weighed([3, fc.constantFrom(...badTexts)], [1, fc.string({ unit: 'binary', maxLength: 5 })])
  const pair = (text: string) => `${name}=${encode(text)}`
  if (name === 'cursor') {
    const cursor = among(cursors, fc.constant('x'))
    const changed = fc.tuple(cursor, fc.nat()).map(([text, n]) => {
      const at = n % text.length
      return text.slice(0, at) + (text[at] === 'A' ? 'B' : 'A') + text.slice(at + 1)
    })
    const others = weighed([4, cursor], [1, changed], [1, bad])
    return others.map((text) => ({ name, pairs: [pair(text)], note: 'a cursor of another list', isWrong: true }))
  }
  const other = bad.map((text) => {
    return { name, pairs: [pair(text)], note: `another ${name}`, isWrong: !mayTake(schema, text) }
  })
  const twice = fc.constant<QueryMistake>({ name, pairs: [pair('1'), pair('1')], note: `${name} twice`, isWrong: true })
  return schema.type === 'array' ? other : weighed([4, other], [1, twice])
}

/** A parameter with a mistake, or one that is none. `cursors` are those of other lists. */
export function queryMistake(query: Parameter[], cursors: string[]): Arbitrary<QueryMistake> {
  const unknown = fc.constantFrom(...badNames).map((name) => {
    return { name, pairs: [`${name}=1`], note: `unknown parameter ${name.slice(0, 20)}`, isWrong: true }
  })
  const known = query.map((each) => parameterMistake(each, cursors))
  return known.length === 0 ? unknown : weighed([3, unknown], [7, fc.oneof(...known)])
}
