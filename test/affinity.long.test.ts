import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { test } from 'node:test'
import { urlOf } from './support/address.ts'
import { houseLine } from './support/lines.ts'
import { until } from './support/pictures.ts'
import { checkout, findPort, startProcess, stopProcess } from './support/process.ts'
import { startService } from './support/service.ts'

const withoutHaproxy = spawnSync('haproxy', ['-v']).error === undefined ? false : 'there is no haproxy on the PATH'

/** The configuration in docs/scaling.md, with other addresses. */
async function readExample(port: number, servers: string[]): Promise<string> {
  const text = await readFile(path.join(checkout, 'docs/scaling.md'), 'utf8')
  const example = /```haproxy\n([^]*?)```/.exec(text)![1]!
  return servers.reduce(
    (config, server, at) => config.replace(`10.0.0.${at + 1}:4000`, `127.0.0.1:${server}`),
    example.replace('bind :4000', `bind 127.0.0.1:${port}`),
  )
}

test(
  'behind the proxy of docs/scaling.md each key stays on one instance, and moves only while it is down',
  { skip: withoutHaproxy },
  async (t) => {
    const service = await startService()
    t.after(() => service.close())
    const shared = {
      DATABASE_URL: urlOf(service.connection),
      DATA_DIR: service.dataDir,
      SECRET: service.secret,
      PUBLIC_URL: 'http://catalogue.test',
      RATE_LIMIT_PER_MINUTE: '0',
      WORKER: 'off',
    }
    const start = (place: { PORT: string; METRICS_PORT: string }) => startProcess({ ...shared, ...place })
    const places = [
      { PORT: String(await findPort()), METRICS_PORT: String(await findPort()) },
      { PORT: String(await findPort()), METRICS_PORT: String(await findPort()) },
    ]
    const instances = await Promise.all(places.map(start))
    t.after(() => Promise.all(instances.map(({ stop }) => stop('SIGKILL'))))

    const port = await findPort()
    const config = path.join(service.dataDir, 'haproxy.cfg')
    const ports = places.map(({ PORT }) => PORT)
    await writeFile(config, await readExample(port, ports))
    const proxy = spawn('haproxy', ['-db', '-f', config], { stdio: 'ignore' })
    t.after(() => stopProcess(proxy, 'SIGKILL'))
    const ask = async (path: string, key?: string) => {
      const headers = { connection: 'close', ...(key && { authorization: `Bearer ${key}` }) }
      const reply = await fetch(`http://127.0.0.1:${port}/api/v2/${path}`, { headers }).catch(() => undefined)
      await reply?.arrayBuffer()
      return reply?.status
    }
    /** The sum of what each instance shows of a metric; 0 of one that is away. */
    const measure = (metric: RegExp) =>
      Promise.all(
        places.map(async ({ METRICS_PORT }) => {
          const reply = await fetch(`http://127.0.0.1:${METRICS_PORT}/metrics`).catch(() => undefined)
          const lines = ((await reply?.text()) ?? '').split('\n').filter((line) => metric.test(line))
          return lines.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0)
        }),
      )
    /** How many of five requests, all with this status, each instance answered. */
    const askFive = async (path: string, status: number, key?: string) => {
      const metric = new RegExp(`^catalogue_request_seconds_count.*"/api/v2/${path}",status="${status}"`)
      const before = await measure(metric)
      const statuses = await Promise.all([1, 2, 3, 4, 5].map(() => ask(path, key)))
      assert.deepEqual(statuses, Array(5).fill(status))
      let answered: number[] = []
      // A request is counted after its answer.
      await until(async () => {
        answered = (await measure(metric)).map((count, at) => count - before[at]!)
        return answered.reduce((sum, count) => sum + count, 0) === 5
      })
      return answered
    }
    const search = (key: string) => askFive('items/search', 200, key)

    // Until each instance has a key.
    const keys: (string | undefined)[] = [undefined, undefined]
    let houses = 0
    while (keys.includes(undefined)) {
      const slug = `huis-${(houses += 1)}`
      await service.load([houseLine(slug), { type: 'item', title: 'Vaas' }])
      const key = await service.issueKey(slug)
      await until(async () => (await ask('lots', key)) === 200)
      const answered = await search(key)
      assert.ok(answered.includes(5))
      keys[answered.indexOf(5)] ??= key
    }
    const [moved, staying] = keys as [string, string]
    const indexes = await measure(/^catalogue_search_houses\{state="whole"\}/)
    assert.equal(indexes[0]! + indexes[1]!, houses)
    assert.ok(indexes.every((count) => count > 0))
    assert.ok((await askFive('items', 401)).every((count) => count > 0))

    await instances[0]!.stop('SIGKILL')
    assert.deepEqual(await search(moved), [0, 5])
    assert.deepEqual(await search(staying), [0, 5])
    instances[0] = await start(places[0]!)
    await until(async () => (await search(moved))[0] === 5)
    assert.deepEqual(await search(staying), [0, 5])
  },
)
