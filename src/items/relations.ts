import { isDeepStrictEqual } from 'node:util'
import { fieldError } from '../http/body/validation.ts'
import type { FieldError } from '../problems.ts'
import { parseId } from '../values/ids.ts'

/** The records that an item points to, by internal id. */
export type Relations = {
  seller: string | null
  delivery_class: string | null
  consignment: string | null
  categories: string[]
  makers: string[]
}

/** The relations in a body: ids as written. null or [] clears; an omitted field is kept. */
export type RelationChanges = {
  seller?: string | null
  delivery_class?: string | null
  consignment?: string | null
  categories?: string[]
  makers?: string[]
}

/** The records that the ids of a body name. */
export type Found = {
  seller: { id: string; archived: boolean } | null
  /** The consignment that the body names, or the one that the item keeps if the body names only another seller. */
  consignment: { id: string; archived: boolean; locked: boolean; seller: string | null } | null
  /** The consignment's seller, if the item would inherit it. */
  inherited: { id: string; public_id: string | null; archived: boolean } | null
  /** Internal ids by UUID. */
  delivery_classes: Record<string, string>
  categories: Record<string, string>
  makers: Record<string, string>
}

/** The public ids of related records, by kind and internal id: `seller 7`. null for a record without one. */
export type RelatedIds = ReadonlyMap<string, string | null>

/** An item whose relations change, by its internal id and its UUID. */
export type Relinked = { id: string; uuid: string; stored: Relations; wanted: Relations }

/** No relations. */
export const noRelations: Relations = {
  seller: null,
  delivery_class: null,
  consignment: null,
  categories: [],
  makers: [],
}

function resolveList(
  kind: 'category' | 'maker',
  field: string,
  ids: string[],
  found: Record<string, string>,
  errors: FieldError[],
): string[] {
  return ids.flatMap((id, index) => {
    const internal = found[parseId(kind, id)!]
    if (internal === undefined) errors.push(fieldError(`${field}.${index}`, 'unavailable'))
    return internal ?? []
  })
}

/**
 * The relations after a change, by the rules of section 4.4. New ids must name active records of the house. Repeated
 * ids are kept. The item's seller is its consignment's.
 */
export function changeRelations(
  stored: Relations,
  changes: RelationChanges,
  found: Found,
): { relations: Relations; errors: FieldError[] } {
  const errors: FieldError[] = []
  const relations = { ...stored }
  if (changes.delivery_class !== undefined) {
    const uuid = changes.delivery_class && parseId('delivery_class', changes.delivery_class)!
    relations.delivery_class = uuid === null ? null : (found.delivery_classes[uuid] ?? null)
    if (uuid !== null && relations.delivery_class === null) errors.push(fieldError('delivery_class', 'unavailable'))
  }
  if (changes.categories) {
    const categories = resolveList('category', 'categories', changes.categories, found.categories, errors)
    // Categories are a set: another order is no change.
    if (!isDeepStrictEqual(categories.toSorted(), stored.categories.toSorted())) relations.categories = categories
  }
  if (changes.makers) relations.makers = resolveList('maker', 'makers', changes.makers, found.makers, errors)
  errors.push(...changeOwner(relations, changes, found))
  return { relations, errors }
}

// Seller and consignment change together, because the item's seller is its consignment's.
function changeOwner(relations: Relations, changes: RelationChanges, found: Found): FieldError[] {
  const stored = { ...relations }
  const { seller, consignment, inherited } = found
  const errors: FieldError[] = []
  if (changes.seller !== undefined) {
    const available = seller && (!seller.archived || seller.id === stored.seller)
    if (changes.seller !== null && !available) errors.push(fieldError('seller', 'unavailable'))
    relations.seller = seller?.id ?? null
  }
  if (changes.consignment !== undefined) {
    const isNew = consignment?.id !== stored.consignment
    if (changes.consignment !== null && (!consignment || (consignment.archived && isNew))) {
      errors.push(fieldError('consignment', 'unavailable'))
    } else if (consignment?.locked && isNew) {
      errors.push(fieldError('consignment', 'locked'))
    }
    relations.consignment = consignment?.id ?? null
  }
  if (errors.length > 0 || relations.consignment === null) return errors

  const assigned = relations.consignment !== stored.consignment
  if (assigned && changes.seller === undefined && relations.seller === null) {
    if (inherited?.archived) return [fieldError('consignment', 'unavailable', 'has a seller that is archived')]
    relations.seller = consignment!.seller
  }
  const differs = (assigned || relations.seller !== stored.seller) && relations.seller !== consignment?.seller
  return changes.seller === null || differs ? [fieldError('seller', 'seller_mismatch')] : []
}
