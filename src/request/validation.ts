import type { Static, TSchema } from 'typebox'
import { mostErrors, validationFailed, type FieldError } from '../problems.ts'
import { parsePercentage } from '../values/percentages.ts'
import { byteLength, countCharacters, isBlank, isStorable, shorten } from '../values/text.ts'
import { parseTimestamp } from '../values/timestamps.ts'

type Shape = {
  type?: string
  anyOf?: Shape[]
  properties?: Record<string, Shape>
  required?: string[]
  items?: Shape
  uniqueItems?: boolean
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
  currency_mismatch: "is not the house's currency",
  low_exceeds_high: 'has a low bound above the high one',
  title_mismatch: "differs from the default locale's translation",
  unavailable: 'names nothing that is available',
  duplicate: 'is given twice',
  not_clearable: 'cannot be cleared',
  seller_mismatch: "differs from the consignment's seller",
  locked: 'is locked',
}

/** A body, or a part of one, that is not validated yet. Check each value before you use it. */
export type Fields = { readonly [name: string]: unknown }

/** The value as an object with unvalidated fields. Any other value becomes an empty object. */
export function fieldsOf(value: unknown): Fields {
  return isObject(value) ? value : {}
}

/** An error in one field of a body. */
export function fieldError(field: string, code: FieldError['code'], message = messages[code]): FieldError {
  return { field, code, message: field === '' ? `The body ${message}.` : `${field} ${message}.` }
}

const join = (path: string, name: string | number) => (path === '' ? '' : `${path}.`) + shorten(String(name))

function checkText(shape: Shape, text: string): FieldError['code'] | undefined {
  if (!isStorable(text)) return 'invalid'
  // With this pattern a schema says that a text must not be blank.
  if (shape.pattern === '\\S' && isBlank(text)) return 'blank'
  if (shape.maxLength !== undefined && countCharacters(text) > shape.maxLength) return 'too_long'
  if (shape['x-max-bytes'] !== undefined && byteLength(text) > shape['x-max-bytes']) return 'too_long'
  if (shape.pattern !== undefined && !new RegExp(shape.pattern).test(text)) return 'invalid'
  if (shape.format === 'date-time' && parseTimestamp(text) === undefined) return 'invalid'
  if (shape.format === 'percentage' && parsePercentage(text) === undefined)
    return /^-?\d+(\.\d{1,4})?$/.test(text) ? 'out_of_range' : 'invalid'
  return undefined
}

function checkInteger(shape: Shape, value: number): FieldError['code'] | undefined {
  if (value < (shape.minimum ?? -Infinity) || value > (shape.maximum ?? Infinity)) return 'out_of_range'
  return shape.multipleOf !== undefined && value % shape.multipleOf !== 0 ? 'invalid' : undefined
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
  const { properties = {}, required = [] } = shape
  for (const name of required) if (!Object.hasOwn(value, name)) yield fieldError(join(path, name), 'required')
  for (const name of Object.keys(value)) {
    if (Object.hasOwn(properties, name)) yield* findErrors(properties[name]!, value[name], join(path, name), nullCode)
    else yield fieldError(join(path, name), shape['x-unknown'] ?? 'unknown_field')
  }
}

function* findErrorsInArray(shape: Shape, values: unknown[], path: string): Generator<FieldError> {
  if (values.length > (shape.maxItems ?? Infinity)) {
    yield fieldError(path, 'too_long')
    return
  }
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

/** Finds every error of a value by its schema. `nullCode` is the code for a null that is not allowed. */
function* findErrors(schema: Shape, value: unknown, path: string, nullCode: NullCode): Generator<FieldError> {
  const nullable = schema.anyOf?.some((each) => each.type === 'null')
  const shape = nullable ? schema.anyOf!.find((each) => each.type !== 'null')! : schema
  let code: FieldError['code'] | undefined
  if (value === null) code = nullable ? undefined : (shape['x-null'] ?? nullCode)
  else if (shape.type === 'object' && isObject(value)) yield* findErrorsInObject(shape, value, path, nullCode)
  else if (shape.type === 'array' && Array.isArray(value)) yield* findErrorsInArray(shape, value, path)
  else if (shape.type === 'string' && typeof value === 'string') code = checkText(shape, value)
  else if (shape.type === 'integer' && Number.isInteger(value)) code = checkInteger(shape, value as number)
  else if (shape.type !== 'boolean' || typeof value !== 'boolean') code = 'wrong_type'
  if (code !== undefined) yield fieldError(path, code)
}

/**
 * Checks a body by its schema and by `rules` that need no database. Rules run for every body that is an object, even
 * one with errors, so that all errors are reported together: one for each field, and no more after the first hundred.
 * `method` decides the code for a null in a field that cannot be cleared.
 * @throws Problem validation-failed naming all errors at once (section 7)
 */
export function parseBody<T extends TSchema>(
  schema: T,
  body: unknown,
  method: 'POST' | 'PATCH',
  rules: (body: Fields) => FieldError[] = () => [],
): Static<T> {
  if (!isObject(body)) throw validationFailed([fieldError('', 'wrong_type')])
  const found = findErrors(schema, body, '', method === 'PATCH' ? 'not_clearable' : 'wrong_type')
  const errors = found.take(mostErrors + 1).toArray()
  const fields = new Set(errors.map((error) => error.field))
  errors.push(...rules(body).filter((error) => !fields.has(error.field)))
  if (errors.length > 0) throw validationFailed(errors)
  return body as Static<T>
}
