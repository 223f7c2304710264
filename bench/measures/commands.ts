import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createDataDir, findPort, runCommand, startProcess } from '../../test/support/process.ts'
import { spread } from '../lib/report.ts'

// Measures how long commands take, from the launcher to their end: the first time without compiled code, and then
// with it. The lists are those of a demo house, beside its running service.
const rounds = Number(process.env.BENCH_ROUNDS ?? 3)
const alone = [['--version'], ['--help'], ['help', 'sessions', 'publish'], ['completion', 'bash']]
const beside = [
  ['houses', 'list'],
  ['keys', 'list'],
  ['lots', 'list'],
]
const cache = path.join(tmpdir(), `catalogue-bench-compiled-${process.pid}`)
const folder = await createDataDir()
const settings = { DATA_DIR: folder.dataDir, NODE_COMPILE_CACHE: cache }

async function time(words: string[]): Promise<number> {
  const begun = performance.now()
  const { code, stderr } = await runCommand(settings, ...words)
  if (code !== 0) throw new Error(stderr)
  return performance.now() - begun
}

async function measure(words: string[]): Promise<void> {
  const cold: number[] = []
  const warm: number[] = []
  for (let round = 0; round < rounds; round++) {
    await rm(cache, { recursive: true, force: true })
    cold.push(await time(words))
    warm.push(await time(words))
  }
  console.log(`| \`${words.join(' ')}\` | ${spread(cold, 0)} | ${spread(warm, 0)} |`)
}

console.log(`\n## Commands, ${rounds} rounds, milliseconds\n\n| command | first | then |\n| --- | ---: | ---: |`)
for (const words of alone) await measure(words)
const service = await startProcess({ ...settings, PORT: String(await findPort()) }, '--demo')
try {
  for (const words of beside) await measure(words)
} finally {
  await service.stop()
  await folder.remove()
  await rm(cache, { recursive: true, force: true })
}
