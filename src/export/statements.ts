import { sql, type RawBuilder } from 'kysely'
import type { Scope } from '../context.ts'
import type { Database } from '../db/pool.ts'
import { textNames, type TextName } from '../items/texts.ts'
import { kinds, type Kind } from '../kinds.ts'
import type { Records, RecordType } from '../load/schema.ts'
import { idOf } from '../reads/documents.ts'

// A cursor takes no parameters, so the values of a statement stand in its text. They are the house's id and currency.

/** What the statements need of a house. */
type OfHouse = { id: string; currency: string }

/** A record as its line, with its row for messages. `original` and `renditions` are those of an image. */
export type ExportedRow = {
  row: string
  uuid: string | null
  json: string
  original?: string | null
  renditions?: string | null
}

type Common = 'type' | 'ref' | 'id' | 'created_at' | 'updated_at'
type Fields<Type extends RecordType> = { [Field in Exclude<keyof Records[Type], Common>]-?: RawBuilder<unknown> }

/** Where a kind's fields come from: `x` is its table, `joins` the others. */
type Source<Type extends RecordType> = {
  fields: Fields<Type>
  joins?: RawBuilder<unknown>
  columns?: RawBuilder<unknown>
}

const column = (name: string) => sql.raw(`x.${name}`)
const byCreation = (as: string) => sql.raw(`${as}.created_at, ${as}.public_id, ${as}.id`)
const tableOf = (kind: Kind) => sql.table(`catalogue.${kinds[kind].plural}`)

// to_char is null for infinity, and prints a year before Christ as one after it. The plain text is then refused.
const time = (name: string) =>
  sql.raw(`coalesce(case when x.${name} >= '0001-01-01 00:00+00'
      then to_char(x.${name} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') end, x.${name}::text)`)
const percentage = (name: string) => sql.raw(`trim_scale(x.${name})::text`)
const flag = column

const money = ({ currency }: OfHouse, name: string) =>
  sql`case when ${sql.raw(name)} is not null
      then json_build_object('amount', ${sql.raw(name)}, 'currency', ${sql.lit(currency)}) end`

function object(fields: Record<string, RawBuilder<unknown>>): RawBuilder<unknown> {
  return sql`json_build_object(${sql.join(Object.entries(fields).map(([name, value]) => sql`${sql.lit(name)}, ${value}`))})`
}

const texts = (as: string) =>
  Object.fromEntries(textNames.map((name) => [name, sql.raw(`${as}.${name}`)])) as Record<TextName, RawBuilder<unknown>>

// Nothing points to a deleted record, except the archived lots of a session, which go with it.
const isKept = (kind: Kind, as: string, { id }: OfHouse) =>
  kind === 'lot'
    ? sql`not exists (select from catalogue.sessions s
        where s.house_id = ${sql.lit(id)} and s.id = ${sql.ref(`${as}.session_id`)} and s.archived)`
    : sql.raw('deletes' in kinds[kind] ? `not ${as}.archived` : 'true')

// The kinds whose records point to others of their kind: a category to its parent, a lot to the one it was sold with.
const parents: { [K in Kind]?: string } = { category: 'parent_id', lot: 'result_with' }

// A record is sorted at the oldest of itself and its descendants, ancestors first. So parents come before children, and
// all other records stay in the order of creation. The walk through a circle ends where it repeats; then one of its
// records points to a later one. Citus takes no CYCLE clause.
const sortedByParents = (kind: Kind, column: string, house: OfHouse) => sql`(
    with recursive listed as (
      select r.id, ${sql.ref(`r.${column}`)} as parent_id, row_number() over (order by ${byCreation('r')}) as place
      from ${tableOf(kind)} r where r.house_id = ${sql.lit(house.id)} and ${isKept(kind, 'r', house)}),
    above (id, parent_id, place, steps, path) as (
      select id, parent_id, place, 0, array[id] from listed
      union all
      select parent.id, parent.parent_id, above.place, above.steps + 1, above.path || parent.id
      from above join listed parent on parent.id = above.parent_id and parent.id <> all(above.path)
    )
    select distinct on (id) id, place, steps from above order by id, place)`

/** The records of a kind by internal id, each with its ref. */
function refsOf(kind: Kind, house: OfHouse): RawBuilder<unknown> {
  const ref = sql.lit(`${kind}-`)
  const column = parents[kind]
  if (column !== undefined)
    return sql`(select id, ${ref} || row_number() over (order by place, steps desc) as ref
      from ${sortedByParents(kind, column, house)} sorted)`
  return sql`(select r.id, ${ref} || row_number() over (order by ${byCreation('r')}) as ref
    from ${tableOf(kind)} r where r.house_id = ${sql.lit(house.id)} and ${isKept(kind, 'r', house)})`
}

/** A join that gives the ref of the record to which the column points, or null. */
const join = (kind: Kind, house: OfHouse, as: string = kind, pointer = `${as}_id`) =>
  sql`left join ${refsOf(kind, house)} ${sql.ref(as)} on ${sql.ref(`${as}.id`)} = ${column(pointer)}`

