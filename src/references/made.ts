import { fieldError, fieldsOf, parseBody } from '../http/body/validation.ts'
import type { RecordKind } from '../kinds.ts'
import type { FieldError } from '../problems.ts'
import { mostLevels } from '../values/bounds.ts'
import { parsePercentage } from '../values/percentages.ts'
import { bodies, type MadeKind } from './schema.ts'

/** The fields of a record that staff make, as in a body: ids of other records as printed, names by locale. */
export type State = Readonly<Record<string, unknown>>

/** The field by which people know a record of each kind. */
export const keys = {
  seller: 'seller_number',
  category: 'slug',
  maker: 'name',
  delivery_class: 'name',
  consignment: 'number',
} as const satisfies Record<MadeKind, string>

/** The field that points to another record, its column, and the kind of that record. */
export const links: { [Kind in MadeKind]?: { field: string; column: string; to: RecordKind & MadeKind } } = {
  category: { field: 'parent', column: 'parent_id', to: 'category' },
  consignment: { field: 'seller', column: 'seller_id', to: 'seller' },
}

const emptyStates: Record<MadeKind, State> = {
  seller: {},
  category: { names: {} },
  maker: { active: true },
  delivery_class: {},
  consignment: { locked: false },
}

/** What is wrong with the parent of a category that would stand too deep. */
export const tooDeep = `must stand higher: categories have at most ${mostLevels} levels`

/** The kind of a record in messages. */
export const wordsOf = (kind: MadeKind) => kind.replaceAll('_', ' ')

function checkKey(kind: MadeKind, body: State): FieldError[] {
  const field = keys[kind]
  const key = body[field]
  return typeof key === 'string' && key !== key.trim()
    ? [fieldError(field, 'invalid', 'must not begin or end with a space: a search for it would fail')]
    : []
}

// A name that is null is removed.
function mergeNames(stored: unknown, changed: unknown): State {
  const names = { ...fieldsOf(stored), ...fieldsOf(changed) }
  return Object.fromEntries(Object.entries(names).filter(([, name]) => name !== null))
}

/** The state after a change. */
export function applyChange(stored: State, body: State): State {
  const { commission_percentage: percentage } = body
  return {
    ...stored,
    ...body,
    ...('names' in body && { names: mergeNames(stored['names'], body['names']) }),
    ...(typeof percentage === 'string' && { commission_percentage: parsePercentage(percentage) }),
  }
}

/**
 * The state that the body of a POST asks for.
 * @throws Problem validation-failed
 */
export function parseNew(kind: MadeKind, body: unknown): State {
  const parsed: State = parseBody(bodies[kind].create, body, 'POST', (fields) => {
    const errors = checkKey(kind, fields)
    const names = mergeNames({}, fields['names'])
    if (kind === 'category' && fields['slug'] === undefined && Object.keys(names).length === 0)
      errors.push(fieldError('slug', 'required', 'is required, unless a name is given'))
    return errors
  })
  return applyChange(emptyStates[kind], parsed)
}

/**
 * The fields that the body of a PATCH changes, and whether it archives the record.
 * @throws Problem validation-failed
 */
export function parseChange(kind: MadeKind, body: unknown): { change: State; archives: boolean } {
  const { archived, ...change }: State = parseBody(bodies[kind].change, body, 'PATCH', (fields) => [
    ...checkKey(kind, fields),
    ...(fields['archived'] === false ? [fieldError('archived', 'invalid', 'can only be true')] : []),
  ])
  return { change, archives: archived === true }
}
