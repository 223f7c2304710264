// Two instances that share their rate-limit windows in a Redis. `node --test acceptance/redis.ts` starts and stops a
// redis-server (or valkey-server) of its own; with REDIS_URL it uses that one, which it leaves running.
import assert from 'node:assert/strict'
import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { createDataDir, findPort, runCommand, startProcess, type RunningService } from '../test/support/process.ts'

const limit = 20
const given = process.env.REDIS_URL
const redisPort = String(await findPort())
const ports = [String(await findPort()), String(await findPort())]
const folder = await createDataDir()
const settings = {
  DATA_DIR: folder.dataDir,
  REDIS_URL: given ?? `redis://127.0.0.1:${redisPort}`,
  RATE_LIMIT_PER_MINUTE: String(limit),
}
let instances: RunningService[] = []
let redis: ChildProcess | undefined

async function startRedis(): Promise<void> {
  const program = ['redis-server', 'valkey-server'].find((name) => spawnSync(name, ['--version']).error === undefined)
  assert.ok(program, 'there is no redis-server on the PATH, and no REDIS_URL')
  redis = spawn(program, ['--port', redisPort, '--bind', '127.0.0.1', '--save', ''], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  for await (const line of redis.stdout!) if (String(line).includes('Ready to accept connections')) return
}

async function killRedis(): Promise<void> {
  const ended = once(redis!, 'exit')
  redis!.kill('SIGKILL')
  await ended
}

async function issueKey(): Promise<string> {
  const { code, stdout, stderr } = await runCommand(settings, 'keys', 'create', '--house', 'noord', '--all', '--json')
  assert.equal(code, 0, stderr)
  return (JSON.parse(stdout) as { key: string }).key
}

async function ask(instance: number, key: string) {
  const reply = await fetch(`http://127.0.0.1:${ports[instance]}/api/v2/items?limit=1`, {
    headers: { authorization: `Bearer ${key}` },
  })
  const read = (name: string) => Number(reply.headers.get(name))
  const { type = '' } = (await reply.json()) as { type?: string }
  return { status: reply.status, type, remaining: read('ratelimit-remaining'), retryAfter: read('retry-after') }
}

// Every answer is one that a client can act on, until both instances give this one.
async function waitFor(status: number, key: string): Promise<void> {
  for (const end = Date.now() + 30_000; ; await sleep(100)) {
    const replies = await Promise.all([ask(0, key), ask(1, key)])
    for (const reply of replies) assert.ok([200, 503].includes(reply.status), String(reply.status))
    if (replies.every((reply) => reply.status === status)) return
    assert.ok(Date.now() < end, `not ${status} within half a minute`)
  }
}

before(async () => {
  if (given === undefined) await startRedis()
  instances = await Promise.all(ports.map((PORT) => startProcess({ ...settings, PORT })))
  await runCommand(settings, 'houses', 'create', 'noord', '--name', 'Noord', '--locale', 'nl', '--currency', 'EUR')
})
after(async () => {
  await Promise.all(instances.map((instance) => instance.stop()))
  if (redis) await killRedis()
  await folder.remove()
})

test('a key has one window on both instances: what one has counted the other takes off, and both refuse the rest', async () => {
  const key = await issueKey()
  for (let request = 1; request <= limit; request++) {
    const { status, remaining } = await ask(request % 2, key)
    assert.deepEqual([status, remaining], [200, limit - request])
  }
  for (const instance of [0, 1]) {
    const { status, type, retryAfter } = await ask(instance, key)
    assert.deepEqual([status, type.split('/').at(-1)], [429, 'rate-limit-exceeded'])
    assert.ok(retryAfter > 0 && retryAfter <= 60, String(retryAfter))
  }
  assert.equal((await ask(0, await issueKey())).status, 200)
})

test('of forty requests at once to both instances as many as the limit are answered', async () => {
  const key = await issueKey()
  const replies = await Promise.all(Array.from({ length: 2 * limit }, (_, request) => ask(request % 2, key)))
  assert.equal(replies.filter((reply) => reply.status === 200).length, limit)
  assert.equal(replies.filter((reply) => reply.status === 429).length, limit)
})

if (given === undefined) {
  test('while Redis is away both answer 503 with Retry-After; when it is back they count again without a restart', async () => {
    await killRedis()
    await waitFor(503, await issueKey())
    const { type, retryAfter } = await ask(0, await issueKey())
    assert.deepEqual([type.split('/').at(-1), retryAfter > 0], ['temporarily-unavailable', true])
    for (const port of ports) assert.equal((await fetch(`http://127.0.0.1:${port}/readyz`)).status, 200)

    await startRedis()
    await waitFor(200, await issueKey())
    const key = await issueKey()
    const remaining = [(await ask(0, key)).remaining, (await ask(1, key)).remaining]
    assert.deepEqual(remaining, [limit - 1, limit - 2])
  })
}
