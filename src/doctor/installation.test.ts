import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { chmod, mkdir, mkdtemp, readdir, rm } from 'node:fs/promises'
import { createServer, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import S3rver from 's3rver'
import { urlOf } from '../../test/support/address.ts'
import { houseLine } from '../../test/support/lines.ts'
import { checkout, environmentOf, findPort, runCommand } from '../../test/support/process.ts'
import { startService, type TestService } from '../../test/support/service.ts'
import { checkInstallation, describeClock } from './installation.ts'

let folder: string
let service: TestService
let settings: Record<string, string>

before(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'installations-'))
  process.env.AWS_ACCESS_KEY_ID = process.env.AWS_SECRET_ACCESS_KEY = 'S3RVER'
  service = await startService()
  const dataDir = path.join(folder, 'data')
  settings = {
    DATABASE_URL: urlOf(service.connection),
    DATA_DIR: dataDir,
    SECRET: 'a secret that no check may print',
  }
})
after(async () => {
  await service.close()
  await rm(folder, { recursive: true })
})

async function examine(more: Record<string, string> = {}) {
  Object.assign(process.env, environmentOf({ ...settings, ...more }))
  const { checks, isDatabaseAway } = await checkInstallation()
  const wrong = checks.filter(({ state }) => state === 'wrong').map(({ check, says }) => `${check} ${says}`)
  return { checks, isDatabaseAway, wrong }
}

test('a sound installation has no finding, every part is named, and no secret is printed', async () => {
  const { checks, wrong } = await examine()
  assert.deepEqual(wrong, [])
  assert.deepEqual(
    checks.map(({ check }) => check),
    ['settings', 'database', 'migrations', 'jobs', 'search', 'clock', 'store', 'disk', 'disk'],
  )
  assert.deepEqual(await readdir(path.join(folder, 'data/media/public')), [], 'the probes are gone')
  const { code, stdout } = await runCommand(settings, 'doctor', '--installation')
  assert.equal(code, 0)
  assert.match(stdout, /^ok +settings +set are .*DATA_DIR=[^]*PostgreSQL 1[5-8]/m)
  assert.ok(!stdout.includes(settings['SECRET']!))
})

test('an invalid setting is a finding with a reason', async () => {
  const { wrong } = await examine({ PORT: 'four' })
  assert.deepEqual(wrong, ['settings PORT must be a whole number from 1 to 65535, not "four"'])
})

test('an unreachable database is reported without its password, and the rest is checked', async () => {
  const DATABASE_URL = `postgres://u:geheim@127.0.0.1:${await findPort()}/x`
  const { checks, isDatabaseAway } = await examine({ DATABASE_URL })
  assert.ok(isDatabaseAway)
  const states = checks.map(({ check, state }) => `${check} ${state}`)
  assert.deepEqual(states.slice(1, 6), [
    'database wrong',
    'migrations unknown',
    'clock unknown',
    'jobs unknown',
    'store ok',
  ])
  assert.doesNotMatch(JSON.stringify(checks), /geheim/)
})

test('a DATA_DIR that this user may not use is a finding, and a command ends with 2, however it is closed', async () => {
  const open = await mkdtemp(path.join(tmpdir(), 'closed-'))
  const [closed, inside] = [path.join(open, 'closed'), path.join(open, 'closed/inside')]
  await mkdir(inside, { recursive: true })
  // Root may use any folder.
  const user = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {}
  const run = (dataDir: string, ...words: string[]) =>
    new Promise<{ code: unknown; stdout: string; stderr: string }>((resolve) => {
      const env = environmentOf({ DATA_DIR: dataDir, NODE_COMPILE_CACHE: '' })
      execFile(path.join(checkout, 'bin/catalogue'), words, { env, ...user }, (error, stdout, stderr) =>
        resolve({ code: error?.code ?? 0, stdout, stderr }),
      )
    })
  try {
    await chmod(open, 0o755)
    for (const [mode, dataDir] of [
      [0, closed],
      [0, inside],
      [0o555, closed],
    ] as const) {
      await chmod(closed, mode)
      const { code, stdout } = await run(dataDir, 'doctor', '--installation')
      assert.equal(code, 3)
      assert.match(stdout, /^wrong +database +cannot be reached: DATA_DIR .*: this user may not use it/m)
      assert.match(stdout, /^wrong +store .*media: this user may not use it/m)
      const command = await run(dataDir, 'houses', 'list')
      assert.match(command.stderr, /^error: DATA_DIR .*: this user may not use it/)
      assert.equal(command.code, 2)
    }
  } finally {
    await chmod(closed, 0o755)
    await rm(open, { recursive: true })
  }
})

test('pending migrations are named, but not run', async () => {
  const [last] = (
    await sql<{ name: string }>`delete from catalogue.kysely_migration
      where name = (select max(name) from catalogue.kysely_migration) returning name`.execute(service.db)
  ).rows
  const { wrong } = await examine()
  assert.match(wrong.join(), new RegExp(`^migrations pending are ${last!.name}: `))
  await sql`insert into catalogue.kysely_migration (name, timestamp) values (${last!.name}, now()::text)`.execute(
    service.db,
  )
  assert.deepEqual((await examine()).wrong, [])
})

