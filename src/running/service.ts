import type { AddressInfo } from 'node:net'
import { createApp } from '../app.ts'
import type { Catalogue } from './catalogue.ts'
import type { Config } from '../settings/config.ts'
import { openDatabase } from '../db/pool.ts'
import { createLogger } from './logger.ts'
import type { Metrics } from './metrics.ts'
import type { Dice } from '../http/server/faults.ts'
import { describeListenError } from './ports.ts'
import { expectAllRequests } from '../values/traffic.ts'
import type { WindowStore } from '../http/access/rate-limit.ts'
import { readWindow } from '../window/files.ts'

// No orchestrator waits longer for a probe.
const probeMilliseconds = 5_000

async function openWindows(config: Config, db: Catalogue['db']): Promise<WindowStore & { close(): void }> {
  if (config.redisUrl !== undefined) {
    const { Redis } = await import('ioredis')
    const redis = new Redis(config.redisUrl, {
      maxRetriesPerRequest: 1,
      connectTimeout: 2_000,
      commandTimeout: 5_000,
      // Without it, the pool would use a connection that was lost unnoticed until the operating system closes it.
      socketTimeout: 5_000,
    })
    redis.on('error', () => undefined)
    return { in: 'redis', redis, close: () => redis.disconnect() }
  }
  const isAlone = config.databaseUrl === undefined && config.processes === 1
  if (isAlone) expectAllRequests()
  return { ...(isAlone ? { in: 'memory' } : { in: 'postgres', db }), close: () => undefined }
}

async function openWindow(config: Config, logger: ReturnType<typeof createLogger>) {
  if (config.window === 'off') return undefined
  const files = await readWindow()
  if (files === undefined) logger.warn('the window is not built, so there is no page at /: npm run build builds it')
  return files
}

/**
 * Starts the HTTP service on an open catalogue. `stop()` waits for running requests.
 * @throws ConfigError if it cannot listen on the address
 */
export async function startService(
  catalogue: Catalogue,
  logger = createLogger(catalogue.config),
  metrics?: Metrics,
  faults?: Dice,
) {
  const { config, connection, db, keyrings, media } = catalogue
  const windows = await openWindows(config, db)
  const window = await openWindow(config, logger)
  // Probes have a connection of their own: the service must not look down while requests use the whole pool.
  const { db: probe, pool: probePool } = openDatabase(connection, 1, { timeout: probeMilliseconds })
  const app = await createApp({
    db,
    keyrings,
    media,
    ...(config.media.store === 'file' && { dataDir: config.dataDir }),
    publicUrl: config.publicUrl,
    rateLimitPerMinute: config.rateLimitPerMinute,
    searchBytes: Math.floor((config.searchMemoryMiB * 1024 * 1024) / config.processes),
    cacheBytes: Math.floor((config.answerCacheMiB * 1024 * 1024) / config.processes),
    windows,
    window,
    logger,
    connection,
    probe,
    metrics,
    faults,
  })
  const stop = async () => {
    await app.close()
    await probePool.end()
    windows.close()
  }
  try {
    await app.listen({ host: config.host, port: config.port })
  } catch (error) {
    await stop()
    throw describeListenError(error as NodeJS.ErrnoException, 'PORT', config.host, config.port)
  }
  const { port } = app.server.address() as AddressInfo
  return { port, logger, stop, hasWindow: window !== undefined }
}
