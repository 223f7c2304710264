import assert from 'node:assert/strict'
import { sql } from 'kysely'
import type { Database } from '../../src/db/pool.ts'
import { findHouse } from '../../src/houses/locks.ts'
import type { ProblemCode } from '../../src/problems.ts'
import { houseLine, type Line } from './lines.ts'
import { checksum, rehearseWrites } from './rehearsing.ts'
import { startService, type Call, type Json } from './service.ts'
import { contextAt } from './contexts.ts'

export { checksum }

/** An answer to a write: the resource, or the kind of problem and its errors as `field code`. */
export type Answer = {
  status: number
  data: Json
  problem: ProblemCode | undefined
  reason: string | undefined
  errors: string[]
  messages: string[]
  location: unknown
}

/** How many recalculations wait. */
export async function countJobs(db: Database): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from graphile_worker.jobs
    where task_identifier = 'recalculate_session'`.execute(db)
  return rows[0]!.count
}

/**
 * The service with the records of one house, `house` (more may be loaded), and a key with every permission. With
 * `rehearses`, each write is rehearsed first.
 */
export async function openWriting(records: Line[], house: Record<string, unknown> = {}, rehearses = true) {
  const service = await startService({ records: [houseLine('house', house), ...records] })
  const key = await service.issueKey('house')
  const request = rehearses ? rehearseWrites(service) : service.request
  const named = (await findHouse(service.db, 'house'))!

  async function send(method: string, path: string, body: unknown, call: Partial<Call> = {}): Promise<Answer> {
    const reply = await request({ method, url: `/api/v2/${path}`, key, body, ...call })
    type Body = {
      data: Json
      type?: string
      reason?: string
      errors?: { field: string; code: string; message: string }[]
    }
    const { data, type, reason, errors = [] } = reply.json<Body>()
    return {
      status: reply.statusCode,
      data,
      problem: type?.split('/').at(-1) as ProblemCode | undefined,
      reason,
      errors: errors.map(({ field, code }) => `${field} ${code}`),
      messages: errors.map(({ message }) => message),
      location: reply.headers['location'],
    }
  }

  return {
    ...service,
    key,
    house: named,
    send,
    post: (path: string, body: unknown, call?: Partial<Call>) => send('POST', path, body, call),
    patch: (path: string, body: unknown, call?: Partial<Call>) => send('PATCH', path, body, call),
    /** Reads a record. */
    show: (path: string) => service.read(`/api/v2/${path}`, key),
    /** The errors of a refused body, which must have changed no row of any table. */
    async errorsOf(method: 'POST' | 'PATCH', path: string, body: unknown): Promise<string[]> {
      const before = await checksum(service.db)
      const { status, errors } = await send(method, path, body)
      assert.equal(status, 422, JSON.stringify(body))
      assert.equal(await checksum(service.db), before, JSON.stringify(body))
      return errors
    },
    /** The status and kind of problem of a refused write, which must have changed no row of any table. */
    async refusal(method: 'POST' | 'PATCH', path: string, body: unknown, call?: Partial<Call>): Promise<string> {
      const before = await checksum(service.db)
      const { status, problem } = await send(method, path, body, call)
      assert.equal(await checksum(service.db), before, JSON.stringify(body))
      return `${status} ${problem}`
    },
    /** Sends a body that repeats the stored values: the answer is the resource, and no row of any table changes. */
    async repeats(path: string, body: unknown): Promise<void> {
      const before = await checksum(service.db)
      const { status, data } = await send('PATCH', path, body)
      assert.equal(status, 200, JSON.stringify(body))
      assert.deepEqual(data, await service.read(`/api/v2/${path}`, key))
      assert.equal(await checksum(service.db), before, JSON.stringify(body))
    },
    /** The context of a verb, at a time of the test. */
    at: (now: string, clock = now) => contextAt(service.db, named, new Date(now), () => new Date(clock)),
  }
}
