import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import path from 'node:path'

// `npm run bench [name …]` runs these one after another, each in a process of its own. BENCH_DIR keeps the catalogue
// for the next time, BENCH_LOTS (200000), BENCH_SECONDS (4) and BENCH_ROUNDS (3) say how large and how long.
const benches = ['reads', 'scale', 'start', 'storefront', 'writes', 'bids', 'overload', 'images']

const chosen = process.argv.slice(2)
for (const name of benches) {
  const program = path.join(import.meta.dirname, `${name}.ts`)
  if (!existsSync(program) || (chosen.length > 0 && !chosen.includes(name))) continue
  const [code] = (await once(spawn(process.execPath, [program], { stdio: 'inherit' }), 'exit')) as [number | null]
  if (code !== 0) process.exitCode = 1
}
