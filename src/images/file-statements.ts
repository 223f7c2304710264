import { sql } from 'kysely'
import type { Scope } from '../context.ts'
import { pairs } from '../db/advisory-locks.ts'
import type { Database } from '../db/pool.ts'

/** The bytes of a house's stored originals, and of all files that were made from them. */
export async function sumBytes({ db, house }: Scope): Promise<{ originals: number; renditions: number }> {
  const { rows } = await sql<{ originals: string; renditions: string }>`
    select coalesce(sum(original_bytes), 0)::text as originals, coalesce(sum(renditions_bytes), 0)::text as renditions
    from catalogue.images where house_id = ${house.id} and (original is not null or renditions is not null)`.execute(db)
  const { originals, renditions } = rows[0]!
  return { originals: Number(originals), renditions: Number(renditions) }
}

/** The storage limits of all houses, in bytes, by slug. */
export async function findStorageLimits(db: Database): Promise<{ id: string; slug: string; limit: string }[]> {
  return db.selectFrom('catalogue.houses').select(['id', 'slug', 'storage_limit as limit']).orderBy('slug').execute()
}

/** The storage limit of a house, in bytes. */
export async function findStorageLimit({ db, house }: Scope): Promise<number> {
  const { limit } = await db
    .selectFrom('catalogue.houses')
    .select('storage_limit as limit')
    .where('id', '=', house.id)
    .executeTakeFirstOrThrow()
  return Number(limit)
}

const [space, number] = pairs.backup

/** Keeps jobs from deleting files until the connection ends. A backup calls this before it takes its snapshot. */
export async function holdFiles(connection: Database): Promise<void> {
  await sql`select pg_advisory_lock_shared(${space}::int, ${number}::int)`.execute(connection)
}

/**
 * Whether a backup may still need files that no row names any more. Call it only when no row names them: the snapshot
 * of a later backup then does not name them either.
 */
export async function areFilesHeld(db: Database): Promise<boolean> {
  const { rows } = await sql<{ held: boolean }>`
    select exists (select from pg_locks where locktype = 'advisory' and granted and objsubid = 2
      and classid::bigint = ${space}::bigint and objid::bigint = ${number}::bigint
      and database = (select oid from pg_database where datname = current_database())) as held`.execute(db)
  return rows[0]!.held
}

/** The time at which the oldest open transaction began. */
export async function findOldestTransaction(db: Database): Promise<Date | null> {
  const { rows } = await sql<{ begun: Date | null }>`
    select min(xact_start) as begun from pg_stat_activity
    where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()`.execute(db)
  return rows[0]!.begun
}

/** The column that names an image's files, an original or a folder of renditions. */
type FileColumn = 'original' | 'renditions'

/** The files that an image names. */
type NamedFiles = { id: string; name: string; bytes: string | null }

/** The images of a house that name these files. */
export async function findNaming({ db, house }: Scope, column: FileColumn, names: string[]): Promise<NamedFiles[]> {
  const { rows } = await sql<NamedFiles>`
    select id, ${sql.ref(column)} as name, ${sql.ref(`${column}_bytes`)} as bytes
    from catalogue.images where house_id = ${house.id} and ${sql.ref(column)} = any(${names})`.execute(db)
  return rows
}

/** Records the sizes of files that the images still name. */
export async function noteBytes(
  { db, house }: Scope,
  column: FileColumn,
  files: { id: string; name: string; bytes: number }[],
): Promise<void> {
  await sql`
    update catalogue.images image set ${sql.ref(`${column}_bytes`)} = found.bytes
    from unnest(${files.map(({ id }) => id)}::bigint[], ${files.map(({ name }) => name)}::text[],
      ${files.map(({ bytes }) => bytes)}::bigint[]) found (id, name, bytes)
    where image.house_id = ${house.id} and image.id = found.id and ${sql.ref(`image.${column}`)} = found.name`.execute(
    db,
  )
}
