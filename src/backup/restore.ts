import { createWriteStream } from 'node:fs'
import path from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { sql } from 'kysely'
import { analyzeTable } from '../db/catalogue-tables.ts'
import { errorCode } from '../db/errors.ts'
import { renewGeneration } from '../db/generation.ts'
import { findMigrations, holdMigrations, migrate, rebuildSchema } from '../db/schema/migrate.ts'
import type { Connection, Database, openDatabase } from '../db/pool.ts'
import { withSession, type Session } from '../db/session.ts'
import { inTransactionOnce } from '../writes/transaction.ts'
import { isKey } from '../media/object-keys.ts'
import type { MediaStore } from '../media/store.ts'
import { withTemporaryFolder } from '../media/temporary.ts'
import { ArchiveError, longestInMemory, longestRow, readArchive, readBytes, readText, type Entry } from './archive.ts'
import { addJobs, copyJobsIn, prepareJobs } from './jobs.ts'
import {
  countersName,
  jobs,
  manifestName,
  mediaFolder,
  parseCounters,
  parseManifest,
  parsePart,
  type Manifest,
} from './manifest.ts'
import { followOrder } from './order.ts'
import {
  findHighest,
  copyTableIn,
  findTables,
  leaveClosedLots,
  areEmpty,
  lockTables,
  setCounter,
  type Table,
} from './tables.ts'

// The result of a restore: the time of the backup, the number of files, and bytes in all.
type Restored = { created_at: string; files: number; bytes: number }

type Catalogue = ReturnType<typeof openDatabase> & { connection: Connection; media: MediaStore }

const lockSeconds = 10
const filesAtOnce = 8
const largeFile = 8 * 1024 * 1024
const decompress = promisify(gunzip)

/**
 * Restores an archive into a catalogue without records, all of it in one transaction or nothing. Files are stored
 * before the commit. If that fails, the next restore replaces them, or the clean-up of the store deletes them. The
 * database begins a new generation, and its schema is migrated to this version.
 * @throws ArchiveError if the archive is damaged; Error if the database holds records
 */
export async function restore(
  { connection, db, pool, media }: Catalogue,
  input: Readable,
  onProgress: (bytes: number) => void = () => undefined,
): Promise<Restored> {
  try {
    const { restored, tables } = await withSession(connection, (session) =>
      inTransactionOnce(session, (tx) => restoreAll(tx, media, input, onProgress)),
    )
    await migrate({ db, pool })
    for (const table of tables) await analyzeTable(db, table.name).catch(() => undefined)
    return restored
  } finally {
    input.destroy()
  }
}

async function restoreAll(
  tx: Session,
  media: MediaStore,
  input: Readable,
  onProgress: (bytes: number) => void,
): Promise<{ restored: Restored; tables: Table[] }> {
  const entries = readArchive(input)
  let order: ReturnType<typeof followOrder> | undefined
  const next = async () => {
    const { value } = (await entries.next()) as IteratorResult<Entry, undefined>
    if (value) order?.take(value.name)
    return value
  }
  const first = await next()
  if (first?.name !== manifestName) throw new ArchiveError('the archive is no backup of a catalogue')
  const manifest = parseManifest(await readText(first))
  order = followOrder(manifest.tables.map(({ name }) => name))
  // The manifest is whole if there is a second entry.
  let entry = await next()
  const tables = await prepareTables(tx.db, manifest)
  const restored: Restored = { created_at: manifest.created_at, files: 0, bytes: first.bytes }
  const files = receiveFiles(media)
  let counters = ''
  const advance = async (done: Entry) => {
    onProgress((restored.bytes += done.bytes))
    return next()
  }

  while (entry) {
    const name = parsePart(entry.name)
    if (name !== undefined) {
      const read: Part[] = []
      const parts = async function* () {
        for (; entry && parsePart(entry.name) === name; entry = await advance(entry)) {
          const rows = await unpack(entry)
          read.push({ name: entry.name, rows: countRows(entry.name, rows) })
          yield rows
        }
      }
      const copy = tx.copyIn(name === jobs ? copyJobsIn : copyTableIn(find(tables, name)))
      await pipeline(parts, copy).catch((error: unknown) => findDamage(entries, error, findPart(name, read, error)))
      continue
    }
    if (entry.name === countersName) counters = await readText(entry)
    else restored.files += await files.add(entry)
    entry = await advance(entry)
  }
  order.end()
  await files.end()
  await setCounters(tx.db, tables, counters)
  await addJobs(tx.db).catch((error: unknown) => findDamage(entries, error, `rows/${jobs}/`))
  await leaveClosedLots(tx.db, tables)
  await renewGeneration(tx.db)
  return { restored, tables }
}

type Part = { name: string; rows: number }

/** The part of the row that the database refuses, if it says which row; otherwise the folder of the parts. */
function findPart(table: string, parts: Part[], error: unknown): string {
  const line = Number(/, line (\d+)/.exec(String((error as { where?: unknown }).where))?.[1])
  let rows = 0
  const part = parts.find((each) => line <= (rows += each.rows))
  return part?.name ?? `rows/${table}/`
}

