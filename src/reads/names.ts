import { sql, type RawBuilder } from 'kysely'
import type { House, Scope } from '../context.ts'
import type { Database } from '../db/pool.ts'
import { kinds } from '../kinds.ts'
import type { PrefixedKind } from '../values/ids.ts'

/** A kind of record that people know by more than its id. */
export type KnownKind = Exclude<PrefixedKind, 'lot' | 'bid' | 'image' | 'increment_strategy'>

/** How people find the records of a kind: by this column, also by their titles, also archived ones. */
type Known = { key: string; byTitle: boolean; archived: boolean }

/** A record as people know it. `title` is in the house's locale. */
export type KnownRecord = { uuid: string | null; key: string | null; title: string | null }

const tableOf = (kind: PrefixedKind) => sql.table(`catalogue.${kinds[kind].plural}`)

function titleOf(kind: KnownKind, { defaultLocale }: House): RawBuilder<string | null> {
  if (kind === 'session') return sql`x.titles ->> ${defaultLocale}`
  if (kind === 'category') return sql`x.names ->> ${defaultLocale}`
  if (kind === 'seller') return sql`coalesce(x.profile_name, x.account_name)`
  return kind === 'auction' || kind === 'item' ? sql`x.title` : sql`null::text`
}

/** The records of a house that have one of these UUIDs, or are known by one of these names. */
export async function findKnown(
  { db, house }: { db: Database; house: House },
  kind: KnownKind,
  { key, byTitle, archived }: Known,
  { uuids, names }: { uuids: string[]; names: string[] },
): Promise<KnownRecord[]> {
  const [known, title] = [sql`x.${sql.ref(key)}::text`, titleOf(kind, house)]
  const { rows } = await sql<KnownRecord>`
    select x.public_id as uuid, ${known} as key, ${title} as title from ${tableOf(kind)} x
    where x.house_id = ${house.id} ${archived ? sql`` : sql`and not x.archived`}
      and (x.public_id = any(${uuids}::uuid[]) or ${known} = any(${names}::text[])
        ${byTitle ? sql`or ${title} = any(${names}::text[])` : sql``})`.execute(db)
  return rows
}

/** The external references of a kind that differ from the given ones only in letter case or in spaces around them. */
export async function findSimilar({ db, house }: Scope, kind: KnownKind, names: string[]): Promise<string[]> {
  const { rows } = await sql<{ external_reference: string }>`
    select external_reference from ${tableOf(kind)} where house_id = ${house.id}
      and lower(external_reference) = any(${names.map((name) => name.trim().toLowerCase())}::text[])`.execute(db)
  return rows.map((row) => row.external_reference)
}

/** Whether a house has a record with this public UUID, archived or not. */
export async function hasRecord({ db, house }: Scope, kind: PrefixedKind, uuid: string): Promise<boolean> {
  const { rows } = await sql`
    select from ${tableOf(kind)} where house_id = ${house.id} and public_id = ${uuid}`.execute(db)
  return rows.length > 0
}
