import fc, { type Arbitrary } from 'fast-check'
import type { Parameter, Schema } from './document.ts'
import { houses } from './houses.ts'
import { fill, prefixIn, printJson, Raw, type Filling } from './values.ts'

const among = <T>(...choices: [weight: number, choice: T][]): Arbitrary<T> =>
  fc.oneof(...choices.map(([weight, choice]) => ({ weight, arbitrary: fc.constant(choice) })))

/** Texts of only white space, by any definition. */
const blanks = ['', ' ', '\t\r\n', '\u00a0', '\u0085', '\u2003', '\u2028', '\u3000', '\ufeff', '\u0085 \u00a0']
/** Names of properties that every object inherits. */
export const prototypeNames = '__proto__ constructor toString hasOwnProperty prototype valueOf length'.split(' ')
const numbers = '0 -1 -0 1.5 1.0 1e2 1e400 -1e400 1E-7 2147483648 -2147483649 99 9007199254740993'.split(' ')
const texts = ['\\u0000', 'a\\u0000b', '\\ud800', '\\udc00x\\ud800', '\\u0085', 'true', '1', 'null', 'EUR', '\\u202e']
const shapes =
  'null true [] {} [null] [[]] {"__proto__":{"a":1}} {"constructor":{"prototype":{}}} {"toString":1}'.split(' ')
const times = [
  '2026-02-30T00:00:00Z',
  '2026-01-01T00:00:00',
  '0000-01-01T00:00:00Z',
  '9999-12-31T23:59:60Z',
  '2026-01-01',
  '2026-01-01T24:00:00Z',
  '2026-01-01T00:00:00+99:00',
  '+012026-01-01T00:00:00Z',
]
const literals = [...shapes, ...numbers, '9'.repeat(30), ...texts.map((text) => `"${text}"`)]
const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)
const raw = fc.constantFrom(...literals).map((text) => new Raw(text))
const lengths = fc.constantFrom(256, 1001, 1025, 4097, 65_537)

/** An id that names no record of the house: of another kind or house, malformed, unknown or deleted. */
export const strangeIds = fc.record({
  kind: among([6, 'foreign'], [3, 'unknown'], [2, 'deleted'], [2, 'wrong'], [1, 'malformed'], [1, 'nonsense']),
  n: fc.nat(),
  unknown: fc.uuid({ version: 4 }),
})
type StrangeId = typeof strangeIds extends Arbitrary<infer T> ? T : never

export function strangeId({ kind, n, unknown }: StrangeId, prefix: string, { house, knowledge }: Filling): string {
  const place = knowledge.placeOf(prefix) ?? ''
  const fresh = prefix + unknown
  const own = knowledge.pickRecord(house, place, n)?.at(-1) ?? fresh
  const one = (from: string[]) => from[n % from.length]!
  if (kind === 'foreign')
    return knowledge.pickRecord(houses.filter((each) => each !== house)[n % 2]!, place, n)?.at(-1) ?? fresh
  if (kind === 'deleted') return knowledge.pickDeleted(house, place, n)?.at(-1) ?? fresh
  if (kind === 'wrong')
    return one(['itm_', 'auc_', 'xxx_', 'ITM_', '_', 'null_'].filter((each) => each !== prefix)) + own.slice(4)
  if (kind === 'malformed')
    return one([own.slice(0, -1), `${own}0`, `${own}\n`, ` ${own}`, own.replaceAll('-', ''), prefix + own])
  return kind === 'unknown' ? fresh : one(['0', 'null', '__proto__', '../items', "' or 1=1 --", '%', '*', ''])
}

/** Values that a field probably refuses. */
const badValues = fc.oneof(
  { weight: 6, arbitrary: raw },
  { weight: 2, arbitrary: fc.constantFrom(...blanks) },
  { weight: 1, arbitrary: fc.constantFrom(...times) },
  { weight: 2, arbitrary: fc.jsonValue() },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 10 }) },
  { weight: 1, arbitrary: fc.tuple(lengths, fc.constantFrom('x', '🏺')).map(([many, sign]) => sign.repeat(many)) },
  { weight: 1, arbitrary: fc.constantFrom(3, 100, 5_000).map((depth) => new Raw(nested(depth))) },
)

// Rarely as many as fit into a body of 1 MiB.
const manyValues = fc
  .tuple(among([29, 2_000], [1, 500_000]), fc.constantFrom('0', 'null', '""', '{}'))
  .map(([many, value]) => new Raw(`[${Array(many).fill(value).join(',')}]`))

const strangeNames = [...prototypeNames, 'nonsense', '', 'a.b', 'id', 'house_id', 'Title']

