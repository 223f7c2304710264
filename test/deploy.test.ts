import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { createInstallation } from './support/installation.ts'
import { checkout, findPort, startProcess, type RunningService } from './support/process.ts'

const read = (...name: string[]) => readFile(path.join(checkout, ...name), 'utf8')
const metricsPort = String(await findPort())
const installation = await createInstallation()
let service: RunningService

before(async () => {
  const ports = { PORT: String(await findPort()), METRICS_PORT: metricsPort }
  service = await startProcess({ ...installation.settings, ...ports })
})
after(async () => {
  await service.stop()
  await installation.remove()
})

const scrape = async () => (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text()

/** The names of the metrics of the running program in Prometheus. */
async function listMetrics(): Promise<Set<string>> {
  const text = await scrape()
  const types = text.matchAll(/^# TYPE (\w+) (\w+)$/gm)
  return new Set(
    types.flatMap(([, name, type]) =>
      type === 'histogram' ? ['_bucket', '_count', '_sum'].map((ending) => name! + ending) : [name!],
    ),
  )
}

for (const name of ['alerts.yaml', 'grafana-dashboard.json']) {
  test(`deploy/${name} uses only metrics of the running program`, async () => {
    const asked = (await read('deploy', name)).match(/\b(catalogue|nodejs|process)_\w+/g)!
    assert.ok(asked.length > 5)
    const metrics = await listMetrics()
    assert.deepEqual(
      asked.filter((metric) => !metrics.has(metric)),
      [],
    )
  })
}

test('the dashboard shows every metric of the service', async () => {
  const dashboard = JSON.parse(await read('deploy/grafana-dashboard.json')) as { panels: { targets: object[] }[] }
  const shown = JSON.stringify(dashboard.panels)
  for (const metric of await listMetrics()) {
    const name = metric.replace(/_(bucket|count|sum)$/, '')
    if (name.startsWith('catalogue_')) assert.ok(shown.includes(name), name)
  }
})

test('the running program counts the houses with a search index', async () => {
  assert.match(await scrape(), /^catalogue_search_houses\{state="whole"\} 0$/m)
})

test('docs/operating.md explains every alert, and no other', async () => {
  const alerts = (await read('deploy/alerts.yaml')).matchAll(/- alert: (\w+)/g).map(([, name]) => name!)
  const described = (await read('docs/operating.md')).matchAll(/^\| `(Catalogue\w+)` \|/gm).map(([, name]) => name!)
  assert.deepEqual([...described], [...alerts])
})

test('systemd waits longer for a stop than the service needs', async () => {
  const [, seconds] = /^TimeoutStopSec=(\d+)$/m.exec(await read('deploy/catalogue.service'))!
  const source = await read('src/cli/operator/serving.ts')
  const limits = [...source.matchAll(/^const (?:stop|abandon)Milliseconds = ([\d_]+)$/gm)].map(([, text]) =>
    Number(text!.replaceAll('_', '')),
  )
  assert.equal(limits.length, 2)
  assert.ok(Number(seconds) * 1000 > limits.reduce((sum, limit) => sum + limit))
})
