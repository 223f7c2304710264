import { Readable, Writable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { backUp } from '../../src/backup/backup.ts'
import { restore } from '../../src/backup/restore.ts'
import type { Database } from '../../src/db/pool.ts'
import { migrate } from '../../src/db/schema/migrate.ts'
import type { Random } from '../lib/random.ts'
import { moveHouse } from '../kill-nodes/placement.ts'
import { observerName, type Instances } from './instances.ts'

/**
 * The trouble during histories: connections are cut, processes killed, a backup restored, or houses moved between the
 * workers of a Citus.
 */
export type Trouble = 'none' | 'cut' | 'service' | 'database' | 'restore' | 'move'

/**
 * Makes the trouble, until `isOver` or once. `houses` are the slugs of those that write. Returns the number
 * of kills.
 */
export async function makeTrouble(
  trouble: Trouble,
  instances: Instances,
  { random, houses }: { random: Random; houses: string[] },
  isOver: () => boolean,
): Promise<number> {
  const { all, observer, killDatabase } = instances
  if (trouble === 'restore') await restoreBackup(instances, random)
  if (trouble === 'move') await moveHouse(observer.db, random.pick(houses))
  if (trouble !== 'cut' && trouble !== 'service' && trouble !== 'database') return 0
  let kills = 0
  while (!isOver()) {
    if (trouble !== 'cut') kills++
    if (trouble === 'cut') await cutConnection(observer.db)
    else if (trouble === 'database') await killDatabase!()
    else {
      const instance = random.pick(all)
      await instance.kill(observer.db)
      instance.restart()
      await instance.untilStarted()
    }
    await sleep(random.below(trouble === 'cut' ? 40 : 1_000))
  }
  return kills
}

async function cutConnection(db: Database): Promise<void> {
  await sql`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and application_name <> ${observerName} and backend_type = 'client backend'
    order by random() limit 1`.execute(db)
}

// Makes a backup while all writers write, and restores it a moment later.
async function restoreBackup(instances: Instances, random: Random): Promise<void> {
  const { connection, media, observer, all } = instances
  await sleep(random.below(1_000))
  const chunks: Buffer[] = []
  const output = new Writable({ write: (chunk: Buffer, _, done) => (chunks.push(chunk), done()) })
  await backUp({ connection, media }, output, new Date())
  await sleep(random.below(1_000))
  const opening = Promise.withResolvers<void>()
  instances.isOpen = opening.promise
  instances.age += 1
  await Promise.all(all.map((instance) => instance.kill(observer.db)))
  await sql`drop schema catalogue cascade`.execute(observer.db)
  await sql`drop schema graphile_worker cascade`.execute(observer.db)
  await migrate(observer)
  await restore({ ...observer, connection, media }, Readable.from(chunks))
  for (const instance of all) instance.restart()
  await Promise.all(all.map((instance) => instance.untilStarted()))
  opening.resolve()
}
