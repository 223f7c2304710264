import assert from 'node:assert/strict'
import { sql, type RawBuilder } from 'kysely'
import type { Database } from '../../src/db/pool.ts'
import type { Call, TestService } from './service.ts'

type Reply = Awaited<ReturnType<TestService['request']>>

const tables = sql<{ name: string }>`
  select schemaname || '.' || tablename as name from pg_tables
  where (schemaname = 'catalogue' and tablename <> 'item_documents') or (schemaname, tablename) = ('graphile_worker', '_private_jobs') order by name`

// The databases of all tests have the same tables.
let sums: RawBuilder<unknown>[] | undefined

/**
 * The checksum of every row of every table, including waiting jobs but not derived rows: if it is equal, nothing has
 * changed.
 */
export async function checksum(db: Database): Promise<string> {
  sums ??= (await tables.execute(db)).rows.map(
    ({ name }) => sql`(select sum(hashtextextended(t::text, 0)) from ${sql.table(name)} t)`,
  )
  assert.ok(sums.length > 15)
  return (await sql<{ sum: string }>`select row(${sql.join(sums)})::text as sum`.execute(db)).rows[0]!.sum
}

async function hasOpenTransactions(db: Database): Promise<boolean> {
  const { rows } = await sql`select from pg_stat_activity where datname = current_database()
    and backend_type = 'client backend' and xact_start is not null and pid <> pg_backend_pid()`.execute(db)
  return rows.length > 0
}

const isClose = (text: string, now: number) => /^\d{4}-.*Z$/.test(text) && Math.abs(Date.parse(text) - now) < 60_000

// Removes what a rehearsal cannot know: the ids of new records, and the time.
function comparable(value: unknown, newIds: string[], now: number): unknown {
  if (typeof value === 'string') return isClose(value, now) ? 'now' : newIds.includes(value) ? null : value
  if (Array.isArray(value))
    return value.filter((each) => !newIds.includes(each as string)).map((each) => comparable(each, newIds, now))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, comparable(each, newIds, now)]))
}

/** Asserts that the answer of a rehearsal equals that of the write. */
export function assertRehearsed(rehearsal: Reply, reply: Reply, message: string): void {
  const isDone = reply.statusCode < 300
  const where = `${message}: ${rehearsal.payload} and then ${reply.payload}`
  assert.equal(rehearsal.statusCode, isDone ? 200 : reply.statusCode, where)
  const body = reply.json<{ data?: { id: string } | { id: string }[] }>()
  const newIds = reply.statusCode === 201 ? [body.data!].flat().map(({ id }) => id) : []
  // One time for both, so that an older time in both is treated alike.
  const now = Date.now()
  const { warnings: _, ...rehearsed } = rehearsal.json<Record<string, unknown>>()
  assert.deepEqual(comparable(rehearsed, [], now), comparable(body, newIds, now), where)
  assert.equal(rehearsal.headers['dry-run'], isDone ? 'true' : undefined, where)
  assert.equal(reply.headers['dry-run'], undefined)
  if (!isDone) return
  assert.equal(rehearsal.headers['location'], undefined)
  assert.equal(rehearsal.headers['etag'], undefined)
  assert.equal(rehearsal.headers['content-type'], reply.headers['content-type'])
}

const isRehearsable = ({ method, url }: Call) =>
  (method === 'POST' || method === 'PATCH') &&
  /^\/api\/v2\/(auctions|sessions|lots|items)(\/[^/?]+)?(\/gallery)?(\?|$)/.test(url) &&
  !/dry_run/.test(url)

/** The same request as a rehearsal. */
export const tried = (call: Call): Call => ({
  ...call,
  url: `${call.url}${call.url.includes('?') ? '&' : '?'}dry_run=true`,
})

/**
 * Sends writes as `request` does, each after its rehearsal if no other write is under way: the rehearsal must change
 * nothing, and get the answer of the write.
 */
export function rehearseWrites({ db, request }: Pick<TestService, 'db' | 'request'>): (call: Call) => Promise<Reply> {
  let [begun, underWay] = [0, 0]
  return async (call: Call) => {
    const turn = ++begun
    const isAlone = () => begun === turn
    try {
      if (++underWay > 1 || !isRehearsable(call) || (await hasOpenTransactions(db))) return await request(call)
      const before = await checksum(db)
      const rehearsal = await request(tried(call))
      const after = await checksum(db)
      if (isAlone()) assert.equal(after, before, `${call.method} ${call.url} was only tried`)
      const reply = await request(call)
      if (isAlone()) assertRehearsed(rehearsal, reply, `${call.method} ${call.url} ${JSON.stringify(call.body)}`)
      return reply
    } finally {
      underWay--
    }
  }
}
