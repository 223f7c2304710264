import { randomUUID } from 'node:crypto'
import { writeSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { pino } from 'pino'
import { createApp } from './app.ts'
import { ConfigError, type Config } from './config.ts'
import { acquireEmbeddedServer } from './db/embedded/server.ts'
import { isMisaddressed, isOutOfService, isUnreachable } from './db/errors.ts'
import { migrate } from './db/migrate.ts'
import { openDatabase, type Connection, type LogStatement } from './db/pool.ts'
import { describeFolderError, makeFolder } from './folders.ts'
import type { WindowStore } from './request/rate-limit.ts'
import type { Metrics } from './metrics.ts'
import { openMediaStore } from './media/open.ts'
import { deriveKeyrings, findSecret } from './secret.ts'
import { escapeControls } from './values/text.ts'

/** The open database and media store of a catalogue, for the service and every command. */
export type Catalogue = Awaited<ReturnType<typeof openCatalogue>>

// Orchestrators do not wait longer for a probe either.
const probeMilliseconds = 5_000

type CatalogueOptions = { connections?: number; timeout?: number; logStatement?: LogStatement | undefined }

// Uses connections of its own, which wait as long as a migration takes.
async function bringUpToDate(connection: Connection): Promise<string[]> {
  const database = openDatabase(connection, 2)
  try {
    return await migrate(database)
  } catch (error) {
    const isExternal = 'connectionString' in connection
    if (!isExternal || !(isUnreachable(error) || isMisaddressed(error) || isOutOfService(error))) throw error
    throw new ConfigError(`DATABASE_URL cannot be used: ${(error as Error).message}`)
  } finally {
    await database.pool.end()
  }
}

/**
 * Opens the database and the media store, and migrates the schema. Starts the embedded database if it is needed.
 * `close()` releases everything. `abandon()` does not wait for running statements.
 */
export async function openCatalogue(config: Config, { connections = 4, timeout, logStatement }: CatalogueOptions = {}) {
  if (config.databaseUrl === undefined || config.secret === undefined || config.media.store === 'file') {
    await makeFolder(config.dataDir).catch((error: unknown) => {
      throw new ConfigError(`DATA_DIR ${config.dataDir}: ${describeFolderError(config.dataDir, error)}`)
    })
  }
  const embedded = config.databaseUrl === undefined ? await acquireEmbeddedServer(config.dataDir) : undefined
  const connection = embedded?.connection ?? { connectionString: config.databaseUrl! }
  const { db, pool } = openDatabase(connection, connections, { timeout, logStatement })
  const close = async () => {
    await pool.end()
    await embedded?.release()
  }
  const abandon = async () => embedded?.release()
  try {
    const migrations = await bringUpToDate(connection)
    const keyrings = deriveKeyrings(await findSecret(config.dataDir, config.secret), config.previousSecret)
    const media = await openMediaStore(config.media, { ...config, keyring: keyrings.addresses })
    return { config, connection, db, pool, keyrings, media, migrations, close, abandon }
  } catch (error) {
    await close()
    throw error
  }
}

/** The log of this process, on an open file: JSON lines without control characters that a terminal would obey. */
export function createLogger(config: Config, output: number = process.stdout.fd) {
  const write = (line: string) => {
    try {
      writeSync(output, `${escapeControls(line.trimEnd())}\n`)
    } catch {
      // The reader is gone or the disk is full. The line is lost, and the service goes on.
    }
  }
  return pino({ level: config.logLevel, base: { instance: randomUUID().slice(0, 8) } }, { write })
}

async function openWindows(config: Config, db: Catalogue['db']): Promise<WindowStore & { close(): void }> {
  if (config.redisUrl !== undefined) {
    const { Redis } = await import('ioredis')
    const redis = new Redis(config.redisUrl, { maxRetriesPerRequest: 1, connectTimeout: 2_000, commandTimeout: 5_000 })
    redis.on('error', () => undefined)
    return { in: 'redis', redis, close: () => redis.disconnect() }
  }
  return { ...(config.databaseUrl === undefined ? { in: 'memory' } : { in: 'postgres', db }), close: () => undefined }
}

/** Says what is wrong with PORT or METRICS_PORT, or with its host, if the service cannot listen there. */
export function describeListenError(error: NodeJS.ErrnoException, name: string, host: string, port: number): Error {
  const hostName = name.replace('PORT', 'HOST')
  const reasons: Record<string, string> = {
    EADDRINUSE: `${name} ${port} is already in use on ${host}`,
    EACCES: `${name} ${port} needs a privilege that this user does not have`,
    EADDRNOTAVAIL: `${hostName} ${host} is no address of this machine`,
    ENOTFOUND: `${hostName} ${host} is not known`,
  }
  const reason = reasons[error.code ?? '']
  return reason === undefined ? error : new ConfigError(reason)
}

/**
 * Starts the HTTP service on an open catalogue. `stop()` lets running requests finish, then stops.
 * @throws ConfigError if it cannot listen on the address
 */
export async function startService(catalogue: Catalogue, logger = createLogger(catalogue.config), metrics?: Metrics) {
  const { config, connection, db, keyrings, media } = catalogue
  const windows = await openWindows(config, db)
  // The service must not look down when requests use all connections of the pool.
  const { db: probe, pool: probePool } = openDatabase(connection, 1, { timeout: probeMilliseconds })
  const app = await createApp({
    db,
    keyrings,
    media,
    publicUrl: config.publicUrl,
    rateLimitPerMinute: config.rateLimitPerMinute,
    cacheBytes: config.answerCacheMiB * 1024 * 1024,
    windows,
    logger,
    probe,
    metrics,
  })
  const stop = async () => {
    await app.close()
    await probePool.end()
    windows.close()
  }
  if (config.media.store === 'file') {
    const { mediaRoutes } = await import('./media/routes.ts')
    await app.register(mediaRoutes, {
      dataDir: config.dataDir,
      keyring: keyrings.addresses,
      now: () => new Date(),
    })
  }
  try {
    await app.listen({ host: config.host, port: config.port })
  } catch (error) {
    await stop()
    throw describeListenError(error as NodeJS.ErrnoException, 'PORT', config.host, config.port)
  }
  const { port } = app.server.address() as AddressInfo
  return {
    port,
    logger,
    stop,
  }
}
