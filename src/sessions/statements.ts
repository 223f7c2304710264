import { sql } from 'kysely'
import type { Context, Scope } from '../context.ts'

type House = Pick<Context, 'db' | 'house'>

/** The column of a table that holds the kind of a session. */
type OfKind = { kind: 'timed' | 'live' }

const titleIn = (locale: string) => sql<string | null>`titles ->> ${locale}`

/**
 * The auction's sessions, the latest `created_at` first. Each new session gets a later `created_at` than the one before
 * it, independent of the clocks of the instances. A loaded session has the time of its line; one without a time counts
 * as the first.
 */
export async function findSiblings({ db, house }: Scope, auction: string) {
  return db
    .selectFrom('catalogue.sessions')
    .select([
      'kind',
      'created_at',
      'group_size',
      'interval_seconds',
      'extension_threshold_seconds',
      'extension_seconds',
    ])
    .select(['buyer_premium_percentage', 'increment_strategy_id'])
    .where('house_id', '=', house.id)
    .where('auction_id', '=', auction)
    .where((session) => session.not('archived'))
    .orderBy('created_at', (order) => order.desc().nullsLast())
    .orderBy('id', 'desc')
    .execute()
}

/** The increment strategy with this UUID, or the house's first. It is locked until the transaction ends. */
export async function lockStrategy({ db, house }: Scope, uuid: string | undefined): Promise<string | undefined> {
  const strategy = await db
    .selectFrom('catalogue.increment_strategies')
    .select('id')
    .where('house_id', '=', house.id)
    .$if(uuid !== undefined, (strategies) => strategies.where('public_id', '=', uuid!))
    .orderBy('created_at', (order) => order.asc().nullsLast())
    .orderBy('id')
    .limit(sql.lit(1))
    .forKeyShare()
    .executeTakeFirst()
  return strategy?.id
}

/**
 * Locks a session, before any of its lots, then reads in a second statement what its changes need. No lot can be added until
 * the transaction ends. For changes of its `flags` it does not wait for the bids of a running sale, which take at most FOR
 * KEY SHARE.
 */
export async function lockSession({ db, house }: House, uuid: string, of: 'terms' | 'flags' = 'terms') {
  const session = db
    .selectFrom('catalogue.sessions')
    .select('id')
    .where('house_id', '=', house.id)
    .where('public_id', '=', uuid)
    .where((row) => row.not('archived'))
  const locked = await (of === 'terms' ? session.forUpdate() : session.forNoKeyUpdate()).executeTakeFirst()
  if (!locked) return undefined
  return db
    .selectFrom('catalogue.sessions as s')
    .select(['id', 'public_id', 'kind', 'external_reference', 'published', 'hidden', 'finished'])
    .select(['opens_at', 'first_closes_at', 'live_closes_at'])
    .select(['group_size', 'interval_seconds', 'extension_threshold_seconds', 'extension_seconds'])
    .select(['buyer_premium_percentage', titleIn(house.defaultLocale).as('title')])
    .select(['increment_strategy_id', 'customer_bidding_enabled', 'results', 'numbers_fixed'])
    .select((session) =>
      session
        .selectFrom('catalogue.increment_strategies as strategy')
        .select('strategy.public_id')
        .where('strategy.house_id', '=', house.id)
        .whereRef('strategy.id', '=', 's.increment_strategy_id')
        .as('increment_strategy'),
    )
    .select((session) =>
      session
        .exists(
          session
            .selectFrom('catalogue.lots as l')
            .where('l.house_id', '=', house.id)
            .whereRef('l.session_id', '=', 's.id'),
        )
        .$castTo<boolean>()
        .as('has_lots'),
    )
    .where('house_id', '=', house.id)
    .where('id', '=', locked.id)
    .$narrowType<OfKind>()
    .executeTakeFirst()
}
