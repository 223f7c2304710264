import { sql } from 'kysely'
import type { Scope, Context } from '../context.ts'
import { memoize, type ListSelection } from '../reads/selections.ts'
import { idOf, moneyOf, timeOf } from '../reads/documents.ts'
import { findSession } from '../sessions/locks.ts'
import { newestFirst, type Keyset } from '../reads/keyset.ts'
import { listRecords } from '../reads/lists.ts'
import { requireFound } from '../problems.ts'
import type { Money } from '../values/money.ts'
import { findBiddenLot } from './queries.ts'

/**
 * The unarchived lots of a session that have bids, in the order of their UUIDs, with the number of those that stand.
 * @throws Problem not-found if there is no such session
 */
export async function countBids(scope: Scope, uuid: string): Promise<{ lot: string; bids: number }[]> {
  const { db, house } = scope
  const session = requireFound(await findSession(scope, uuid), 'session')
  return db
    .selectFrom('catalogue.lots as l')
    .innerJoin('catalogue.bids as b', (join) => join.onRef('b.lot_id', '=', 'l.id'))
    .select(['l.public_id as lot', (lot) => lot.cast<number>(lot.fn.countAll(), 'integer').as('bids')])
    .where('l.house_id', '=', house.id)
    .where('b.house_id', '=', house.id)
    .where('l.session_id', '=', session.id)
    .where((lot) => lot.not('l.archived'))
    .where('l.public_id', 'is not', null)
    .where('b.cancelled_at', 'is', null)
    .groupBy('l.public_id')
    .orderBy('l.public_id')
    .$narrowType<{ lot: string }>()
    .execute()
}

const bids = memoize(({ house }) => ({
  table: sql`catalogue.bids`,
  as: 'b',
  tag: sql`concat_ws('.', b.id, extract(epoch from b.updated_at))`,
  joins: sql`
  join catalogue.lots l on l.house_id = ${house.id} and l.id = b.lot_id
  cross join lateral (
    select row_to_json(r) as json, case when l.public_id is null then 'is on a lot without a public id' end as defect
    from (select 'bid_' || b.public_id as id, ${idOf('lot', 'l')} as lot, ${moneyOf('b.amount', house.currency)} as amount,
      ${timeOf('b.placed_at')} as placed_at, ${timeOf('b.cancelled_at')} as cancelled_at, b.cancel_reason) r
  ) document`,
}))

const byPlacement = newestFirst('b', 'placed_at')

/**
 * The bids on a lot, archived or not, the latest first.
 * @throws Problem not-found
 */
export async function selectBids<Of extends Context>(context: Of, uuid: string): Promise<ListSelection<Of>> {
  const lot = requireFound(await findBiddenLot(context, uuid), 'lot', uuid)
  return {
    context,
    documents: bids(context),
    where: 'b.lot_id = asked.lot::bigint',
    asked: { lot: lot.id },
    order: byPlacement,
  }
}

/** A bid as staff see it. */
type ListedBid = {
  id: string | null
  lot: string
  amount: Money
  placed_at: string | null
  cancelled_at: string | null
  cancel_reason: string | null
}

const asRecorded: Keyset = { sort: sql`b.id`, id: sql`b.public_id`, type: 'bigint', direction: 'asc' }

/**
 * All bids on a lot, archived or not, in the order in which they were recorded, cancelled ones too.
 * @throws Problem not-found
 */
export async function listBids(context: Context, uuid: string): Promise<ListedBid[]> {
  return listRecords<ListedBid>({ ...(await selectBids(context, uuid)), order: asRecorded })
}
