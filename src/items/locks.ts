import { sql } from 'kysely'
import type { Scope } from '../context.ts'
import { requireFound } from '../problems.ts'

/**
 * The internal id of an item that is not archived. Locks the row if `lock` is given.
 * @throws Problem not-found
 */
export async function findItem(
  { db, house }: Scope,
  uuid: string,
  lock?: 'for update' | 'for update nowait' | 'for share',
): Promise<string> {
  const select = db
    .selectFrom('catalogue.items')
    .select('id')
    .where('house_id', '=', house.id)
    .where('public_id', '=', uuid)
    .where((where) => where.not('archived'))
  return requireFound(await (lock === undefined ? select : select.modifyEnd(sql.raw(lock))).executeTakeFirst()).id
}

/**
 * Locks items, archived or not, in the order of their ids. A change of an item then cannot miss a lot that is being
 * added.
 */
export async function lockOfferedItems({ db, house }: Scope, uuids: string[]) {
  return db
    .selectFrom('catalogue.items')
    .select(['id', 'public_id', 'archived'])
    .where('house_id', '=', house.id)
    .where(sql<boolean>`public_id = any(${uuids}::uuid[])`)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
}

/** Locks items by their internal ids, in the order of the ids. */
export async function lockItems({ db, house }: Scope, items: string[]): Promise<void> {
  await sql`
    select id from catalogue.items where house_id = ${house.id} and id = any(${items}::bigint[])
    order by id for update`.execute(db)
}
