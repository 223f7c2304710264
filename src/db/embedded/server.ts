import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { mkdtemp, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

import { Client } from 'pg'

import { describeFolderError } from '../../settings/folders.ts'
import { locks } from '../advisory-locks.ts'
import { errorCode, isUnreachable } from '../errors.ts'
import { type Cluster, openCluster } from './cluster.ts'
import { boundLog, lastLogLine } from './log.ts'
import { findServer, startServer, stopServer } from './postmaster.ts'

// Several processes use one server: the service and commands. Each holds a shared advisory lock on a connection (its
// presence). A process that leaves tries to get the lock exclusively. If it succeeds, it is the last one and stops
// the server. A killed process needs no clean-up: its lock ends with its connection.

/** A running embedded server that this process uses. Other processes may use it at the same time. */
export type EmbeddedServer = {
  /** Options of a pg client. `host` is the folder of the server's socket. It stays valid over restarts. */
  connection: Connection
  /** Releases the server; the last process stops it. Close your own connections first. May be called twice. */
  release(): Promise<void>
}

type Connection = { host: string; port: number; user: string; database: string; ssl: false }
type Presence = { client: Client; lost: Promise<void> }

/** `durable: false` is for tests: a crash may lose everything. `signal` aborts a start. */
type ServerOptions = { durable?: boolean; signal?: AbortSignal | undefined }

/** Why there is no embedded server. The message is one line for the operator, and names DATA_DIR. */
export class EmbeddedServerError extends Error {
  override name = 'EmbeddedServerError'
}

const longestSocketPath = 103
const connectMilliseconds = 10_000
const absentMilliseconds = 60_000
const logMilliseconds = 5_000
const recoveryMilliseconds = 10 * 60_000

/**
 * Uses the PostgreSQL server below DATA_DIR. Creates its data on the first use, starts it if it does not run, and
 * restarts it if it dies before `release`.
 * @throws EmbeddedServerError, or the signal's reason; then this process leaves no unused server behind
 */
export async function acquireEmbeddedServer(
  dataDir: string,
  { durable = true, signal: givenUp }: ServerOptions = {},
): Promise<EmbeddedServer> {
  const leaving = new AbortController()
  const { signal } = leaving
  let folder: Awaited<ReturnType<typeof socketFolder>> | undefined
  try {
    const cluster = await openCluster(resolve(dataDir), durable, givenUp)
    folder = await socketFolder(cluster.directory)
    const { path: host, remove } = folder
    let presence: Presence | undefined = await joinServer(cluster, host, givenUp).catch(async (error: unknown) => {
      if (givenUp?.aborted) await leaveServer(cluster, host, undefined)
      throw error
    })

    const aborted = once(signal, 'abort')
    const supervise = async () => {
      while (!signal.aborted) {
        if (presence) await Promise.race([presence.lost, aborted])
        if (signal.aborted) return
        presence = await joinServer(cluster, host, signal).catch(() => undefined)
        if (!presence) await sleep(1000, undefined, { signal }).catch(() => undefined)
      }
    }
    const supervision = supervise()
    const bounding = setInterval(() => void boundLog(cluster).catch(() => undefined), logMilliseconds).unref()

    let released: Promise<void> | undefined
    const release = async () => {
      clearInterval(bounding)
      leaving.abort()
      await supervision
      try {
        await leaveServer(cluster, host, presence)
      } catch (error) {
        throw explain(dataDir, error)
      } finally {
        remove()
      }
    }
    return { connection: connectionTo(host, 'catalogue'), release: () => (released ??= release()) }
  } catch (error) {
    folder?.remove()
    givenUp?.throwIfAborted()
    throw explain(dataDir, error)
  }
}

/** Connects. Starts the server if none runs, and waits while one starts, recovers or stops. */
async function joinServer(cluster: Cluster, host: string, signal: AbortSignal | undefined): Promise<Presence> {
  const begun = Date.now()
  for (;;) {
    signal?.throwIfAborted()
    const presence = connect(host)
    let absent = false
    try {
      await presence.client.connect()
      await presence.client.query('select pg_advisory_lock_shared($1)', [locks.presence])
      await createDatabase(presence.client)
      return presence
    } catch (error) {
      await presence.client.end().catch(() => undefined)
      if (!isTransient(error)) throw error
      absent = isAbsent(error)
    }
    const running = (await findServer(cluster)) !== undefined
    if (Date.now() > begun + (running ? recoveryMilliseconds : absentMilliseconds)) {
      throw new Error(`the server accepts no connections; its log ends with: ${await lastLogLine(cluster)}`)
    }
    if (absent && !running) await startServer(cluster, signal)
    await sleep(50, undefined, signal && { signal })
  }
}

/** Ends the presence of this process. Stops the server if no other process is present. */
async function leaveServer(cluster: Cluster, host: string, presence: Presence | undefined): Promise<void> {
  const deadline = Date.now() + absentMilliseconds
  for (let client = presence?.client; ; client = undefined) {
    try {
      if (!client) {
        client = connect(host).client
        await client.connect()
      }
      if (await isAlone(client)) await stopServer(cluster)
      return
    } catch (error) {
      if (!isTransient(error) || Date.now() > deadline) throw error
      if ((await findServer(cluster)) === undefined) return
    } finally {
      await client?.end().catch(() => undefined)
    }
    await sleep(50)
  }
}

async function isAlone(client: Client): Promise<boolean> {
  await client.query('select pg_advisory_unlock_all()')
  const sql = 'select pg_try_advisory_lock($1) as alone'
  const { rows } = await client.query<{ alone: boolean }>(sql, [locks.presence])
  return rows[0]?.alone ?? false
}

async function createDatabase(client: Client): Promise<void> {
  const { rows } = await client.query("select from pg_database where datname = 'catalogue'")
  if (rows.length > 0) return
  try {
    await client.query('create database catalogue')
  } catch (error) {
    // Another process was first.
    if (!['42P04', '23505'].includes(errorCode(error) ?? '')) throw error
  }
}

function connect(host: string): Presence {
  const client = new Client({
    ...connectionTo(host, 'postgres'),
    application_name: 'catalogue presence',
    connectionTimeoutMillis: connectMilliseconds,
  })
  // An error without a listener would end the process. `lost` reports the end of the connection.
  client.on('error', () => undefined)
  return { client, lost: new Promise((end) => client.once('end', () => end())) }
}

/** Sets every option, so that no PG… variable of the environment applies. */
function connectionTo(host: string, database: string): Connection {
  return { host, port: 5432, user: 'catalogue', database, ssl: false }
}

/** The folder in which clients find the socket: a private alias if the path is too long for a socket address. */
async function socketFolder(directory: string): Promise<{ path: string; remove: () => void }> {
  if (Buffer.byteLength(join(directory, '.s.PGSQL.5432')) <= longestSocketPath) {
    return { path: directory, remove: () => undefined }
  }
  const alias = await mkdtemp(join(tmpdir(), 'catalogue-'))
  const remove = () => {
    process.off('exit', remove)
    rmSync(alias, { recursive: true, force: true })
  }
  process.on('exit', remove)
  const path = join(alias, 'postgres')
  await symlink(directory, path)
  return { path, remove }
}

function isAbsent(error: unknown): boolean {
  return ['ENOENT', 'ECONNREFUSED'].includes(errorCode(error) ?? '')
}

/** Whether to try again: no server listens, it starts, stops or restarts, or the connection broke (no code). */
function isTransient(error: unknown): boolean {
  const codes = [undefined, 'EAGAIN', 'ENOENT', 'ECONNREFUSED', 'ECONNRESET', 'EPIPE']
  return codes.includes(errorCode(error)) || isUnreachable(error)
}

function explain(dataDir: string, error: unknown): EmbeddedServerError {
  return new EmbeddedServerError(`DATA_DIR ${dataDir}: ${describeFolderError(dataDir, error)}`, { cause: error })
}
