import type { Static } from 'typebox'
import type { Context, House, Permission } from '../context.ts'
import type { FieldError } from '../problems.ts'
import { fieldError, fieldsOf, parseBody, type Fields } from '../http/body/validation.ts'
import { ItemCreate, ItemUpdate, type ItemBody } from './schema.ts'
import { checkEstimate } from './state.ts'
import { checkLengths, checkTexts } from './texts.ts'

/**
 * Checks the body of `POST /items` (section 4.4).
 * @throws Problem validation-failed
 */
export function parseItemCreate(body: unknown, { house }: Context): Static<typeof ItemCreate> {
  return parseBody(ItemCreate, body, 'POST', (item) => {
    const errors = [...checkItem(house, item, 'wrong_type'), ...checkLengths(item, house.defaultLocale)]
    const translated = fieldsOf(fieldsOf(item.translations)[house.defaultLocale])
    const titled = item.title !== undefined || translated.title !== undefined
    return titled ? errors : [fieldError('title', 'required'), ...errors]
  })
}

/**
 * Checks the body of `PATCH /items/{id}`, except for the rules that depend on the stored item.
 * @throws Problem validation-failed
 */
export function parseItemUpdate(body: unknown, { house }: Context): Static<typeof ItemUpdate> {
  return parseBody(ItemUpdate, body, 'PATCH', (item) => checkItem(house, item, 'not_clearable'))
}

function checkItem(house: House, body: Fields, nullCode: 'wrong_type' | 'not_clearable'): FieldError[] {
  return [...checkTexts(body, house.defaultLocale, nullCode), ...checkEstimate(body.estimate, house.currency)]
}

/** The permissions that a body needs beyond that of the write: to attach a record is to reveal it. */
export function permissionsOf(body: ItemBody): Permission[] {
  const needed: Permission[] = []
  if (body.seller) needed.push('seller_profiles.read')
  if (body.categories && body.categories.length > 0) needed.push('categories.read')
  if (body.consignment) needed.push('seller_profiles.read')
  return needed
}
