import { sql } from 'kysely'
import type { Remembered, Scope } from '../context.ts'
import { names } from '../db/advisory-locks.ts'
import { compileOnce } from '../db/compile.ts'
import { sendAhead } from '../db/pipeline.ts'
import type { Database } from '../db/pool.ts'

const limitWaits = compileOnce<{ most: string }>(
  (value) => sql`select set_config('lock_timeout', ${value('most')}, true)`,
)

/** Lets a statement of the transaction that waits longer than a tenth of a second for a lock fail. */
export async function waitBriefly(db: Database): Promise<void> {
  await sendAhead(db, limitWaits({ most: '100ms' }))
}

const lockAll = compileOnce<{ keys: string[]; locks: string[] }>(
  (value) => sql`
    select key from unnest(${value('keys')}::text[], ${value('locks')}::text[]) k (key, lock)
    where pg_try_advisory_xact_lock(hashtextextended(lock, 0))`,
)

/** Locks each `Idempotency-Key` of the house until the transaction ends. Returns those that no other transaction has. */
export async function lockKeys({ db, house }: Scope, keys: string[]): Promise<Set<string>> {
  if (keys.length === 0) return new Set()
  const locks = keys.map((key) => names.key(house.id, key))
  const { rows } = await db.executeQuery<{ key: string }>(lockAll({ keys, locks }).compile())
  return new Set(rows.map(({ key }) => key))
}

/** The answer stored under a key. */
export async function findAnswer(
  { db, house }: Scope,
  key: string,
): Promise<Omit<Remembered, 'key' | 'created_at'> | undefined> {
  return db
    .selectFrom('catalogue.idempotency_keys')
    .select(['request', 'status', 'body', 'location'])
    .where('house_id', '=', house.id)
    .where('key', '=', key)
    .executeTakeFirst()
}

// Their index has this number too.
const largeAnswerBytes = 16_384

/** Whether an answer of this size counts towards the sum of large answers. */
export const isLarge = (bytes: number) => bytes > largeAnswerBytes

/** The bytes of the house's stored large answers. */
export async function sumLargeAnswers({ db, house }: Scope): Promise<number> {
  const { rows } = await sql<{ bytes: string }>`
    select coalesce(sum(octet_length(body)), 0) as bytes from catalogue.idempotency_keys
    where house_id = ${house.id} and octet_length(body) > ${sql.lit(largeAnswerBytes)}`.execute(db)
  return Number(rows[0]!.bytes)
}

/** Stores an answer; false if its key has one. */
export async function insertAnswer({ db, house }: Scope, answer: Remembered): Promise<boolean> {
  const inserted = await db
    .insertInto('catalogue.idempotency_keys')
    .values({ ...answer, house_id: house.id })
    .onConflict((conflict) => conflict.doNothing())
    .returning('key')
    .executeTakeFirst()
  return inserted !== undefined
}

const insertRows = compileOnce<Record<'house' | keyof Remembered, unknown>>(
  (value) => sql`
    insert into catalogue.idempotency_keys (house_id, key, request, status, body, location, created_at)
    select ${value('house')}::bigint, a.* from unnest(${value('key')}::text[], ${value('request')}::bytea[],
      ${value('status')}::integer[], ${value('body')}::text[], ${value('location')}::text[], ${value('created_at')}::timestamptz[]) a`,
)

/** Stores answers with the next statement, which fails if one of their keys has an answer. */
export async function insertAnswers({ db, house }: Scope, answers: Remembered[]): Promise<void> {
  if (answers.length === 0) return
  const list = <Name extends keyof Remembered>(name: Name) => answers.map((answer) => answer[name])
  const [key, status, body] = [list('key'), list('status'), list('body')]
  const request = list('request').map((hash) => `\\x${hash.toString('hex')}`)
  await sendAhead(
    db,
    insertRows({
      house: house.id,
      key,
      request,
      status,
      body,
      location: list('location'),
      created_at: list('created_at'),
    }),
  )
}

/** Deletes at most `most` answers from before a time. Returns how many. */
export async function deleteAnswers({ db, house }: Scope, before: Date, most: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from catalogue.idempotency_keys where house_id = ${house.id} and key in (
      select key from catalogue.idempotency_keys where house_id = ${house.id} and created_at < ${before}
      order by created_at limit ${most})`.execute(db)
  return Number(numAffectedRows)
}
