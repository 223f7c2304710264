import { sql, type RawBuilder } from 'kysely'
import { documentsOf, isReadable } from '../changes/document.ts'
import type { House, Scope } from '../context.ts'
import type { Database } from '../db/pool.ts'
import { imagesOfHouse } from '../images/queries.ts'
import { recordKinds, type RecordKind } from '../kinds.ts'

// Includes archived records that an unarchived record still expands.
const auctionIsShown = (house: House) => sql<boolean>`(not a.archived
  or exists (select from catalogue.sessions s where s.house_id = ${house.id} and s.auction_id = a.id and not s.archived))`
const itemIsShown = (house: House) => sql<boolean>`(not i.archived
  or exists (select from catalogue.lots l where l.house_id = ${house.id} and l.item_id = i.id and not l.archived))`

// Uses the documents of the reads, so that doctor reports exactly the records that they refuse.
const sources = { ...documentsOf, image: imagesOfHouse }

function isShown(kind: RecordKind, as: string, house: House): RawBuilder<boolean> {
  if (kind === 'auction') return auctionIsShown(house)
  if (kind === 'item') return itemIsShown(house)
  return isReadable(kind, as)
}

/** A record that cannot be shown, and the reason. */
type Defect = { kind: RecordKind; row: string; uuid: string | null; defect: string }

/** The records of a house that the interface answers with integrity-unavailable, by kind and row. */
export async function findDefects(db: Database, house: House): Promise<Defect[]> {
  const defects: Defect[] = []
  for (const kind of recordKinds) {
    const { table, as, parents = sql``, joins } = sources[kind]({ house, mediaBase: '' })
    const { rows } = await sql<Omit<Defect, 'kind'>>`
      select ${sql.ref(`${as}.id`)} as row, ${sql.ref(`${as}.public_id`)} as uuid, document.defect
      from ${table} ${sql.ref(as)} ${parents} ${joins} where ${sql.ref(`${as}.house_id`)} = ${house.id} and document.defect is not null
      and ${isShown(kind, as, house)} order by ${sql.ref(`${as}.id`)}`.execute(db)
    defects.push(...rows.map((row) => ({ kind, ...row })))
  }
  return defects
}

/** Whether a house has more items, archived ones too, than a number. Reads no more of the index than that many. */
export async function hasMoreItems({ db, house }: Scope, count: number): Promise<boolean> {
  const { rows } = await sql`
    select from catalogue.items where house_id = ${house.id} offset ${count}::bigint limit 1`.execute(db)
  return rows.length > 0
}

/** What a server says of itself. */
export type Server = { version: string; citus: string | null; name: string; now: Date }

/** The server's version, that of Citus if the database has it, the name of the database, and the server's clock. */
export async function readServer(db: Database): Promise<Server> {
  const { rows } = await sql<Server>`
    select current_setting('server_version') as version, current_database() as name,
      (select extversion from pg_extension where extname = 'citus') as citus, clock_timestamp() as now`.execute(db)
  return rows[0]!
}
