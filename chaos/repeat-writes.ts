import { list } from './lib/counts.ts'
import { repeatWrites } from './repeat-writes/run.ts'

// Sends writes through a proxy that swallows answers, and repeats them under their Idempotency-Key, while the service and
// the database are killed. Every record must be stored once.
// npx node chaos/repeat-writes.ts [writes] [kills]

const [writes = 10_000, kills = 40] = process.argv.slice(2).map(Number)
const began = performance.now()
const { counts, fates, done } = await repeatWrites({ writes, kills })
const seconds = Math.round((performance.now() - began) / 1000)
console.log(`${done} writes in ${seconds} s, each stored once: ${list({ ...counts, ...fates })}`)
