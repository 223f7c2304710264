import { access, constants, readdir, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { ConfigError, listSettings, readConfig, type Config } from '../settings/config.ts'
import { acquireEmbeddedServer } from '../db/embedded/server.ts'
import { findDisorder, findPendingMigrations } from '../db/schema/migrate.ts'
import { openDatabase, type Connection, type Database } from '../db/pool.ts'
import { isPooledByTransaction } from '../db/pooler.ts'
import { findNodes } from '../db/nodes.ts'
import { sortHouses } from '../houses/reach.ts'
import { listJobs } from '../jobs/jobs.ts'
import { countDueJobs } from '../jobs/statements.ts'
import { describeFolderError, makeFolder } from '../settings/folders.ts'
import { programName, terminal } from '../values/program.ts'
import { hasMoreItems, readServer, type Server } from './queries.ts'
import { checkStore, type Check } from './store.ts'

const secrets = /SECRET|^DATABASE_URL$|^REDIS_URL$|^S3_ENDPOINT$/
const oldest = 15
const newest = 18
const clockMilliseconds = 2_000
const lateSeconds = 60
const leastFree = 1024 * 1024 * 1024
/** The memory of an item with its lots in the index of a search: an estimate, of 200,000 items with real texts. */
const searchBytesOfItem = 1.2 * 1024

const ok = (check: string, says: string): Check => ({ check, state: 'ok', says })
const wrong = (check: string, says: string): Check => ({ check, state: 'wrong', says })

/**
 * Checks settings, database, migrations, clock, jobs, searches, store and disks. Changes nothing but probe files, which it
 * deletes.
 */
export async function checkInstallation(): Promise<{ checks: Check[]; isDatabaseAway: boolean }> {
  let config: Config
  try {
    config = readConfig(terminal().env)
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    return { checks: [wrong('settings', error.message)], isDatabaseAway: false }
  }
  const database = await checkDatabase(config)
  const checks = [describeSettings(), ...database.checks, ...(await checkStore(config)), ...(await checkDisks(config))]
  return { checks, isDatabaseAway: database.isAway }
}

// Without values, because URLs may contain a password.
function describeSettings(): Check {
  const set = listSettings(terminal().env)
  const shown = set.map(([name, value]) => (secrets.test(name) ? `${name} (not shown)` : `${name}=${value}`))
  return ok('settings', set.length === 0 ? 'none is set: all have their defaults' : `set are ${shown.join(', ')}`)
}

async function checkDatabase(config: Config): Promise<{ checks: Check[]; isAway: boolean }> {
  if (config.databaseUrl !== undefined) return checkServer(config, { connectionString: config.databaseUrl })
  const { dataDir } = config
  try {
    await makeFolder(dataDir)
    await access(dataDir, constants.R_OK | constants.W_OK | constants.X_OK)
    if (!(await readdir(dataDir)).includes('postgres'))
      return { checks: [ok('database', `the first start makes one in ${dataDir}`)], isAway: false }
  } catch (error) {
    return describeAbsence(new Error(`DATA_DIR ${dataDir}: ${describeFolderError(dataDir, error)}`))
  }
  try {
    const embedded = await acquireEmbeddedServer(dataDir)
    try {
      return await checkServer(config, embedded.connection)
    } finally {
      await embedded.release()
    }
  } catch (error) {
    return describeAbsence(error)
  }
}

function describeAbsence(error: unknown): { checks: Check[]; isAway: boolean } {
  const others = ['migrations', 'clock', 'jobs'].map((check): Check => {
    return { check, state: 'unknown', says: 'the database cannot be reached' }
  })
  return { checks: [wrong('database', `cannot be reached: ${(error as Error).message}`), ...others], isAway: true }
}

async function checkServer(config: Config, connection: Connection): Promise<{ checks: Check[]; isAway: boolean }> {
  const { db, pool } = openDatabase(connection, 2, { timeout: 10_000 })
  try {
    const began = Date.now()
    const server = await readServer(db)
    // The server read its clock between these two, however long it took to connect.
    const nearest = Math.min(Math.max(server.now.getTime(), began), Date.now())
    const ahead = server.now.getTime() - nearest
    const isPooled = 'connectionString' in connection && (await isPooledByTransaction(pool))
    const nodes = await checkNodes(db)
    return {
      checks: [describeServer(server, isPooled), ...nodes, ...(await checkSchema(config, db)), describeClock(ahead)],
      isAway: nodes.some(({ state }) => state === 'wrong'),
    }
  } catch (error) {
    return describeAbsence(error)
  } finally {
    await pool.end()
  }
}

// One PostgreSQL has no nodes.
async function checkNodes(db: Database): Promise<Check[]> {
  const nodes = await findNodes(db)
  return nodes.map(({ name, isCoordinator, answers, houses }): Check => {
    const count = houses.length === 1 ? '1 house' : `${houses.length} houses`
    const node = `${isCoordinator ? 'coordinator' : 'worker'} ${name}`
    if (answers) return { check: 'node', state: 'ok', says: `${node}: ${count}` }
    const lost = houses.length === 0 ? count : `${count} out of service (see: ${programName} houses list)`
    return { check: 'node', state: 'wrong', says: `${node} does not answer: ${lost}` }
  })
}

function describeServer({ name, version, citus }: Server, isPooled: boolean): Check {
  const says = `PostgreSQL ${version}${citus === null ? '' : ` with Citus ${citus}`}, database ${name}`
  const major = Number.parseInt(version)
  if (major < oldest || major > newest) return wrong('database', `${says}: it must be ${oldest} to ${newest}`)
  if (isPooled) return wrong('database', `${says}, behind a pooler in transaction mode: set it to session mode`)
  return ok('database', says)
}

/**
 * Judges the difference of the clocks. `ahead`: milliseconds by which the database's clock is ahead of this
 * machine's.
 */
export function describeClock(ahead: number): Check {
  const says = `the database's is ${(Math.abs(ahead) / 1000).toFixed(1)} s ${ahead < 0 ? 'behind' : 'ahead of'} this machine's`
  return Math.abs(ahead) > clockMilliseconds
    ? wrong('clock', `${says}: lots would close at the wrong time`)
    : ok('clock', says)
}

async function checkSchema(config: Config, db: Database): Promise<Check[]> {
  const jobs: Check = { check: 'jobs', state: 'unknown', says: 'the schema is not up to date' }
  const disorder = await findDisorder(db)
  if (disorder !== undefined) return [wrong('migrations', disorder), jobs]
  const pending = await findPendingMigrations(db)
  if (pending.length === 0)
    return [ok('migrations', 'all have run'), ...(await checkJobs(db)), ...(await checkSearch(config, db))]
  const says = `pending are ${pending.join(', ')}: the next start runs them, or ${programName} migrate`
  return [wrong('migrations', says), jobs]
}

async function checkJobs(db: Database): Promise<Check[]> {
  const failed = (await listJobs(db, { failed: true })).filter(({ state }) => state === 'failed')
  const late = (await countDueJobs(db)).filter(({ seconds }) => seconds > lateSeconds)
  const count = (jobs: number) => (jobs === 1 ? '1 job' : `${jobs} jobs`)
  return [
    failed.length > 0 && wrong('jobs', `${count(failed.length)} failed: see ${programName} jobs list --failed`),
    ...late.map(({ task, jobs, seconds }) =>
      wrong('jobs', `${count(jobs)} ${task} due, the oldest for ${Math.round(seconds)} s: no worker runs, or too few`),
    ),
  ]
    .filter((check) => check !== false)
    .concat(failed.length + late.length === 0 ? ok('jobs', 'none failed or late') : [])
}

// The service tells a house that does not fit only once it has been searched.
async function checkSearch({ searchMemoryMiB, processes }: Config, db: Database): Promise<Check[]> {
  const mebibytes = searchMemoryMiB / processes
  const most = Math.floor((mebibytes * 1024 * 1024) / searchBytesOfItem)
  const checks: Check[] = []
  for (const house of (await sortHouses(db)).reached) {
    if (!(await hasMoreItems({ db, house }, most))) continue
    const says = `${house.slug} has more than the ${most.toLocaleString('en')} items that fit into ${mebibytes.toLocaleString('en')} MiB`
    checks.push(wrong('search', `${says}: its oldest are not found (SEARCH_MEMORY_MIB)`))
  }
  return checks.length > 0 ? checks : [ok('search', `each house fits into ${mebibytes.toLocaleString('en')} MiB`)]
}

async function checkDisks({ dataDir }: Config): Promise<Check[]> {
  const checks: Check[] = []
  for (const [name, folder] of [
    ['DATA_DIR', dataDir],
    ['uploads', tmpdir()],
  ] as const) {
    await makeFolder(folder).catch(() => undefined)
    const disk = await statfs(folder).catch(() => undefined)
    if (!disk) continue
    const free = disk.bavail * disk.bsize
    const says = `${name} ${folder} has ${(free / 1e9).toFixed(1)} GB free`
    checks.push(free < leastFree ? wrong('disk', `${says}: less than 1 GiB`) : ok('disk', says))
  }
  return checks
}
