import { ConfigError, type Config } from './config.ts'
import { acquireEmbeddedServer } from './db/embedded/server.ts'
import { isMisaddressed, isOutOfService, isUnreachable } from './db/errors.ts'
import { migrate } from './db/schema/migrate.ts'
import { openDatabase, type Connection, type LogStatement } from './db/pool.ts'
import { isPooledByTransaction } from './db/pooler.ts'
import { describeFolderError, makeFolder } from './folders.ts'
import { openMediaStore } from './media/open.ts'
import { deriveKeyrings, findSecret } from './secret.ts'

/** The open database and media store of a catalogue, for the service and every command. */
export type Catalogue = Awaited<ReturnType<typeof openCatalogue>>

type CatalogueOptions = {
  connections?: number
  timeout?: number
  logStatement?: LogStatement | undefined
  signal?: AbortSignal
  /** Called when the database runs, before the migrations. */
  onDatabase?: () => void
}

/** Waits for the work. If the signal aborts first, throws its reason and does not wait any longer. */
export async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  let abort!: () => void
  const aborted = new Promise<never>((_resolve, reject) => (abort = () => reject(signal!.reason as Error)))
  signal?.addEventListener('abort', abort)
  if (signal?.aborted) abort()
  try {
    return await Promise.race([work, aborted])
  } finally {
    signal?.removeEventListener('abort', abort)
  }
}

const pooled =
  'DATABASE_URL names a pooler in transaction mode, which mixes prepared statements, settings and locks of its clients: set it to session mode or name the server'

// On connections of its own without a time-out, because a migration may take long.
async function bringUpToDate(connection: Connection): Promise<string[]> {
  const database = openDatabase(connection, 2)
  const isExternal = 'connectionString' in connection
  try {
    if (isExternal && (await isPooledByTransaction(database.pool))) throw new ConfigError(pooled)
    return await migrate(database)
  } catch (error) {
    if (!isExternal || !(isUnreachable(error) || isMisaddressed(error) || isOutOfService(error))) throw error
    throw new ConfigError(`DATABASE_URL cannot be used: ${(error as Error).message}`, { cause: error })
  } finally {
    await database.pool.end()
  }
}

/**
 * Opens the database and the media store, and migrates the schema. Starts the embedded database if no other is set.
 * `close()` releases everything. `abandon()` does not wait for running statements.
 * @throws the signal's reason when it aborts; the embedded database is then stopped, unless other processes use it
 */
export async function openCatalogue(
  config: Config,
  { connections = 4, timeout, logStatement, signal, onDatabase }: CatalogueOptions = {},
) {
  signal?.throwIfAborted()
  if (config.databaseUrl === undefined || config.secret === undefined || config.media.store === 'file') {
    await makeFolder(config.dataDir).catch((error: unknown) => {
      throw new ConfigError(`DATA_DIR ${config.dataDir}: ${describeFolderError(config.dataDir, error)}`)
    })
  }
  const embedded =
    config.databaseUrl === undefined ? await acquireEmbeddedServer(config.dataDir, { signal }) : undefined
  const connection = embedded?.connection ?? { connectionString: config.databaseUrl! }
  const { db, pool } = openDatabase(connection, connections, { timeout, logStatement })
  const close = async () => {
    await pool.end()
    await embedded?.release()
  }
  const abandon = async () => embedded?.release()
  try {
    onDatabase?.()
    const migrations = await unlessAborted(bringUpToDate(connection), signal)
    const keyrings = deriveKeyrings(await findSecret(config.dataDir, config.secret), config.previousSecret)
    const media = await openMediaStore(config.media, { ...config, keyring: keyrings.addresses })
    return { config, connection, db, pool, keyrings, media, migrations, close, abandon }
  } catch (error) {
    await close()
    throw error
  }
}
