import { sql } from 'kysely'
import type { Context } from '../context.ts'
import type { Database } from '../db/pool.ts'
import { fieldError } from '../request/validation.ts'
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
  /** The one that the body names, or the one that the item keeps while the body names another seller. */
  consignment: { id: string; archived: boolean; locked: boolean; seller: string | null } | null
  /** The consignment's seller, where the item would get it. */
  inherited: { id: string; archived: boolean } | null
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

const nothingFound: Found = {
  seller: null,
  delivery_class: null,
  consignment: null,
  inherited: null,
  categories: {},
  makers: {},
}

const uuidOf = (kind: RecordKind, id: string | null | undefined) => (id ? parseId(kind, id)! : null)

/**
 * Looks up what a change needs. All of it stays locked until the transaction ends: nobody archives or deletes meanwhile
 * what the item is given.
 */
export async function findRelations(
  { db, house }: Context,
  stored: Relations,
  changes: RelationChanges,
): Promise<Found> {
  const seller = uuidOf('seller', changes.seller)
  const deliveryClass = uuidOf('delivery_class', changes.delivery_class)
  const consignment = await lockConsignment(db, house.id, stored, changes)
  const inherited = changes.seller === undefined && stored.seller === null ? (consignment?.seller ?? null) : null
  const categories = (changes.categories ?? []).map((id) => uuidOf('category', id))
  const makers = (changes.makers ?? []).map((id) => uuidOf('maker', id))
  if (!seller && !inherited && !deliveryClass && categories.length + makers.length === 0)
    return { ...nothingFound, consignment }
  const { rows } = await sql<Omit<Found, 'consignment'>>`
    select
      (select json_build_object('id', id::text, 'archived', archived) from catalogue.sellers
        where house_id = ${house.id} and public_id = ${seller} for share) as seller,
      (select json_build_object('id', id::text, 'archived', archived) from catalogue.sellers
        where house_id = ${house.id} and id = ${inherited} for share) as inherited,
      (select json_build_object('id', id::text) from catalogue.delivery_classes
        where house_id = ${house.id} and public_id = ${deliveryClass} for key share) as delivery_class,
      (select coalesce(json_object_agg(public_id, id::text), '{}') from (
        select public_id, id from catalogue.categories
        where house_id = ${house.id} and public_id = any(${categories}::uuid[]) for key share) c) as categories,
      (select coalesce(json_object_agg(public_id, id::text), '{}') from (
        select public_id, id from catalogue.makers
        where house_id = ${house.id} and public_id = any(${makers}::uuid[]) for key share) m) as makers`.execute(db)
  return { ...rows[0]!, consignment }
}

async function lockConsignment(
  db: Database,
  house: string,
  stored: Relations,
  changes: RelationChanges,
): Promise<Found['consignment']> {
  const named = uuidOf('consignment', changes.consignment)
  const kept = changes.seller && changes.consignment === undefined ? stored.consignment : null
  if (!named && !kept) return null
  const { rows } = await sql<NonNullable<Found['consignment']>>`
    select id, archived, locked, seller_id as seller from catalogue.consignments
    where house_id = ${house} and ${named ? sql`public_id = ${named}` : sql`id = ${kept}`} for share`.execute(db)
  return rows[0] ?? null
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
  errors.push(...changeOwner(relations, changes, found))
  return { relations, errors }
}

// The seller and the consignment, which belong together: the item's seller is its consignment's.
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
