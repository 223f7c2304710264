import { sql, type RawBuilder } from 'kysely'

/**
 * What `updated_at` becomes by a change at `now`. It always advances, by a millisecond at least: also where two changes
 * fall into one, or the later began first, or on a machine whose clock is behind.
 */
export function advance(now: Date, column = 'updated_at'): RawBuilder<unknown> {
  // Written without a time zone of the session, so that the expression is immutable.
  return sql`greatest(${now}::timestamptz, (${sql.ref(column)} at time zone 'UTC' + interval '1 millisecond') at time zone 'UTC')`
}

/** The assignments that mark a row as changed at `now`. */
export function touched(now: Date): RawBuilder<unknown> {
  return sql`updated_at = ${advance(now)}, revision = revision + 1`
}
