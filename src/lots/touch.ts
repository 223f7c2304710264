import { isDeepStrictEqual } from 'node:util'
import { sql, type RawBuilder } from 'kysely'
import type { Context, Scope } from '../context.ts'
import { sendAhead } from '../db/pipeline.ts'
import { printId } from '../values/ids.ts'
import type { Locale } from '../values/locales.ts'
import { latestTime } from '../values/timestamps.ts'
import { noteChange, type Subject, type Terms, type Values } from '../writes/journal.ts'
import { markChanged, touched } from '../writes/touch.ts'
import type { Result } from './outcomes.ts'

/**
 * Fields of a lot, as they are stored. Amounts are in minor units. `carrier`: the UUID of the lot that it was sold together
 * with.
 */
export type LotFields = {
  starting_bid?: number | null
  current_bid?: number | null
  lot_number?: number | null
  closes_at?: Date | null
  active?: boolean
  archived?: boolean
  held?: boolean
  notices?: Partial<Record<Locale, string>>
  result?: Result | null
  carrier?: string | null
}

/** What a write makes of a lot. `before` has the fields of all changes of one list, `after` those that the write gives. */
export type LotWrite = {
  lot: { id: string; public_id: string | null }
  before: LotFields
  after: LotFields
  terms?: Terms
}

// The columns of a list of lots, with the types of their values.
const columns = {
  starting_bid: 'bigint',
  current_bid: 'bigint',
  lot_number: 'int',
  closes_at: 'timestamptz',
  active: 'boolean',
  archived: 'boolean',
  held: 'boolean',
  notices: 'jsonb',
} as const
type Column = keyof typeof columns
const columnNames = Object.keys(columns) as Column[]
const fieldNames = [...columnNames, 'result'] as const

const printMoney = (amount: number | null | undefined, currency: string) =>
  amount == null ? null : { amount, currency }

// The time of a result is that of its row.
function printResult({ result, carrier }: LotFields, currency: string) {
  if (!result) return null
  const { state, amount, after_sale } = result
  const together = carrier == null ? null : printId('lot', carrier)
  return { state, amount: printMoney(amount, currency), after_sale, with: together }
}

// The fields of `given` that `fields` has, as the interface shows them.
function printFields(fields: LotFields, given: LotFields, currency: string): Values {
  const values: Record<string, unknown> = {}
  // In the order in which rows of the journal have them.
  for (const name of Object.keys(given) as (keyof LotFields)[]) {
    if (given[name] === undefined || name === 'carrier') continue
    if (name === 'result') values[name] = printResult(fields, currency)
    else if (name === 'notices')
      for (const [locale, text] of Object.entries(fields.notices ?? {})) values[`notice_translations.${locale}`] = text
    else if (name === 'starting_bid' || name === 'current_bid') values[name] = printMoney(fields[name], currency)
    else values[name] = fields[name]
  }
  return values
}

const differs = ({ before, after }: LotWrite, name: (typeof fieldNames)[number]) =>
  after[name] !== undefined && !isDeepStrictEqual(after[name], before[name])

type Writing = Scope & Pick<Context, 'now' | 'origin'>

/**
 * Changes lots of a house, and notes for the journal what differs. Advances the timestamps and revisions of those that
 * change; of one of which only `held` changes the revision alone, because only staff see it. A result is recorded now, but
 * never before a bid on its lot. Returns the changed lots.
 */
export async function touchLots(
  tx: Writing & { house: Pick<Context['house'], 'id' | 'currency'> },
  changes: readonly LotWrite[],
): Promise<LotWrite[]> {
  const { currency } = tx.house
  for (const { lot, before, after, terms } of changes)
    noteChange(
      tx,
      { kind: 'lot', uuid: lot.public_id },
      printFields(before, after, currency),
      printFields(after, after, currency),
      terms,
    )
  const changed = changes.filter((change) => fieldNames.some((name) => differs(change, name)))
  const isHidden = (change: LotWrite) => fieldNames.every((name) => name === 'held' || !differs(change, name))
  await writeFields(tx, changed.filter(isHidden), sql`revision = revision + 1`)
  await writeFields(
    tx,
    changed.filter((change) => !isHidden(change)),
    touched(tx.now),
  )
  return changed
}

