import type { Writable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { constants, gzip } from 'node:zlib'
import type { RawBuilder } from 'kysely'
import { findMigrations } from '../db/schema/migrate.ts'
import { noteConnectionError } from '../db/errors.ts'
import type { Connection, Database } from '../db/pool.ts'
import { withSession, type Session } from '../db/session.ts'
import { describeAway, sortHouses } from '../houses/reach.ts'
import { filesIn } from '../images/files.ts'
import { holdFiles } from '../images/file-statements.ts'
import type { MediaStore } from '../media/store.ts'
import { writeArchive, type Add } from './archive.ts'
import { findNamedFiles } from './files.ts'
import { copyJobsOut } from './jobs.ts'
import { countersName, jobs, manifestName, mediaFolder, printManifest, printPart } from './manifest.ts'
import { beginSnapshot, endSnapshot } from './snapshot.ts'
import { copyTableOut, findTables, readCounters } from './tables.ts'

/**
 * The result of a backup: the number of files, and bytes in all. `missing`: files that images name and the store lacks.
 */
export type BackedUp = { files: number; bytes: number; missing: string[] }

const partBytes = 8 * 1024 * 1024
const compress = promisify(gzip)

/**
 * Writes an archive of the database and the media to the output, and ends it. Writers go on. The archive shows one
 * moment: its rows are one snapshot, and no job deletes a file of the snapshot before the backup ends.
 */
export async function backUp(
  { connection, media }: { connection: Connection; media: MediaStore },
  output: Writable,
  now: Date,
  onProgress: (bytes: number) => void = () => undefined,
): Promise<BackedUp> {
  const done: BackedUp = { files: 0, bytes: 0, missing: [] }
  await withSession(connection, async (session) => {
    const { db } = session
    await requireWorkers(db)
    // The lock comes before the snapshot, which then does not name files deleted earlier.
    await holdFiles(db)
    await beginSnapshot(connection, db)
    const tables = await findTables(db)
    const manifest = { created_at: now.toISOString(), migrations: await findMigrations(db), tables }
    await writeArchive(output, async (put) => {
      const add: Add = async (name, content) => {
        await put(name, content)
        done.bytes += Buffer.isBuffer(content) ? content.length : content.bytes
        onProgress(done.bytes)
      }
      await add(manifestName, Buffer.from(printManifest(manifest)))
      for (const table of tables) await addRows(add, session, table.name, copyTableOut(table))
      await addRows(add, session, jobs, copyJobsOut)
      await add(countersName, Buffer.from(JSON.stringify(await readCounters(db, tables))))
      for await (const { original, renditions, source_widths } of findNamedFiles(db)) {
        if (original !== null) await addOriginal(add, media, original, done)
        if (renditions !== null) await addRenditions(add, media, filesIn({ renditions, source_widths }), done)
      }
      // The connection has lived until now, so the snapshot and the lock on files have held.
      await endSnapshot(db)
    })
  })
  return done
}

// Each worker has rows of every archive.
async function requireWorkers(db: Database): Promise<void> {
  const [worker] = (await sortHouses(db)).away
  if (!worker) return
  const error = new Error(`${describeAway(worker)}: a backup needs all workers, so export the other houses`)
  noteConnectionError(error)
  throw error
}

async function addRows(add: Add, { copyOut }: Session, name: string, statement: RawBuilder<unknown>): Promise<void> {
  let part = 0
  for await (const rows of cut(copyOut(statement)))
    await add(printPart(name, ++part), await compress(rows, { level: constants.Z_BEST_SPEED }))
}

// A part ends at the end of a line. A line break within a value is escaped.
async function* cut(rows: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let pieces: Buffer[] = []
  let bytes = 0
  for await (const piece of rows) {
    pieces.push(piece)
    bytes += piece.length
    const end = bytes < partBytes ? 0 : piece.lastIndexOf('\n') + 1
    if (end === 0) continue
    pieces[pieces.length - 1] = piece.subarray(0, end)
    yield Buffer.concat(pieces)
    pieces = [piece.subarray(end)]
    bytes = piece.length - end
  }
  if (bytes > 0) yield Buffer.concat(pieces)
}

async function addOriginal(add: Add, media: MediaStore, key: string, done: BackedUp): Promise<void> {
  const found = await media.read(key)
  if (!found) {
    done.missing.push(key)
    return
  }
  await add(mediaFolder + key, found)
  done.files++
}

// The files are small. Waiting for all of an image at once takes a fraction of the time with a distant store.
async function addRenditions(add: Add, media: MediaStore, keys: string[], done: BackedUp): Promise<void> {
  const files = await Promise.all(
    keys.map(async (key) => {
      const found = await media.read(key)
      return found && buffer(found.stream)
    }),
  )
  for (const [index, key] of keys.entries()) {
    const bytes = files[index]
    if (!bytes) {
      done.missing.push(key)
      continue
    }
    await add(mediaFolder + key, bytes)
    done.files++
  }
}
