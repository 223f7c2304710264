import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { findNodes } from '../src/db/nodes.ts'
import { openDatabase } from '../src/db/pool.ts'
import type { IssuedKey } from '../src/houses/api-keys.ts'
import { findWorkers, testServer, withDatabase } from './support/database.ts'
import { createInstallation } from './support/installation.ts'
import { until } from './support/pictures.ts'
import { findPort, runCommand, startProcess } from './support/process.ts'

// On Citus a worker refuses the database of this file, as if it were stopped.
const skip = findWorkers().length === 0 && 'it is about Citus'

type Row = Record<string, unknown>

let installation: Awaited<ReturnType<typeof createInstallation>>
let database: ReturnType<typeof openDatabase>
let worker: string
let lost: string[]
let reached: string[]
const keys: Record<string, IssuedKey> = {}

const list = async (...words: string[]) => JSON.parse((await installation.run(...words, '--json')).stdout) as Row[]
const issue = async (house: string) =>
  JSON.parse((await installation.run('keys', 'create', '--house', house, '--all', '--json')).stdout) as IssuedKey

async function admit(isAdmitted: boolean) {
  const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(database.db)
  await withDatabase(testServer('postgres', worker), async (db) => {
    await sql`alter database ${sql.ref(rows[0]!.name)} allow_connections ${sql.lit(isAdmitted)}`.execute(db)
    if (!isAdmitted)
      await sql`select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = ${rows[0]!.name}`.execute(
        db,
      )
  })
}

before(async () => {
  if (skip) return
  installation = await createInstallation({ RATE_LIMIT_PER_MINUTE: '0' })
  database = openDatabase(installation.connection, 2)
  const settings = ['--locale', 'nl', '--currency', 'EUR']
  const isSpread = async () =>
    (await findNodes(database.db)).filter(({ houses }) => houses.length > 0).length === findWorkers().length
  for (let number = 1; number < 3 || !(await isSpread()); number++)
    await installation.run('houses', 'create', `house-${number}`, '--name', `House ${number}`, ...settings)
  const [own, ...others] = (await findNodes(database.db)).filter(({ isCoordinator }) => !isCoordinator)
  worker = own!.name
  lost = own!.houses
  reached = others.flatMap(({ houses }) => houses)
  for (const house of [lost[0]!, reached[0]!]) keys[house] = await issue(house)
  await admit(false)
})

after(async () => {
  if (skip) return
  await admit(true)
  await database.pool.end()
  await installation.remove()
})

test(
  'while a worker is away, keys of its houses are revoked, and keys of other houses issued; the service starts, and refuses the one and serves the other',
  { skip },
  async () => {
    const settings = { ...installation.settings, PORT: String(await findPort()) }
    const service = await startProcess(settings)
    const status = async (house: string, key = keys[house]!.key) => {
      const reply = await fetch(`http://127.0.0.1:${settings.PORT}/api/v2/items`, {
        headers: { authorization: `Bearer ${key}` },
      })
      return reply.status
    }
    try {
      assert.deepEqual([await status(lost[0]!), await status(reached[0]!)], [503, 200])
      await installation.run('keys', 'revoke', keys[lost[0]!]!.id)
      await until(async () => (await status(lost[0]!)) === 401)
      assert.equal(await status(reached[0]!, (await issue(reached[0]!)).key), 200)
      const states = await list('keys', 'list')
      assert.deepEqual(
        states.map(({ id, revoked_at }) => [id === keys[lost[0]!]!.id, revoked_at !== null]),
        [
          [true, true],
          [false, false],
          [false, false],
        ],
      )
    } finally {
      await service.stop()
    }
  },
)

test(
  'while a worker is away, a list of houses and an examination name its houses and show the others',
  { skip },
  async () => {
    const says = new RegExp(`^the worker ${worker} does not answer, .*\\b${lost[0]!}\\b`)
    const houses = await runCommand(installation.settings, 'houses', 'list', '--json')
    const shown = (JSON.parse(houses.stdout) as Row[]).map(({ slug, bytes_in_use }) => [slug, bytes_in_use])
    assert.deepEqual(
      shown,
      [...lost, ...reached].toSorted().map((slug) => [slug, lost.includes(slug) ? null : 0]),
    )
    const examined = await runCommand(installation.settings, 'doctor')
    assert.equal(examined.stdout, 'Every other record can be shown.\n')
    for (const { code, stderr } of [houses, examined]) {
      assert.equal(code, 3)
      assert.match(stderr, says)
    }
    assert.equal((await runCommand(installation.settings, 'doctor', '--house', reached[0]!)).code, 0)
  },
)

test(
  'doctor --installation lists the nodes with their houses, and the one that does not answer',
  { skip },
  async () => {
    const { code, stdout } = await runCommand(installation.settings, 'doctor', '--installation', '--json')
    const checks = JSON.parse(stdout) as Row[]
    const nodes = checks.filter(({ check }) => check === 'node')
    assert.equal(code, 3)
    assert.match(String(checks.find(({ check }) => check === 'database')!['says']), /^PostgreSQL .* with Citus \d/)
    assert.match(String(nodes[0]!['says']), /^coordinator \S+: \d+ houses?$/)
    assert.deepEqual(nodes.map(({ state }) => String(state)).toSorted(), [...findWorkers().map(() => 'ok'), 'wrong'])
    const away = String(nodes.find(({ state }) => state === 'wrong')!['says'])
    assert.match(away, new RegExp(`^worker ${worker} does not answer: ${lost.length} houses? out of service `))
  },
)

test(
  'while a worker is away, a backup is refused before it writes, and a house of another worker is exported',
  { skip },
  async () => {
    const file = path.join(installation.dataDir, 'all.tar')
    const { code, stderr } = await runCommand(installation.settings, 'backup', file)
    assert.equal(code, 3)
    assert.match(stderr, new RegExp(`^error: the worker ${worker} does not answer, .*a backup needs all workers`, 'm'))
    assert.deepEqual(
      (await readdir(installation.dataDir)).filter((name) => name.startsWith('all')),
      [],
    )
    const { stdout } = await installation.run('export', '--house', reached[0]!)
    assert.match(stdout, /"type":"house"/)
  },
)

test(
  'when the worker is back, the journal of its house has the revocation, with its time and its user',
  { skip },
  async () => {
    await admit(true)
    const service = await startProcess({ ...installation.settings, PORT: String(await findPort()) })
    try {
      const house = lost[0]!
      const rows = () => list('journal', '--house', house)
      // A job that has failed waits before it is tried again.
      for (const { id, task } of await list('jobs', 'list'))
        if (task === 'note_revocation') await installation.run('jobs', 'retry', String(id))
      await until(async () => (await rows()).some(({ operation }) => operation === 'keys revoke'))
      const [revocation, creation] = await rows()
      const [{ revoked_at }] = (await list('keys', 'list', '--house', house)) as [Row]
      assert.equal(new Date(String(revocation!['at'])).toISOString(), revoked_at)
      assert.deepEqual([revocation!['record'], revocation!['actor']], [keys[house]!.id, creation!['actor']])
    } finally {
      await service.stop()
    }
  },
)