/** A join that gives the refs of the records that an item's links name, in their order. */
const joinLinks = (kind: 'category' | 'maker', house: OfHouse, order: string) => sql`
    left join (select link.item_id, json_agg(linked.ref order by ${sql.raw(order)}) as refs
      from ${sql.table(`catalogue.item_${kinds[kind].plural}`)} link
      join ${refsOf(kind, house)} linked on linked.id = ${sql.ref(`link.${kind}_id`)}
      where link.house_id = ${sql.lit(house.id)} group by link.item_id) ${sql.ref(kinds[kind].plural)}
      on ${sql.ref(`${kinds[kind].plural}.item_id`)} = x.id`

const refTo = (as: string) => sql.raw(`${as}.ref`)
const refsTo = (as: string) => sql.raw(`coalesce(${as}.refs, '[]')`)

// A locale that an item has twice needs the form of an array.
const translations = ({ id }: OfHouse) => sql`(
      select case when count(*) = count(distinct t.locale)
          then coalesce(json_object_agg(t.locale, ${object(texts('t'))} order by t.id), '{}')
          else json_agg(${object({ locale: sql.raw('t.locale'), ...texts('t') })} order by t.id) end
      from catalogue.item_translations t where t.house_id = ${sql.lit(id)} and t.item_id = x.id)`

const steps = (house: OfHouse) => sql`(
      select coalesce(json_agg(json_build_object('from', ${money(house, 's.from_amount')},
        'increment', ${money(house, 's.increment_amount')}) order by s.id), '[]')
      from catalogue.increment_steps s where s.house_id = ${sql.lit(house.id)} and s.increment_strategy_id = x.id)`

// A block that the kind of a session excludes is written all the same, and then refused.
const timed = sql`case when x.kind = 'timed' or num_nonnulls(x.first_closes_at, x.group_size, x.interval_seconds,
        x.extension_threshold_seconds, x.extension_seconds) > 0
      then ${object({
        first_closes_at: time('first_closes_at'),
        group_size: column('group_size'),
        interval_seconds: column('interval_seconds'),
        extension_threshold_seconds: column('extension_threshold_seconds'),
        extension_seconds: column('extension_seconds'),
      })} end`
const live = sql`case when x.kind = 'live' or x.live_closes_at is not null
      then ${object({ closes_at: time('live_closes_at') })} end`

/** The fields of each type in the order of their lines. A field of the format that is missing here does not compile. */
const sources: { [Type in RecordType]: (house: OfHouse) => Source<Type> } = {
  house: () => ({
    fields: {
      slug: column('slug'),
      name: column('name'),
      default_locale: column('default_locale'),
      currency: column('currency'),
      time_zone: column('time_zone'),
      storage_limit: column('storage_limit'),
      defaults: object({
        buyer_premium_percentage: percentage('buyer_premium_percentage'),
        extension_threshold_seconds: column('extension_threshold_seconds'),
        extension_seconds: column('extension_seconds'),
        group_size: column('group_size'),
        interval_seconds: column('interval_seconds'),
        results: column('results'),
      }),
    },
  }),
  seller: () => ({
    fields: {
      seller_number: column('seller_number'),
      profile_name: column('profile_name'),
      account_name: column('account_name'),
      archived: flag('archived'),
    },
  }),
  category: (house) => ({
    fields: { slug: column('slug'), names: column('names'), parent: refTo('parent') },
    joins: join('category', house, 'parent'),
  }),
  maker: () => ({ fields: { name: column('name'), active: flag('active') } }),
  delivery_class: () => ({ fields: { name: column('name'), instructions: column('instructions') } }),
  increment_strategy: (house) => ({ fields: { name: column('name'), steps: steps(house) } }),
  consignment: (house) => ({
    fields: {
      number: column('number'),
      seller: refTo('seller'),
      locked: flag('locked'),
      archived: flag('archived'),
      commission_percentage: percentage('commission_percentage'),
      private_notes: column('private_notes'),
    },
    joins: join('seller', house),
  }),
  auction: () => ({
    fields: {
      external_reference: column('external_reference'),
      slug: column('slug'),
      title: column('title'),
      description: column('description'),
      published: flag('published'),
      archived: flag('archived'),
    },
  }),
  session: (house) => ({
    fields: {
      auction: refTo('auction'),
      external_reference: column('external_reference'),
      titles: column('titles'),
      kind: column('kind'),
      opens_at: time('opens_at'),
      timed,
      live,
      settings: object({ buyer_premium_percentage: percentage('buyer_premium_percentage') }),
      increment_strategy: refTo('increment_strategy'),
      published: flag('published'),
      hidden: flag('hidden'),
      finished: flag('finished'),
      customer_bidding_enabled: flag('customer_bidding_enabled'),
      results: column('results'),
      numbers_fixed: flag('numbers_fixed'),
    },
    joins: sql`${join('auction', house)} ${join('increment_strategy', house)}`,
  }),
  item: (house) => ({
    fields: {
      external_reference: column('external_reference'),
      ...texts('x'),
      translations: translations(house),
      estimate: object({ low: money(house, 'x.estimate_low'), high: money(house, 'x.estimate_high') }),
      seller: refTo('seller'),
      categories: refsTo('categories'),
      makers: refsTo('makers'),
      delivery_class: refTo('delivery_class'),
      consignment: refTo('consignment'),
      archived: flag('archived'),
    },
    joins: sql`${join('seller', house)} ${join('delivery_class', house)} ${join('consignment', house)}
    ${joinLinks('category', house, 'link.id')} ${joinLinks('maker', house, 'link.position, link.id')}`,
  }),
  image: (house) => ({
    fields: {
      item: refTo('item'),
      external_reference: column('external_reference'),
      file: sql`null`,
      public: flag('public'),
      featured: flag('featured'),
      position: column('position'),
      alt: sql`null`,
      alt_translations: column('alts'),
      processing: flag('processing'),
      processing_failure: sql`case when x.processing_failed_at is not null
      then ${object({ code: sql`'derivative_processing_failed'`, at: time('processing_failed_at') })} end`,
    },
    joins: join('item', house),
    columns: sql`, x.original, x.renditions`,
  }),
  lot: (house) => ({
    fields: {
      session: refTo('session'),
      item: refTo('item'),
      lot_number: column('lot_number'),
      active: column('active'),
      starting_bid: money(house, 'x.starting_bid'),
      current_bid: money(house, 'x.current_bid'),
      sold: flag('sold'),
      result: sql`case when x.result_state is not null or x.result_with is not null then ${object({
        state: column('result_state'),
        amount: money(house, 'x.result_amount'),
        at: time('result_at'),
        after_sale: flag('result_after_sale'),
        with: refTo('sold_with'),
      })} end`,
      held: flag('held'),
      notice: sql`null`,
      notice_translations: column('notices'),
      closes_at: time('closes_at'),
      scheduled_closes_at: time('scheduled_closes_at'),
      archived: flag('archived'),
    },
    joins: sql`${join('session', house)} ${join('item', house)} ${join('lot', house, 'sold_with', 'result_with')}`,
  }),
  bid: (house) => ({
    fields: {
      lot: refTo('lot'),
      amount: money(house, 'x.amount'),
      placed_at: time('placed_at'),
      cancelled_at: time('cancelled_at'),
      cancel_reason: column('cancel_reason'),
    },
    joins: join('lot', house),
  }),
}

