import { sql, type RawBuilder } from 'kysely'
import { auctions } from '../auctions/queries.ts'
import type { Context, House } from '../context.ts'
import { kinds, type Followed, type RecordKind } from '../kinds.ts'
import type { Documents } from '../reads/selections.ts'
import { items } from '../items/document.ts'
import { lots } from '../lots/queries.ts'
import { references } from '../references/document.ts'
import { sessions } from '../sessions/queries.ts'

/** The documents that a read of one record without `expand[]` gives. */
export const documentsOf: Record<Followed, (context: Pick<Context, 'house' | 'mediaBase'>) => Documents> = {
  auction: auctions,
  session: sessions,
  lot: lots,
  item: items,
  ...references,
}

/** Whether a row of a kind's table is a record that is readable at its path. */
export function isReadable(kind: RecordKind, as: string): RawBuilder<boolean> {
  return 'archives' in kinds[kind] ? sql.raw(`not ${as}.archived`) : sql.raw('true')
}

/**
 * The version of a row: a text that changes with the record's document. It is computed from the record's own row. For
 * an auction its sessions count too, because their changes do not touch the auction's row.
 */
export function versionOf(kind: Followed, house: Pick<House, 'id'>, as: string): RawBuilder<string> {
  const revision = sql.raw<string>(`${as}.revision::text`)
  if (kind !== 'auction') return revision
  return sql`${revision} || coalesce('-' || md5((
    select string_agg(coalesce(sitting.public_id::text, ''), ',' order by sitting.opens_at, sitting.public_id)
    from catalogue.sessions sitting where sitting.house_id = ${house.id} and sitting.auction_id = ${sql.ref(`${as}.id`)})), '')`
}
