import type { Static, TSchema } from 'typebox'
import type { House } from '../../context.ts'
import { mostErrors, Problem, validationFailed, type FieldError } from '../../problems.ts'
import { describePattern, parseId } from '../../values/ids.ts'
import { parsePercentage } from '../../values/percentages.ts'
import { byteLength, countCharacters, isBlank, isStorable, shorten } from '../../values/text.ts'
import { parseTimestamp } from '../../values/timestamps.ts'

type Shape = {
  type?: string
  anyOf?: Shape[]
  properties?: Record<string, Shape>
  required?: string[]
  additionalProperties?: Shape | false
  propertyNames?: { enum: string[] }
  items?: Shape
  enum?: string[]
  uniqueItems?: boolean
  minItems?: number
  maxItems?: number
  minimum?: number
  maximum?: number
  multipleOf?: number
  minLength?: number
  maxLength?: number
  pattern?: string
  format?: string
  'x-max-bytes'?: number
  'x-unknown'?: FieldError['code']
  'x-null'?: FieldError['code']
}

const messages: Record<FieldError['code'], string> = {
  required: 'is required',
  unknown_field: 'is not a field of this body',
  wrong_type: 'has the wrong type',
  blank: 'must not be blank',
  too_short: 'is too short',
  too_long: 'is too long',
  invalid: 'is not valid',
  out_of_range: 'is out of range',
  unsupported_locale: 'is not a supported locale',
  currency_mismatch: 'is not the currency of the house',
  low_exceeds_high: 'must not have a low bound above the high one',
  title_mismatch: 'must equal the title in the default locale',
  unavailable: 'is unknown, archived or of another house',
  duplicate: 'is given twice',
  not_clearable: 'must not be null',
  seller_mismatch: 'must be the seller of the consignment',
  locked: 'takes no more items',
}

/** A body, or a part of one, before validation. Check each value before you use it. */
export type Fields = { readonly [name: string]: unknown }

/** The value as an object with unvalidated fields. Any other value becomes an empty object. */
export function fieldsOf(value: unknown): Fields {
  return isObject(value) ? value : {}
}

/** An error in one field of a body. `problem` has the field as its subject, and says what would be valid. */
export function fieldError(
  field: string,
  code: FieldError['code'],
  problem = messages[code],
  facts: Pick<FieldError, 'lot' | 'minimum' | 'earliest' | 'index' | 'record'> = {},
): FieldError {
  return { field, code, problem, ...facts }
}

/**
 * Does a work whose rule refuses elements of a list, and names the faulty fields by their place in the body:
 * `lots.3.item`.
 */
export async function inList<T>(list: string, work: Promise<T>): Promise<T> {
  return work.catch((error: unknown) => {
    if (!(error instanceof Problem) || error.code !== 'validation-failed') throw error
    const place = (each: FieldError) =>
      each.index === undefined ? each : { ...each, field: `${list}.${each.index}.${each.field}` }
    throw validationFailed(error.errors!.map(place))
  })
}

const join = (path: string, name: string | number) => (path === '' ? '' : `${path}.`) + shorten(String(name))

/** A flaw of a value. Default message: that of the code. */
type Flaw = [code: FieldError['code'], message?: string | undefined]

const typeNames: Record<string, string> = {
  string: 'a string',
  integer: 'an integer, written without a fraction or an exponent',
  boolean: 'true or false',
  array: 'an array',
  object: 'an object',
}

function wrongType({ type = '' }: Shape): Flaw {
  return ['wrong_type', typeNames[type] && `must be ${typeNames[type]}`]
}

