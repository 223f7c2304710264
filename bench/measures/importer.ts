import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { builtProgram, startImporter } from '../../packages/importer/test/program.ts'
import { json, openClient } from '../../test/support/client.ts'
import { checkout, residentMemory, runCommand } from '../../test/support/process.ts'
import { startCatalogue } from '../lib/processes.ts'
import { alternate, printReport } from '../lib/report.ts'
import { writeCsv, writeXlsx } from '../lib/sheets.ts'

// Measures the importer beside bare requests: items per second at the same concurrency, the memory of a run over many
// items, and the time of a plan. The service is one process with a database of its own, whose commits are durable.
const created = Number(process.env.BENCH_CREATED ?? 2_000)
const rows = Number(process.env.BENCH_ROWS ?? 20_000)
const items = Number(process.env.BENCH_ITEMS ?? 100_000)
const concurrency = 16

// Started as its users start it, with the young generation and the arena that `bin` sets.
await promisify(execFile)('npm', ['run', '-s', 'build', '-w', 'packages/importer'], { cwd: checkout })
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

/** Runs the importer. Returns its seconds and its peak memory in MiB. Staff may add the lots later. */
async function runImporter(key: string, mode: string, file: string) {
  const child = startImporter(key, [mode, file, '--url', service.url], builtProgram)
  let most = 0
  const timer = setInterval(() => void residentMemory(child).then((now) => (most = Math.max(most, now || 0))), 100)
  const { code, stdout, stderr } = await child.outcome
  clearInterval(timer)
  const isWhole = code === 0 || (mode === 'verify' && code === 1 && !stdout.includes('different or missing'))
  if (!isWhole) throw new Error(stdout.slice(-500) + stderr)
  return { seconds: Number(/^([\d.]+) s, \d+ requests$/m.exec(stdout)![1]), most }
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

  const sheetKey = await openHouse('sheets')
  const steps = path.join(folder, 'steps.csv')
  await writeFile(steps, 'from,increment\n0,500\n')
  await command('strategies', 'create', 'Standaard', '--file', steps, '--house', 'sheets')
  const [csv, xlsx] = [path.join(folder, 'sheet.csv'), path.join(folder, 'sheet.xlsx')]
  await writeCsv(csv, rows)
  await writeXlsx(xlsx, rows)
  for (const [mode, file] of [
    ['plan', csv],
    ['plan', xlsx],
    ['apply', csv],
    ['apply', xlsx],
    ['verify', csv],
    ['verify', xlsx],
  ] as const) {
    const { seconds, most } = await runImporter(sheetKey, mode, file)
    const what = `${mode} of ${rows} rows of 1 KB in 20 columns (${path.extname(file).slice(1)})`
    console.log(`${what}: ${seconds.toFixed(1)} s, ${most.toFixed(0)} MiB at most`)
  }

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
