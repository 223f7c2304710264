import { isDeepStrictEqual } from 'node:util'
import { sql, type Insertable, type Updateable } from 'kysely'
import type { Context, ResultsMode } from '../context.ts'
import type { Tables } from '../db/schema/tables.ts'
import { printId } from '../values/ids.ts'
import { noteChange, type Values } from '../writes/journal.ts'
import { markChanged, revise, touch } from '../writes/touch.ts'

type Row = Tables['catalogue.sessions']

/** Columns of a session: `title` in the house's locale, and the UUID of its increment strategy. */
type Columns = Omit<Updateable<Row>, 'titles' | 'results'> & {
  title?: string | null
  increment_strategy?: string | null
  results?: ResultsMode
}

/** A session that was locked, with what its change may replace. */
type Locked = { id: string; public_id: string | null }

// The fields of the interface that have other names than their columns.
const fields: Record<string, string> = {
  first_closes_at: 'timed.first_closes_at',
  group_size: 'timed.group_size',
  interval_seconds: 'timed.interval_seconds',
  extension_threshold_seconds: 'timed.extension_threshold_seconds',
  extension_seconds: 'timed.extension_seconds',
  live_closes_at: 'live.closes_at',
  buyer_premium_percentage: 'settings.buyer_premium_percentage',
}

// What no program shows.
const internal = new Set(['increment_strategy_id', 'decides_from'])

// The values that a program shows.
function listValues({ increment_strategy: strategy, ...columns }: Values): Values {
  const values = Object.entries(columns).flatMap(([name, value]) =>
    internal.has(name) ? [] : [[fields[name] ?? name, value] as const],
  )
  if (strategy === undefined) return Object.fromEntries(values)
  const id = typeof strategy === 'string' ? printId('increment_strategy', strategy) : null
  return { ...Object.fromEntries(values), increment_strategy: id }
}

/**
 * Inserts a session of the house, with its title in the house's locale, and notes it for the journal. `shown`: its values;
 * `parents`: the ids of records that its body names.
 */
export async function insertSession(
  tx: Pick<Context, 'db' | 'house' | 'origin'>,
  { title, ...shown }: Omit<Updateable<Row>, 'titles'> & Pick<Insertable<Row>, 'kind'> & { title: string },
  columns: Omit<Updateable<Row>, 'kind'> & Pick<Insertable<Row>, 'auction_id'> & { public_id: string },
  parents: Values,
): Promise<void> {
  const titles = JSON.stringify({ [tx.house.defaultLocale]: title })
  const { id } = await tx.db
    .insertInto('catalogue.sessions')
    .values({ ...shown, ...columns, house_id: tx.house.id, titles })
    .returning('id')
    .executeTakeFirstOrThrow()
  await markChanged(tx, 'session', [id])
  const subject = { kind: 'session', uuid: columns.public_id } as const
  noteChange(tx, subject, {}, { ...listValues({ title, ...shown }), ...parents })
}

/**
 * Changes a locked session, and notes it for the journal: the columns that differ from those it has. `noted`: what the
 * journal says beside them. Returns whether a column differs. Without one it writes nothing.
 */
export async function touchSession(
  tx: Context,
  session: Locked,
  columns: Columns,
  { noted = {}, ...terms }: { reason?: string; noted?: Values } = {},
): Promise<boolean> {
  const stored: Values = session
  const after = Object.fromEntries(
    Object.entries(columns).filter(([name, value]) => !isDeepStrictEqual(value, stored[name])),
  )
  const before = Object.fromEntries(Object.keys(after).map((name) => [name, stored[name]]))
  noteChange(
    tx,
    { kind: 'session', uuid: session.public_id },
    listValues(before),
    { ...listValues(after), ...noted },
    terms,
  )
  const { title, increment_strategy: _, results, numbers_fixed, ...shown }: Columns = after
  // Only staff see them.
  const hidden = Object.entries({ results, numbers_fixed }).filter(([, value]) => value !== undefined)
  const assignments = hidden.map(([name, value]) => sql`${sql.ref(name)} = ${value}`)
  if (hidden.length > 0) await revise(tx, 'sessions', [session.id], assignments)
  const titles = sql`titles || jsonb_build_object(${tx.house.defaultLocale}::text, ${title}::text)`
  const changes = { ...shown, ...(title !== undefined && { titles }) }
  if (Object.keys(changes).length > 0) await touch(tx, 'sessions', session.id, changes)
  return Object.keys(after).length > 0
}

/** Deletes a locked session, so that its external reference is free, and notes it for the journal. */
export async function endSession(
  tx: Context,
  {
    id,
    public_id: uuid,
    external_reference,
    title,
  }: Locked & { external_reference: string | null; title: string | null },
): Promise<void> {
  await touch(tx, 'sessions', id, { archived: true, external_reference: null })
  noteChange(tx, { kind: 'session', uuid }, { external_reference, title }, {})
}
