import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Readable } from 'node:stream'
import { sql } from 'kysely'
import { permissions } from '../../src/context.ts'
import { acquireEmbeddedServer } from '../../src/db/embedded/server.ts'
import { readGeneration } from '../../src/db/generation.ts'
import { openDatabase, type Database } from '../../src/db/pool.ts'
import { migrate } from '../../src/db/schema/migrate.ts'
import { createKey } from '../../src/houses/api-keys.ts'
import { findHouse } from '../../src/houses/locks.ts'
import { formatOf, writeDocuments } from '../../src/items/document.ts'
import { load } from '../../src/load/loader.ts'
import { openFileStore } from '../../src/media/file-store.ts'

/** Records as lines of the load format, in pieces of many lines. */
export function* printLines(records: Iterable<object>): Generator<Buffer> {
  let text = ''
  for (const record of records) {
    text += `${JSON.stringify(record)}\n`
    if (text.length < 65_536) continue
    yield Buffer.from(text)
    text = ''
  }
  yield Buffer.from(text)
}

/** Stores the documents of all items of a house, as the job leaves them. */
export async function readyDocuments(db: Database, slug: string): Promise<void> {
  const scope = { db, house: { ...(await findHouse(db, slug))!, generation: await readGeneration(db) } }
  const { rows } = await sql<{ id: string }>`
    select i.id from catalogue.items i where i.house_id = ${scope.house.id} and not exists (
      select from catalogue.item_documents d where d.house_id = i.house_id and d.item_id = i.id
        and d.revision = i.revision and d.format = ${formatOf(scope)})`.execute(db)
  for (let start = 0; start < rows.length; start += 100) {
    const ids = rows.slice(start, start + 100).map(({ id }) => id)
    await writeDocuments(scope, ids)
  }
}

/**
 * Opens the database of an embedded server in `folder`, and migrates it. Without `folder` its files are in a temporary
 * folder, which `close()` removes. `connections`: the most at once.
 */
export async function openBenchDatabase(connections: number, folder?: string) {
  const dataDir = folder ?? (await mkdtemp(path.join(tmpdir(), 'catalogue-bench-')))
  const server = await acquireEmbeddedServer(dataDir)
  const { db, pool } = openDatabase(server.connection, connections)
  await migrate({ db, pool })
  return {
    dataDir,
    db,
    connection: server.connection,
    /** Loads records of the load format. */
    load(records: Iterable<object>) {
      const media = openFileStore({ dataDir, publicUrl: 'http://localhost', keyring: ['unused by this load'] })
      const stream = Readable.from(printLines(records))
      return load({ db, media, now: new Date() }, { name: 'bench', stream, directory: dataDir })
    },
    /** A loaded house, and a key of it with every permission. */
    async openHouse(slug: string) {
      const house = (await findHouse(db, slug))!
      const { key } = await createKey(db, house, [...permissions], 'bench', new Date())
      return { house, key }
    },
    async close() {
      await pool.end()
      await server.release()
      if (folder === undefined) await rm(dataDir, { recursive: true, force: true })
    },
  }
}
