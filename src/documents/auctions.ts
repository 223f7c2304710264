import { sql, type RawBuilder } from 'kysely'
import type { Context } from '../context.ts'
import { idOf, timeOf } from '../reads/documents.ts'

/**
 * Joins an auction with its document `as` (columns json, defect). `sessions` selects the value of the field `sessions`
 * in the same columns.
 */
export function joinAuctionDocument(table: string, as: string, sessions: RawBuilder<unknown>): RawBuilder<unknown> {
  const column = (name: string) => sql.raw(`${table}.${name}`)
  return sql`
  cross join lateral (
    select row_to_json(r) as json,
      case when ${column('public_id')} is null then 'has no public id'
        when ${column('title')} is null then 'has no title'
        when sittings.defect is not null then 'has a session that ' || sittings.defect end as defect
    from (${sessions}) sittings
    cross join lateral (
      select ${idOf('auction', table)} as id, ${column('title')} as title, ${column('description')} as description,
        ${column('slug')} as slug, ${column('external_reference')} as external_reference, ${column('published')} as published,
        sittings.json as sessions, ${timeOf(`${table}.created_at`)} as created_at, ${timeOf(`${table}.updated_at`)} as updated_at
    ) r
  ) ${sql.ref(as)}`
}

/** The ids of the auction's sessions, in the order of their opening times: columns json and defect. */
export function sessionIds({ house }: Pick<Context, 'house'>, table: string): RawBuilder<unknown> {
  return sql`
    select coalesce(json_agg(${idOf('session', 'sitting')} order by sitting.opens_at, sitting.public_id), '[]') as json,
      max(case when sitting.public_id is null then 'has no public id' end) as defect
    from catalogue.sessions sitting
    where sitting.house_id = ${house.id} and sitting.auction_id = ${sql.ref(`${table}.id`)} and not sitting.archived`
}

/** The tag of an auction. Each change of the auction or of one of its sessions changes it. */
export function auctionTag({ house }: Pick<Context, 'house'>, table: string): RawBuilder<unknown> {
  return sql`${sql.raw(`${table}.id || '.' || ${table}.revision`)} || coalesce((
    select string_agg('+' || sitting.id || '.' || sitting.revision, '' order by sitting.id) from catalogue.sessions sitting
    where sitting.house_id = ${house.id} and sitting.auction_id = ${sql.ref(`${table}.id`)} and not sitting.archived), '')`
}
