import type { Database } from '../db/pool.ts'
import type { NamedHouse } from '../houses/houses.ts'
import { parseId, printId } from '../values/ids.ts'
import { findHouses } from './queries.ts'
import { Refusal } from './refusal.ts'

const tables = {
  auction: 'catalogue.auctions',
  session: 'catalogue.sessions',
  item: 'catalogue.items',
  lot: 'catalogue.lots',
} as const

/** A kind of record that a command names. */
export type NamedKind = keyof typeof tables

/**
 * The UUID of an id, prefixed or bare.
 * @throws Refusal when it is malformed or of another kind
 */
export function requireId(kind: NamedKind, text: string): string {
  const uuid = parseId(kind, text)
  if (uuid === undefined) throw new Refusal(`"${text}" is not the id of ${/^[aeiou]/.test(kind) ? 'an' : 'a'} ${kind}`)
  return uuid
}

/**
 * Gives the record that was looked up in a house, or in the catalogue.
 * @throws Refusal when there is none
 */
export function requireRecord<T>(kind: NamedKind, uuid: string, record: T | undefined, house?: { slug: string }): T {
  if (record !== undefined) return record
  throw new Refusal(`there is no ${kind} ${printId(kind, uuid)}${house ? ` in the house ${house.slug}` : ''}`)
}

/**
 * The house that has the record with this id, archived or not, and the record's UUID.
 * @throws Refusal when no house has it, or several have
 */
export async function findRecord(
  db: Database,
  kind: NamedKind,
  id: string,
): Promise<{ house: NamedHouse; uuid: string }> {
  const uuid = requireId(kind, id)
  const houses = await findHouses(db, tables[kind], uuid)
  const house = requireRecord(kind, uuid, houses[0])
  if (houses.length > 1) {
    const slugs = houses.map(({ slug }) => slug).join(', ')
    throw new Refusal(`several houses have the ${kind} ${printId(kind, uuid)}: ${slugs}`)
  }
  return { house, uuid }
}
