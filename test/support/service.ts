import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Writable } from 'node:stream'
import { pino } from 'pino'
import { createApp } from '../../src/app.ts'
import { allPermissions, type Permission } from '../../src/context.ts'
import { StatementBatch } from '../../src/db/statement-batch.ts'
import { openDatabase, type Connection } from '../../src/db/pool.ts'
import { findHouse } from '../../src/houses/locks.ts'
import { createKey, revokeKey, type KeyTerms } from '../../src/houses/api-keys.ts'
import type { WindowFiles } from '../../src/window/files.ts'
import type { WindowStore } from '../../src/http/access/rate-limit.ts'
import type { Dice } from '../../src/http/server/faults.ts'
import type { Timeouts } from '../../src/http/server/http-server.ts'
import { openMediaStore } from '../../src/media/open.ts'
import type { MediaStore } from '../../src/media/store.ts'
import type { ProblemCode } from '../../src/problems.ts'
import { deriveKeyrings } from '../../src/settings/secret.ts'
import { createTestDatabase } from './database.ts'
import { loadLines } from './inside.ts'
import { compareReads, type Read } from './reads.ts'
import type { Line } from './lines.ts'

/** The origin in the URLs of the service under test. */
export const publicUrl = 'https://catalogue.test'

/** Options of a service that refuses nothing because the machine is busy. */
export const steady = { longestLag: 600_000, searchPatience: 600_000 }

/** A request to the service; `key` is a key's secret; `body` is sent as JSON unless it is a text or bytes. */
export type Call = {
  method?: string
  url: string
  key?: string | undefined
  headers?: Record<string, string>
  body?: unknown
}

/** A resource in an answer. */
export type Json = { [field: string]: unknown; id: string }

/** The service on a database of its own, without a port. `close()` drops everything. */
export type TestService = Awaited<ReturnType<typeof startService>>

