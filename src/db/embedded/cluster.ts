import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { constants, readFileSync } from 'node:fs'
import { mkdtemp, open, readdir, readFile, realpath, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

import { makeFolder, sync } from '../../folders.ts'
import { findBinaries } from './binaries.ts'
import { errorCode } from '../errors.ts'

/** A PostgreSQL data directory below DATA_DIR, which also holds its socket, and the log of its server. */
export type Cluster = {
  directory: string
  log: string
  durable: boolean
  /** An argument of the server's command line that identifies the server of this directory. */
  marker: string
}

// The log is checked every few seconds. If it grows by less than 10 MiB a second, it has at most 100 MiB.
const maximalLogBytes = 48 * 1024 * 1024
const keptLogBytes = 1024 * 1024
const abandonedAfterMilliseconds = 15 * 60_000
const shutdownMilliseconds = 60_000

/**
 * Opens the data directory below DATA_DIR. If there is none, initdb makes it under a temporary name, and it is renamed
 * when it is complete. Throws the reason if this user cannot serve it, or that of the signal when it aborts.
 */
export async function openCluster(dataDir: string, durable: boolean, signal?: AbortSignal): Promise<Cluster> {
  const uid = process.getuid?.()
  if (uid === 0 && process.platform !== 'linux') {
    throw new Error('root cannot run the embedded PostgreSQL on this system: use an ordinary user, or set DATABASE_URL')
  }
  await makeFolder(dataDir)
  const home = await realpath(dataDir)
  const directory = join(home, 'postgres')
  const log = join(home, 'postgres.log')
  await removeAbandoned(home)
  if (!(await exists(directory))) await createCluster(home, directory, log, durable, signal)

  const found = await stat(directory)
  if (uid === 0 && found.uid === 0) {
    throw new Error('postgres belongs to root, whom PostgreSQL refuses: chown -R it to an ordinary user')
  }
  if (uid !== 0 && found.uid !== uid) throw new Error(`postgres belongs to another user (${found.uid})`)
  return { directory, log, durable, marker: `cluster_name=catalogue-${found.dev}-${found.ino}` }
}

async function createCluster(
  home: string,
  directory: string,
  log: string,
  durable: boolean,
  signal: AbortSignal | undefined,
): Promise<void> {
  const fresh = await mkdtemp(join(home, 'postgres.init-'))
  try {
    await giveAway(home, fresh)
    const locale = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8']
    const access = ['--username=catalogue', '--auth=trust']
    const { child, logged } = await spawnServer(
      'initdb',
      fresh,
      [...access, ...locale, '--no-instructions', ...(durable ? [] : ['--no-sync'])],
      log,
    )
    while (!hasEnded(child)) {
      if (signal?.aborted) killGroup(child)
      await sleep(20)
    }
    signal?.throwIfAborted()
    if (child.exitCode !== 0) throw new Error(reasonIn(await logged()) ?? `initdb ended with ${endOf(child)}`)
    await rename(fresh, directory)
    if (durable) await sync(home)
  } catch (error) {
    // Another process was first. Its directory is used.
    if (!['ENOTEMPTY', 'EEXIST'].includes(errorCode(error) ?? '')) throw error
  } finally {
    await rm(fresh, { recursive: true, force: true, maxRetries: 10 })
  }
}

/**
 * Starts the server. Returns when it accepts connections, or when another start was first. Recovery after a crash can
 * take long, and ends when the signal aborts. Throws the error from the log if the start failed.
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
    // A new house has statistics, and so its indexes are used well, soon after its first import.
    'autovacuum_naptime=10s',
    'timezone=UTC',
    'log_timezone=UTC',
    'logging_collector=off',
    'log_destination=stderr',
    ...(cluster.durable ? [] : ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off']),
  ]
  const { child, logged } = await spawnServer(
    'postgres',
    directory,
    settings.flatMap((setting) => ['-c', setting]),
    log,
    // PostgreSQL treats a lock file that names its grandparent as stale, and continues with its other checks.
    { PG_GRANDPARENT_PID: String((await falseLockHolder(cluster)) ?? '') },
  )
  child.unref()
  while (!hasEnded(child)) {
    if (await isReady(directory, child.pid)) return
    if (signal?.aborted) child.kill('SIGINT')
    await sleep(20)
  }
  signal?.throwIfAborted()
  const text = await logged()
  // Another start was first, or processes of a killed server have not ended yet.
  if (/lock file ".*" (already exists|is empty)|pre-existing shared memory block/.test(text)) return
  throw new Error(reasonIn(text) ?? `the server ended with ${endOf(child)} while it started`)
}

/** The process id of the server of this data directory, whoever started it; undefined if none runs. */
export async function findServer(cluster: Cluster): Promise<number | undefined> {
  const pid = await lockHolder(cluster.directory)
  return pid !== undefined && commandOf(pid).includes(cluster.marker) ? pid : undefined
}

/** Ends the server's connections and stops it; returns when its process is gone. */
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

/** Cuts a log that is too long to its last part. The server continues at its end. */
export async function boundLog({ log }: Pick<Cluster, 'log'>): Promise<void> {
  const { O_APPEND, O_NOFOLLOW, O_RDWR } = constants
  await using file = await open(log, O_RDWR | O_APPEND | O_NOFOLLOW)
  const { size } = await file.stat()
  if (size <= maximalLogBytes) return
  const { buffer, bytesRead } = await file.read(Buffer.alloc(keptLogBytes), 0, keptLogBytes, size - keptLogBytes)
  // Another process was first.
  if (bytesRead < keptLogBytes) return
  await file.truncate(0)
  await file.write(buffer.subarray(buffer.indexOf('\n') + 1))
}

/** The last line of the server's log. */
export async function lastLogLine(cluster: Cluster): Promise<string> {
  return (await readFile(cluster.log, 'utf8').catch(() => '')).trimEnd().split('\n').at(-1) ?? ''
}

/**
 * Spawns a PostgreSQL program on a directory, in a session of its own, so that Ctrl-C in a terminal does not reach it.
 * Root runs it as the owner of the directory. That user may not enter the folders above, so it gets the directory open.
 * `logged` returns what was written to the log since then.
 */
async function spawnServer(
  program: 'initdb' | 'postgres',
  directory: string,
  parameters: string[],
  log: string,
  environment: Record<string, string> = {},
): Promise<{ child: ChildProcess; logged: () => Promise<string> }> {
  const { native } = await findBinaries()
  const { O_APPEND, O_CREAT, O_DIRECTORY, O_NOFOLLOW, O_RDONLY, O_WRONLY } = constants
  await using output = await open(log, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW, 0o600)
  await using folder = await open(directory, O_RDONLY | O_DIRECTORY | O_NOFOLLOW)
  const { uid, gid } = await folder.stat()
  const asRoot = process.getuid?.() === 0
  if (asRoot) await output.chown(uid, gid)
  const { size } = await output.stat()
  const child = spawn(join(native, 'bin', program), ['-D', asRoot ? '/proc/self/fd/3' : directory, ...parameters], {
    ...(asRoot ? { uid, gid } : {}),
    cwd: '/',
    detached: true,
    env: { LC_ALL: 'C', TZ: 'UTC', ...environment },
    stdio: ['ignore', output.fd, output.fd, folder.fd],
  })
  await once(child, 'spawn')
  const logged = async () => (await readFile(log)).subarray(size).toString().replaceAll('/proc/self/fd/3', directory)
  return { child, logged }
}

/** Kills a program, and the programs that it has started. */
function killGroup(child: ChildProcess): void {
  try {
    process.kill(-child.pid!, 'SIGKILL')
  } catch (error) {
    if (errorCode(error) !== 'ESRCH') throw error
  }
}

function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null
}