function checkText(shape: Shape, text: string): Flaw | undefined {
  const { maxLength, 'x-max-bytes': maxBytes } = shape
  if (!isStorable(text)) return ['invalid', 'must not contain NUL or half of a surrogate pair']
  // In a schema this pattern means that a text must not be blank.
  if (shape.pattern === '\\S' && isBlank(text)) return ['blank']
  if (maxLength !== undefined && countCharacters(text) > maxLength)
    return ['too_long', `must have at most ${maxLength} characters`]
  if (maxBytes !== undefined && byteLength(text) > maxBytes)
    return ['too_long', `must have at most ${maxBytes} bytes of UTF-8`]
  if (shape.pattern !== undefined && !new RegExp(shape.pattern).test(text))
    return ['invalid', describePattern(shape.pattern)]
  if (shape.enum && !shape.enum.includes(text)) return ['invalid', `must be ${shape.enum.join(' or ')}`]
  if (shape.format === 'date-time' && parseTimestamp(text) === undefined)
    return ['invalid', 'must be an RFC 3339 timestamp with an offset']
  if (shape.format === 'percentage' && parsePercentage(text) === undefined)
    return /^-?\d+(\.\d{1,4})?$/.test(text)
      ? ['out_of_range', 'must be from "0" to "100"']
      : ['invalid', 'must be a decimal number with at most four decimals']
  return undefined
}

function checkInteger(shape: Shape, value: number): Flaw | undefined {
  const { minimum = -Infinity, maximum = Infinity, multipleOf } = shape
  if (value < minimum || value > maximum) return ['out_of_range', `must be from ${minimum} to ${maximum}`]
  return multipleOf !== undefined && value % multipleOf !== 0
    ? ['invalid', `must be a multiple of ${multipleOf}`]
    : undefined
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype
}

type NullCode = 'wrong_type' | 'not_clearable'

function* findErrorsInObject(
  shape: Shape,
  value: Record<string, unknown>,
  path: string,
  nullCode: NullCode,
): Generator<FieldError> {
  const { properties = {}, required = [], propertyNames, additionalProperties } = shape
  for (const name of required) if (!Object.hasOwn(value, name)) yield fieldError(join(path, name), 'required')
  for (const name of Object.keys(value)) {
    if (Object.hasOwn(properties, name)) yield* findErrors(properties[name]!, value[name], join(path, name), nullCode)
    else if (additionalProperties && propertyNames?.enum.includes(name))
      yield* findErrors(additionalProperties, value[name], join(path, name), nullCode)
    else yield fieldError(join(path, name), shape['x-unknown'] ?? 'unknown_field')
  }
}

function* findErrorsInArray(shape: Shape, values: unknown[], path: string): Generator<FieldError> {
  if (values.length > (shape.maxItems ?? Infinity)) {
    yield fieldError(path, 'too_long', `must have at most ${shape.maxItems} elements`)
    return
  }
  if (values.length < (shape.minItems ?? 0))
    yield fieldError(path, 'too_short', `must have at least ${shape.minItems} element`)
  const seen = new Set<unknown>()
  for (const [index, each] of values.entries()) {
    let sound = true
    for (const error of findErrors(shape.items!, each, join(path, index), 'wrong_type')) {
      sound = false
      yield error
    }
    if (!shape.uniqueItems || !sound) continue
    // Two spellings of one id are the same id.
    const canonical = typeof each === 'string' ? each.slice(-36).toLowerCase() : each
    if (seen.has(canonical)) yield fieldError(join(path, index), 'duplicate')
    seen.add(canonical)
  }
}

// Own code instead of TypeBox or Ajv: section 7 wants each field once, our own codes, and the first 100 errors of a
// huge body. Both libraries report a nullable object three times and have no byte lengths. Replace this when a
// validator yields errors lazily, with codes that the schema names.

