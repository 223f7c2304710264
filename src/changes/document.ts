import { sql, type RawBuilder } from 'kysely'
import { auctions } from '../auctions/queries.ts'
import type { Context, House } from '../context.ts'
import { managedImages } from '../images/queries.ts'
import { kinds, type Followed, type RecordKind } from '../kinds.ts'
import type { Documents } from '../reads/selections.ts'
import { items } from '../items/document.ts'
import { lots } from '../lots/queries.ts'
import { references } from '../references/document.ts'
import { sessions } from '../sessions/queries.ts'

/** The documents of a read of one record without `expand[]`. images/queries.ts has those of images. */
export const documentsOf: Record<
  Exclude<Followed, 'image'>,
  (context: Pick<Context, 'house' | 'mediaBase'>) => Documents
> = {
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
 * The table of a kind's versions. The version of an image depends on the other images of its item, so the condition
 * `items` selects images by whole items.
 */
export function versionedTable(
  kind: Followed,
  house: Pick<House, 'id'>,
  items: RawBuilder<unknown> = sql`true`,
): RawBuilder<unknown> {
  return kind === 'image' ? managedImages(house, items) : sql.table(`catalogue.${kinds[kind].plural}`)
}

/**
 * The version of a row of `versionedTable`: a text that changes with the record's document. It begins with the
 * revision. For an auction its sessions count too, and for an image the other images of the item, because their changes
 * do not touch the row.
 */
export function versionOf(kind: Followed, house: Pick<House, 'id'>, as: string): RawBuilder<string> {
  const revision = sql.raw<string>(`${as}.revision::text`)
  if (kind === 'image')
    return sql.raw(`concat(${as}.revision, '-', case when ${as}.public then ${as}.place end,
      case when ${as}.repeated or ${as}.item_public_id is null then 'd' end)`)
  if (kind !== 'auction') return revision
  return sql`${revision} || coalesce('-' || md5((
    select string_agg(coalesce(sitting.public_id::text, ''), ',' order by sitting.opens_at, sitting.public_id)
    from catalogue.sessions sitting where sitting.house_id = ${house.id} and sitting.auction_id = ${sql.ref(`${as}.id`)} and not sitting.archived)), '')`
}
