import { sql } from 'kysely'
import type { Database } from '../db/pool.ts'
import { houseColumns, type NamedHouse } from '../houses/houses.ts'
import { parseId, printId } from '../values/ids.ts'
import { Refusal } from './refusal.ts'

const tables = { auction: 'auctions', session: 'sessions', item: 'items', lot: 'lots' } as const

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

/** Says that a house (or the catalogue) has no such record. */
export function missing(kind: NamedKind, uuid: string, slug?: string): Refusal {
  return new Refusal(`there is no ${kind} ${printId(kind, uuid)}${slug === undefined ? '' : ` in the house ${slug}`}`)
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
  const { rows } = await sql<NamedHouse>`
    select ${houseColumns} from catalogue.houses h
    join ${sql.table(`catalogue.${tables[kind]}`)} record on record.house_id = h.id
    where record.public_id = ${uuid} order by h.slug`.execute(db)
  const [house] = rows
  if (!house) throw missing(kind, uuid)
  if (rows.length > 1) {
    const slugs = rows.map(({ slug }) => slug).join(', ')
    throw new Refusal(`several houses have the ${kind} ${printId(kind, uuid)}: ${slugs}`)
  }
  return { house, uuid }
}
