import { sql, type Selectable } from 'kysely'
import type { Scope } from '../context.ts'
import { names } from '../db/advisory-locks.ts'
import type { Tables } from '../db/schema/tables.ts'

/** Locks an `Idempotency-Key` of the house until the transaction ends; false if another transaction has it. */
export async function lockKey({ db, house }: Scope, key: string): Promise<boolean> {
  const { rows } = await sql<{ locked: boolean }>`
    select pg_try_advisory_xact_lock(hashtextextended(${names.key(house.id, key)}, 0)) as locked`.execute(db)
  return rows[0]!.locked
}

type RememberedAnswer = Selectable<Tables['catalogue.idempotency_keys']>

/** The answer stored under a key. */
export async function findAnswer(
  { db, house }: Scope,
  key: string,
): Promise<Pick<RememberedAnswer, 'request' | 'status' | 'body' | 'location'> | undefined> {
  return db
    .selectFrom('catalogue.idempotency_keys')
    .select(['request', 'status', 'body', 'location'])
    .where('house_id', '=', house.id)
    .where('key', '=', key)
    .executeTakeFirst()
}

/** Only answers with more bytes count towards the sum of large answers. Their index has this number too. */
export const largeAnswerBytes = 16_384

/** The bytes of the house's stored large answers. */
export async function sumLargeAnswers({ db, house }: Scope): Promise<number> {
  const { rows } = await sql<{ bytes: string }>`
    select coalesce(sum(octet_length(body)), 0) as bytes from catalogue.idempotency_keys
    where house_id = ${house.id} and octet_length(body) > ${sql.lit(largeAnswerBytes)}`.execute(db)
  return Number(rows[0]!.bytes)
}

/** Stores an answer; false if its key has one. */
export async function insertAnswer({ db, house }: Scope, answer: Omit<RememberedAnswer, 'house_id'>): Promise<boolean> {
  const inserted = await db
    .insertInto('catalogue.idempotency_keys')
    .values({ ...answer, house_id: house.id })
    .onConflict((conflict) => conflict.doNothing())
    .returning('key')
    .executeTakeFirst()
  return inserted !== undefined
}

/** Deletes at most `most` answers from before a time. Returns how many. */
export async function deleteAnswers({ db, house }: Scope, before: Date, most: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from catalogue.idempotency_keys where house_id = ${house.id} and key in (
      select key from catalogue.idempotency_keys where house_id = ${house.id} and created_at < ${before}
      order by created_at limit ${most})`.execute(db)
  return Number(numAffectedRows)
}