/**
 * Notes the fields of a bid, and changes its lot, whose close the row always has. A refused bid has no UUID. `reason`: why it
 * was refused or cancelled.
 */
export async function touchBid(
  tx: Parameters<typeof touchLots>[0],
  bid: { uuid: string | null; fields: Values },
  change: Omit<LotWrite, 'terms'>,
  reason?: string,
): Promise<void> {
  const about = { kind: 'lot', uuid: change.lot.public_id } as const
  const terms = { about, kept: true, ...(reason !== undefined && { reason }) }
  noteChange(tx, { kind: 'bid', uuid: bid.uuid }, {}, bid.fields, terms)
  await touchLots(tx, [{ ...change, terms: { ...terms, always: ['closes_at'] } }])
}

async function writeFields(tx: Writing, changes: LotWrite[], advanced: RawBuilder<unknown>): Promise<void> {
  if (changes.length === 0) return
  const { db, house, now } = tx
  const ids = changes.map(({ lot }) => lot.id)
  const given = columnNames.filter((name) => changes.some((change) => differs(change, name)))
  const valuesOf = (name: Column) =>
    changes.map(({ before, after }) => {
      const value = after[name] === undefined ? before[name] : after[name]
      return name === 'notices' ? JSON.stringify(value) : value
    })
  const assignments = given.map((name) => sql`${sql.ref(name)} = w.${sql.ref(name)}`)
  const arrays = given.map((name) => sql`${valuesOf(name)}::${sql.raw(columns[name])}[]`)
  // Two lots of a session never have one number, not even between two rows of one statement.
  if (given.includes('lot_number') && changes.length > 1)
    await sendAhead(
      db,
      sql`
    update catalogue.lots set lot_number = null where house_id = ${house.id} and id = any(${ids}::bigint[])`,
    )
  const names: string[] = [...given]
  // A list in which a result changes has a result for each of its lots.
  if (changes.some((change) => differs(change, 'result'))) {
    const results = changes.map(({ after }) => after.result ?? null)
    const column = <Value>(read: (result: Result) => Value) => results.map((result) => result && read(result))
    assignments.push(sql`sold = coalesce(w.state = 'sold', false), result_state = w.state, result_amount = w.amount,
      result_after_sale = coalesce(w.after_sale, false), result_with = w.together,
      result_at = case when w.state is not null then greatest(${now}::timestamptz, (
        select max(b.placed_at) from catalogue.bids b where b.house_id = ${house.id} and b.lot_id = l.id)) end`)
    arrays.push(
      sql`${column(({ state }) => state)}::text[], ${column(({ amount }) => amount)}::bigint[],
      ${column(({ after_sale }) => after_sale)}::boolean[], ${column((result) => result.with)}::bigint[]`,
    )
    names.push('state', 'amount', 'after_sale', 'together')
  }
  const renamed = sql.join([sql.ref('id'), ...names.map((name) => sql.ref(name))])
  await sendAhead(
    db,
    sql`
    update catalogue.lots l set ${sql.join([...assignments, advanced])}
    from unnest(${ids}::bigint[], ${sql.join(arrays)}) w (${renamed})
    where l.house_id = ${house.id} and l.id = w.id`,
  )
  await markChanged({ db, house }, 'lot', ids)
}

/**
 * Moves the closes of those of the locked lots that close after `now`, with their schedule, and notes it. `session`: the
 * record of the row. Returns how many lots moved.
 */
