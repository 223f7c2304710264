import { sql } from 'kysely'
import type { Context, Scope } from '../context.ts'
import type { ResultState } from '../values/offers.ts'
import type { RecordName } from '../problems.ts'
import { printPlace } from './queries.ts'

/** Finds the lots with these UUIDs that are not archived. */
export async function findLots({ db, house }: Scope, uuids: string[]) {
  return db
    .selectFrom('catalogue.lots')
    .select(['id', 'public_id', 'session_id', 'lot_number'])
    .select((lot) => lot.fn.coalesce('active', lot.lit(false)).as('active'))
    .where('house_id', '=', house.id)
    .where(sql<boolean>`public_id = any(${uuids}::uuid[])`)
    .where((lot) => lot.not('archived'))
    .execute()
}

/** Where an item is sold, or offered without a result: the state, and the lots. */
export type ItemOffer = { state?: ResultState; usedBy: RecordName[] }

/** The items, of these internal ids, that are sold, or in an unarchived lot without a result, by their UUIDs. */
export async function findOffers({ db, house }: Context, items: string[]): Promise<Map<string, ItemOffer>> {
  type Row = { item: string; uuid: string | null; state: ResultState | null; place: string | null }
  const { rows } = await sql<Row>`
    select i.public_id as item, l.public_id as uuid, l.result_state as state,
      ${printPlace('s', 'l')} as place
    from catalogue.lots l
    join catalogue.items i on i.house_id = ${house.id} and i.id = l.item_id
    join catalogue.sessions s on s.house_id = ${house.id} and s.id = l.session_id
    where l.house_id = ${house.id} and l.item_id = any(${items}::bigint[]) and not l.archived
      and (l.result_state is null or l.result_state = 'sold')
    order by l.id`.execute(db)
  const offers = new Map<string, ItemOffer>()
  for (const { item, uuid, place, state } of rows) {
    const offer = offers.get(item) ?? { ...(state && { state }), usedBy: [] }
    offer.usedBy.push({ kind: 'lot', uuid, ...(place !== null && { place }) })
    offers.set(item, offer)
  }
  return offers
}

// Locks lots in the order of their ids, so that two writes never wait for each other.
const currentLots = ({ db, house }: Scope, session: string) =>
  db
    .selectFrom('catalogue.lots')
    .where('house_id', '=', house.id)
    .where('session_id', '=', session)
    .where((lot) => lot.not('archived'))
    .orderBy('id')
    .forUpdate()

/** Locks a session's current lots, or those with these UUIDs, with what its order, schedule and switches change. */
export async function lockLotsOfSession(tx: Scope, session: string, uuids?: string[]) {
  return currentLots(tx, session)
    .select(['id', 'public_id', 'session_id', 'lot_number', 'closes_at', 'scheduled_closes_at'])
    .select((lot) => lot.fn.coalesce('active', lot.lit(false)).as('active'))
    .$if(uuids !== undefined, (lots) => lots.where(sql<boolean>`public_id = any(${uuids}::uuid[])`))
    .execute()
}

/** Locks a session's current lots, only to wait for the writes under way: no rows are sent back. */
export async function lockLots(tx: Scope, session: string): Promise<void> {
  await tx.db
    .selectFrom(currentLots(tx, session).as('locked'))
    .select(({ fn }) => fn.countAll().as('lots'))
    .execute()
}

/** Whether any lot of the session has a bid, archived lots included. */
export async function sessionHasBids({ db, house }: Scope, session: string): Promise<boolean> {
  const { found } = await db
    .selectNoFrom((select) =>
      select
        .exists(
          select
            .selectFrom('catalogue.lots as l')
            .innerJoin('catalogue.bids as b', (join) =>
              join.on('b.house_id', '=', house.id).onRef('b.lot_id', '=', 'l.id'),
            )
            .where('l.house_id', '=', house.id)
            .where('l.session_id', '=', session),
        )
        .$castTo<boolean>()
        .as('found'),
    )
    .executeTakeFirstOrThrow()
  return found
}

/** Whether any lot of the session has a result, archived lots included. */
export async function sessionHasResults({ db, house }: Scope, session: string): Promise<boolean> {
  const found = await db
    .selectFrom('catalogue.lots')
    .select('id')
    .where('house_id', '=', house.id)
    .where('session_id', '=', session)
    .where('result_state', 'is not', null)
    .limit(sql.lit(1))
    .executeTakeFirst()
  return found !== undefined
}

/** The lots of the session, except archived ones, that have one of these numbers. */
export async function findNumbered({ db, house }: Scope, session: string, numbers: number[]) {
  const { rows } = await sql<{ public_id: string | null; lot_number: number; place: string | null }>`
    select l.public_id, l.lot_number, ${printPlace('s', 'l')} as place from catalogue.lots l
    join catalogue.sessions s on s.house_id = ${house.id} and s.id = l.session_id
    where l.house_id = ${house.id} and l.session_id = ${session} and l.lot_number = any(${numbers}::int[])
      and not l.archived`.execute(db)
  return rows
}

/** The highest number of the session's lots, except archived ones; 0 if there is none. */
export async function findLastNumber({ db, house }: Scope, session: string): Promise<number> {
  const { last } = await db
    .selectFrom('catalogue.lots')
    .select(({ fn }) => fn.max<number | null>('lot_number').as('last'))
    .where('house_id', '=', house.id)
    .where('session_id', '=', session)
    .where((lot) => lot.not('archived'))
    .executeTakeFirstOrThrow()
  return last ?? 0
}
