import type { Scope } from '../context.ts'

/** Locks an item, archived or not, which keeps a change of it from missing a lot that is added. */
export async function lockItem({ db, house }: Scope, uuid: string) {
  return db
    .selectFrom('catalogue.items')
    .select(['id', 'archived'])
    .where('house_id', '=', house.id)
    .where('public_id', '=', uuid)
    .forShare()
    .executeTakeFirst()
}
