import type { Static } from 'typebox'
import { parseId, printId } from '../values/ids.ts'
import type { Values } from '../writes/journal.ts'
import type { SessionCreate } from './schema.ts'

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

/** Columns of a session as fields for the journal. */
export function listValues(columns: Values): Values {
  return Object.fromEntries(Object.entries(columns).map(([name, value]) => [fields[name] ?? name, value]))
}

/** The records that the body of a new session names. */
export function parentsOf({ auction, increment_strategy: strategy }: Static<typeof SessionCreate>): Values {
  return {
    auction: printId('auction', parseId('auction', auction)!),
    ...(strategy && { increment_strategy: printId('increment_strategy', parseId('increment_strategy', strategy)!) }),
  }
}
