import { certifyImport } from './certify-import/run.ts'

// Small imports through a network in which three of ten requests fail, with the importer and the service killed at
// random moments. At the end every record of each source is stored once and correctly, and every report is true.
// npx node chaos/certify-import.ts [RUNS] [SEED] [AT-ONCE]

const [runs = 1000, seed = Date.now() % 1_000_000, atOnce = 8] = process.argv.slice(2).map(Number)
const began = performance.now()
const counts = await certifyImport({ runs, seed, atOnce, tell: (text) => process.stdout.write(`${text}\n`) })
const seconds = Math.round((performance.now() - began) / 1000)
process.stdout.write(`${runs} runs of seed ${seed} in ${seconds} s, each complete: ${JSON.stringify(counts)}\n`)