/** Starts the service on a database of its own, filled by lines of the load format. */
export async function startService(
  options: {
    rateLimitPerMinute?: number
    /** Whether closing repeats every read of the test, with and without the cache. */
    comparesReads?: boolean
    cacheBytes?: number
    searchBytes?: number
    windows?: (database: Awaited<ReturnType<typeof createTestDatabase>>) => WindowStore
    records?: Line[]
    media?: MediaStore
    window?: WindowFiles
    timeouts?: Timeouts
    faults?: Dice
    /** The service's own route to the database. */
    route?: (connection: Connection) => Promise<Connection>
  } = {},
) {
  const database = await createTestDatabase()
  const { db, pool } = database
  const dataDir = await mkdtemp(path.join(tmpdir(), 'catalogue-service-'))
  const secret = 'a secret of the tests, long enough'
  const keyrings = deriveKeyrings(secret)
  const media =
    options.media ?? (await openMediaStore({ store: 'file' }, { dataDir, publicUrl, keyring: keyrings.addresses }))
  const logs: Record<string, unknown>[] = []
  const logger = pino(
    { level: 'info' },
    new Writable({
      write(chunk, _encoding, done) {
        logs.push(JSON.parse(String(chunk)) as Record<string, unknown>)
        done()
      },
    }),
  )
  const rateLimitPerMinute = options.rateLimitPerMinute ?? 0
  const windows = options.windows?.(database) ?? { in: 'memory' as const }
  const cacheBytes = options.cacheBytes ?? 64 * 1024 * 1024
  const connection = options.route ? await options.route(database.connection) : database.connection
  const routed = options.route && openDatabase(connection, 4)
  const parts = {
    ...steady,
    db: routed?.db ?? db,
    connection,
    keyrings,
    media,
    publicUrl,
    rateLimitPerMinute,
    windows,
    logger,
  }
  const app = await createApp({
    ...parts,
    cacheBytes,
    searchBytes: options.searchBytes,
    ...(options.timeouts && { timeouts: options.timeouts }),
    faults: options.faults,
    window: options.window,
  })
  const statements = recordStatements(pool)
  const reads: Read[] = []
  const readAgain = async () => {
    const plain = await createApp({ ...parts, cacheBytes: 0, logger: pino({ level: 'silent' }) })
    try {
      await compareReads(reads, app, plain)
    } finally {
      await plain.close()
    }
  }

  const request = async ({ method = 'GET', url, key, headers = {}, body }: Call) => {
    const raw = body === undefined || typeof body === 'string' || Buffer.isBuffer(body)
    const reply = await app.inject({
      method: method as 'GET',
      url,
      headers: {
        ...(key !== undefined && { authorization: `Bearer ${key}` }),
        ...(!raw && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { payload: raw ? body : JSON.stringify(body) }),
    })
    if (options.comparesReads && method === 'GET' && reply.statusCode === 200) reads.push({ url, key })
    return reply
  }

  const service = {
    ...database,
    app,
    dataDir,
    secret,
    keyrings,
    media,
    /** The lines in the service's log. */
    logs,
    /** The statements that were sent to the database. A test that counts them empties the list. */
    statements,
    request,
    get: (url: string, key: string, headers: Record<string, string> = {}) => request({ url, key, headers }),
    /** The resource or the page at a path, which must exist. */
    async read<T = Json>(url: string, key: string): Promise<T> {
      const reply = await request({ url, key })
      assert.equal(reply.statusCode, 200, `${url} answered ${reply.payload}`)
      return reply.json<{ data: T }>().data
    },
    /** Every record of a collection, page by page. */
    async walk<T = Json>(url: string, key: string): Promise<T[]> {
      const records: T[] = []
      for (let cursor: string | null = ''; cursor !== null;) {
        const query: string = cursor === '' ? '' : `${url.includes('?') ? '&' : '?'}cursor=${cursor}`
        const reply = await request({ url: url + query, key })
        assert.equal(reply.statusCode, 200, `${url + query} answered ${reply.payload}`)
        const page = reply.json<{ data: T[]; next_cursor: string | null }>()
        records.push(...page.data)
        cursor = page.next_cursor
      }
      return records
    },
    /** Asserts that the answer for a path has this status and kind of problem. */
    async refused(url: string, key: string, status: number, code: ProblemCode) {
      const reply = await request({ url, key })
      assert.equal(reply.statusCode, status, `${url} answered ${reply.payload}`)
      assert.equal(reply.json<{ type: string }>().type, `${publicUrl}/problems/${code}`)
    },
    /** Loads lines of the load format. */
    load: (lines: Iterable<Line>) => loadLines({ db, media }, dataDir, lines),
    /** Issues a key of a house. Returns its secret. */
    async issueKey(slug: string, permissions: readonly Permission[] = allPermissions, terms: Partial<KeyTerms> = {}) {
      const house = await findHouse(db, slug)
      return (await createKey(db, house!, [...permissions], null, new Date(), terms)).key
    },
    /** Issues a key and revokes it. */
    async issueRevokedKey(slug: string) {
      const house = await findHouse(db, slug)
      const { id, key } = await createKey(db, house!, [...allPermissions], null, new Date())
      await revokeKey(db, id, new Date())
      return key
    },
    async close() {
      const [outcome] = await Promise.allSettled([reads.length > 0 ? readAgain() : undefined])
      await app.close()
      await routed?.pool.end()
      await rm(dataDir, { recursive: true, force: true })
      await database.drop()
      if (outcome.status === 'rejected') throw outcome.reason
    },
  }
  if (options.records) await service.load(options.records)
  return service
}

/** A statement as the driver sends it. */
export type Statement = { text: string; values: unknown[] }

function recordStatements(pool: Awaited<ReturnType<typeof createTestDatabase>>['pool']): Statement[] {
  const statements: Statement[] = []
  pool.on('connect', (client) => {
    const query = client.query.bind(client) as (...args: unknown[]) => unknown
    const recording = (...args: unknown[]) => {
      const [first, values] = args as [string | Statement | StatementBatch, unknown[] | undefined]
      const single = typeof first === 'string' ? [{ text: first, values }] : [first as Statement]
      const sent = first instanceof StatementBatch ? first.statements : single
      for (const statement of sent) statements.push({ text: statement.text, values: statement.values ?? [] })
      return query(...args)
    }
    client.query = recording as typeof client.query
  })
  return statements
}
