import type { Static, TSchema } from 'typebox'
import { validationFailed, type FieldError } from '../problems.ts'
import { parsePercentage } from '../values/percentages.ts'
import { byteLength, isStorable } from '../values/text.ts'
import { parseTimestamp } from '../values/timestamps.ts'

type Shape = {
  type?: string
  anyOf?: Shape[]
  properties?: Record<string, Shape>
  required?: string[]
  items?: Shape
  uniqueItems?: boolean
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

/** An error of one field of a body. */
export function fieldError(field: string, code: FieldError['code'], message = messages[code]): FieldError {
  return { field, code, message: field === '' ? `The body ${message}.` : `${field} ${message}.` }
}

const join = (path: string, name: string | number) => (path === '' ? String(name) : `${path}.${name}`)

function checkText(shape: Shape, text: string): FieldError['code'] | undefined {
  if (!isStorable(text)) return 'invalid'
  // A pattern that asks for one visible character is how a schema says that a text must not be blank.
  if (shape.pattern === '\\S' && !/\S/.test(text)) return 'blank'
  if (shape.maxLength !== undefined && [...text].length > shape.maxLength) return 'too_long'
  if (shape['x-max-bytes'] !== undefined && byteLength(text) > shape['x-max-bytes']) return 'too_long'
  if (shape.pattern !== undefined && !new RegExp(shape.pattern).test(text)) return 'invalid'
  if (shape.format === 'date-time' && parseTimestamp(text) === undefined) return 'invalid'
  if (shape.format === 'percentage' && parsePercentage(text) === undefined)
    return /^\d+(\.\d{1,4})?$/.test(text) ? 'out_of_range' : 'invalid'
  return undefined
}

function checkInteger(shape: Shape, value: number): FieldError['code'] | undefined {
  if (value < (shape.minimum ?? -Infinity) || value > (shape.maximum ?? Infinity)) return 'out_of_range'
  return shape.multipleOf !== undefined && value % shape.multipleOf !== 0 ? 'invalid' : undefined
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype
}

/** Every error of a value against its schema; `nullCode` is what a null is refused with where none is allowed. */
function* findErrors(schema: Shape, value: unknown, path: string, nullCode: FieldError['code']): Generator<FieldError> {
  const nullable = schema.anyOf?.some((each) => each.type === 'null')
  const shape = nullable ? schema.anyOf!.find((each) => each.type !== 'null')! : schema
  if (value === null) {
    if (!nullable) yield fieldError(path, shape['x-null'] ?? nullCode)
  } else if (shape.type === 'object') {
    if (!isObject(value)) return yield fieldError(path, 'wrong_type')
    const { properties = {}, required = [] } = shape
    for (const name of required) if (!Object.hasOwn(value, name)) yield fieldError(join(path, name), 'required')
    for (const [name, each] of Object.entries(value)) {
      if (Object.hasOwn(properties, name)) yield* findErrors(properties[name]!, each, join(path, name), nullCode)
      else yield fieldError(join(path, name), shape['x-unknown'] ?? 'unknown_field')
    }
  } else if (shape.type === 'array') {
    if (!Array.isArray(value)) return yield fieldError(path, 'wrong_type')
    const seen = new Set<unknown>()
    for (const [index, each] of value.entries()) {
      yield* findErrors(shape.items!, each, join(path, index), 'wrong_type')
      // Ids are the same in whatever form they are written.
      const canonical = typeof each === 'string' ? each.slice(-36).toLowerCase() : each
      if (shape.uniqueItems && seen.has(canonical)) yield fieldError(join(path, index), 'duplicate')
      seen.add(canonical)
    }
  } else {
    const [typed, code] =
      shape.type === 'string'
        ? [typeof value === 'string', typeof value === 'string' ? checkText(shape, value) : undefined]
        : shape.type === 'integer'
          ? [Number.isInteger(value), Number.isInteger(value) ? checkInteger(shape, value as number) : undefined]
          : [typeof value === 'boolean', undefined]
    if (!typed) yield fieldError(path, 'wrong_type')
    else if (code !== undefined) yield fieldError(path, code)
  }
}

/**
 * Checks a body against its schema and, where it has the right shape, against `rules` that need no database.
 * `method` decides how a null is refused that clears nothing.
 * @throws Problem validation-failed naming every error at once (section 7)
 */
export function parseBody<T extends TSchema>(
  schema: T,
  body: unknown,
  method: 'POST' | 'PATCH',
  rules: (body: Static<T>) => FieldError[] = () => [],
): Static<T> {
  const errors = [
    ...findErrors(schema as Shape, body, '', method === 'PATCH' && body !== null ? 'not_clearable' : 'wrong_type'),
  ]
  // Rules look only at what has the right type; the errors of both are reported together where that is possible.
  const found = errors.some((error) => error.code === 'wrong_type' || error.code === 'not_clearable')
    ? errors
    : [...errors, ...rules(body as Static<T>)]
  if (found.length > 0) throw validationFailed(found)
  return body as Static<T>
}
