import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import { Worker } from 'node:worker_threads'
import { findFiles, runFiles } from './support/runner.ts'
import type { FileOutcome } from './support/reporter.ts'

// `busy.ts [FILE…] [--rounds N]`: runs test files on a machine whose processors are all busy and whose disk is written
// to, as on a shared one. Prints each test that failed in any round.
const { values, positionals: words } = parseArgs({
  allowPositionals: true,
  options: { rounds: { type: 'string', default: '3' } },
})
const rounds = Number(values.rounds)
if (!Number.isInteger(rounds) || rounds < 1) throw new Error('--rounds takes a whole number from 1 on')
const files = findFiles(words.length > 0 ? words : ['quick'])

const load = [...Array.from({ length: availableParallelism() }, () => 'processor'), 'disk'].map(
  (workerData) => new Worker(new URL('support/load.ts', import.meta.url), { workerData }),
)

const failures = new Map<string, { rounds: number; reason: string[] }>()
let passed = 0

function noteFailures(outcomes: Map<string, FileOutcome>): void {
  const failed = new Map(
    [...outcomes].flatMap(([file, outcome]) =>
      outcome.failures.map(({ name, reason }) => [`${file}: ${name}`, reason] as const),
    ),
  )
  for (const [test, reason] of failed) {
    const { rounds: before } = failures.get(test) ?? { rounds: 0 }
    failures.set(test, { rounds: before + 1, reason })
  }
}

async function runRounds(): Promise<void> {
  for (let round = 1; round <= rounds; round++) {
    console.log(`\nRound ${round} of ${rounds}: ${files.length} files`)
    const outcomes = new Map<string, FileOutcome>()
    await runFiles(files, outcomes).finally(() => noteFailures(outcomes))
    if (outcomes.size > 0 && [...outcomes.values()].every(({ failed }) => failed === 0)) passed++
  }
}

const fault = await runRounds().catch((error: unknown) => error as Error)
for (const thread of load) await thread.terminate()
if (fault !== undefined) console.log(`\n${fault.message}`)

console.log(`\n${passed} of ${rounds} rounds of ${files.length} files passed.`)
for (const [test, { rounds: failed, reason }] of failures)
  console.log([`  failed in ${failed} of ${rounds}: ${test}`, ...reason].join('\n    '))
process.exitCode = passed === rounds ? 0 : 1
