import { sql, type RawBuilder } from 'kysely'

/**
 * The assignments that mark a row as changed at `now`. `updated_at` always advances, by a millisecond at least: also
 * where two changes fall into one, or the later began first, or on a machine whose clock is behind.
 */
export function touched(now: Date): RawBuilder<unknown> {
  // Written without a time zone of the session, so that the expression is immutable.
  return sql`updated_at = greatest(${now}, (updated_at at time zone 'UTC' + interval '1 millisecond') at time zone 'UTC'),
    revision = revision + 1`
}
