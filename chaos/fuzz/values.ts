import fc from 'fast-check'
import type { Schema } from './document.ts'
import { markOf, type House } from './houses.ts'
import type { Knowledge } from './knowledge.ts'
import type { Random } from './random.ts'

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

const scraps = [
  'Vaas',
  'é',
  '漢字',
  'ẞ',
  '𝒳',
  '\u{1F3FA}',
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
const patterns = new Map<string, string[]>()

function matching(random: Random, pattern: string): string {
  const known = patterns.get(pattern) ?? fc.sample(fc.stringMatching(new RegExp(pattern)), { seed: 1, numRuns: 50 })
  patterns.set(pattern, known)
  return random.pick(known)
}

/** The prefix in a pattern of ids, such as `itm_`. */
export const prefixIn = (pattern: string | undefined) => /^\^\(?([a-z]{3}_)\)?\??\[/.exec(pattern ?? '')?.[1]

/** An id in one of the forms that requests may use. */
export function writeId(random: Random, id: string): string {
  return random.weigh([
    [8, id],
    [1, id.slice(4)],
    [1, id.slice(0, 4) + id.slice(4).toUpperCase()],
  ])
}

/** Makes valid values for a schema, from the known values of the house and of the record with the ids `near`. */
export function createValues(random: Random, house: House, knowledge: Knowledge, near: string[] = []) {
  // Within a body amounts and times increase: low is below high, and a sale closes after it opens.
  let time = Date.UTC(2099, random.below(12), 1 + random.below(28), random.below(24))
  let amount = random.below(1000)

  const text = (schema: Schema): string => {
    const longest = Math.min(schema.maxLength ?? 600, (schema['x-max-bytes'] ?? 600) / 4)
    const words = Array.from({ length: random.size(20) }, () => random.pick(scraps))
    const whole = `${markOf(house)} ${words.join(random.pick(['', ' ']))} ${random.below(1_000_000)}`
    return Array.from(whole).slice(0, longest).join('')
  }

  const string = (schema: Schema, name: string): string => {
    const prefix = prefixIn(schema.pattern)
    if (prefix) {
      const id = knowledge.pickRecord(random, house, knowledge.placeOf(prefix) ?? '', near)?.at(-1)
      return id === undefined ? `${prefix}${random.uuid()}` : writeId(random, id)
    }
    if (schema.format === 'date-time') {
      time += random.size(400_000_000)
      return new Date(time).toISOString().replace('Z', random.pick(['Z', '+00:00', '-00:00']))
    }
    const known = knowledge.pickValue(random, house, name)
    const isFree = schema.format === undefined && (schema.pattern === undefined || schema.pattern === '\\S')
    if (typeof known === 'string' && (!isFree || /^[A-Z]{3}$/.test(known) || random.chance(0.1))) return known
    if (schema.pattern !== undefined && !isFree) return matching(random, schema.pattern)
    return text(schema)
  }

  const integer = ({ minimum = -2147483648, maximum = 2147483647, multipleOf = 1 }: Schema, name: string): number => {
    if (multipleOf > 1) return Math.min((amount += random.size(10_000)) * multipleOf, maximum)
    const known = knowledge.pickValue(random, house, name)
    if (typeof known === 'number' && known >= minimum && known <= maximum && random.chance(0.5)) return known
    return random.weigh([
      [6, Math.min(maximum, minimum + random.size(100))],
      [1, minimum],
      [1, maximum],
    ])
  }

  const object = (schema: Schema): Record<string, unknown> => {
    const { properties = {}, required = [] } = schema
    // Of many optional fields with the same shape, such as locales, only a few are chosen.
    const names = Object.keys(properties)
    const wanted = names.filter(
      (name) =>
        required.includes(name) ||
        random.chance(properties[name]!.pattern === '\\S' ? 0.9 : Math.min(0.4, 3 / names.length)),
    )
    return Object.fromEntries(wanted.map((name) => [name, value(properties[name]!, name)]))
  }

  const array = (schema: Schema, name: string): unknown[] => {
    const many = random.below(Math.min(5, schema.maxItems ?? 5))
    const all = Array.from({ length: many }, () => value(schema.items!, name))
    const canonical = (each: unknown) => (typeof each === 'string' ? each.slice(-36).toLowerCase() : each)
    return schema.uniqueItems ? [...new Map(all.map((each) => [canonical(each), each])).values()] : all
  }

  const value = (schema: Schema, name = ''): unknown => {
    if (schema.enum) return random.pick(schema.enum)
    if (schema.anyOf) {
      const [some, nothing] = [schema.anyOf.filter(({ type }) => type !== 'null'), schema.anyOf]
      return value(random.pick(random.chance(0.8) ? some : nothing), name)
    }
    if (schema.type === 'null') return null
    if (schema.type === 'boolean') return random.chance(0.5)
    if (schema.type === 'integer') return integer(schema, name)
    if (schema.type === 'array') return array(schema, name)
    if (schema.type === 'object') return object(schema)
    return string(schema, name)
  }

  return { value, text }
}
