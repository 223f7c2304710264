import type { Schema } from './document.ts'
import { houses, type House } from './houses.ts'
import type { Knowledge } from './knowledge.ts'
import type { Random } from './random.ts'
import { prefixIn, printJson, Raw } from './values.ts'

/** Texts of only white space, by any definition. */
export const blanks = ['', ' ', '\t\r\n', '\u00a0', '\u0085', '\u2003', '\u2028', '\u3000', '\ufeff', '\u0085 \u00a0']
/** Names of properties that every object inherits. */
export const prototypeNames = [
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  'prototype',
  'valueOf',
  'length',
]
const numbers = [
  '0',
  '-1',
  '-0',
  '1.5',
  '1.0',
  '1e2',
  '1e400',
  '-1e400',
  '1E-7',
  '9'.repeat(30),
  '2147483648',
  '-2147483649',
  '99',
  '9007199254740993',
]
const texts = [
  '"\\u0000"',
  '"a\\u0000b"',
  '"\\ud800"',
  '"\\udc00x\\ud800"',
  '"\\u0085"',
  '"true"',
  '"1"',
  '"null"',
  '"EUR"',
  '"\\u202e"',
]
const shapes = [
  'null',
  'true',
  '[]',
  '{}',
  '[null]',
  '[[]]',
  '{"__proto__":{"a":1}}',
  '{"constructor":{"prototype":{}}}',
  '{"toString":1,"length":0}',
]
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
const lengths = [256, 1001, 1025, 4097, 65_537]

const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)

/** Ids that name no record of the house: of another kind, malformed, unknown, of another house or deleted. */
export function strangeId(random: Random, prefix: string, house: House, knowledge: Knowledge): string {
  const place = knowledge.placeOf(prefix) ?? ''
  const own = knowledge.pickRecord(random, house, place)?.at(-1) ?? prefix + random.uuid()
  const other = random.pick(houses.filter((each) => each !== house))
  const wrong = random.pick(['itm_', 'auc_', 'xxx_', 'ITM_', '_', 'null_'].filter((each) => each !== prefix))
  return random.weigh([
    [6, knowledge.pickRecord(random, other, place)?.at(-1) ?? prefix + random.uuid()],
    [3, prefix + random.uuid()],
    [2, knowledge.pickDeleted(random, house, place)?.at(-1) ?? prefix + random.uuid()],
    [2, wrong + own.slice(4)],
    [
      1,
      random.pick([
        own.slice(0, -1),
        `${own}0`,
        `${own}\n`,
        ` ${own}`,
        `{${own.slice(4)}}`,
        own.replaceAll('-', ''),
        prefix + own,
      ]),
    ],
    [1, random.pick(['', '0', 'null', 'undefined', '__proto__', '../items', "' or 1=1 --", '%', '*'])],
  ])
}

type Site = { holder: Record<string, unknown> | unknown[]; key: string | number; schema: Schema | undefined }

const variant = (schema: Schema | undefined): Schema | undefined =>
  schema?.anyOf ? schema.anyOf.find(({ type }) => type !== 'null') : schema

function* sitesOf(value: unknown, schema: Schema | undefined): Generator<Site> {
  const shape = variant(schema)
  if (Array.isArray(value)) {
    for (const [key, each] of value.entries()) {
      yield { holder: value, key, schema: shape?.items }
      yield* sitesOf(each, shape?.items)
    }
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, each] of Object.entries(value)) {
      yield { holder: value as Record<string, unknown>, key, schema: shape?.properties?.[key] }
      yield* sitesOf(each, shape?.properties?.[key])
    }
  }
}

function* objectsIn(value: unknown): Generator<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || value instanceof Raw) return
  if (!Array.isArray(value)) yield value as Record<string, unknown>
  for (const each of Object.values(value)) yield* objectsIn(each)
}

/** A value that the field probably refuses. */
function badValue(random: Random, schema: Schema | undefined, house: House, knowledge: Knowledge): unknown {
  const prefix = prefixIn(variant(schema)?.pattern)
  if (prefix && random.chance(0.6)) return strangeId(random, prefix, house, knowledge)
  if (variant(schema)?.type === 'array' && random.chance(0.3)) {
    // Rarely as many as fit into a body of 1 MiB.
    const many = random.chance(0.03) ? 500_000 : random.size(2_000)
    return new Raw(
      `[${Array(many)
        .fill(random.pick(['0', 'null', '""', '{}']))
        .join(',')}]`,
    )
  }
  return random.weigh<() => unknown>([
    [3, () => new Raw(random.pick(shapes))],
    [3, () => new Raw(random.pick(numbers))],
    [3, () => new Raw(random.pick(texts))],
    [3, () => random.pick(blanks)],
    [2, () => 'x'.repeat(random.pick(lengths))],
    [1, () => '\u{1F3FA}'.repeat(random.pick(lengths) >> 2)],
    [1, () => random.pick(times)],
    [1, () => new Raw(nested(random.pick([3, 100, 5_000])))],
  ])()
}

/** A body with one mistake, as JSON text. `note` says which. */
export function mutateBody(
  random: Random,
  body: Record<string, unknown>,
  schema: Schema,
  house: House,
  knowledge: Knowledge,
): { text: string; note: string; repeats?: true } {
  const sites = [...sitesOf(body, schema)]
  const objects = [...objectsIn(body)]
  const kinds = ['value', 'value', 'value', 'value', 'value', 'unknown', 'missing', 'repeated', 'whole'] as const
  const kind = random.pick(kinds)
  if (kind === 'whole') {
    const text = random.pick([...shapes, ...numbers.slice(0, 6), ...texts, nested(20_000)])
    return { text, note: 'another value as the whole body' }
  }
  if (kind === 'unknown' || sites.length === 0) {
    const name = random.pick([
      ...prototypeNames,
      'nonsense',
      '',
      'a.b',
      'id',
      'house_id',
      'Title',
      'n'.repeat(random.size(20_000)),
    ])
    Object.defineProperty(random.pick(objects), name, { value: new Raw(random.pick(shapes)), enumerable: true })
    return { text: printJson(body), note: `unknown field ${name.slice(0, 20)}` }
  }
  const { holder, key, schema: own } = random.pick(sites)
  const at = holder as Record<string | number, unknown>
  if (kind === 'missing' && !Array.isArray(holder)) {
    delete at[key]
    return { text: printJson(body), note: `without ${key}` }
  }
  if (kind === 'repeated' && !Array.isArray(holder)) {
    const value = printJson(at[key])
    const other = random.chance(0.5) ? value : random.pick([...shapes, ...numbers])
    // Sometimes the name of the second one is escaped.
    const name = JSON.stringify(key)
    const escaped = `"${Array.from(String(key), (each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, '0')}`).join('')}"`
    at[key] = new Raw(`${value},${random.chance(0.8) ? name : escaped}:${other}`)
    return { text: printJson(body), note: `${key} twice`, repeats: true }
  }
  at[key] = badValue(random, own, house, knowledge)
  return { text: printJson(body), note: `another value as ${Array.isArray(holder) ? 'an element' : key}` }
}