/** A mistake in a body: at which of its values, and which. */
export const bodyMistakes = fc.record({
  kind: among([5, 'value'], [1, 'unknown'], [1, 'missing'], [1, 'repeated'], [1, 'whole']),
  site: fc.nat(),
  name: fc.oneof(
    fc.constantFrom(...strangeNames),
    fc.constantFrom(1_000, 20_000).map((size) => 'n'.repeat(size)),
  ),
  isRelated: fc.integer({ min: 0, max: 9 }).map((chance) => chance < 6),
  id: strangeIds,
  many: manyValues,
  value: badValues,
  whole: fc.oneof(fc.constantFrom(...shapes), fc.constantFrom(...literals, nested(20_000))),
  isEscaped: fc.boolean(),
})
type BodyMistake = typeof bodyMistakes extends Arbitrary<infer T> ? T : never

type Site = { holder: Record<string | number, unknown>; key: string | number; schema: Schema | undefined }

const variant = (schema: Schema | undefined): Schema | undefined =>
  schema?.anyOf ? schema.anyOf.find(({ type }) => type !== 'null') : schema

function* sitesOf(value: unknown, schema: Schema | undefined): Generator<Site> {
  if (typeof value !== 'object' || value === null) return
  const shape = variant(schema)
  for (const [key, each] of Object.entries(value)) {
    const own = Array.isArray(value) ? shape?.items : shape?.properties?.[key]
    yield { holder: value as Site['holder'], key: Array.isArray(value) ? Number(key) : key, schema: own }
    yield* sitesOf(each, own)
  }
}

/** A body with one mistake, as JSON text. `note` says which. */
export function spoilBody(
  { kind, site, name, isRelated, id, many, value, whole, isEscaped }: BodyMistake,
  body: Record<string, unknown>,
  schema: Schema,
  filling: Filling,
): { text: string; note: string; repeats?: true } {
  const sites = [...sitesOf(body, schema)]
  const other = whole.length > 100 ? '[[]]' : whole
  if (kind === 'whole') return { text: whole, note: 'another value as the whole body' }
  const { holder, key, schema: own } = sites[site % sites.length] ?? { holder: body, key: name, schema: undefined }
  if (kind === 'unknown' || sites.length === 0) {
    const object = Array.isArray(holder) ? body : holder
    Object.defineProperty(object, name, { value: new Raw(other), enumerable: true, configurable: true })
    return { text: printJson(body), note: `unknown field ${name.slice(0, 20)}` }
  }
  if (kind === 'missing' && !Array.isArray(holder)) {
    delete holder[key]
    return { text: printJson(body), note: `without ${key}` }
  }
  if (kind === 'repeated' && !Array.isArray(holder)) {
    // Sometimes the name of the second one is escaped.
    const escape = (sign: string) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`
    const again = isEscaped ? `"${Array.from(String(key), escape).join('')}"` : JSON.stringify(key)
    holder[key] = new Raw(`${printJson(holder[key])},${again}:${other}`)
    return { text: printJson(body), note: `${key} twice`, repeats: true }
  }
  const prefix = prefixIn(variant(own)?.pattern)
  if (prefix && isRelated) holder[key] = strangeId(id, prefix, filling)
  else holder[key] = variant(own)?.type === 'array' && isRelated ? many : fill(value, filling)
  return { text: printJson(body), note: `another value as ${Array.isArray(holder) ? 'an element' : key}` }
}

const badTexts = [
  ...blanks,
  'a\0b',
  '\0',
  'x',
  ' 5',
  '5 ',
  '+5',
  '5.0',
  '0x5',
  '1e1',
  '-',
  '9'.repeat(40),
  'NaN',
  '٣',
  '0',
  '-1',
  '101',
  '2147483648',
  '-2147483649',
  'TRUE',
  '1',
  'yes',
  'true ',
  'null',
  'nonsense',
  'constructor',
  'item ',
  'a,b',
  'itm_',
  'xxx_00000000-0000-4000-8000-000000000000',
  'x'.repeat(3_000),
]

/** A mistake in a query: at a parameter, or a parameter that is none. */
export const queryMistakes = fc.record({
  isParameter: among([7, true], [3, false]),
  site: fc.nat(),
  text: fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...badTexts) }, fc.string({ unit: 'binary', maxLength: 5 })),
  id: strangeIds,
  isTwice: among([1, true], [4, false]),
  name: fc.constantFrom(
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
    'x'.repeat(4_000),
  ),
  cursor: among([4, 'foreign'], [1, 'changed'], [1, 'nonsense']),
})
export type QueryMistake = typeof queryMistakes extends Arbitrary<infer T> ? T : never

/** Whether a parameter may take a text. An id of another kind is none. */
export function mayTake({ schema }: Parameter, text: string): boolean {
  const { type, pattern, minimum = -Infinity, maximum = Infinity, items } = schema
  if (type === 'array') return mayTake({ name: '', in: '', schema: items! }, text)
  if (schema.enum) return schema.enum.includes(text)
  if (type === 'boolean') return text === 'true' || text === 'false'
  if (type === 'integer') return /^-?\d+$/.test(text) && Number(text) >= minimum && Number(text) <= maximum
  return pattern === undefined
    ? !text.includes('\0') && !/^\p{White_Space}*$|^\ufeff*$/u.test(text)
    : new RegExp(pattern).test(text)
}
