import { Type, type TObject, type TSchema } from 'typebox'
import { Problem } from '../problems.ts'
import type { RecordKind } from '../kinds.ts'
import { describePattern, idPattern, isIdPattern } from '../values/ids.ts'
import { isBlank, isStorable, shorten } from '../values/text.ts'
import { int32 } from '../values/bounds.ts'

/** The parameter `limit` of a list whose pages have at most `maximum` records. */
export const limitTo = (maximum: number) =>
  Type.Optional(
    Type.Integer({ minimum: 1, maximum, default: 25, description: 'How many records a page holds at most.' }),
  )

/** The parameters of every list (section 4). */
export const pageParameters = {
  limit: limitTo(100),
  cursor: Type.Optional(Type.String({ description: 'next_cursor of the page before, with the same filters.' })),
}

/** A filter by the exact text; case counts. */
export function textFilter(description: string) {
  return Type.Optional(Type.String({ minLength: 1, description }))
}

/** A filter by the id of a related record, prefixed or a bare UUID. The value becomes a bare UUID in lower case. */
export function idFilter(kind: RecordKind, description: string) {
  return Type.Optional(Type.String({ pattern: idPattern(kind), description }))
}

/** A filter by the ids of several related records, as `idFilter` reads each. */
export function idsFilter(kind: RecordKind, description: string) {
  return Type.Optional(Type.Array(Type.String({ pattern: idPattern(kind) }), { maxItems: 50, description }))
}

/** A filter by a signed 32-bit integer. */
export function integerFilter(description: string) {
  return Type.Optional(Type.Integer({ ...int32, description }))
}

/** A filter by one of some words. */
export function choiceFilter<const Words extends readonly string[]>(words: Words, description: string) {
  return Type.Optional(Type.Unsafe<Words[number]>({ type: 'string', enum: [...words], description }))
}

/** A filter by several of some words. */
export function choicesFilter<const Words extends readonly string[]>(words: Words, description: string) {
  const word = Type.Unsafe<Words[number]>({ type: 'string', enum: [...words] })
  return Type.Optional(Type.Array(word, { description }))
}

/** A boolean filter. */
export function booleanFilter(description: string) {
  return Type.Optional(Type.Boolean({ description }))
}

/** The relationships that `expand[]` includes in full. */
export function expansions<const Names extends string[]>(...names: Names) {
  const name = Type.Unsafe<Names[number]>({ type: 'string', enum: names })
  return {
    'expand[]': Type.Optional(
      Type.Array(name, { description: `Relationships to show as records instead of ids: ${names.join(', ')}.` }),
    ),
  }
}

type Parameter = TSchema & {
  type: string
  minimum?: number
  maximum?: number
  pattern?: string
  enum?: string[]
  default?: unknown
  items?: Parameter
  maxItems?: number
}

function refuse(detail: string): never {
  throw new Problem('invalid-parameter', detail)
}

const decode = (text: string) => (/[%+]/.test(text) ? decodeURIComponent(text.replaceAll('+', ' ')) : text)

/** A query without parameters. */
export const noParameters = Type.Object({})

/** The names and values of a query, in their order. */
export type QueryPairs = [name: string, value: string][]

/** The decoded pairs of the query in an address; undefined if it is not valid percent-encoded UTF-8. */
export function pairsOf(url: string): QueryPairs | undefined {
  const mark = url.indexOf('?')
  if (mark < 0) return []
  const pairs = url.slice(mark + 1).split('&')
  try {
    return pairs.filter(Boolean).map((pair) => {
      const equals = pair.indexOf('=')
      return equals < 0 ? [decode(pair), ''] : [decode(pair.slice(0, equals)), decode(pair.slice(equals + 1))]
    })
  } catch {
    return undefined
  }
}

function parseValue(name: string, schema: Parameter, text: string): unknown {
  if (schema.type === 'integer') {
    const value = /^-?\d+$/.test(text) ? Number(text) : NaN
    if (value >= schema.minimum! && value <= schema.maximum!) return value
    return refuse(`${name} must be an integer from ${schema.minimum} to ${schema.maximum}.`)
  }
  if (schema.type === 'boolean') {
    if (text === 'true' || text === 'false') return text === 'true'
    return refuse(`${name} must be true or false.`)
  }
  if (!isStorable(text)) return refuse(`${name} must not contain NUL.`)
  if (isBlank(text)) return refuse(`${name} must not be blank.`)
  if (schema.enum?.includes(text) === false) return refuse(`${name} takes ${schema.enum.join(', ')}.`)
  if (schema.pattern === undefined) return text
  if (!new RegExp(schema.pattern).test(text)) return refuse(`${name} ${describePattern(schema.pattern)}.`)
  return isIdPattern(schema.pattern) ? text.slice(-36).toLowerCase() : text
}

function readEntry(name: string, items: Parameter, text: string): string {
  if (items.enum === undefined) return parseValue(name, items, text) as string
  return items.enum.includes(text) ? text : refuse(`${name} takes ${items.enum.join(', ')}.`)
}

const withoutBrackets = (name: string) => name.replace(/\[.*/s, '')

// Libraries print lists as expand[0]=…, or as expand=….
function describeUnknown(name: string, known: string[]): string {
  const meant = known.find((each) => withoutBrackets(each) === withoutBrackets(name))
  const says = `There is no parameter ${JSON.stringify(shorten(name))} here`
  return meant === undefined ? `${says}.` : `${says}: write ${meant}.`
}

/**
 * Reads the pairs of a query by their schema (section 4). Converts texts to the types of the schema. Refuses unknown
 * parameters.
 * @throws Problem invalid-parameter naming the parameter
 */
export function parseQuery(schema: TObject, pairs: QueryPairs | undefined): Record<string, unknown> {
  if (pairs === undefined) return refuse('The query string is not valid percent-encoded UTF-8.')
  const parameters = schema.properties as Record<string, Parameter>
  const values: Record<string, unknown> = {}
  for (const [name, text] of pairs) {
    const parameter = Object.hasOwn(parameters, name) ? parameters[name] : undefined
    if (!parameter) return refuse(describeUnknown(name, Object.keys(parameters)))
    if (parameter.type === 'array') {
      const all = [...new Set([...((values[name] as string[]) ?? []), readEntry(name, parameter.items!, text)])]
      if (all.length > (parameter.maxItems ?? Infinity))
        return refuse(`${name} may be given at most ${parameter.maxItems} times.`)
      values[name] = all
    } else {
      if (Object.hasOwn(values, name)) return refuse(`${name} may be given once only.`)
      values[name] = parseValue(name, parameter, text)
    }
  }
  for (const [name, parameter] of Object.entries(parameters)) {
    if (parameter.default !== undefined) values[name] ??= parameter.default
  }
  return values
}
