import { contextNow, type Context, type House } from '../../src/context.ts'
import type { Database } from '../../src/db/pool.ts'

/** The context of what begins at a time. Both clocks stand still, unless `clock` is given, which is then both. */
export const contextAt = (db: Database, house: House, now: Date, clock = () => now): Context => ({
  ...contextNow(db, house),
  now,
  clock,
  databaseClock: clock,
})
