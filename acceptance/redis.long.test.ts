// Two instances that share their rate-limit windows in a Redis: either a redis-server (or valkey-server) of the test's
// own, behind a relay that can delay it, or the one at REDIS_URL, which keeps running.
import assert from 'node:assert/strict'
import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { createDataDir, findPort, runProcess, startProcess, type RunningService } from '../test/support/process.ts'
import { openRelay } from '../test/support/tunnel.ts'

const limit = 20
const given = process.env.REDIS_URL
const program = ['redis-server', 'valkey-server'].find((name) => spawnSync(name, ['--version']).error === undefined)
const skip =
  given === undefined && program === undefined ? 'there is no redis-server on the PATH, and no REDIS_URL' : false
const skipOwn = given === undefined ? skip : 'the Redis of REDIS_URL is left as it is'
const redisPort = await findPort()
const relayPort = await findPort()
const ports = [String(await findPort()), String(await findPort())]
const folder = await createDataDir()
const settings = {
  DATA_DIR: folder.dataDir,
  REDIS_URL: given ?? `redis://127.0.0.1:${relayPort}`,
  RATE_LIMIT_PER_MINUTE: String(limit),
}
let instances: RunningService[] = []
let keys: string[] = []
let redis: ChildProcess | undefined

let delay = 0
let silenced = new AbortController()

const relay = await openRelay(
  { port: relayPort, host: '127.0.0.1' },
  { port: redisPort, host: '127.0.0.1' },
  (near, far) => {
    const { signal } = silenced
    near.on('data', (piece) => setTimeout(() => signal.aborted || far.write(piece), delay))
    near.on('close', () => far.destroy())
    far.pipe(near)
  },
)

async function startRedis(): Promise<void> {
  redis = spawn(program!, ['--port', String(redisPort), '--bind', '127.0.0.1', '--save', ''], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  let said = ''
  for await (const piece of redis.stdout!.iterator({ destroyOnReturn: false }))
    if ((said += String(piece)).includes('Ready to accept connections')) break
  redis.stdout!.resume()
  assert.equal(redis.exitCode, null, said)
}

async function killRedis(): Promise<void> {
  const ended = once(redis!, 'exit')
  redis!.kill('SIGKILL')
  await ended
}

async function issueKey(): Promise<string> {
  const { code, stdout, stderr } = await runProcess(settings, 'keys', 'create', '--house', 'noord', '--all', '--json')
  assert.equal(code, 0, stderr)
  return (JSON.parse(stdout) as { key: string }).key
}

/** A key that has made no request. */
const takeKey = () => keys.pop() ?? assert.fail('issue more keys')

async function ask(instance: number, key: string) {
  const reply = await fetch(`http://127.0.0.1:${ports[instance]}/api/v2/items?limit=1`, {
    headers: { authorization: `Bearer ${key}` },
  })
  const read = (name: string) => Number(reply.headers.get(name))
  const { type = '' } = (await reply.json()) as { type?: string }
  return { status: reply.status, type, remaining: read('ratelimit-remaining'), retryAfter: read('retry-after') }
}

// A client can act on each of these answers until both instances give the expected one.
async function waitFor(status: number, key: string): Promise<void> {
  for (; ; await sleep(250)) {
    const replies = await Promise.all([ask(0, key), ask(1, key)])
    for (const reply of replies) assert.ok([200, 503].includes(reply.status), String(reply.status))
    if (replies.every((reply) => reply.status === status)) return
  }
}

before(async () => {
  if (skip) return
  if (given === undefined) await startRedis()
  instances = await Promise.all(ports.map((PORT) => startProcess({ ...settings, PORT })))
  await runProcess(settings, 'houses', 'create', 'noord', '--name', 'Noord', '--locale', 'nl', '--currency', 'EUR')
  keys = await Promise.all(Array.from({ length: 6 }, issueKey))
})
after(async () => {
  await Promise.all(instances.map((instance) => instance.stop()))
  if (redis) await killRedis()
  relay.close()
  await folder.remove()
})

test(
  "a key has one window on both instances: each counts the other's requests, and both refuse those beyond the limit",
  { skip },
  async () => {
    const key = takeKey()
    for (let request = 1; request <= limit; request++) {
      const { status, remaining } = await ask(request % 2, key)
      assert.deepEqual([status, remaining], [200, limit - request])
    }
    for (const instance of [0, 1]) {
      const { status, type, retryAfter } = await ask(instance, key)
      assert.deepEqual([status, type.split('/').at(-1)], [429, 'rate-limit-exceeded'])
      assert.ok(retryAfter > 0 && retryAfter <= 60, String(retryAfter))
    }
    assert.equal((await ask(0, takeKey())).status, 200)
  },
)

async function askAtOnce(): Promise<void> {
  const key = takeKey()
  const replies = await Promise.all(Array.from({ length: 2 * limit }, (_, request) => ask(request % 2, key)))
  const remaining = replies.flatMap((reply) => (reply.status === 200 ? [reply.remaining] : []))
  assert.deepEqual(
    remaining.toSorted((a, b) => b - a),
    Array.from({ length: limit }, (_, request) => limit - 1 - request),
  )
  assert.equal(replies.filter((reply) => reply.status === 429).length, limit)
}

test('of forty concurrent requests to both instances, exactly the limit is answered', { skip }, askAtOnce)

test('a Redis that takes a second for each answer counts the same', { skip: skipOwn }, async () => {
  delay = 1_000
  await askAtOnce()
  delay = 0
})

const isReady = async () => {
  for (const port of ports) assert.equal((await fetch(`http://127.0.0.1:${port}/readyz`)).status, 200)
}

test(
  'during an outage of Redis both answer 503 with Retry-After; afterwards they count again without a restart',
  { skip: skipOwn },
  async () => {
    const key = takeKey()
    await killRedis()
    await waitFor(503, key)
    const { type, retryAfter } = await ask(0, key)
    assert.deepEqual([type.split('/').at(-1), retryAfter > 0], ['temporarily-unavailable', true])
    await isReady()

    await startRedis()
    await waitFor(200, key)
    const [before, now] = [(await ask(0, key)).remaining, (await ask(1, key)).remaining]
    assert.equal(now, before - 1)
  },
)

test('a connection on which Redis falls silent is replaced by a new one', { skip: skipOwn }, async () => {
  silenced.abort()
  silenced = new AbortController()
  const key = takeKey()
  assert.equal((await ask(0, key)).status, 503)
  await isReady()
  await waitFor(200, key)
})
