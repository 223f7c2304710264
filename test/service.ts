import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Readable, Writable } from 'node:stream'
import { pino } from 'pino'
import { createApp } from '../src/app.ts'
import { load } from '../src/backoffice/load/load.ts'
import { permissions as allPermissions, type Permission } from '../src/context.ts'
import { findHouse } from '../src/houses/houses.ts'
import { createKey, revokeKey } from '../src/houses/keys.ts'
import type { WindowStore } from '../src/http/rate-limit.ts'
import { openMediaStore } from '../src/media/store.ts'
import { createTestDatabase } from './database.ts'
import type { Line } from './records.ts'

/** The origin in the addresses of the service under test. */
export const publicUrl = 'https://catalogue.test'

/** A request to the service; `key` is a key's secret, `body` is sent as JSON unless it is a text or bytes. */
export type Call = {
  method?: string
  url: string
  key?: string | undefined
  headers?: Record<string, string>
  body?: unknown
}

/** The service on a database of its own, without a port. `close()` drops everything. */
export type TestService = Awaited<ReturnType<typeof startService>>

/** Starts the service on a database of its own, filled by lines of the load format. */
export async function startService(
  options: {
    rateLimitPerMinute?: number
    windows?: (database: Awaited<ReturnType<typeof createTestDatabase>>) => WindowStore
    records?: Line[]
  } = {},
) {
  const database = await createTestDatabase()
  const { db, pool } = database
  const dataDir = await mkdtemp(path.join(tmpdir(), 'catalogue-service-'))
  const secret = 'a secret of the tests'
  const media = await openMediaStore({ store: 'file' }, { dataDir, publicUrl, secret })
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
  const app = await createApp({ db, secret, media, publicUrl, rateLimitPerMinute, windows, logger })
  const statements = recordStatements(pool)

  const request = ({ method = 'GET', url, key, headers = {}, body }: Call) => {
    const raw = body === undefined || typeof body === 'string' || Buffer.isBuffer(body)
    return app.inject({
      method: method as 'GET',
      url,
      headers: {
        ...(key !== undefined && { authorization: `Bearer ${key}` }),
        ...(!raw && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { payload: raw ? body : JSON.stringify(body) }),
    })
  }

  const service = {
    ...database,
    app,
    dataDir,
    secret,
    media,
    /** The lines that the service has logged. */
    logs,
    /** The statements that were sent to the database: emptied by whoever counts them. */
    statements,
    request,
    get: (url: string, key: string, headers: Record<string, string> = {}) => request({ url, key, headers }),
    /** Loads lines of the load format. */
    load: (lines: Iterable<Line>) => loadLines({ db, media, dataDir }, lines),
    /** Issues a key of a house and gives its secret. */
    async issueKey(slug: string, permissions: readonly Permission[] = allPermissions) {
      const house = await findHouse(db, slug)
      return (await createKey(db, house!, [...permissions], null, new Date())).key
    },
    /** Issues a key and revokes it. */
    async issueRevokedKey(slug: string) {
      const house = await findHouse(db, slug)
      const { id, key } = await createKey(db, house!, [...allPermissions], null, new Date())
      await revokeKey(db, id, new Date())
      return key
    },
    async close() {
      await app.close()
      await rm(dataDir, { recursive: true, force: true })
      await database.drop()
    },
  }
  if (options.records) await service.load(options.records)
  return service
}

async function loadLines(to: Pick<TestService, 'db' | 'media' | 'dataDir'>, lines: Iterable<Line>) {
  const text = Readable.from(
    (function* () {
      for (const line of lines) yield Buffer.from(`${JSON.stringify(line)}\n`)
    })(),
  )
  const source = { name: 'test', stream: text, directory: to.dataDir }
  return load({ db: to.db, media: to.media, now: new Date() }, source)
}

/** A statement as the driver sends it. */
export type Statement = { text: string; values: unknown[] }

function recordStatements(pool: Awaited<ReturnType<typeof createTestDatabase>>['pool']): Statement[] {
  const statements: Statement[] = []
  pool.on('connect', (client) => {
    const query = client.query.bind(client) as (...args: unknown[]) => unknown
    const recording = (...args: unknown[]) => {
      const [statement, values] = args as [string | Partial<Statement>, unknown[] | undefined]
      if (typeof statement === 'string') statements.push({ text: statement, values: values ?? [] })
      else statements.push({ text: statement.text!, values: statement.values ?? [] })
      return query(...args)
    }
    client.query = recording as typeof client.query
  })
  return statements
}
