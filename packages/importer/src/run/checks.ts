import { readFileSync } from 'node:fs'
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'
import type { FieldError, LoadRecord } from '../records.ts'

const schema = JSON.parse(readFileSync(new URL('../../load-format.schema.json', import.meta.url), 'utf8')) as {
  $defs: Record<string, object>
}
const ajv = new Ajv2020({ allErrors: true, strict: false, validateFormats: false })
const validators = new Map<string, ValidateFunction>()

const codes: Record<string, string> = {
  required: 'required',
  additionalProperties: 'unknown_field',
  type: 'wrong_type',
}

function describe({ keyword, instancePath, params, message }: ErrorObject): FieldError {
  const inner = (params.missingProperty ?? params.additionalProperty) as string | undefined
  const field = [...instancePath.split('/').slice(1), ...(inner === undefined ? [] : [inner])].join('.')
  return { field, code: codes[keyword] ?? 'invalid', message: message ?? 'is not allowed' }
}

/**
 * Checks a record against the published schema of the load format. Returns its errors. The service checks the rules that a
 * schema cannot express.
 */
export function checkRecord(record: LoadRecord): FieldError[] {
  const { type }: { type: unknown } = record
  if (typeof type !== 'string' || !Object.hasOwn(schema.$defs, type)) {
    const message = `must be one of ${Object.keys(schema.$defs).join(', ')}`
    return [{ field: 'type', code: 'invalid', message, value: String(type).slice(0, 80) }]
  }
  const validate = validators.get(type) ?? ajv.compile(schema.$defs[type]!)
  validators.set(type, validate)
  if (validate(record)) return []
  // A field that may be null has a second error for null, and one for the choice between both.
  const telling = validate.errors!.filter(({ keyword, params }) => keyword !== 'anyOf' && params.type !== 'null')
  const errors = (telling.length > 0 ? telling : validate.errors!).map(describe)
  return errors.filter((error, index) => errors.findIndex(({ field }) => field === error.field) === index)
}
