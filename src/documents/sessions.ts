import { sql, type RawBuilder } from 'kysely'
import type { Context } from '../context.ts'
import { idOf, timeOf, withoutNull } from '../reads/documents.ts'

/**
 * Joins a session with its document `as` (columns json, defect). `auction` selects the value of the field `auction`,
 * and the reason why the auction cannot be shown; `more` that of further fields, by their names.
 */
export function joinSessionDocument(
  { house }: Pick<Context, 'house'>,
  table: string,
  as: string,
  auction: { json: RawBuilder<unknown>; defect: RawBuilder<unknown> },
  more: Record<string, RawBuilder<unknown>> = {},
): RawBuilder<unknown> {
  const { defaults } = house
  const column = (name: string) => sql.raw(`${table}.${name}`)
  const further = Object.entries(more).map(([name, value]) => sql`, ${value} as ${sql.raw(name)}`)
  const time = (name: string) => timeOf(`${table}.${name}`)
  return sql`
  cross join lateral (
    select ${withoutNull(sql`r`, 'timed', 'live')} as json,
      case when ${column('public_id')} is null then 'has no public id'
        when ${auction.defect} is not null then 'belongs to an auction that ' || ${auction.defect}
        when ${column('increment_strategy_id')} is not null and strategy.public_id is null
          then 'has an increment strategy without a public id' end as defect
    from (select 1) one
    left join catalogue.increment_strategies strategy
      on strategy.house_id = ${house.id} and strategy.id = ${column('increment_strategy_id')}
    cross join lateral (
      select ${idOf('session', table)} as id, ${auction.json} as auction, ${column('titles')} ->> ${house.defaultLocale} as title,
        ${column('external_reference')} as external_reference, ${column('kind')} as kind, ${time('opens_at')} as opens_at,
        case when ${column('kind')} = 'timed' then json_build_object(
          'first_closes_at', ${time('first_closes_at')}, 'group_size', ${column('group_size')},
          'interval_seconds', ${column('interval_seconds')},
          'extension_threshold_seconds', coalesce(${column('extension_threshold_seconds')}, ${defaults.extension_threshold_seconds}::int, 120),
          'extension_seconds', coalesce(${column('extension_seconds')}, ${defaults.extension_seconds}::int, 120)) end as timed,
        case when ${column('kind')} = 'live' then json_build_object('closes_at', ${time('live_closes_at')}) end as live,
        json_build_object('buyer_premium_percentage', trim_scale(
          coalesce(${column('buyer_premium_percentage')}, ${defaults.buyer_premium_percentage}::numeric, 0))::text) as settings,
        ${idOf('increment_strategy', 'strategy')} as increment_strategy,
        ${column('published')} and not ${column('hidden')} as published, ${column('finished')} as finished,
        ${column('customer_bidding_enabled')} as customer_bidding_enabled,
        ${time('created_at')} as created_at, ${time('updated_at')} as updated_at${sql.join(further, sql``)}
    ) r
  ) ${sql.ref(as)}`
}
