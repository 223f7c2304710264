import { sql } from 'kysely'
import type { Scope } from '../../context.ts'

/** An item, its place in the walk, and whether its document is stored. */
type WalkedItem = { place: string; item: string; isReady: boolean }

const stored = (house: Scope['house'], format: string) => sql`
    left join catalogue.item_documents d on d.house_id = ${house.id} and d.item_id = i.id and d.revision = i.revision
      and d.format = ${format}`

/** The sessions of a house, those that open last first. */
export async function findSessions({ db, house }: Scope): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from catalogue.sessions where house_id = ${house.id} order by opens_at desc nulls last, id desc`.execute(
    db,
  )
  return rows.map(({ id }) => id)
}

/** The items of a session's lots after a place, in the order of the lots' ids. */
export async function walkSession(
  { db, house }: Scope,
  session: string,
  format: string,
  after: string,
  limit: number,
): Promise<WalkedItem[]> {
  const { rows } = await sql<WalkedItem>`
    select l.id as place, i.id as item, d.item_id is not null as "isReady"
    from catalogue.lots l join catalogue.items i on i.house_id = ${house.id} and i.id = l.item_id ${stored(house, format)}
    where l.house_id = ${house.id} and l.session_id = ${session} and l.id > ${after} and not l.archived
    order by l.id limit ${sql.lit(limit)}`.execute(db)
  return rows
}

/** The items of a house after a place, in the order of their ids. */
export async function walkItems(
  { db, house }: Scope,
  format: string,
  after: string,
  limit: number,
): Promise<WalkedItem[]> {
  const { rows } = await sql<WalkedItem>`
    select i.id as place, i.id as item, d.item_id is not null as "isReady"
    from catalogue.items i ${stored(house, format)}
    where i.house_id = ${house.id} and i.id > ${after} and not i.archived order by i.id limit ${sql.lit(limit)}`.execute(
    db,
  )
  return rows
}

/** How many items of a house have a stored document, and how many there are. */
export async function countReady({ db, house }: Scope, format: string): Promise<{ done: number; all: number }> {
  const { rows } = await sql<{ done: number; all: number }>`
    select count(d.item_id)::int as done, count(*)::int as all
    from catalogue.items i ${stored(house, format)} where i.house_id = ${house.id} and not i.archived`.execute(db)
  return rows[0]!
}
