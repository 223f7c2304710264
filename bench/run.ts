import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'

// `npm run bench [name …]` runs these one after another, each in its own process. BENCH_DIR is a folder that keeps
// the catalogues for the next run. BENCH_LOTS (200000), BENCH_SECONDS (4) and BENCH_ROUNDS (3) set size and duration;
// with BENCH_MINUTES (none) `memory` runs for so many minutes. What is no name is handed on: `npm run bench judge 7`.
const benches = ['reads', 'writes', 'bids', 'closing', 'memory', 'images', 'importer']
// `judge` needs the real catalogues, `search` real texts. `distinct` takes five minutes, `guard` two, `after-load` fifteen.
const onlyWhenNamed = ['judge', 'search', 'distinct', 'guard', 'after-load']

const given = process.argv.slice(2)
const named = [...benches, ...onlyWhenNamed].filter((name) => given.includes(name))
const others = given.filter((each) => !named.includes(each))
const chosen = given.length > 0 ? named : benches
const folder = process.env.BENCH_DIR ?? (await mkdtemp(path.join(tmpdir(), 'catalogue-bench-')))
for (const name of chosen) {
  const program = path.join(import.meta.dirname, `measures/${name}.ts`)
  const child = spawn(process.execPath, [program, ...others], {
    stdio: 'inherit',
    env: { ...process.env, BENCH_DIR: folder },
  })
  const [code] = (await once(child, 'exit')) as [number | null]
  if (code !== 0) process.exitCode = 1
}
if (process.env.BENCH_DIR === undefined) await rm(folder, { recursive: true, force: true })