export async function delayLots(
  tx: Writing,
  lots: readonly { id: string; public_id: string | null; closes_at: Date | null }[],
  seconds: number,
  session: Subject,
): Promise<number> {
  const { db, house, now } = tx
  // Independent of the session's time zone: Citus allows only immutable expressions in CASE.
  const moved = (time: RawBuilder<unknown>) =>
    sql`(${time} at time zone 'UTC' + make_interval(secs => ${seconds})) at time zone 'UTC'`
  const late = (time: RawBuilder<unknown>) =>
    sql`case when ${time} <= ${latestTime} then least(${moved(time)}, ${latestTime}) else ${time} end`
  const { rows } = await sql<{ id: string; closes_at: Date }>`
    update catalogue.lots set closes_at = ${late(sql`closes_at`)},
      scheduled_closes_at = ${late(sql`scheduled_closes_at`)}, ${touched(now)}
    where house_id = ${house.id} and id = any(${lots.map(({ id }) => id)}::bigint[]) and closes_at > ${now}
    returning id, closes_at`.execute(db)
  const closes = new Map(rows.map(({ id, closes_at }) => [id, closes_at]))
  await markChanged({ db, house }, 'lot', [...closes.keys()])
  for (const { id, public_id, closes_at } of lots)
    if (closes.has(id))
      noteChange(tx, { kind: 'lot', uuid: public_id }, { closes_at }, { closes_at: closes.get(id) }, { about: session })
  return rows.length
}

/** Writes the closing times of several lots. null: no closing time. */
export async function writeSchedule(
  { db, house, now }: Scope & Pick<Context, 'now'>,
  lots: readonly { id: string; closes_at: Date | null }[],
): Promise<void> {
  await sendAhead(
    db,
    sql`
    update catalogue.lots l set closes_at = w.closes_at, scheduled_closes_at = w.closes_at, ${touched(now)}
    from unnest(${lots.map((lot) => lot.id)}::bigint[], ${lots.map((lot) => lot.closes_at)}::timestamptz[]) w (id, closes_at)
    where l.house_id = ${house.id} and l.id = w.id`,
  )
  await markChanged(
    { db, house },
    'lot',
    lots.map((lot) => lot.id),
  )
}

/** Advances the current lots of a live session, whose close they show. */
export async function advanceLots({ db, house, now }: Scope & Pick<Context, 'now'>, session: string): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    update catalogue.lots set ${touched(now)}
    where house_id = ${house.id} and session_id = ${session} and not archived returning id`.execute(db)
  await markChanged(
    { db, house },
    'lot',
    rows.map(({ id }) => id),
  )
}

/** A lot to insert, with a starting bid in minor units, and the UUIDs of its session and item. */
export type AddedLot = { lot: NewLot; session: string; item: string }

type NewLot = {
  public_id: string
  auction_id: string
  session_id: string
  item_id: string
  lot_number: number
  starting_bid: number | null
  active: boolean
}

// A statement has at most 65,535 parameters, and a lot has ten.
const mostLots = 5_000

/** Inserts lots, and notes their fields for the journal. `isOfSession`: the session is the record of the row. */
export async function addNewLots(tx: Context, added: readonly AddedLot[], isOfSession: boolean): Promise<void> {
  const { db, house, now } = tx
  const rows = added.map(({ lot }) => {
    const starting_bid = lot.starting_bid === null ? null : String(lot.starting_bid)
    return { ...lot, house_id: house.id, starting_bid, created_at: now, updated_at: now }
  })
  for (let start = 0; start < rows.length; start += mostLots) {
    const some = rows.slice(start, start + mostLots)
    const inserted = await db.insertInto('catalogue.lots').values(some).returning('id').execute()
    await markChanged(
      tx,
      'lot',
      inserted.map(({ id }) => id),
    )
  }
  for (const { lot, session, item } of added) {
    const { public_id, lot_number, starting_bid, active } = lot
    const values = {
      session: printId('session', session),
      item: printId('item', item),
      lot_number,
      starting_bid: printMoney(starting_bid, house.currency),
      ...(active && { active }),
    }
    const terms = isOfSession ? { about: { kind: 'session', uuid: session } as const } : {}
    noteChange(tx, { kind: 'lot', uuid: public_id }, {}, values, terms)
  }
}
