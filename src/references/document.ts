import { sql, type RawBuilder } from 'kysely'
import type { House } from '../context.ts'
import { idOf, moneyOf, timeOf } from '../reads/documents.ts'
import { memoize } from '../reads/selections.ts'

const named = sql`case when x.public_id is null then 'has no public id' when x.name is null then 'has no name' end`
const times = sql`${timeOf('x.created_at')} as created_at, ${timeOf('x.updated_at')} as updated_at`
const tag = sql`x.id || '.' || x.revision`

/** The steps of an increment strategy `x`, by their amounts, as JSON. */
const stepsOf = (house: House): RawBuilder<unknown> => sql`(
      select coalesce(json_agg(json_build_object('from', ${moneyOf('step.from_amount', house.currency)},
        'increment', ${moneyOf('step.increment_amount', house.currency)}) order by step.from_amount, step.id), '[]')
      from catalogue.increment_steps step where step.house_id = ${house.id} and step.increment_strategy_id = x.id
    )`

/** The tables of reference records, each with its document. */
export const references = {
  // A seller's name falls back to its account's.
  seller: memoize(() => ({
    table: sql`catalogue.sellers`,
    as: 's',
    tag: sql`s.id || '.' || s.revision`,
    joins: sql`cross join lateral (
    select row_to_json(r) as json,
      case when s.public_id is null then 'has no public id'
        when s.seller_number is null then 'has no seller number' end as defect
    from (select ${idOf('seller', 's')} as id, s.seller_number, coalesce(s.profile_name, s.account_name) as name,
      ${timeOf('s.created_at')} as created_at, ${timeOf('s.updated_at')} as updated_at) r
  ) document`,
  })),

  category: memoize(({ house }) => ({
    table: sql`catalogue.categories`,
    as: 'c',
    tag: sql`c.id || '.' || c.revision`,
    joins: sql`
  left join catalogue.categories parent on parent.house_id = ${house.id} and parent.id = c.parent_id
  cross join lateral (
    select row_to_json(r) as json,
      case when c.public_id is null then 'has no public id'
        when c.slug is null then 'has no slug'
        when c.parent_id is not null and parent.public_id is null then 'has a parent without a public id' end as defect
    from (select ${idOf('category', 'c')} as id, c.names ->> ${house.defaultLocale} as name, c.slug, ${idOf('category', 'parent')} as parent,
      ${timeOf('c.created_at')} as created_at, ${timeOf('c.updated_at')} as updated_at) r
  ) document`,
  })),

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
    from (select ${idOf('increment_strategy', 'x')} as id, x.name, ${stepsOf(house)} as steps, ${times}) r) document`,
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
}

/** A kind of reference record. */
export type ReferenceKind = keyof typeof references

/** All kinds, in the order of the documentation. */
export const referenceKinds = Object.keys(references) as ReferenceKind[]
