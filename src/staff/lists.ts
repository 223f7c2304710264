import type { House } from '../context.ts'
import { fieldError, fieldsOf, type Fields } from '../http/body/validation.ts'
import type { FieldError } from '../problems.ts'
import { parseId } from '../values/ids.ts'
import { checkCurrency } from './schema.ts'

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