test('failed jobs and jobs without a worker are counted', async () => {
  await sql`select graphile_worker.add_job('forget_answers', run_at => now() - interval '10 minutes')`.execute(
    service.db,
  )
  await sql`select graphile_worker.add_job('clean_store')`.execute(service.db)
  await sql`update graphile_worker._private_jobs set attempts = max_attempts, last_error = 'x' where task_id =
    (select id from graphile_worker._private_tasks where identifier = 'clean_store')`.execute(service.db)
  const { wrong } = await examine()
  assert.match(
    wrong.join('\n'),
    /^jobs 1 job failed: .*\njobs 1 job forget_answers due, the oldest for 6\d\d s: no worker/,
  )
  await sql`delete from graphile_worker._private_jobs`.execute(service.db)
})

test('a house with more items than fit into the memory of searches of a process is a finding', async () => {
  const items = Array.from({ length: 54 }, () => ({ type: 'item' as const }))
  await service.load([houseLine('klein'), ...items.slice(0, 53), houseLine('groot'), ...items])
  const { wrong } = await examine({ SEARCH_MEMORY_MIB: '16', PROCESSES: '256' })
  assert.deepEqual(wrong, [
    'search groot has more than the 53 items that fit into 0.063 MiB: its oldest are not found (SEARCH_MEMORY_MIB)',
  ])
  assert.deepEqual((await examine({ SEARCH_MEMORY_MIB: '16', PROCESSES: '1' })).wrong, [])
})

test('clocks that differ by more than two seconds are a finding', () => {
  assert.deepEqual(
    [-60_000, -1_900, 1_900, 60_000].map((ahead) => describeClock(ahead).state),
    ['wrong', 'ok', 'ok', 'wrong'],
  )
  assert.match(describeClock(-60_000).says, /60\.0 s behind this machine's/)
})

test('a folder of pictures that other users can enter, or that cannot be written, is a finding', async () => {
  const media = path.join(folder, 'data/media')
  await mkdir(media, { recursive: true })
  await chmod(media, 0o755)
  assert.match((await examine()).wrong.join(), /^store .*media: other users may enter it/)
  await chmod(media, 0o700)
  const { wrong } = await examine({ DATA_DIR: '/proc/catalogue' })
  assert.match(wrong.join(), /store \/proc\/catalogue\/media: /)
})

test('a disk with less than a gibibyte free is a finding', async (t) => {
  const place = path.join(folder, 'small')
  await mkdir(place)
  const program = path.join(checkout, 'bin/catalogue')
  const script = `mount -t tmpfs -o size=50m none "$0" && { "$1" doctor --installation --json; echo "code $?"; }`
  const env = { PATH: process.env.PATH, ...settings, DATA_DIR: place }
  const printed = await new Promise<string>((resolve) => {
    execFile('unshare', ['--mount', '/bin/bash', '-c', script, place, program], { env }, (_, stdout) => resolve(stdout))
  })
  if (!printed.includes('code')) return t.skip('this user may not mount a disk')
  assert.match(printed, /DATA_DIR .*small has 0\.1 GB free: less than 1 GiB/)
  assert.match(printed, /code 1/)
})

/** A bucket whose policy allows anonymous reads of these folders. */
async function openBucket(opened: string[]) {
  const options = {
    address: '127.0.0.1',
    port: 0,
    silent: true,
    directory: await mkdtemp(path.join(folder, 'bucket-')),
  }
  const bucket = new S3rver({ ...options, configureBuckets: [{ name: 'pictures', configs: [] }] })
  const { port } = await bucket.run()
  const gate: Server = createServer((from, to) => {
    const isSigned = from.headers.authorization !== undefined
    if (!isSigned && !opened.some((area) => from.url!.startsWith(`/pictures/${area}/`))) {
      to.writeHead(403).end()
      return
    }
    const { method, url, headers } = from
    from.pipe(
      request({ host: '127.0.0.1', port, method, path: url, headers }, (reply) => {
        to.writeHead(reply.statusCode!, reply.headers)
        reply.pipe(to)
      }),
    )
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => gate.once('listening', resolve))
  return {
    settings: {
      MEDIA_STORE: 's3',
      S3_BUCKET: 'pictures',
      S3_ENDPOINT: `http://127.0.0.1:${(gate.address() as AddressInfo).port}`,
    },
    async close() {
      gate.close()
      gate.closeAllConnections()
      await bucket.close()
    },
  }
}

test('for a bucket the check reports whether its policy opens public/* and nothing else', async () => {
  const cases: [opened: string[], says: RegExp][] = [
    [['public'], /^$/],
    [[], /^store bucket pictures: http\S+\/public\/\S+ is 403 without a signature: a policy must let anyone/],
    [['public', 'private'], /^store bucket pictures: anyone can read private\/\*/],
    [['public', 'originals'], /^store bucket pictures: anyone can read originals\/\*/],
  ]
  for (const [opened, says] of cases) {
    const bucket = await openBucket(opened)
    assert.match((await examine(bucket.settings)).wrong.join(), says)
    await bucket.close()
  }
})

test('an unreachable or missing bucket is a finding', async () => {
  const bucket = await openBucket(['public'])
  const missing = await examine({ ...bucket.settings, S3_BUCKET: 'nonsense' })
  assert.match(missing.wrong.join(), /^store bucket nonsense: cannot be used: NoSuchBucket/)
  await bucket.close()
  assert.match((await examine(bucket.settings)).wrong.join(), /^store bucket pictures: cannot be used: /)
})
