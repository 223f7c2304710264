import { sql } from 'kysely'
import type { Context } from '../context.ts'
import { idOf, moneyOf, timeOf } from '../reads/documents.ts'
import { newestFirst } from '../reads/keyset.ts'
import { memoize, type Documents, type ListSelection, type Selection } from '../reads/selections.ts'

const order = newestFirst('x')

const named = sql`case when x.public_id is null then 'has no public id' when x.name is null then 'has no name' end`
const times = sql`${timeOf('x.created_at')} as created_at, ${timeOf('x.updated_at')} as updated_at`
const tag = sql`x.id || '.' || x.revision`

/** The tables of reference records, each as `x` with its document. */
export const references = {
  maker: memoize(() => ({
    table: sql`catalogue.makers`,
    as: 'x',
    tag,
    joins: sql`cross join lateral (
    select row_to_json(r) as json, ${named} as defect from (select ${idOf('maker', 'x')} as id, x.name, x.active, ${times}) r) document`,
  })),

  delivery_class: memoize(() => ({
    table: sql`catalogue.delivery_classes`,
    as: 'x',
    tag,
    joins: sql`cross join lateral (
    select row_to_json(r) as json, ${named} as defect
    from (select ${idOf('delivery_class', 'x')} as id, x.name, x.instructions, ${times}) r) document`,
  })),

  increment_strategy: memoize(({ house }) => ({
    table: sql`catalogue.increment_strategies`,
    as: 'x',
    tag,
    joins: sql`cross join lateral (
    select row_to_json(r) as json, ${named} as defect
    from (select ${idOf('increment_strategy', 'x')} as id, x.name, (
      select coalesce(json_agg(json_build_object('from', ${moneyOf('step.from_amount', house.currency)},
        'increment', ${moneyOf('step.increment_amount', house.currency)}) order by step.from_amount, step.id), '[]')
      from catalogue.increment_steps step where step.house_id = ${house.id} and step.increment_strategy_id = x.id
    ) as steps, ${times}) r) document`,
  })),

  consignment: memoize(({ house }) => ({
    table: sql`catalogue.consignments`,
    as: 'x',
    tag,
    joins: sql`left join catalogue.sellers seller on seller.house_id = ${house.id} and seller.id = x.seller_id
    cross join lateral (
    select row_to_json(r) as json, case when x.public_id is null then 'has no public id'
      when x.number is null then 'has no number'
      when x.seller_id is not null and seller.public_id is null then 'has a seller without a public id' end as defect
    from (select ${idOf('consignment', 'x')} as id, x.number, ${idOf('seller', 'seller')} as seller, x.locked, ${times}) r) document`,
  })),
} satisfies Record<string, (context: Pick<Context, 'house' | 'mediaBase'>) => Documents>

/** A kind of reference record. */
export type ReferenceKind = keyof typeof references

/** Makers, delivery classes or increment strategies (section 4.7). */
export function selectNamed<Of extends Context>(
  context: Of,
  kind: Exclude<ReferenceKind, 'consignment'>,
  { name }: { name?: string },
): ListSelection<Of> {
  const where = name === undefined ? 'true' : 'x.name = asked.name'
  return { context, documents: references[kind](context), where, asked: { name }, order }
}

/** Consignments, without archived ones. */
export function selectConsignments<Of extends Context>(
  context: Of,
  { number, seller }: { number?: string; seller?: string },
): ListSelection<Of> {
  const byNumber = number === undefined ? '' : 'and x.number = asked.number'
  const bySeller =
    seller === undefined
      ? ''
      : 'and x.seller_id = (select id from catalogue.sellers where house_id = $house and public_id = asked.seller::uuid)'
  const where = `not x.archived ${byNumber} ${bySeller}`
  const documents = references.consignment(context)
  return { context, documents, where, asked: { number, seller }, order }
}

/** The reference record with this public UUID. */
export function selectReference<Of extends Context>(context: Of, kind: ReferenceKind, uuid: string): Selection<Of> {
  const where = `x.public_id = asked.uuid::uuid ${kind === 'consignment' ? 'and not x.archived' : ''}`
  return { context, documents: references[kind](context), where, asked: { uuid } }
}
