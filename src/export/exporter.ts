import { Readable, type Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { beginHouseSnapshot } from '../backup/snapshot.ts'
import type { House } from '../context.ts'
import type { Connection } from '../db/pool.ts'
import { withSession, type Session } from '../db/session.ts'
import { holdFiles } from '../images/file-statements.ts'
import { isRecordKind } from '../kinds.ts'
import { LoadError } from '../load/errors.ts'
import { checkRecord, checkShape } from '../load/parser.ts'
import { recordTypes, type LoadRecord, type RecordType } from '../load/schema.ts'
import type { MediaStore } from '../media/store.ts'
import { printId } from '../values/ids.ts'
import { copyOriginal, type PictureFolder } from './pictures.ts'
import { hasPictures, readBatches, selectRecords, type ExportedRow } from './statements.ts'

/** A house that cannot be exported. The message says why, and names the record. */
export class ExportError extends Error {
  override name = 'ExportError'
}

/** The result of an export. `missing`: originals that images name and the store lacks; their lines have no `file`. */
export type Exported = { lines: number; records: Record<string, number>; missing: string[] }

/** What becomes of stored pictures: they are copied to a folder or left out. If undefined, they stop the export. */
export type Pictures = PictureFolder | 'left out' | undefined

type Context = { connection: Connection; media: Pick<MediaStore, 'read'> }
type ExportOptions = { pictures: Pictures; isPacked: boolean; onProgress?: (lines: number) => void }

/**
 * Writes a house in the load format to the output, and ends it. Clients go on writing: the file shows one moment, and no
 * job deletes a picture of that moment before the end. Memory does not grow with the house.
 * @throws ExportError for a value that the format cannot say, categories in a circle, and stored pictures without a
 *   place to go
 */
export async function exportHouse(
  { connection, media }: Context,
  house: House,
  output: Writable,
  { pictures, isPacked, onProgress = () => undefined }: ExportOptions,
): Promise<Exported> {
  const done: Exported = { lines: 0, records: {}, missing: [] }
  await withSession(connection, async (session) => {
    const { db } = session
    // The lock comes before the snapshot, which then does not name files deleted earlier.
    await holdFiles(db)
    const endSnapshot = await beginHouseSnapshot(db, house)
    if (pictures === undefined && (await hasPictures({ db, house })))
      throw new ExportError(
        'the house has stored pictures: name a folder for them (--media FOLDER), or leave them out (--no-media)',
      )
    const lines = Readable.from(printLines(session, media, house, pictures, done, onProgress))
    await (isPacked ? pipeline(lines, createGzip(), output) : pipeline(lines, output))
    // The connection has lived until now, so the snapshot and the lock on files have held.
    await endSnapshot()
  })
  return done
}

/** The lines of the file. A piece has many: one by one they would take longer to compress. */
async function* printLines(
  { db }: Session,
  media: Context['media'],
  house: House,
  pictures: Pictures,
  done: Exported,
  onProgress: (lines: number) => void,
): AsyncGenerator<string> {
  for (const type of recordTypes) {
    for await (const rows of readBatches(db, selectRecords(type, house))) {
      const lines: string[] = []
      for (const row of rows) {
        const record = readRecord(type, row, house)
        if (record.type === 'image' && row.original && typeof pictures === 'object') {
          const file = await copyOriginal(media, row.original, pictures, record.ref!)
          // A load derives the renditions of a file anew, whatever the line says.
          if (file === undefined) done.missing.push(row.original)
          else Object.assign(record, { file, processing: false })
        }
        lines.push(`${JSON.stringify(record)}\n`)
      }
      done.records[type] = (done.records[type] ?? 0) + rows.length
      done.lines += rows.length
      yield lines.join('')
      onProgress(done.lines)
    }
  }
}

/** The record of a row, as a load would accept it. */
function readRecord(type: RecordType, row: ExportedRow, house: House): LoadRecord {
  const name = nameOf(type, row, house)
  try {
    const place = { file: name, line: 0 }
    const record = checkShape(place, JSON.parse(row.json) as object)
    checkRecord(place, record, house)
    const [field, parent] =
      record.type === 'category'
        ? ['parent', record.parent]
        : record.type === 'lot'
          ? ['result.with', record.result?.with]
          : []
    // The order has parents first, unless there is no such order.
    if (parent != null && numberOf(parent) >= numberOf(record.ref!))
      throw new ExportError(`${name}: ${field}: the records that it leads to form a circle`)
    return record
  } catch (error) {
    if (!(error instanceof LoadError)) throw error
    throw new ExportError(`${name}: ${error.field}: ${error.problem}`, { cause: error })
  }
}

const numberOf = (ref: string) => Number(ref.slice(ref.lastIndexOf('-') + 1))

// As `doctor` names it.
function nameOf(type: RecordType, { row, uuid }: ExportedRow, house: House): string {
  if (type === 'house') return `house ${house.slug}`
  if (uuid === null) return `${type} row ${row} of house ${house.slug}`
  return `${type} ${isRecordKind(type) ? printId(type, uuid) : uuid}`
}
