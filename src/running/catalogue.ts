import { ConfigError, type Config } from '../settings/config.ts'
import { acquireEmbeddedServer, EmbeddedServerError } from '../db/embedded/server.ts'
import { isMisaddressed, isOutOfService, isUnreachable } from '../db/errors.ts'
import { migrate } from '../db/schema/migrate.ts'
import { openDatabase, type Connection, type LogStatement } from '../db/pool.ts'
import { isPooledByTransaction } from '../db/pooler.ts'
import { describeFolderError, isFolderFault, makeFolder } from '../settings/folders.ts'
import { openMediaStore } from '../media/open.ts'
import { deriveKeyrings, findSecret } from '../settings/secret.ts'

/** The open database and media store of a catalogue, for the service and every command. */
export type Catalogue = Awaited<ReturnType<typeof openCatalogue>>

type CatalogueOptions = {
  connections?: number
  timeout?: number
  logStatement?: LogStatement | undefined
  signal?: AbortSignal
  /** Whether another process has brought the schema up to date. */
  isMigrated?: boolean
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
async function bringUpToDate(connection: Connection, dataDir: string): Promise<string[]> {
  const database = openDatabase(connection, 2)
  const isExternal = 'connectionString' in connection
  try {
    if (isExternal && (await isPooledByTransaction(database.pool))) throw new ConfigError(pooled)
    return await migrate(database)
  } catch (error) {
    if (!(isUnreachable(error) || isMisaddressed(error) || isOutOfService(error))) throw error
    const place = isExternal ? 'DATABASE_URL' : `the database in DATA_DIR ${dataDir}`
    throw new ConfigError(`${place} cannot be used: ${(error as Error).message}`, { cause: error })
  } finally {
    await database.pool.end()
  }
}

// A folder that this user may not use is a wrong setting, wherever that is found.
function refuseFolder(error: unknown): never {
  if (error instanceof EmbeddedServerError && isFolderFault(error.cause))
    throw new ConfigError(error.message, { cause: error.cause })
  throw error
}

/**
 * Opens the database and the media store, and migrates the schema. Starts the embedded database if no other is set.
 * `close()` releases everything. `abandon()` does not wait for running statements.
 * @throws the signal's reason when it aborts; the embedded database is then stopped, unless other processes use it
 */
export async function openCatalogue(
  config: Config,
  { connections = 4, timeout, logStatement, signal, isMigrated = false, onDatabase }: CatalogueOptions = {},
) {
  signal?.throwIfAborted()
  if (config.databaseUrl === undefined || config.secret === undefined || config.media.store === 'file') {
    await makeFolder(config.dataDir).catch((error: unknown) => {
      throw new ConfigError(`DATA_DIR ${config.dataDir}: ${describeFolderError(config.dataDir, error)}`)
    })
  }
  const embedded =
    config.databaseUrl === undefined
      ? await acquireEmbeddedServer(config.dataDir, { signal }).catch(refuseFolder)
      : undefined
  const connection = embedded?.connection ?? { connectionString: config.databaseUrl! }
  const { db, pool } = openDatabase(connection, connections, { timeout, logStatement })
  const close = async () => {
    await pool.end()
    await embedded?.release()
  }
  const abandon = async () => embedded?.release()
  try {
    onDatabase?.()
    const migrations = isMigrated ? [] : await unlessAborted(bringUpToDate(connection, config.dataDir), signal)
    const keyrings = deriveKeyrings(await findSecret(config.dataDir, config.secret), config.previousSecret)
    const media = await openMediaStore(config.media, { ...config, keyring: keyrings.addresses })
    return { config, connection, db, pool, keyrings, media, migrations, close, abandon }
  } catch (error) {
    await close()
    throw error
  }
}
