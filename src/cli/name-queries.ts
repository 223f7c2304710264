import { sql } from 'kysely'
import type { Context, House } from '../context.ts'
import type { Database } from '../db/pool.ts'
import { listHouses, type NamedHouse } from '../houses/houses.ts'
import { kinds } from '../kinds.ts'
import { idOf } from '../reads/documents.ts'
import type { PrefixedKind } from '../values/ids.ts'

/** A kind of record that has an external reference. */
export type ReferencedKind = 'auction' | 'session' | 'item'

const tableOf = (kind: PrefixedKind) => sql.table(`catalogue.${kinds[kind].plural}`)

/** The houses that have a record with this public UUID and of this kind, archived or not. */
export async function findHouses(db: Database, kind: PrefixedKind, uuid: string): Promise<NamedHouse[]> {
  const found: NamedHouse[] = []
  for (const house of await listHouses(db)) {
    const { rows } = await sql`
      select from ${tableOf(kind)} where house_id = ${house.id} and public_id = ${uuid}`.execute(db)
    if (rows.length > 0) found.push(house)
  }
  return found
}

/** A record as people know it. `title` is in the house's locale. */
export type StoredName = { uuid: string | null; external_reference: string | null; title: string | null }

/** The records of a house with one of these UUIDs or external references, archived or not. */
export async function findReferences(
  db: Database,
  house: House,
  kind: ReferencedKind,
  { uuids, references }: { uuids: string[]; references: string[] },
): Promise<StoredName[]> {
  const title = kind === 'session' ? sql`titles ->> ${house.defaultLocale}` : sql`title`
  const { rows } = await sql<StoredName>`
    select public_id as uuid, external_reference, ${title} as title from ${tableOf(kind)}
    where house_id = ${house.id} and (public_id = any(${uuids}::uuid[]) or external_reference = any(${references}::text[]))`.execute(
    db,
  )
  return rows
}

/**
 * The external references of a kind of record that differ from the given ones only in letter case or in spaces around
 * them.
 */
export async function findSimilar(
  db: Database,
  house: House,
  kind: ReferencedKind,
  references: string[],
): Promise<string[]> {
  const { rows } = await sql<{ external_reference: string }>`
    select external_reference from ${tableOf(kind)} where house_id = ${house.id}
      and lower(external_reference) = any(${references.map((reference) => reference.trim().toLowerCase())}::text[])`.execute(
    db,
  )
  return rows.map((row) => row.external_reference)
}

// A lot as people know it. `session` is its session's external reference, or else its id.
type LotName = { uuid: string | null; lot_number: number | null; title: string | null; session: string | null }

/** The lot of a house with this UUID, archived or not, or the unarchived one with this number in a session. */
export async function findNamedLots(
  db: Database,
  house: House,
  name: { uuid: string } | { session: string; number: number },
): Promise<LotName[]> {
  const where =
    'uuid' in name
      ? sql`l.public_id = ${name.uuid}`
      : sql`s.public_id = ${name.session} and l.lot_number = ${name.number}::bigint and not l.archived`
  const { rows } = await sql<LotName>`
    select l.public_id as uuid, l.lot_number, i.title, coalesce(s.external_reference, ${idOf('session', 's')}) as session
    from catalogue.lots l
    join catalogue.items i on i.house_id = ${house.id} and i.id = l.item_id
    join catalogue.sessions s on s.house_id = ${house.id} and s.id = l.session_id
    where l.house_id = ${house.id} and ${where}`.execute(db)
  return rows
}

/** The lowest and the highest number of a session's unarchived lots; null if it has none. */
export async function readNumbers(db: Database, house: House, session: string) {
  const { rows } = await sql<{ least: number | null; most: number | null }>`
    select min(l.lot_number) as least, max(l.lot_number) as most
    from catalogue.sessions s join catalogue.lots l on l.house_id = ${house.id} and l.session_id = s.id
    where s.house_id = ${house.id} and s.public_id = ${session} and not l.archived`.execute(db)
  return rows[0]!
}

/** The UUID of the unarchived lot with this number in the session of another lot. */
export async function findSibling({ db, house }: Context, lot: string, number: number): Promise<string | undefined> {
  const { rows } = await sql<{ uuid: string | null }>`
    select other.public_id as uuid from catalogue.lots l
    join catalogue.lots other on other.house_id = ${house.id} and other.session_id = l.session_id
    where l.house_id = ${house.id} and l.public_id = ${lot} and other.lot_number = ${number}::bigint and not other.archived`.execute(
    db,
  )
  return rows[0]?.uuid ?? undefined
}

/** The number of an unarchived lot, and whether its session is published; undefined if there is no such lot. */
export async function findPlace({ db, house }: Context, lot: string) {
  const { rows } = await sql<{ lot_number: number | null; published: boolean }>`
    select l.lot_number, s.published from catalogue.lots l
    join catalogue.sessions s on s.house_id = ${house.id} and s.id = l.session_id
    where l.house_id = ${house.id} and l.public_id = ${lot} and not l.archived`.execute(db)
  return rows[0]
}
