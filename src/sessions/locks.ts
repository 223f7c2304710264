import { sql } from 'kysely'
import type { Scope } from '../context.ts'
import { sendAhead } from '../db/pipeline.ts'

/** Finds the internal id of a session. */
export async function findSession({ db, house }: Scope, uuid: string) {
  return db
    .selectFrom('catalogue.sessions')
    .select('id')
    .where('house_id', '=', house.id)
    .where('public_id', '=', uuid)
    .where((session) => session.not('archived'))
    .executeTakeFirst()
}

const preparations = ({ db, house }: Scope) =>
  db
    .selectFrom('catalogue.sessions')
    .select(['id', 'public_id', 'kind', 'opens_at', 'first_closes_at', 'group_size', 'interval_seconds', 'finished'])
    .select(['results', 'published', 'numbers_fixed', 'archived'])
    .where('house_id', '=', house.id)
    .$narrowType<{ kind: 'timed' | 'live' }>()
    .forUpdate()

/** Locks a session, before any of its lots, and reads the fields that decide whether its lots can still be switched. */
export async function lockPreparation(tx: Scope, id: string) {
  return preparations(tx).where('id', '=', id).executeTakeFirst()
}

/** As `lockPreparation`, by the session's UUID. */
export async function lockPreparationOf(tx: Scope, uuid: string) {
  return preparations(tx)
    .where('public_id', '=', uuid)
    .where((session) => session.not('archived'))
    .executeTakeFirst()
}

/**
 * Locks sessions that get new lots, in the order of their ids and before any of their lots. No other transaction can
 * change or prepare the sessions meanwhile. Does not wait for the bids of a running sale: they take at most FOR KEY
 * SHARE.
 */
export async function lockSessions({ db, house }: Scope, uuids: string[]) {
  return db
    .selectFrom('catalogue.sessions')
    .select(['id', 'public_id', 'auction_id', 'kind', 'opens_at', 'finished'])
    .where('house_id', '=', house.id)
    .where(sql<boolean>`public_id = any(${uuids}::uuid[])`)
    .where((session) => session.not('archived'))
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
}

/** Keeps other transactions from preparing a session until this one ends. */
export async function holdPreparation({ db, house }: Scope, id: string): Promise<void> {
  const session = db.selectFrom('catalogue.sessions').where('house_id', '=', house.id).where('id', '=', id)
  await sendAhead(db, session.forKeyShare())
}
