import { parseArgs } from 'node:util'
import { fuzz } from './fuzz/run.ts'

// Sends requests to a service that it starts: some that the OpenAPI document allows, some with one mistake, some hostile.
// Each kind of violation comes with the shortest request that shows it: fast-check makes it simpler.
// npm run fuzz -- --requests 100000 --seed 1

const { values } = parseArgs({
  options: { requests: { type: 'string', default: '100000' }, seed: { type: 'string' } },
})
const seed = Number(values.seed ?? Date.now() % 1_000_000)
process.stdout.write(`seed ${seed}\n`)
const { violations, lines } = await fuzz({ requests: Number(values.requests), seed })
process.stdout.write(`${lines.join('\n')}\n`)
process.exitCode = violations.length === 0 ? 0 : 1
