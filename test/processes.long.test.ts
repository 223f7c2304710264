import assert from 'node:assert/strict'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Agent, request } from 'node:http'
import { sql } from 'kysely'
import { openDatabase } from '../src/db/pool.ts'
import { createDataDir, findPort, findServerProcess, runProcess, startProcess } from './support/process.ts'
import { until } from './support/pictures.ts'

const folder = await createDataDir()
const [port, metricsPort] = [await findPort(), await findPort()]
const cache = path.join(path.dirname(folder.dataDir), 'compiled')
const settings = {
  NODE_COMPILE_CACHE: cache,
  DATA_DIR: folder.dataDir,
  PORT: String(port),
  METRICS_PORT: String(metricsPort),
  PROCESSES: '2',
  RATE_LIMIT_PER_MINUTE: '40',
  LOG_LEVEL: 'info',
}
let service: Awaited<ReturnType<typeof startProcess>>
let key: string

before(async () => {
  service = await startProcess(settings, '--demo', '--json')
  key = (JSON.parse(service.printed) as { key: string }).key
})
after(async () => {
  const children = await listProcesses()
  service.child.kill('SIGKILL')
  // At their end they write what they compiled.
  await until(async () => (await Promise.all(children.map(isGone))).every(Boolean))
  await folder.remove()
})

type Reply = { status: number; headers: Record<string, string | string[] | undefined> }

/** A request on its own connection, or on one of the agent. */
const ask = (agent: Agent | false = false) =>
  new Promise<Reply>((resolve, reject) => {
    const options = { port, path: '/api/v2/lots?limit=1', headers: { authorization: `Bearer ${key}` }, agent }
    const sent = request(options, (reply) => {
      reply.resume().once('end', () => resolve({ status: reply.statusCode!, headers: reply.headers }))
    })
    sent.once('error', reject).end()
  })

const fetchMetrics = () => fetch(`http://127.0.0.1:${metricsPort}/metrics`)

async function listProcesses(): Promise<number[]> {
  const parents = await Promise.all(
    (await readdir('/proc')).filter(Number).map(async (pid) => {
      const [status, command] = await Promise.all(
        ['status', 'cmdline'].map((file) => readFile(`/proc/${pid}/${file}`, 'utf8').catch(() => '')),
      )
      const isChild = status!.includes(`\nPPid:\t${service.child.pid}\n`) && command!.includes('main.ts')
      return isChild ? [Number(pid)] : []
    }),
  )
  return parents.flat()
}

