import { lockWork } from '../writes/locks.ts'
import type { House } from '../context.ts'
import { analyzeTable } from '../db/catalogue-tables.ts'
import { isRetryable, UnknownOutcome } from '../db/errors.ts'
import { holdHouse } from '../db/citus.ts'
import type { Database } from '../db/pool.ts'
import { noteChange } from '../writes/journal.ts'
import { inTransactionOnce } from '../writes/transaction.ts'
import { createHouse, HouseError } from '../houses/houses.ts'
import { findHouse } from '../houses/locks.ts'
import { touchItems } from '../items/touch.ts'
import { checkStorage } from '../images/storage.ts'
import { scheduleReadiness } from '../items/readiness/tasks.ts'
import { enqueueDecision, enqueueRenditions, enqueueRepeated } from '../jobs/queue.ts'
import type { MediaStore } from '../media/store.ts'
import { Problem } from '../problems.ts'
import { parsePublicId } from '../values/ids.ts'
import { parseTimestamp } from '../values/timestamps.ts'
import { allKinds, kinds } from '../kinds.ts'
import { assignIds, Batch } from './batch.ts'
import { noteDuplicates } from './duplicates.ts'
import { Conflict, LoadError, quote } from './errors.ts'
import { copyFiles, findFiles, lockGalleries, rememberItems } from './images.ts'
import { insertBatch } from './insert.ts'
import { noteLevels } from './levels.ts'
import { readLines } from './lines.ts'
import { rememberRefs, resolvePointers } from './pointers.ts'
import { checkRecord, parseRecord } from './parser.ts'
import type { Records } from './schema.ts'
import type { Source } from './source.ts'
import { discardPlans, findRefs, hasHouse, leaveClosedLots, prepareLoad } from './statements.ts'

type Context = { db: Database; now: Date; media: Pick<MediaStore, 'put' | 'delete'> }

/** The progress of a load: lines and (unpacked) bytes of the file. */
export type Progress = { lines: number; bytes: number }

/** The result of a load: the number of lines, and of created records of each type. */
export type Loaded = { lines: number; records: Record<string, number> }

// A larger batch needs fewer statements, a smaller one less memory.
const batchLines = 2_000
const batchBytes = 8 * 1024 * 1024

/**
 * Loads a file of the load format in one transaction, all of it or nothing. Memory does not grow with the file. A
 * stream can be read only once, so a transaction that the server aborted is not tried again.
 * @throws LoadError for the first line that cannot be loaded, after deleting the copied files; UnknownOutcome if the
 *   COMMIT gets no answer: the file is then stored whole, or not at all
 */
export async function load(
  context: Context,
  source: Source,
  onProgress: (progress: Progress) => void = () => undefined,
): Promise<Loaded> {
  const copied: string[] = []
  let loaded: Loaded
  try {
    loaded = await inTransactionOnce(context, (tx) => new FileLoad(tx, source, copied).run(onProgress))
  } catch (error) {
    source.stream.destroy()
    // The load may be committed, so its files stay. If it is not, the clean-up of the store deletes them.
    if (error instanceof UnknownOutcome) throw error
    await Promise.allSettled(copied.map((key) => context.media.delete(key)))
    if (!isRetryable(error)) throw error
    throw new Error('another load or writer changed the same records at the same time: load the file again', {
      cause: error,
    })
  }
  await analyze(context.db, loaded)
  return loaded
}

/**
 * Loads a file without pictures in a transaction of the caller.
 * @throws LoadError
 */
export function loadWithin(tx: Context, source: Source): Promise<Loaded> {
  return new FileLoad(tx, source, []).run(() => undefined)
}

// The planner needs statistics at once; autovacuum would gather them only later.
async function analyze(db: Database, { records }: Loaded) {
  for (const type of allKinds) {
    if ((records[type] ?? 0) < batchLines) continue
    const children = type === 'item' ? ['item_translations', 'item_categories', 'item_makers'] : []
    for (const table of [kinds[type].plural, ...children]) {
      await analyzeTable(db, table).catch(() => undefined)
    }
  }
}

