import { Readable, Writable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { backUp } from '../../src/backup/backup.ts'
import { restore } from '../../src/backup/restore.ts'
import { migrate } from '../../src/db/migrate.ts'
import type { Random } from '../fuzz/random.ts'
import { observerName, type Instances } from './instances.ts'

/** What happens while histories run: `cut` ends connections to the database, the others kill processes or restore a backup. */
export const troubles = ['none', 'cut', 'service', 'database', 'restore'] as const

/** See `troubles`. */
export type Trouble = (typeof troubles)[number]

/** Makes the trouble until `isOver`. `killDatabase` kills the server, which somebody starts again. */
export async function makeTrouble(
  trouble: Trouble,
  instances: Instances,
  random: Random,
  isOver: () => boolean,
  killDatabase: () => Promise<unknown>,
): Promise<void> {
  if (trouble === 'none') return
  if (trouble === 'restore') return restoreBackup(instances, random)
  while (!isOver()) {
    if (trouble === 'cut') await cutConnection(instances)
    else if (trouble === 'database') await killDatabase()
    else {
      const instance = random.pick(instances.all)
      await instance.kill(instances.observer.db)
      instance.restart()
      await instance.isReady()
    }
    await sleep(random.below(trouble === 'cut' ? 40 : 1_000))
  }
}

async function cutConnection({ observer }: Instances): Promise<void> {
  await sql`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and application_name <> ${observerName} and backend_type = 'client backend'
    order by random() limit 1`.execute(observer.db)
}

// A backup of a moment in which all write, and the return to it a moment later.
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
  await Promise.all(all.map((instance) => instance.isReady()))
  opening.resolve()
}