// If the database refuses rows, they may be damaged, which the sums of the archive show. Citus reports XX000, the
// queue GW.
async function findDamage(entries: AsyncIterable<Entry>, error: unknown, part: string): Promise<never> {
  if (!/^2[23]|^42|^GW|^XX/.test(errorCode(error) ?? '')) throw error
  for await (const _ of entries);
  // The database repeats a wrong value, however long.
  const reason = (error as Error).message.slice(0, 200)
  throw new ArchiveError(`the database refuses rows of ${part} in the archive: ${reason}`, { cause: error })
}

/** Changes the tables to those of the archive. They have no rows, and no other transaction changes them. */
async function prepareTables(tx: Database, { migrations, tables: archived }: Manifest): Promise<Table[]> {
  await holdMigrations(tx)
  // Citus writes to its reference tables only if no earlier statement of the transaction ran in parallel. Other servers
  // ignore this setting.
  await sql`set local citus.multi_shard_modify_mode = 'sequential'`.execute(tx)
  const present = await findTables(tx)
  await lockTables(tx, present, 'share row exclusive', lockSeconds)
  if (!(await areEmpty(tx, present))) throw new Error('the database is not empty: restore into one without houses')
  if ((await findMigrations(tx)).join() !== migrations.join()) await rebuildSchema(tx, migrations)
  await prepareJobs(tx)
  const tables = await findTables(tx)
  const missing = tables.find(({ name }) => !archived.some((table) => table.name === name))
  if (missing) throw new ArchiveError(`the archive is damaged: ${manifestName} lacks the table ${missing.name}`)
  return archived.map(({ name, columns }) => ({ ...find(tables, name), columns }))
}

function find(tables: Table[], name: string): Table {
  const table = tables.find((each) => each.name === name)
  if (!table) throw new ArchiveError(`the archive holds rows of ${name}, which is no table of the catalogue`)
  return table
}

async function unpack(entry: Entry): Promise<Buffer> {
  try {
    return await decompress(await readBytes(entry), { maxOutputLength: longestInMemory })
  } catch (error) {
    if (error instanceof ArchiveError) throw error
    const isLong = errorCode(error) === 'ERR_BUFFER_TOO_LARGE'
    const why = isLong ? `unpacks to more than ${longestInMemory / 1024 / 1024} MiB` : 'cannot be unpacked'
    throw new ArchiveError(`the archive is damaged: ${entry.name} ${why}`, { cause: error })
  }
}

/** Checks the rows of a part as far as the database does not. Returns their number. */
function countRows(part: string, rows: Buffer): number {
  const damaged = (problem: string) => new ArchiveError(`the archive is damaged: ${part} ${problem}`)
  let count = 0
  for (let start = 0; start < rows.length; count++) {
    const end = rows.indexOf('\n', start)
    if ((end < 0 ? rows.length : end) - start > longestRow)
      throw damaged(`has a row of more than ${longestRow / 1024 / 1024} MiB`)
    if (end < 0) throw damaged('does not end with a whole row')
    // The database would read no further.
    if (rows.toString('latin1', start, Math.min(end, start + 3)) === '\\.') throw damaged('ends before its last row')
    start = end + 1
  }
  if (count === 0) throw damaged('has no rows')
  return count
}

async function setCounters(tx: Database, tables: Table[], text: string): Promise<void> {
  const numbered = tables.filter(({ identity }) => identity !== null)
  const counters = parseCounters(
    text,
    numbered.map(({ name }) => name),
  )
  for (const table of numbered) {
    const counter = counters[table.name]!
    const highest = await findHighest(tx, table)
    const next = BigInt(counter.last_value) + (counter.is_called ? 1n : 0n)
    if (highest !== undefined && highest >= next)
      throw new ArchiveError(`the archive is damaged: ${countersName} is behind the rows of ${table.name}`)
    await setCounter(tx, table, counter)
  }
}

/** Puts files into the store, several at a time. */
function receiveFiles(media: MediaStore) {
  let pending: Promise<void>[] = []
  const end = async () => {
    await Promise.all(pending)
    pending = []
  }
  return {
    /** Handles an entry. Returns the number of its files. */
    async add(entry: Entry): Promise<number> {
      const key = entry.name.startsWith(mediaFolder) ? entry.name.slice(mediaFolder.length) : ''
      if (!isKey(key)) throw new ArchiveError(`the archive holds ${entry.name}, which is no part of a backup`)
      if (entry.bytes > largeFile) await putLarge(media, key, entry)
      else {
        const put = media.put(key, await readBytes(entry))
        // It may fail before the code below awaits it.
        put.catch(() => undefined)
        pending.push(put)
      }
      if (pending.length >= filesAtOnce) await end()
      return 1
    },
    end,
  }
}

async function putLarge(media: MediaStore, key: string, { content }: Entry): Promise<void> {
  await withTemporaryFolder(async (folder) => {
    const file = path.join(folder, 'file')
    await pipeline(content, createWriteStream(file, { mode: 0o600 }))
    await media.put(key, file)
  })
}
