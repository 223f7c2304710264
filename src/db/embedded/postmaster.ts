import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { link, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { errorCode } from '../errors.ts'
import { findBinaries } from './binaries.ts'
import type { Cluster } from './cluster.ts'
import { boundLog } from './log.ts'
import { endOf, hasEnded, reasonIn, spawnProgram } from './programs.ts'

const shutdownMilliseconds = 60_000

/**
 * Starts the server. Returns when it accepts connections, or when another process has started it. Recovery after a
 * crash can take long; it stops when the signal aborts. Throws the error from the log if the start failed.
 */
export async function startServer(cluster: Cluster, signal?: AbortSignal): Promise<void> {
  const { directory, log } = cluster
  await boundLog(cluster).catch(() => undefined)
  const { major } = await findBinaries()
  const version = await readFile(join(directory, 'PG_VERSION'), 'utf8').then(
    (text) => text.trim(),
    () => undefined,
  )
  if (version === undefined) throw new Error('postgres is not a PostgreSQL data directory')
  if (version !== major) throw new Error(`postgres was made by PostgreSQL ${version}, this is ${major}`)

  const settings = [
    cluster.marker,
    'listen_addresses=',
    'port=5432',
    // The server's working directory is the data directory, so the path of the socket is short.
    'unix_socket_directories=.',
    'unix_socket_permissions=0700',
    'max_connections=100',
    'shared_buffers=128MB',
    'jit=off',
    // A new house needs statistics soon after its first import, so that the planner uses its indexes.
    'autovacuum_naptime=10s',
    'timezone=UTC',
    'log_timezone=UTC',
    'logging_collector=off',
    'log_destination=stderr',
    ...(cluster.durable ? [] : ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off']),
  ]
  const stale = await falseLockHolder(cluster)
  if (stale !== undefined) await removeLock(cluster, stale)
  const { child, logged } = await spawnProgram(
    'postgres',
    directory,
    settings.flatMap((setting) => ['-c', setting]),
    log,
    // PostgreSQL treats a lock file that names its grandparent as stale, as that of the socket may, and continues with
    // its other checks.
    { PG_GRANDPARENT_PID: String(stale ?? '') },
  )
  child.unref()
  while (!hasEnded(child)) {
    if (await isReady(directory, child.pid)) return
    if (signal?.aborted) child.kill('SIGINT')
    await sleep(20)
  }
  signal?.throwIfAborted()
  const text = await logged()
  // Another process has started it, or processes of a killed server have not ended yet.
  if (/lock file ".*" (already exists|is empty)|pre-existing shared memory block/.test(text)) return
  throw new Error(reasonIn(text) ?? `the server ended with ${endOf(child)} while it started`)
}

/** The process id of the server of this data directory, started by any process; undefined if none runs. */
export async function findServer(cluster: Cluster): Promise<number | undefined> {
  const pid = await lockHolder(cluster.directory)
  return pid !== undefined && commandOf(pid).includes(cluster.marker) ? pid : undefined
}

/** Ends the server's connections and stops it. Returns when its process has ended. */
export async function stopServer(cluster: Cluster): Promise<void> {
  const pid = await findServer(cluster)
  if (pid === undefined) return
  for (const signal of ['SIGINT', 'SIGQUIT', 'SIGKILL'] as const) {
    const deadline = Date.now() + shutdownMilliseconds
    try {
      if (commandOf(pid).includes(cluster.marker)) process.kill(pid, signal)
    } catch (error) {
      if (errorCode(error) !== 'ESRCH') throw error
    }
    while (Date.now() < deadline) {
      if (isGone(pid, cluster.marker)) return
      await sleep(20)
    }
  }
  throw new Error(`the server (process ${pid}) does not stop`)
}

/**
 * The process in the lock file, if it is not a server of this directory. After a crash of the machine its id may
 * belong to another process, or the dead server may be a zombie. A server that was started by hand, without a marker,
 * counts as real.
 */
async function falseLockHolder({ directory, marker }: Cluster): Promise<number | undefined> {
  const pid = await lockHolder(directory)
  if (pid === undefined) return undefined
  const command = commandOf(pid)
  const isOtherServer = command.includes('cluster_name=catalogue-') && !command.includes(marker)
  return isOtherServer || !/(^|\/)(postgres|postmaster)([\0\s:]|$)/.test(command) ? pid : undefined
}

/**
 * Removes the lock file of a holder that is no server. PostgreSQL does it too, but of two servers that start at once the
 * second may remove the file of the first, which then stops a minute later.
 */
export async function removeLock({ directory }: Pick<Cluster, 'directory'>, holder: number): Promise<void> {
  const lock = join(directory, 'postmaster.pid')
  const taken = `${lock}.${randomUUID()}`
  try {
    await rename(lock, taken)
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return
    throw error
  }
  // Another process has removed it meanwhile, and started a server, whose file this is.
  if (Number.parseInt(await readFile(taken, 'utf8'), 10) !== holder)
    await link(taken, lock).catch((error: unknown) => {
      if (errorCode(error) !== 'EEXIST') throw error
    })
  await rm(taken)
}

/** The process id in the directory's lock file, running or not. */
async function lockHolder(directory: string): Promise<number | undefined> {
  const pid = Number.parseInt((await lockLines(directory))[0] ?? '', 10)
  return pid > 0 ? pid : undefined
}

async function isReady(directory: string, pid: number | undefined): Promise<boolean> {
  const lines = await lockLines(directory)
  return lines[0] === String(pid) && lines[7]?.trim() === 'ready'
}

async function lockLines(directory: string): Promise<string[]> {
  return (await readFile(join(directory, 'postmaster.pid'), 'utf8').catch(() => '')).split('\n')
}

/** The command line of a process; empty if the process is gone or is a zombie. */
function commandOf(pid: number): string {
  try {
    if (process.platform === 'linux') return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
    return execFileSync('ps', ['-p', String(pid), '-o', 'command='], { encoding: 'utf8' })
  } catch {
    return ''
  }
}

/** Whether the server has ended. An exiting process loses its command line first. A zombie has ended. */
function isGone(pid: number, marker: string): boolean {
  const command = commandOf(pid)
  if (command !== '') return !command.includes(marker)
  try {
    return /\) [ZX]/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return true
  }
}
