import { sql, type RawBuilder } from 'kysely'
import type { Context } from '../context.ts'
import { isItemOf } from '../items/document.ts'
import { lacks, offerConditions, type ItemFilters } from '../items/queries.ts'
import { isOpenIn, lotConditions, type LotFilters } from '../lots/queries.ts'
import { fillIn } from '../reads/statements.ts'

/** The filters of a search. Ids are bare UUIDs, amounts minor units. */
export type Filters = LotFilters &
  Pick<ItemFilters, 'offered' | 'without'> & {
    published?: boolean | undefined
    bids?: boolean | undefined
    'category[]'?: readonly string[] | undefined
    'maker[]'?: readonly string[] | undefined
    estimate_from?: number | undefined
    estimate_to?: number | undefined
    images?: boolean | undefined
  }

/** What records are counted by. */
export type Facet = 'category' | 'maker' | 'session' | 'result' | 'open'

/** The parameter of a facet. */
export const filterOf = {
  category: 'category[]',
  maker: 'maker[]',
  session: 'session',
  result: 'result',
  open: 'open',
} as const satisfies Record<Facet, keyof Filters>

type Shown = Pick<Context, 'house' | 'now'>
type Condition = RawBuilder<unknown>

const is = (condition: Condition, wanted: boolean) => (wanted ? condition : sql`not ${condition}`)

/** The categories with these public ids, and those below them, as an array of internal ids. */
const categoriesBelow = ({ house }: Shown, uuids: readonly string[]) => sql`array(
      with recursive below (id) as (
        select id from catalogue.categories where house_id = ${house.id} and public_id = any(${uuids}::uuid[])
        union select c.id from below join catalogue.categories c on c.house_id = ${house.id} and c.parent_id = below.id
      ) select id from below)`

/** Whether a lot `l` in the session `z` takes bids at `now`, as far as times and results say. */
export const isOpen = ({ now }: Shown) => fillIn(isOpenIn('z'), { 'asked.now': now })

const isPublished = ({ house }: Shown) => sql`(z.published and not z.hidden and exists (
      select from catalogue.auctions a where a.house_id = ${house.id} and a.id = l.auction_id and a.published))`

type Makers = { [Name in keyof Filters]-?: (context: Shown, value: NonNullable<Filters[Name]>) => Condition }

const listed =
  (name: keyof LotFilters, text = lotConditions[name]) =>
  ({ house }: Shown, value: unknown) =>
    fillIn(text, { $house: house.id, [`asked.${name}`]: value })

// `item` is the id of the record's item in the statement: `l.item_id`, or `i.id`.
const conditions = (item: RawBuilder<unknown>, ofItem: (kind: 'seller' | 'consignment') => string): Makers => {
  const estimate = ({ house }: Shown, condition: Condition) => sql`exists (
      select from catalogue.items e where e.house_id = ${house.id} and e.id = ${item} and ${condition})`
  return {
    session: listed('session'),
    auction: listed('auction'),
    lot_number: listed('lot_number'),
    active: listed('active'),
    held: listed('held'),
    number_from: listed('number_from'),
    number_to: listed('number_to'),
    seller: listed('seller', ofItem('seller')),
    consignment: listed('consignment', ofItem('consignment')),
    offered: ({ house }, offer) => fillIn(offerConditions[offer], { $house: house.id }),
    without: ({ house }, missing) => fillIn(lacks(missing, house), { $house: house.id }),
    published: (context, wanted) => is(isPublished(context), wanted),
    bids: (_, wanted) => (wanted ? sql`l.current_bid is not null` : sql`l.current_bid is null`),
    result: (_, state) => (state === 'none' ? sql`l.result_state is null` : sql`l.result_state = ${state}`),
    open: (context, wanted) => is(isOpen(context), wanted),
    'category[]': (context, uuids) => sql`exists (
      select from catalogue.item_categories c where c.house_id = ${context.house.id} and c.item_id = ${item}
        and c.category_id = any(${categoriesBelow(context, uuids)}))`,
    'maker[]': ({ house }, uuids) => sql`exists (
      select from catalogue.item_makers m where m.house_id = ${house.id} and m.item_id = ${item} and m.maker_id = any(array(
        select id from catalogue.makers where house_id = ${house.id} and public_id = any(${uuids}::uuid[]))))`,
    estimate_from: (context, from) =>
      estimate(context, sql`coalesce(e.estimate_high, e.estimate_low) >= ${from}::bigint`),
    estimate_to: (context, to) => estimate(context, sql`coalesce(e.estimate_low, e.estimate_high) <= ${to}::bigint`),
    images: ({ house }, wanted) =>
      is(
        sql`exists (select from catalogue.images p where p.house_id = ${house.id} and p.item_id = ${item} and p.public)`,
        wanted,
      ),
  }
}

const ofLots = conditions(sql`l.item_id`, (kind) => lotConditions[kind])
const ofItems = conditions(sql`i.id`, isItemOf)

/** The conditions of filters, by their names. */
export function listConditions(
  context: Shown,
  kind: 'lot' | 'item',
  filters: Filters,
): Map<keyof Filters, RawBuilder<unknown>> {
  const makers = kind === 'lot' ? ofLots : ofItems
  const given = Object.entries(filters) as [keyof Filters, never][]
  return new Map(
    given
      .filter(([name, value]) => value !== undefined && Object.hasOwn(makers, name))
      .map(([name, value]) => [name, makers[name](context, value)]),
  )
}
