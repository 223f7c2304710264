import { sql } from 'kysely'
import type { Database } from '../../src/db/pool.ts'

// Every transaction that marks a changed record takes the lock with others before it commits.
const lock = sql.raw('7, 7')

/** Lets `withoutCommits` stop the writers of a database, of whichever process. */
export async function installLock(db: Database): Promise<void> {
  await sql`create function public.wait_to_commit() returns trigger language plpgsql as $$
    begin perform pg_advisory_xact_lock_shared(${lock}); return null; end $$`.execute(db)
  await sql`create constraint trigger wait_to_commit after insert on catalogue.change_marks
    deferrable initially deferred for each row execute function public.wait_to_commit()`.execute(db)
}

/** Does work while no change commits. Transactions begin and write meanwhile, and wait for its end to commit. */
export async function withoutCommits<Of>(db: Database, work: (db: Database) => Promise<Of>): Promise<Of> {
  return db.connection().execute(async (one) => {
    await sql`select pg_advisory_lock(${lock})`.execute(one)
    try {
      return await work(one)
    } finally {
      await sql`select pg_advisory_unlock(${lock})`.execute(one)
    }
  })
}