test('PROCESSES=2 answers with two processes on one port, which share the rate-limit windows and the metrics', async () => {
  assert.equal((await listProcesses()).length, 2)
  const { db, pool } = openDatabase(
    { host: path.join(folder.dataDir, 'postgres'), user: 'catalogue', database: 'catalogue' },
    1,
  )
  const replies = []
  for (let count = 0; count < 45; count++) {
    // The window does not end during the test, however long it takes.
    await sql`update catalogue.rate_windows set ends_at = now() + interval '1 minute'`.execute(db)
    replies.push(await ask())
  }
  await pool.end()
  assert.deepEqual(
    replies.map(({ status }) => status),
    Array.from({ length: 45 }, (_, index) => (index < 40 ? 200 : 429)),
  )
  let text = ''
  await until(async () => {
    text = await (await fetchMetrics()).text()
    const counts = text.matchAll(/^catalogue_request_seconds_count\{.*route="\/api\/v2\/lots".*\} (\d+)$/gm)
    return [...counts].reduce((sum, [, count]) => sum + Number(count), 0) === 45
  })
  assert.equal(text.match(/^# TYPE catalogue_jobs gauge$/gm)?.length, 1)
  assert.match(text, /^catalogue_storage_bytes\{house="\w+",files="originals"\} \d+$/m)
})

test('a killed process is replaced, and connections to the other one stay open', async () => {
  const agents = Array.from({ length: 4 }, () => new Agent({ keepAlive: true, maxSockets: 1 }))
  for (const agent of agents) await ask(agent)
  const [victim] = await listProcesses()
  process.kill(victim!, 'SIGKILL')
  const outcomes = await Promise.all(
    agents.map((agent) =>
      ask(agent).then(
        ({ status }) => status,
        () => 'lost',
      ),
    ),
  )
  assert.ok(
    outcomes.some((outcome) => outcome !== 'lost'),
    outcomes.join(),
  )
  await until(async () => {
    const now = await listProcesses()
    return now.length === 2 && !now.includes(victim!)
  })
  for (const agent of agents) agent.destroy()
  await until(async () => (await ask().catch(() => ({ status: 0 }))).status === 429)
})

const valueOf = (text: string, name: string) => Number(new RegExp(`^${name} (.*)$`, 'm').exec(text)?.[1])

/** The metrics when both processes listen. */
async function scrapeBoth(): Promise<string> {
  let text = ''
  await until(async () => {
    text = await (await fetchMetrics()).text()
    return valueOf(text, 'catalogue_processes') === 2
  })
  return text
}

const secret = path.join(folder.dataDir, 'secret')

/** Lets every start of a process fail. Returns the function that ends this. */
async function refuseStarts(): Promise<() => Promise<void>> {
  const kept = await readFile(secret)
  await writeFile(secret, 'short')
  return () => writeFile(secret, kept)
}

test('during the replacement of a process the metrics are those of the listening ones, and no counter falls', async () => {
  const total = 'catalogue_rate_limit_refusals_total'
  const complete = await scrapeBoth()
  const count = async () => {
    const reply = await fetchMetrics()
    assert.equal(reply.status, 200)
    const text = await reply.text()
    assert.ok(valueOf(text, total) >= valueOf(complete, total), text)
    return valueOf(text, 'catalogue_processes')
  }
  const allowStarts = await refuseStarts()
  const [victim] = await listProcesses()
  process.kill(victim!, 'SIGKILL')
  try {
    await until(async () => (await count()) === 1)
  } finally {
    await allowStarts()
  }
  await until(async () => (await count()) === 2)
})

test('a process that does not answer a scrape keeps its last counters', async () => {
  const complete = await scrapeBoth()
  const [stuck] = await listProcesses()
  process.kill(stuck!, 'SIGSTOP')
  try {
    // On a busy machine the other process may be late with its answer too.
    await until(async () => {
      const reply = await fetchMetrics()
      assert.equal(reply.status, 200)
      const text = await reply.text()
      const total = 'catalogue_rate_limit_refusals_total'
      assert.equal(valueOf(text, total), valueOf(complete, total))
      return valueOf(text, 'catalogue_processes') === 1
    })
  } finally {
    process.kill(stuck!, 'SIGCONT')
  }
})

/** Kills a process. False if it has ended by itself. */
function kill(pid: number): boolean {
  try {
    return process.kill(pid, 'SIGKILL')
  } catch {
    return false
  }
}

test('a process that fails at its start is started again until all processes run', async () => {
  let complaints = ''
  service.child.stderr!.on('data', (text) => (complaints += text))
  const allowStarts = await refuseStarts()
  const [victim, other] = await listProcesses()
  process.kill(victim!, 'SIGKILL')
  const refused =
    /"reason":"[^"]*secret holds fewer than 32 characters[^"]*","msg":"a process of the service cannot be started"/
  await until(async () => refused.test(complaints))
  await allowStarts()
  await until(async () => {
    const next = (await listProcesses()).find((pid) => pid !== other && pid !== victim)
    return next !== undefined && kill(next)
  })
  await scrapeBoth()
  // A start too many would follow within two seconds.
  await sleep(2_500)
  assert.equal((await listProcesses()).length, 2)
})

test('what a process compiled is there for the one that replaces it, before any process has ended', async () => {
  const compiled = await readdir(cache, { recursive: true })
  assert.ok(compiled.length > 100, `${compiled.length} files`)
})

test('a port that is taken stops the start with one line', async () => {
  const other = { ...settings, METRICS_PORT: '', DATA_DIR: folder.dataDir }
  const { code, stderr } = await runProcess(other, 'serve')
  assert.equal(stderr, `error: PORT ${port} is already in use on 127.0.0.1\n`)
  assert.equal(code, 2)
})

const isGone = (pid: number) =>
  readFile(`/proc/${pid}/stat`, 'utf8').then(
    (stat) => / [ZX] /.test(stat),
    () => true,
  )

test('when the primary process is killed, the others end too', async () => {
  const children = await listProcesses()
  service.child.kill('SIGKILL')
  await until(async () => (await Promise.all(children.map(isGone))).every(Boolean))
  service = await startProcess(settings)
})

test('a stop answers requests under way, exits with 0 and leaves no process', async () => {
  const children = await listProcesses()
  assert.equal(await service.stop(), 0)
  for (const pid of children) assert.ok(await isGone(pid))
  assert.equal(await findServerProcess(folder.dataDir), undefined)
})
