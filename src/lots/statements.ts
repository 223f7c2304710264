import { sql } from 'kysely'
import type { Context, Scope } from '../context.ts'
import { markChanged } from '../writes/touch.ts'
import type { ResultState } from '../values/offers.ts'
import type { RecordName } from '../problems.ts'
import { lotOf } from './outcomes.ts'
import { placeOf } from './session-statements.ts'

/** A lot to insert. The starting bid is in minor units. */
export type NewLot = {
  public_id: string
  auction_id: string
  session_id: string
  item_id: string
  lot_number: number
  starting_bid: number | null
  active: boolean
}

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

// A statement has at most 65,535 parameters, and a lot has ten.
const mostLots = 5_000

/** Inserts lots. Their starting bids are in minor units. */
export async function insertLots({ db, house, now }: Scope & Pick<Context, 'now'>, lots: NewLot[]): Promise<void> {
  const rows = lots.map((lot) => {
    const starting_bid = lot.starting_bid === null ? null : String(lot.starting_bid)
    return { ...lot, house_id: house.id, starting_bid, created_at: now, updated_at: now }
  })
  for (let start = 0; start < rows.length; start += mostLots) {
    const inserted = await db
      .insertInto('catalogue.lots')
      .values(rows.slice(start, start + mostLots))
      .returning('id')
      .execute()
    await markChanged(
      { db, house },
      'lot',
      inserted.map(({ id }) => id),
    )
  }
}

/** Where an item is sold, or offered without a result: the state, and the lots. */
export type ItemOffer = { state?: ResultState; usedBy: RecordName[] }

/** The items, of these internal ids, that are sold, or in an unarchived lot without a result, by their UUIDs. */
export async function findOffers({ db, house }: Context, items: string[]): Promise<Map<string, ItemOffer>> {
  type Row = { item: string; uuid: string | null; state: ResultState | null; place: string | null }
  const { rows } = await sql<Row>`
    select i.public_id as item, l.public_id as uuid, l.result_state as state,
      ${placeOf('s', 'l')} as place
    from catalogue.lots l
    join catalogue.items i on i.house_id = ${house.id} and i.id = l.item_id
    join catalogue.sessions s on s.house_id = ${house.id} and s.id = l.session_id
    where l.house_id = ${house.id} and l.item_id = any(${items}::bigint[]) and not l.archived
      and (l.result_state is null or l.result_state = 'sold')
    order by l.id`.execute(db)
  const offers = new Map<string, ItemOffer>()
  for (const { item, uuid, place, state } of rows) {
    const offer = offers.get(item) ?? { ...(state && { state }), usedBy: [] }
    offer.usedBy.push(lotOf({ public_id: uuid, place }))
    offers.set(item, offer)
  }
  return offers
}