/** Yields every error of a value by its schema. `nullCode` is the code for a null that is not allowed. */
function* findErrors(schema: Shape, value: unknown, path: string, nullCode: NullCode): Generator<FieldError> {
  const kinds = schema.anyOf?.filter((each) => each.type !== 'null')
  const nullable = kinds !== undefined && kinds.length < schema.anyOf!.length
  // Where several kinds are allowed, the one of the value; the first one if the value is of none.
  const kind = Array.isArray(value) ? 'array' : typeof value
  const shape = kinds?.find((each) => each.type === kind) ?? kinds?.[0] ?? schema
  let flaw: Flaw | undefined
  if (value === null && !nullable) {
    const code = shape['x-null'] ?? nullCode
    flaw = code === 'wrong_type' ? wrongType(shape) : [code]
  } else if (value === null) return
  else if (shape.type === 'object' && isObject(value)) yield* findErrorsInObject(shape, value, path, nullCode)
  else if (shape.type === 'array' && Array.isArray(value)) yield* findErrorsInArray(shape, value, path)
  else if (shape.type === 'string' && typeof value === 'string') flaw = checkText(shape, value)
  else if (shape.type === 'integer' && Number.isInteger(value)) flaw = checkInteger(shape, value as number)
  else if (shape.type !== 'boolean' || typeof value !== 'boolean') flaw = wrongType(shape)
  if (flaw) yield fieldError(path, ...flaw)
}

/** Whether a body has no error by its schema. */
export function hasShape(schema: unknown, body: unknown): boolean {
  const { oneOf = [schema as Shape] } = schema as { oneOf?: Shape[] }
  return oneOf.some((shape) => findErrors(shape, body, '', 'wrong_type').next().done === true)
}

/**
 * Checks a body by its schema and by `rules` that need no database. Rules run on every object, even one with errors,
 * so that all errors are reported together: one per field, at most a hundred. `method` decides the code for a null in
 * a field that cannot be cleared.
 * @throws Problem validation-failed naming all errors at once (section 7)
 */
export function parseBody<T extends TSchema>(
  schema: T,
  body: unknown,
  method: 'POST' | 'PATCH',
  rules: (body: Fields) => FieldError[] = () => [],
): Static<T> {
  if (!isObject(body)) throw validationFailed([fieldError('', 'wrong_type', 'must be an object')])
  const errors: FieldError[] = []
  for (const error of findErrors(schema, body, '', method === 'PATCH' ? 'not_clearable' : 'wrong_type'))
    if (errors.push(error) > mostErrors) break
  const fields = new Set(errors.map((error) => error.field))
  errors.push(...rules(body).filter((error) => !fields.has(error.field)))
  if (errors.length > 0) throw validationFailed(errors)
  return body as Static<T>
}

/** Refuses false for switches that are not taken back. */
export function checkOnlyTrue(...names: string[]) {
  return (body: Fields): FieldError[] =>
    names.filter((name) => body[name] === false).map((name) => fieldError(name, 'invalid', 'can only be true'))
}

/** Refuses an amount of another currency than the house's. The value may have any shape. */
export function checkCurrency({ currency }: House, field: string, value: unknown): FieldError[] {
  const given = fieldsOf(value).currency
  return typeof given === 'string' && given !== currency
    ? [fieldError(`${field}.currency`, 'currency_mismatch', `must be ${currency}`)]
    : []
}

/** Refuses amounts of another currency in the elements of a list. The list may have any shape. */
export function checkCurrencies(house: House, body: Fields, list: string, ...names: string[]): FieldError[] {
  const elements: unknown = body[list]
  return (Array.isArray(elements) ? elements : []).flatMap((element, index) =>
    names.flatMap((name) => checkCurrency(house, `${list}.${index}.${name}`, fieldsOf(element)[name])),
  )
}

/** Refuses a record that the elements of a list name twice. The list may have any shape. */
export function checkRepeated(body: Fields, list: string, kind: 'item' | 'lot'): FieldError[] {
  const elements: unknown = body[list]
  const seen = new Set<string>()
  return (Array.isArray(elements) ? elements : []).flatMap((element, index) => {
    const id = fieldsOf(element)[kind]
    const uuid = typeof id === 'string' ? parseId(kind, id) : undefined
    if (uuid === undefined) return []
    const isRepeated = seen.has(uuid)
    seen.add(uuid)
    return isRepeated ? [fieldError(`${list}.${index}.${kind}`, 'duplicate')] : []
  })
}
