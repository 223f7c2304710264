import { constants } from 'node:fs'
import { mkdtemp, open, readdir, readFile, realpath, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

import { makeFolder, sync, unlessMissing } from '../../settings/folders.ts'
import { errorCode } from '../errors.ts'
import { endOf, hasEnded, killGroup, reasonIn, spawnProgram } from './programs.ts'

/** A PostgreSQL data directory below DATA_DIR, which also holds its socket, and the log of its server. */
export type Cluster = {
  directory: string
  log: string
  durable: boolean
  /** An argument of the server's command line that identifies the server of this directory. */
  marker: string
}

const abandonedAfterMilliseconds = 15 * 60_000

/**
 * Opens the data directory below DATA_DIR. If it is missing, initdb makes it under a temporary name, and it is
 * renamed when it is complete. Throws the reason if this user cannot run it, or the signal's reason when it aborts.
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
  if (!(await unlessMissing(stat(directory)))) await createCluster(home, directory, log, durable, signal)

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
    await giveToOwner(home, fresh)
    const locale = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8']
    const access = ['--username=catalogue', '--auth=trust']
    const { child, logged } = await spawnProgram(
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

/** As root: gives a new directory to the owner of DATA_DIR, or to `nobody` if root owns DATA_DIR too. */
async function giveToOwner(home: string, directory: string): Promise<void> {
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
