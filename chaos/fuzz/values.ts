import fc, { type Arbitrary } from 'fast-check'
import type { Schema } from './document.ts'
import { markOf, type House } from './houses.ts'
import type { Knowledge } from './knowledge.ts'

/** JSON text in place of a value, for JSON that no JavaScript value can express. */
export class Raw {
  readonly text: string
  /** Whether the text has a name twice in one object. */
  readonly repeats: boolean
  constructor(text: string, repeats = false) {
    this.text = text
    this.repeats = repeats
  }
}

/** The JSON of a value that may contain raw text. */
export function printJson(value: unknown): string {
  if (value instanceof Raw) return value.text
  if (Array.isArray(value)) return `[${value.map(printJson).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const fields = Object.entries(value).map(([name, each]) => `${JSON.stringify(name)}:${printJson(each)}`)
  return `{${fields.join(',')}}`
}

/** A text in a query. */
export const encode = (text: string) => encodeURIComponent(text.toWellFormed())

/** What the values of a request are made from. `near`: the ids of the record that the request is about. */
export type Source = { house: House; knowledge: Knowledge; near: string[]; pictures: Buffer[] }

/** One of the arbitraries, in proportion to its weight. */
export const weighed = <T>(...choices: [weight: number, arbitrary: Arbitrary<T>][]): Arbitrary<T> =>
  fc.oneof(...choices.map(([weight, arbitrary]) => ({ weight, arbitrary })))

/** One of the values: often one of the first, which were loaded, or of the last, which were just created. */
export const among = <T>(values: readonly T[], otherwise: Arbitrary<T>): Arbitrary<T> =>
  values.length === 0
    ? otherwise
    : fc.oneof(...[values.slice(0, 12), values.slice(-20), values].map((each) => fc.constantFrom(...each)))

/** The prefix in a pattern of ids, such as `itm_`. */
export const prefixIn = (pattern: string | undefined) => /^\^\(?([a-z]{3}_)\)?\??\[/.exec(pattern ?? '')?.[1]

/** The forms in which a request may write an id. */
export const idForms: [weight: number, form: (id: string) => string][] = [
  [8, (id) => id],
  [1, (id) => id.slice(4)],
  [1, (id) => id.slice(0, 4) + id.slice(4).toUpperCase()],
]
const anyForm = weighed(
  ...idForms.map(([weight, form]): [number, Arbitrary<typeof form>] => [weight, fc.constant(form)]),
)

/** An id that does not exist. */
export const unknownId = (prefix: string) => fc.uuid({ version: 4 }).map((uuid) => prefix + uuid)

const scraps = fc.constantFrom('漢字', 'ẞ', '🏺', '<b>', '"', '\\', "'", '\t', '\n', '\u202e', '%00', '{}', 'a\u0301')
const signs = fc.oneof(
  scraps,
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 }),
  fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }).map((sign) => (sign === '\0' ? ' ' : sign)),
)
const words = fc.string({ unit: signs, maxLength: 20, size: 'max' })

// Each text begins with the mark of its house. Some are as long as the schema allows, or several kilobytes.
function textOf({ maxLength = 5_000, 'x-max-bytes': bytes = 20_000 }: Schema, house: House): Arbitrary<string> {
  const longest = Math.min(maxLength, bytes / 4)
  const lengths = weighed([18, fc.constant(0)], [1, fc.nat(longest)], [1, fc.constant(longest)])
  return fc.tuple(words, lengths).map(([text, length]) =>
    Array.from(`${markOf(house)} ${text}`.padEnd(length, `${text} `).toWellFormed())
      .slice(0, longest)
      .join(''),
  )
}

// Percentages have at most four decimals.
const percentages = fc.nat(1_000_000).map((part) => String(part / 10_000))

// A sale closes in the second half of a year, after it opens.
const timeOf = (name: string) =>
  fc
    .tuple(fc.integer({ min: 0, max: 181 * 86_400_000 }), fc.constantFrom('Z', '+00:00', '-00:00'))
    .map(([after, zone]) => {
      const start = Date.UTC(2099, name.includes('closes') ? 6 : 0)
      return new Date(start + after).toISOString().replace('Z', zone)
    })

const matching = new Map<string, Arbitrary<string>>()

function stringOf(schema: Schema, source: Source, name: string): Arbitrary<unknown> {
  const { pattern, format } = schema
  const { house, knowledge, near, pictures } = source
  const prefix = prefixIn(pattern)
  if (prefix) {
    const ids = knowledge.recordsAt(house, knowledge.placeOf(prefix), near).map((each) => each.at(-1)!)
    return fc.tuple(among(ids, unknownId(prefix)), anyForm).map(([id, form]) => form(id))
  }
  if (format === 'binary') return fc.constantFrom(...pictures)
  if (format === 'date-time') return timeOf(name)
  if (format === 'percentage') return percentages
  const known = knowledge.valuesOf(house, name).filter((each) => typeof each === 'string')
  if (pattern === undefined || pattern === '\\S') {
    // A currency is only known from answers.
    if (known.length > 0 && known.every((each) => /^[A-Z]{3}$/.test(each))) return fc.constantFrom(...known)
    const text = textOf(schema, house)
    return weighed([9, text], [1, among(known, text)])
  }
  const others = matching.get(pattern) ?? fc.stringMatching(new RegExp(pattern))
  matching.set(pattern, others)
  return among(
    known.filter((each) => new RegExp(pattern).test(each)),
    others,
  )
}

function integerOf(schema: Schema, { house, knowledge }: Source, name: string): Arbitrary<number> {
  const { minimum: min = -2147483648, maximum: max = 2147483647, multipleOf } = schema
  if (multipleOf) return fc.integer({ min: 1, max: 1_000_000 }).map((step) => step * multipleOf)
  const known = knowledge.valuesOf(house, name).filter((each) => typeof each === 'number')
  const fitting = known.filter((each) => each >= min && each <= max)
  const small = fc.integer({ min, max: Math.min(max, min + 100) })
  return weighed([3, small], [1, fc.constantFrom(min, max)], [4, among(fitting, small)])
}

/** The fields of an object. One with the same schema for several names has a field for each. */
export const fieldsOf = ({ properties = {}, propertyNames, additionalProperties }: Schema): Record<string, Schema> =>
  propertyNames
    ? Object.fromEntries(propertyNames.enum.map((name) => [name, additionalProperties as Schema]))
    : properties

/** Valid values of a schema. `name`: the field, whose earlier values may be used again. */
export function valueOf(schema: Schema, source: Source, name = ''): Arbitrary<unknown> {
  const { type, items, minItems = 0, maxItems = 4, uniqueItems, propertyNames, required = [] } = schema
  const kinds = schema.anyOf ?? schema.oneOf
  const own = (each: Schema, field = name) => valueOf(each, source, field)
  if (kinds)
    return weighed(...kinds.map((each): [number, Arbitrary<unknown>] => [each.type === 'null' ? 1 : 5, own(each)]))
  if (schema.enum) return fc.constantFrom(...schema.enum)
  if (type === 'null') return fc.constant(null)
  if (type === 'boolean') return fc.boolean()
  if (type === 'integer') return integerOf(schema, source, name)
  if (type === 'array') {
    const length = { minLength: minItems, maxLength: Math.min(4, maxItems) }
    const selector = (each: unknown) => (typeof each === 'string' ? each.slice(-36).toLowerCase() : each)
    return uniqueItems ? fc.uniqueArray(own(items!), { ...length, selector }) : fc.array(own(items!), length)
  }
  if (type !== 'object') return stringOf(schema, source, name)
  const fields = fieldsOf(schema)
  if (propertyNames)
    return fc.dictionary(fc.constantFrom(...propertyNames.enum), own(Object.values(fields)[0]!), { maxKeys: 2 })
  const values = Object.fromEntries(Object.entries(fields).map(([field, each]) => [field, own(each, field)]))
  // A free text is seldom left out.
  const usual = Object.keys(fields).filter((field) => fields[field]!.pattern === '\\S')
  return weighed(
    [1, fc.record(values, { requiredKeys: required })],
    [4, fc.record(values, { requiredKeys: [...new Set([...required, ...usual])] })],
  )
}