const publicId = (type: RecordType) => (type === 'house' || type === 'bid' ? column('public_id') : idOf(type, 'x'))

/** The statement that reads the records of a type in the order of the file: creation, id; parents before children. */
export function selectRecords(type: RecordType, house: OfHouse): RawBuilder<ExportedRow> {
  const source: Source<RecordType> = sources[type](house)
  const { fields, joins = sql``, columns = sql`` } = source
  const parent = type === 'house' ? undefined : parents[type]
  const order = parent === undefined ? byCreation('x') : sql`sorted.place, sorted.steps desc`
  const line = object({
    type: sql.lit(type),
    ref: sql`${sql.lit(`${type}-`)} || row_number() over place`,
    id: publicId(type),
    created_at: time('created_at'),
    updated_at: time('updated_at'),
    ...fields,
  })
  const table = type === 'house' ? sql`catalogue.houses` : tableOf(type)
  const own = type === 'house' ? sql`x.id` : sql`x.house_id`
  const sorted =
    type === 'house' || parent === undefined
      ? sql``
      : sql`join ${sortedByParents(type, parent, house)} sorted on sorted.id = x.id`
  const kept = type === 'house' ? sql`` : sql`and ${isKept(type, 'x', house)}`
  return sql`
    select x.id as row, x.public_id as uuid, ${line}::text as json ${columns}
    from ${table} x ${sorted} ${joins} where ${own} = ${sql.lit(house.id)} ${kept}
    window place as (order by ${order}) order by ${order}`
}

const rowsPerFetch = 1_000

/** Reads the rows of a statement in batches, within a transaction. Each is read while the one before it is used. */
export async function* readBatches<Row>(tx: Database, statement: RawBuilder<Row>): AsyncGenerator<Row[]> {
  // All rows are read, so the plan must be the fastest for all.
  await sql`set local cursor_tuple_fraction = 1`.execute(tx)
  await sql`declare exported no scroll cursor for ${statement}`.execute(tx)
  const fetch = () => {
    const fetched = sql<Row>`fetch ${sql.lit(rowsPerFetch)} from exported`.execute(tx)
    // It may fail while the rows before it are written. Then the next step throws its error.
    fetched.catch(() => undefined)
    return fetched
  }
  for (let next = fetch(); ;) {
    const { rows } = await next
    if (rows.length === rowsPerFetch) next = fetch()
    if (rows.length > 0) yield rows
    if (rows.length < rowsPerFetch) break
  }
  await sql`close exported`.execute(tx)
}

/** Whether a house has pictures in the store. */
export async function hasPictures({ db, house }: Scope): Promise<boolean> {
  const { rows } = await sql`
    select from catalogue.images where house_id = ${house.id} and (original is not null or renditions is not null)
    limit 1`.execute(db)
  return rows.length > 0
}
