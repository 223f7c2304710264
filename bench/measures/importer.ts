import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { startImporter } from '../../packages/importer/test/house.ts'
import { json, openClient } from '../../test/support/client.ts'
import { residentMemory, runCommand } from '../../test/support/process.ts'
import { startCatalogue } from '../lib/processes.ts'
import { alternate, printReport } from '../lib/report.ts'

// Measures the importer beside bare requests: items a second at the same concurrency, the memory of a run over many items,
// and the time of a plan. The service is one process with a database of its own, whose commits are durable.
const created = Number(process.env.BENCH_CREATED ?? 2_000)
const rows = Number(process.env.BENCH_ROWS ?? 20_000)
const items = Number(process.env.BENCH_ITEMS ?? 100_000)
const concurrency = 16

const folder = await mkdtemp(path.join(tmpdir(), 'catalogue-bench-'))
const dataDir = path.join(folder, 'data')
const settings = { DATA_DIR: dataDir }
const service = await startCatalogue(dataDir)

async function command(...words: string[]): Promise<string> {
  const { code, stdout, stderr } = await runCommand(settings, ...words)
  if (code !== 0) throw new Error(stderr)
  return stdout
}

async function openHouse(slug: string) {
  await command('houses', 'create', slug, '--name', slug, '--locale', 'nl', '--currency', 'EUR')
  const { key } = JSON.parse(await command('keys', 'create', '--house', slug, '--all', '--json')) as { key: string }
  return key
}

const bodyOf = (reference: string) => ({
  external_reference: reference,
  title: `Vaas ${reference}`,
  description: 'Delfts blauw, met een voorstelling van vissers aan de waterkant. '.repeat(4),
  translations: { en: { title: `Vase ${reference}` } },
  estimate: { low: { amount: 40_000, currency: 'EUR' }, high: { amount: 60_000, currency: 'EUR' } },
})

async function writeSource(slug: string, prefix: string, count: number): Promise<string> {
  const file = path.join(folder, `${prefix}.ndjson`)
  const house = { type: 'house', slug, name: slug, default_locale: 'nl', currency: 'EUR' }
  const lines = Array.from({ length: count }, (_, index) => {
    const reference = `${prefix}-${index}`
    return { type: 'item', ref: reference, ...bodyOf(reference) }
  })
  await writeFile(file, [house, ...lines].map((line) => `${JSON.stringify(line)}\n`).join(''))
  return file
}

/** Runs the importer, and gives its seconds and the most memory that it had, in MiB. */
async function runImporter(key: string, ...words: string[]) {
  const child = startImporter(key, [...words, '--url', service.url, '--json'])
  let most = 0
  const timer = setInterval(() => void residentMemory(child).then((now) => (most = Math.max(most, now || 0))), 100)
  const { code, stdout, stderr } = await child.outcome
  clearInterval(timer)
  if (code !== 0) throw new Error(stdout.slice(-500) + stderr)
  const { seconds } = JSON.parse(stdout.trimEnd().split('\n').at(-1)!) as { seconds: number }
  return { seconds, most }
}

try {
  const key = await openHouse('speed')
  let round = 0
  const rates = await alternate(
    async () => {
      const file = await writeSource('speed', `importer-${++round}`, created)
      return created / (await runImporter(key, 'apply', file)).seconds
    },
    async () => {
      const { call, close } = openClient(service.url, key, concurrency)
      const begun = performance.now()
      let next = 0
      const send = async () => {
        while (next < created) {
          const { status, text } = await call('POST', 'items', json(bodyOf(`bare-${round}-${next++}`)))
          if (status !== 201) throw new Error(text)
        }
      }
      await Promise.all(Array.from({ length: concurrency }, send))
      close()
      return created / ((performance.now() - begun) / 1000)
    },
  )
  printReport(
    'importer',
    [{ work: `create ${created} items, importer and bare requests`, rates }],
    ['importer', 'bare'],
  )

  const planned = await runImporter(await openHouse('plan'), 'plan', await writeSource('plan', 'plan', rows))
  console.log(`\nplan of ${rows} rows that are new: ${planned.seconds.toFixed(1)} s, each rehearsed`)

  const manyKey = await openHouse('many')
  const many = await writeSource('many', 'many', items)
  await command('load', many)
  const same = await runImporter(manyKey, 'plan', many)
  console.log(
    `plan of ${items} rows that are stored: ${same.seconds.toFixed(1)} s, ${same.most.toFixed(0)} MiB at most`,
  )
  const applied = await runImporter(manyKey, 'apply', many)
  const again = await runImporter(manyKey, 'apply', many)
  console.log(
    `apply of ${items} rows that are stored: ${applied.seconds.toFixed(1)} s, ${applied.most.toFixed(0)} MiB at most; ` +
      `again, with its journal: ${again.seconds.toFixed(1)} s, ${again.most.toFixed(0)} MiB`,
  )
} finally {
  await service.stop()
  await rm(folder, { recursive: true, force: true })
}