function endOf(child: ChildProcess): string {
  return child.signalCode ?? `exit code ${child.exitCode}`
}

/** As root: gives a new directory to the owner of DATA_DIR, or to `nobody` if root owns DATA_DIR too. */
async function giveAway(home: string, directory: string): Promise<void> {
  if (process.getuid?.() !== 0) return
  let { uid, gid } = await stat(home)
  if (uid === 0) {
    const nobody = /^nobody:[^:]*:(\d+):(\d+):/m.exec(await readFile('/etc/passwd', 'utf8'))
    if (!nobody) throw new Error('root needs the user nobody to run PostgreSQL: /etc/passwd has none')
    uid = Number(nobody[1])
    gid = Number(nobody[2])
  }
  await using folder = await open(directory, constants.O_DIRECTORY | constants.O_NOFOLLOW)
  await folder.chown(uid, gid)
}

/** Removes the folders of starts that were killed during initdb. */
async function removeAbandoned(home: string): Promise<void> {
  for (const name of await readdir(home)) {
    if (!name.startsWith('postgres.init-')) continue
    const path = join(home, name)
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Infinity }))
    // Folders of other users stay.
    if (mtimeMs < Date.now() - abandonedAfterMilliseconds)
      await rm(path, { recursive: true, force: true }).catch(() => undefined)
  }
}

/**
 * The process in the lock file, if it is not a server of this directory. After a crash of the machine its id may belong
 * to another process, or the dead server may be a zombie. A server that was started by hand, without a marker, is real.
 */
async function falseLockHolder({ directory, marker }: Cluster): Promise<number | undefined> {
  const pid = await lockHolder(directory)
  if (pid === undefined) return undefined
  const command = commandOf(pid)
  const isOtherServer = command.includes('cluster_name=catalogue-') && !command.includes(marker)
  return isOtherServer || !/(^|\/)(postgres|postmaster)([\0\s:]|$)/.test(command) ? pid : undefined
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

/** The line of PostgreSQL's output with the reason of a failure, and its hint. */
function reasonIn(output: string): string | undefined {
  const lines = output.split('\n').filter((text) => text.trim() !== '')
  const line = lines.find((text) => /\b(FATAL|PANIC):|\berror\b|could not/.test(text)) ?? lines.at(-1)
  const hint = /\bHINT:\s*(.*)/.exec(output)?.[1]
  const reason = line?.replace(/^.*?\b(FATAL|PANIC|error):\s*/, '')
  return reason && hint ? `${reason} (${hint})` : reason
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    (error: unknown) => {
      if (errorCode(error) === 'ENOENT') return false
      throw error
    },
  )
}
