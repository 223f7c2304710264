import { sql } from 'kysely'
import type { Context } from '../context.ts'
import { fieldError } from '../http/validation.ts'
import type { FieldError } from '../problems.ts'
import { parseId, type RecordKind } from '../values/ids.ts'

/** The records that an item points to, by internal id. */
export type Relations = {
  seller: string | null
  delivery_class: string | null
  consignment: string | null
  categories: string[]
  makers: string[]
}

/** What a body says about them: ids as written, null or [] to clear, left out to keep. */
export type RelationChanges = {
  seller?: string | null
  delivery_class?: string | null
  consignment?: string | null
  categories?: string[]
  makers?: string[]
}

/** What the ids of a body turned out to be. */
export type Found = {
  seller: { id: string; archived: boolean } | null
  delivery_class: { id: string } | null
  consignment: { id: string; archived: boolean; locked: boolean; seller: string | null } | null
  /** Internal ids by UUID. */
  categories: Record<string, string>
  makers: Record<string, string>
}

/** No relation at all. */
export const noRelations: Relations = {
  seller: null,
  delivery_class: null,
  consignment: null,
  categories: [],
  makers: [],
}

const nothingFound: Found = { seller: null, delivery_class: null, consignment: null, categories: {}, makers: {} }

const uuidOf = (kind: RecordKind, id: string | null | undefined) => (id ? parseId(kind, id)! : null)

/** Looks up what a body names; the consignment stays locked until the transaction ends. */
export async function findRelations({ db, house }: Context, changes: RelationChanges): Promise<Found> {
  const seller = uuidOf('seller', changes.seller)
  const deliveryClass = uuidOf('delivery_class', changes.delivery_class)
  const consignment = uuidOf('consignment', changes.consignment)
  const categories = (changes.categories ?? []).map((id) => uuidOf('category', id))
  const makers = (changes.makers ?? []).map((id) => uuidOf('maker', id))
  const locked = consignment
    ? await sql<NonNullable<Found['consignment']>>`
        select id, archived, locked, seller_id as seller from catalogue.consignments
        where house_id = ${house.id} and public_id = ${consignment} for update`.execute(db)
    : undefined
  if (!seller && !deliveryClass && categories.length + makers.length === 0)
    return { ...nothingFound, consignment: locked?.rows[0] ?? null }
  const { rows } = await sql<Omit<Found, 'consignment'>>`
    select
      (select json_build_object('id', id::text, 'archived', archived) from catalogue.sellers
        where house_id = ${house.id} and public_id = ${seller}) as seller,
      (select json_build_object('id', id::text) from catalogue.delivery_classes
        where house_id = ${house.id} and public_id = ${deliveryClass}) as delivery_class,
      (select coalesce(json_object_agg(public_id, id::text), '{}') from catalogue.categories
        where house_id = ${house.id} and public_id = any(${categories}::uuid[])) as categories,
      (select coalesce(json_object_agg(public_id, id::text), '{}') from catalogue.makers
        where house_id = ${house.id} and public_id = any(${makers}::uuid[])) as makers`.execute(db)
  return { ...rows[0]!, consignment: locked?.rows[0] ?? null }
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
 * The relations after a change, by the rules of section 4.4: references are active records of the house, what is
 * repeated stays, and the item's seller is its consignment's.
 */
export function changeRelations(
  stored: Relations,
  changes: RelationChanges,
  found: Found,
): { relations: Relations; errors: FieldError[] } {
  const errors: FieldError[] = []
  const relations = { ...stored }
  if (changes.delivery_class !== undefined) {
    if (changes.delivery_class !== null && !found.delivery_class)
      errors.push(fieldError('delivery_class', 'unavailable'))
    relations.delivery_class = found.delivery_class?.id ?? null
  }
  if (changes.categories)
    relations.categories = resolveList('category', 'categories', changes.categories, found.categories, errors)
  if (changes.makers) relations.makers = resolveList('maker', 'makers', changes.makers, found.makers, errors)
  if (changes.seller !== undefined) {
    const available = found.seller && (!found.seller.archived || found.seller.id === stored.seller)
    if (changes.seller !== null && !available) errors.push(fieldError('seller', 'unavailable'))
    relations.seller = found.seller?.id ?? null
  }
  if (changes.consignment !== undefined) {
    const isNew = found.consignment?.id !== stored.consignment
    if (changes.consignment !== null && (!found.consignment || (found.consignment.archived && isNew))) {
      errors.push(fieldError('consignment', 'unavailable'))
    } else if (found.consignment?.locked && isNew) {
      errors.push(fieldError('consignment', 'locked'))
    }
    relations.consignment = found.consignment?.id ?? null
  }
  if (errors.length > 0) return { relations: stored, errors }
  return joinSellerAndConsignment(stored, relations, changes, found)
}

function joinSellerAndConsignment(stored: Relations, relations: Relations, changes: RelationChanges, found: Found) {
  const { consignment } = found
  if (changes.consignment && consignment) {
    // Without a seller of its own the item takes over the consignment's; a seller is never switched silently.
    if (changes.seller === undefined && relations.seller === null) relations.seller = consignment.seller
    const repeated = consignment.id === stored.consignment && relations.seller === stored.seller
    if (!repeated && (changes.seller === null || relations.seller !== consignment.seller)) {
      return { relations: stored, errors: [fieldError('seller', 'seller_mismatch')] }
    }
  } else if (relations.consignment !== null && relations.seller !== stored.seller) {
    return {
      relations: stored,
      errors: [fieldError('seller', 'seller_mismatch', "must stay the consignment's while the item has one")],
    }
  }
  return { relations, errors: [] }
}
