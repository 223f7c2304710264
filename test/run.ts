import { parseArgs } from 'node:util'
import { countTests, type FileOutcome } from './support/reporter.ts'
import { findFiles, runFiles } from './support/runner.ts'

// `run.ts FILE…` runs test files. `run.ts --again SUITE…` runs suites one after the other, and once more, alone, each file
// that failed among the others (docs/decisions/0034-unsteady-tests.md).
const { values, positionals: words } = parseArgs({
  allowPositionals: true,
  options: { again: { type: 'boolean' }, 'test-name-pattern': { type: 'string', multiple: true } },
})

const began = performance.now()
const outcomes = new Map<string, FileOutcome>()
const unsteady = new Map<string, FileOutcome>()

const failedFiles = () => [...outcomes.keys()].filter((file) => outcomes.get(file)!.failed > 0)

async function run(files: string[]): Promise<void> {
  for (const file of files) outcomes.delete(file)
  await runFiles(files, outcomes, values['test-name-pattern'])
}

async function runAgain(file: string): Promise<void> {
  const first = outcomes.get(file)!
  console.log(`\n${file} failed among the others. It runs once more, alone.`)
  await run([file])
  // Nothing is known of a second run without an outcome.
  if (!outcomes.has(file)) outcomes.set(file, first)
  if (outcomes.get(file)!.failed === 0) unsteady.set(file, first)
}

function list(title: string, files: Map<string, FileOutcome>): void {
  if (files.size === 0) return
  console.log(`\n${title}`)
  for (const [file, { failures }] of files)
    for (const { name, reason } of failures) console.log([`  ${file}: ${name}`, ...reason].join('\n    '))
}

async function runAll(): Promise<void> {
  if (words.length === 0) throw new Error('name test files, or --again and a suite: quick or long')
  const groups = values.again ? words.map((word) => findFiles([word])) : [findFiles(words)]
  for (const files of groups) {
    if (failedFiles().length > 0) break
    await run(files)
    if (values.again) for (const file of failedFiles()) await runAgain(file)
  }
  if (outcomes.size === 0) throw new Error('no test ran')
}

const fault = await runAll().catch((error: unknown) => error as Error)
list('Unsteady: failed among the others, passed alone. This is a defect, which the next change mends.', unsteady)
list('Failed:', new Map(failedFiles().map((file) => [file, outcomes.get(file)!])))
if (fault !== undefined) console.log(`\n${fault.message}`)
console.log(`\n${Math.round((performance.now() - began) / 1_000)} s\n${countTests(outcomes.values())}`)
process.exitCode = failedFiles().length > 0 || fault !== undefined ? 1 : 0
