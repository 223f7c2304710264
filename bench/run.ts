import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'

// `npm run bench [name …]` runs these one after another, each in its own process. BENCH_DIR is a folder that keeps
// the catalogues for the next run. BENCH_LOTS (200000), BENCH_SECONDS (4) and BENCH_ROUNDS (3) set size and duration;
// with BENCH_MINUTES (none) `memory` runs for so many minutes.
const benches = ['reads', 'writes', 'bids', 'closing', 'memory', 'images', 'importer']
// `judge` needs the real catalogues, `search` real texts.
const onlyWhenNamed = ['judge', 'search']

const named = process.argv.slice(2)
const chosen = named.length > 0 ? [...benches, ...onlyWhenNamed].filter((name) => named.includes(name)) : benches
const folder = process.env.BENCH_DIR ?? (await mkdtemp(path.join(tmpdir(), 'catalogue-bench-')))
for (const name of chosen) {
  const program = path.join(import.meta.dirname, `measures/${name}.ts`)
  const child = spawn(process.execPath, [program], { stdio: 'inherit', env: { ...process.env, BENCH_DIR: folder } })
  const [code] = (await once(child, 'exit')) as [number | null]
  if (code !== 0) process.exitCode = 1
}
if (process.env.BENCH_DIR === undefined) await rm(folder, { recursive: true, force: true })
