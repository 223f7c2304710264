import { sql, type RawBuilder } from 'kysely'
import type { Context } from '../context.ts'
import { mostMatches, type Plan } from './plan.ts'
import { isFoundInRow } from './ranking.ts'
import { placeOfLot } from '../reads/keyset.ts'

const mostSampled = 400
// A step of the walk costs less than a match that the index of keys finds, about by this.
const advantage = 0.7

/**
 * The walk through the newest records, for words that so many of them have that `mostMatches` are found sooner than by
 * the index of keys, which reads all matches. A sample says whether. The walk gives up after three times the length that
 * the sample lets expect. Undefined where it cannot be shorter. `select` makes a query of the rows to walk, `l` of lots or
 * `i` of items, and a condition on them.
 */
export function walkNewest(
  house: Context['house'],
  kind: 'lot' | 'item',
  plan: Plan,
  select: (newest: RawBuilder<unknown>, found: RawBuilder<unknown>) => RawBuilder<unknown>,
) {
  if (plan.records < mostMatches) return undefined
  const hasNumber = (number: string) => sql`${sql.raw(placeOfLot('l.lot_number'))} = ${number}::bigint`
  const found = isFoundInRow(plan, kind === 'lot' ? hasNumber : undefined)
  if (found === undefined) return undefined
  const newest = (limit: RawBuilder<unknown>) => sql`(
        select *, coalesce(created_at, '-infinity') as since from ${sql.table(`catalogue.${kind}s`)}
        where house_id = ${house.id} and not archived order by since desc, id desc limit ${limit})`
  const length = sql`(select case when n * ${plan.records}::bigint > ${sql.lit(advantage * mostMatches * mostSampled)}
          then ${sql.lit(3 * mostMatches * mostSampled)} / n else 0 end from sampled)`
  const enough = sql.lit(mostMatches + 1)
  const order = sql.raw(kind === 'lot' ? 'l.since desc, l.id desc' : 'i.since desc, i.id desc')
  return {
    sampled: sql`sampled as materialized (select count(*)::bigint as n ${select(newest(sql.lit(mostSampled)), found)})`,
    found: sql`${select(newest(length), found)} order by ${order} limit ${enough}`,
    isEnough: sql`(select count(*) from walked) = ${enough}`,
  }
}
