import { sql } from 'kysely'
import type { Scope } from '../context.ts'
import { spaces } from '../db/advisory-locks.ts'

/**
 * Finds and locks the house's slugs that begin with `base`. A create waits only for creates whose slugs could collide
 * with its own: `sale-2` can come from a title or from a number.
 */
export async function lockSlugs({ db, house }: Scope, base: string): Promise<Set<string>> {
  const stem = base.replace(/(-\d+)+$/, '')
  await sql`select pg_advisory_xact_lock(${spaces.slugs}::int, hashtext(${`${house.id} ${stem}`}))`.execute(db)
  const alike = await db
    .selectFrom('catalogue.auctions')
    .select('slug')
    .where('house_id', '=', house.id)
    .where((auction) => auction.or([auction('slug', '=', base), auction('slug', 'like', `${base}-%`)]))
    .execute()
  return new Set(alike.map(({ slug }) => slug))
}

/** Whether an auction has an unarchived lot in an unfinished session. */
export async function isForSale({ db, house }: Scope, auction: string): Promise<boolean> {
  const { rows } = await sql`
    select from catalogue.lots l join catalogue.sessions s on s.house_id = ${house.id} and s.id = l.session_id
    where l.house_id = ${house.id} and l.auction_id = ${auction} and not l.archived and not s.finished limit 1`.execute(
    db,
  )
  return rows.length > 0
}

/** What writes read of an auction that they lock. */
export type LockedAuction = {
  id: string
  uuid: string | null
  title: string | null
  description: string | null
  published: boolean
  archived: boolean
}

/** Locks an auction, archived or not, before a write to it or to its sessions. */
export async function lockAnyAuction({ db, house }: Scope, uuid: string): Promise<LockedAuction | undefined> {
  return db
    .selectFrom('catalogue.auctions')
    .select(['id', 'public_id as uuid', 'title', 'description', 'published', 'archived'])
    .where('house_id', '=', house.id)
    .where('public_id', '=', uuid)
    .forNoKeyUpdate()
    .executeTakeFirst()
}
