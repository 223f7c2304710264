import { certifySheets } from './certify-sheets/run.ts'

// Sheets from real sale catalogues (../shared/data) in nine languages, each with one peculiarity of sheets of houses, are
// mapped, planned, applied and verified. Every item is stored as it was typed, or its refusal names the cell.
// npx node chaos/certify-sheets.ts [SHEETS] [SEED]

const [sheets = 2000, seed = Date.now() % 1_000_000] = process.argv.slice(2).map(Number)
const began = performance.now()
const counts = await certifySheets({ sheets, seed, tell: (text) => process.stdout.write(`${text}\n`) })
const seconds = Math.round((performance.now() - began) / 1000)
process.stdout.write(`${sheets} sheets of seed ${seed} in ${seconds} s, nothing lost and nothing wrong:\n`)
for (const [peculiarity, { equal, refused }] of Object.entries(counts))
  process.stdout.write(`  ${peculiarity}: ${equal} equal, ${refused} refused\n`)
