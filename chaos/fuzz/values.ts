import fc, { type Arbitrary } from 'fast-check'
import type { Schema } from './document.ts'
import { markOf, type House } from './houses.ts'
import type { Knowledge } from './knowledge.ts'

/** JSON text in place of a value, for JSON that no JavaScript value can express. */
export class Raw {
  readonly text: string
  constructor(text: string) {
    this.text = text
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

/**
 * What fills the holes of a value: the answers until now. `near`: the ids of the record that the request is about. Within a
 * body times and amounts increase: low is below high, and a sale closes after it opens.
 */
export type Filling = {
  house: House
  knowledge: Knowledge
  near: string[]
  pictures: Buffer[]
  time: number
  amount: number
}

type Hole = (filling: Filling) => unknown

/** A value with its holes filled. A hole is a function in its place: which ids exist is only known when a request is sent. */
export function fill(value: unknown, filling: Filling): unknown {
  if (typeof value === 'function') return fill((value as Hole)(filling), filling)
  if (Array.isArray(value)) return value.map((each) => fill(each, filling))
  if (typeof value !== 'object' || value === null || value instanceof Raw || Buffer.isBuffer(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, fill(each, filling)]))
}

/** The prefix in a pattern of ids, such as `itm_`. */
export const prefixIn = (pattern: string | undefined) => /^\^\(?([a-z]{3}_)\)?\??\[/.exec(pattern ?? '')?.[1]

/** Whether a schema describes a file of a form. */
export const isFile = (schema: Schema) => schema.format === 'binary'

/** The forms in which a request may write an id. */
export const idForms = fc.oneof(
  { weight: 8, arbitrary: fc.constant((id: string) => id) },
  { weight: 1, arbitrary: fc.constant((id: string) => id.slice(4)) },
  { weight: 1, arbitrary: fc.constant((id: string) => id.slice(0, 4) + id.slice(4).toUpperCase()) },
)

const scraps = [
  'Vaas',
  'é',
  '漢字',
  'ẞ',
  '𝒳',
  '🏺',
  '<b>',
  '"',
  '\\',
  "'",
  '\t',
  '\n',
  '\u202e',
  '%00',
  '€',
  '{}',
  'a\u0301',
]
const scrap = fc.oneof(fc.constantFrom(...scraps), fc.string({ unit: 'grapheme', maxLength: 3 }))

function textOf(schema: Schema): Arbitrary<Hole> {
  const longest = Math.min(schema.maxLength ?? 600, (schema['x-max-bytes'] ?? 600) / 4)
  const words = fc.array(scrap, { maxLength: 20, size: 'max' })
  return fc
    .tuple(words, fc.constantFrom('', ' '), fc.nat(1_000_000))
    .map(([words, between, number]) => ({ house }: Filling) => {
      return Array.from(`${markOf(house)} ${words.join(between)} ${number}`)
        .slice(0, longest)
        .join('')
    })
}

function stringOf(schema: Schema, name: string): Arbitrary<unknown> {
  const { pattern, format } = schema
  const prefix = prefixIn(pattern)
  if (prefix)
    return fc.tuple(fc.nat(), idForms, fc.uuid()).map(([n, form, unknown]) => ({ house, knowledge, near }: Filling) => {
      const id = knowledge.pickRecord(house, knowledge.placeOf(prefix) ?? '', n, near)?.at(-1)
      return form(id ?? prefix + unknown)
    })
  if (format === 'date-time')
    return fc.tuple(fc.integer({ min: 1, max: 400_000_000 }), fc.constantFrom('Z', '+00:00', '-00:00')).map(
      ([step, zone]) =>
        (filling: Filling) =>
          new Date((filling.time += step)).toISOString().replace('Z', zone),
    )
  const isFree = format === undefined && (pattern === undefined || pattern === '\\S')
  const other = isFree ? textOf(schema) : fc.stringMatching(new RegExp(pattern ?? '.'))
  return fc.tuple(other, fc.nat(), fc.nat(9)).map(([other, n, chance]) => ({ house, knowledge }: Filling) => {
    const known = knowledge.pickValue(house, name, n)
    return typeof known === 'string' && (!isFree || /^[A-Z]{3}$/.test(known) || chance === 1) ? known : other
  })
}

function integerOf({ minimum = -2147483648, maximum = 2147483647, multipleOf = 1 }: Schema, name: string) {
  if (multipleOf > 1)
    return fc
      .integer({ min: 1, max: 10_000 })
      .map((step) => (filling: Filling) => Math.min((filling.amount += step) * multipleOf, maximum))
  const low = Math.min(maximum, minimum + 100)
  const any = fc.oneof(
    { weight: 6, arbitrary: fc.integer({ min: minimum, max: low }) },
    fc.constantFrom(minimum, maximum),
  )
  return fc.tuple(any, fc.nat(), fc.boolean()).map(([any, n, isKnown]) => ({ house, knowledge }: Filling) => {
    const known = isKnown ? knowledge.pickValue(house, name, n) : undefined
    return typeof known === 'number' && known >= minimum && known <= maximum ? known : any
  })
}

// A free text is seldom left out. Of many optional fields with one shape, such as locales, only a few are chosen.
function objectOf({ properties = {}, required = [] }: Schema): Arbitrary<unknown> {
  const names = Object.keys(properties)
  const usual = names.filter((name) => properties[name]!.pattern === '\\S')
  const whole = fc.record(Object.fromEntries(names.map((name) => [name, valueOf(properties[name]!, name)])))
  const some = fc.subarray(names, { maxLength: Math.ceil(Math.min(6, names.length * 0.8)) })
  return fc.tuple(whole, some, fc.integer({ min: 0, max: 9 })).map(([whole, some, chance]) => {
    const chosen = new Set([...required, ...some, ...(chance > 0 ? usual : [])])
    return Object.fromEntries(Object.entries(whole).filter(([name]) => chosen.has(name)))
  })
}

function arrayOf({ items, maxItems = 4, uniqueItems }: Schema, name: string): Arbitrary<unknown> {
  const canonical = (each: unknown) => (typeof each === 'string' ? each.slice(-36).toLowerCase() : each)
  return fc.array(valueOf(items!, name), { maxLength: Math.min(4, maxItems) }).map((all) => (filling: Filling) => {
    const filled = all.map((each) => fill(each, filling))
    return uniqueItems ? [...new Map(filled.map((each) => [canonical(each), each])).values()] : filled
  })
}

/** Valid values of a schema, with holes. `name`: the field, whose earlier values may be used again. */
export function valueOf(schema: Schema, name = ''): Arbitrary<unknown> {
  if (isFile(schema))
    return fc.nat(5).map(
      (n) =>
        ({ pictures }: Filling) =>
          pictures[n],
    )
  if (schema.enum) return fc.constantFrom(...schema.enum)
  if (schema.anyOf)
    return fc.oneof(
      ...schema.anyOf.map((each) => ({ weight: each.type === 'null' ? 1 : 5, arbitrary: valueOf(each, name) })),
    )
  if (schema.type === 'null') return fc.constant(null)
  if (schema.type === 'boolean') return fc.boolean()
  if (schema.type === 'integer') return integerOf(schema, name)
  if (schema.type === 'array') return arrayOf(schema, name)
  return schema.type === 'object' ? objectOf(schema) : stringOf(schema, name)
}