/** The state of one load inside its transaction. */
class FileLoad {
  readonly #context: Context
  readonly #source: Source
  readonly #copied: string[]
  readonly #houses = new Set<string>()
  /** The stored items whose galleries have grown, by house. */
  readonly #grown = new Map<string, Set<string>>()
  /** The sessions that get lots, by house. */
  readonly #filled = new Map<string, Set<string>>()
  /** The houses that get files. */
  readonly #storing = new Set<string>()
  readonly #records: Record<string, number> = {}
  /** The numbers of records that each house got, by its internal id. */
  readonly #stored = new Map<string, Record<string, number>>()
  #batch: Batch | undefined
  #bytes = 0

  constructor(context: Context, source: Source, copied: string[]) {
    this.#context = context
    this.#source = source
    this.#copied = copied
  }

  async run(onProgress: (progress: Progress) => void): Promise<Loaded> {
    const { db, now } = this.#context
    await prepareLoad(db)
    let progress: Progress = { lines: 0, bytes: 0 }
    try {
      for await (const { number, line, bytes } of readLines(this.#source)) {
        await this.#read(number, line)
        this.#bytes += line.length
        progress = { lines: number, bytes }
        if (this.#batch && (this.#batch.lines.length >= batchLines || this.#bytes >= batchBytes)) {
          await this.#flush()
          onProgress(progress)
        }
      }
    } catch (error) {
      // The first problem of the file is reported, so earlier lines are checked too.
      if (error instanceof LoadError) await this.#flush()
      throw error
    }
    await this.#flush()
    for (const house of this.#storing) await this.#checkStorage(house, 0, progress.lines, true)
    // What had closed before the load is left to staff.
    for (const [id, sessions] of this.#filled) {
      const scope = { db, house: { id } }
      for (const session of await leaveClosedLots(scope, [...sessions])) await enqueueDecision(scope, session)
    }
    // This locks lots, so it comes last: sessions and items are always locked before lots.
    for (const [id, items] of this.#grown) await touchItems({ db, house: { id }, now }, [...items])
    this.#noteLoad()
    await scheduleReadiness(db)
    await enqueueRepeated(db, 'number_changes')
    onProgress(progress)
    return { lines: progress.lines, records: this.#records }
  }

  async #read(number: number, line: Buffer) {
    const place = { file: this.#source.name, line: number }
    const record = parseRecord(place, line)
    if (record.type === 'house') {
      await this.#flush()
      await this.#enter(place, record)
      return
    }
    if (!this.#batch) throw new LoadError(place, 'type', `${JSON.stringify(record.type)} needs a house line above it`)
    checkRecord(place, record, this.#batch.house)
    this.#batch.add(number, record)
  }

  /** One row of the journal for each house: how many records of each kind it got, and from which file. */
  #noteLoad() {
    const { db } = this.#context
    for (const [id, stored] of this.#stored) {
      const tx = { db, house: { id } }
      for (const kind of allKinds)
        noteChange(tx, { kind, uuid: null }, {}, { [kinds[kind].plural]: stored[kind] ?? null })
      noteChange(tx, { kind: 'house', uuid: null }, {}, { file: this.#source.name })
    }
  }

  /** Creates the house of a line, or selects the stored one. The lines below belong to it. */
  async #enter(place: { file: string; line: number }, record: Records['house']) {
    const { db } = this.#context
    if (record.ref !== undefined && (await findRefs(db, [record.ref])).size > 0) {
      throw new LoadError(place, 'ref', `an earlier line has the ref ${JSON.stringify(record.ref)} already`)
    }
    const house = (await findHouse(db, record.slug)) ?? (await this.#create(place, record))
    // One load at a time in a house: a second one waits, and then sees what the first one has stored.
    await lockWork({ db, house }, 'load')
    await holdHouse(db, house.id)
    if (record.ref !== undefined) await rememberRefs({ db, house }, [{ ref: record.ref, kind: 'house', id: house.id }])
    this.#houses.add(house.id)
    this.#batch = new Batch(this.#source.name, house)
  }

  async #create(place: { file: string; line: number }, record: Records['house']): Promise<House> {
    const { db, now } = this.#context
    for (const field of ['name', 'default_locale', 'currency'] as const) {
      if (record[field] === undefined)
        throw new LoadError(
          place,
          field,
          `is missing: a new house needs it, and no house ${quote(record.slug)} is stored`,
        )
    }
    const publicId = typeof record.id === 'string' ? parsePublicId('house', record.id)! : record.id
    if (publicId && (await hasHouse(db, publicId)))
      throw new LoadError(place, 'id', `a house has the id ${publicId} already`)
    try {
      const house = await createHouse(
        db,
        {
          slug: record.slug,
          name: record.name!,
          defaultLocale: record.default_locale!,
          currency: record.currency!,
          timeZone: record.time_zone,
          defaults: record.defaults ?? {},
          storageLimit: record.storage_limit ?? 0,
          publicId,
          createdAt: record.created_at && parseTimestamp(record.created_at),
          updatedAt: record.updated_at && parseTimestamp(record.updated_at),
        },
        now,
      )
      this.#count('house', 1)
      return house
    } catch (error) {
      if (error instanceof HouseError) throw new LoadError(place, error.field, error.problem)
      throw error
    }
  }

  /** Checks all lines that were read since the last flush, and then inserts them. */
  async #flush() {
    const batch = this.#batch
    if (!batch || batch.lines.length === 0) return
    this.#batch = new Batch(batch.file, batch.house)
    this.#bytes = 0
    const tx = { ...this.#context, house: batch.house }
    // Plans from earlier batches, also those of foreign keys, were made for smaller tables.
    await discardPlans(tx.db)
    await assignIds(tx.db, batch)
    await resolvePointers(tx, batch, this.#houses)
    await noteLevels(tx, batch)
    await noteDuplicates(batch)
    const files = await findFiles(batch, this.#source.directory)
    if (batch.hasProblems) await this.#refuse(batch)
    const bytes = [...files.values()].reduce((sum, file) => sum + file.bytes, 0)
    if (bytes > 0) {
      this.#storing.add(batch.house.id)
      await this.#checkStorage(batch.house.id, bytes, [...files.keys()][0]!.number, false)
    }
    const originals = await copyFiles(tx.media, batch, files, this.#copied)
    const grown = this.#grown.get(batch.house.id) ?? new Set()
    for (const item of await lockGalleries(tx, batch)) grown.add(item)
    this.#grown.set(batch.house.id, grown)
    const filled = this.#filled.get(batch.house.id) ?? new Set()
    for (const line of batch.of('lot')) filled.add(line.targets['session']!)
    this.#filled.set(batch.house.id, filled)
    try {
      await insertBatch(tx, batch, originals)
      await rememberItems(tx.db, batch)
      await rememberRefs(tx, batch.refs())
    } catch (error) {
      if (error instanceof Conflict) await this.#refuse(batch)
      throw error
    }
    await enqueueRenditions(
      tx,
      Array.from(files.keys(), (line) => line.id),
    )
    const stored = this.#stored.get(batch.house.id) ?? {}
    this.#stored.set(batch.house.id, stored)
    for (const { record } of batch.lines) {
      this.#count(record.type, 1)
      stored[record.type] = (stored[record.type] ?? 0) + 1
    }
  }

  async #checkStorage(house: string, bytes: number, line: number, lock: boolean) {
    await checkStorage({ db: this.#context.db, house: { id: house } }, bytes, { lock }).catch((error: unknown) => {
      throw error instanceof Problem ? new LoadError({ file: this.#source.name, line }, 'file', error.message) : error
    })
  }

  /**
   * Throws the problem of the first line that has one. If no line has a problem, another writer has stored a record
   * first.
   */
  async #refuse(batch: Batch): Promise<never> {
    await noteDuplicates(batch, { db: this.#context.db, house: batch.house })
    batch.refuse()
    const place = { file: batch.file, line: batch.lines[0]!.number }
    throw new LoadError(
      place,
      '',
      'another writer has stored a value of this line or of a later one: load the file again',
    )
  }

  #count(type: string, by: number) {
    this.#records[type] = (this.#records[type] ?? 0) + by
  }
}
