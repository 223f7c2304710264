import path from 'node:path'
import type { TestEvent } from 'node:test/reporters'
import { format, stripVTControlCharacters } from 'node:util'

type Failure = Extract<TestEvent, { type: 'test:fail' }>['data']

/** What became of the tests of a file. */
export type FileOutcome = {
  passed: number
  failed: number
  skipped: number
  /** The tests that failed by themselves, each with the first lines of its reason. */
  failures: { name: string; reason: string[] }[]
}

// The first lines of a failure say where to look. The rest follows.
const mostFirstLines = 6
const mostLines = 60
const progressMilliseconds = 10_000

const folder = path.join(import.meta.dirname, '../..')
const relative = (file = '') => path.relative(folder, path.resolve(folder, file))
const indent = (lines: string[]) => lines.map((line) => `  ${line}`)
// The message of an error is not always a text.
const linesOf = (text: string) =>
  stripVTControlCharacters(format('%s', text))
    .split('\n')
    .filter((line) => !/^\s*$|^node:internal|^\s*(throw err;|\^+)$/.test(line))

/** The file that the test runner started: a test may stand in another one, which that file imports. */
const startedFile = (data: { file?: string; entryFile?: string }) => relative(data.entryFile ?? data.file)

/** Where in the test's own file the error was thrown; otherwise where the test begins. */
function locate({ file = '', line }: Failure, stack: string): string {
  const [, at = line] = new RegExp(`${path.basename(file)}:(\\d+):\\d+\\)?$`, 'm').exec(stack) ?? []
  return `${relative(file)}:${at}`
}

// A file that ended before its tests, or not with them.
const isFile = ({ name, file }: Failure) => relative(file) === relative(name)

// A test that failed because one inside it did.
const isParent = (failure: Failure) =>
  !isFile(failure) && (failure.details.error as { failureType?: string }).failureType === 'subtestsFailed'

/** What is known of the end of a file: its exit code or signal, and what it wrote to its standard error. */
function explainEnd({ details }: Failure, error: Error, printed: string): string {
  const { exitCode, signal } = details.error as { exitCode?: number | null; signal?: string | null }
  const end = signal ?? (exitCode == null ? undefined : `exit code ${exitCode}`)
  return `${end === undefined ? error.message : `the file ended with ${end}`}\n${printed}`
}

const quote = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`
const asPattern = (name: string) => name.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&')

function describe(failure: Failure, printed: string): { reason: string[]; text: string } {
  const { cause } = failure.details.error as { cause?: unknown }
  const error = cause instanceof Error ? cause : failure.details.error
  const hasEnded = isFile(failure)
  const reason = linesOf(hasEnded ? explainEnd(failure, error, printed) : error.message)
  const frames = hasEnded ? [] : linesOf(error.stack ?? '').filter((line) => line.includes(folder))
  const pattern = hasEnded ? '' : ` -- --test-name-pattern=${quote(asPattern(failure.name))}`
  const first = reason.slice(0, mostFirstLines)
  const lines = [
    '',
    `✖ ${failure.name}`,
    ...indent([
      locate(failure, error.stack ?? ''),
      ...first,
      `npm run test:file ${startedFile(failure)}${pattern}`,
      ...indent([...reason.slice(mostFirstLines), ...frames].slice(0, mostLines)),
    ]),
  ]
  return { reason: first, text: `${lines.join('\n')}\n` }
}

/** The sum of the outcomes in words: `3 passed, 0 failed, 1 skipped`. */
export function countTests(outcomes: Iterable<FileOutcome>): string {
  const counts = { passed: 0, failed: 0, skipped: 0 }
  for (const outcome of outcomes)
    for (const name of ['passed', 'failed', 'skipped'] as const) counts[name] += outcome[name]
  return Object.entries(counts)
    .map(([name, number]) => `${number} ${name}`)
    .join(', ')
}

/**
 * Prints failures as they come, each with its place, its reason and its command first, and how far the run is. Adds what
 * became of the tests to `outcomes`, by the path of the file that the test runner started.
 */
export async function reportTests(
  events: AsyncIterable<TestEvent>,
  outcomes: Map<string, FileOutcome>,
  print: (text: string) => void,
): Promise<void> {
  const printed = new Map<string, string>()
  const began = performance.now()
  let shown = began
  for await (const { type, data } of events) {
    // An error after the end of a test is told as a diagnostic.
    if (type === 'test:stderr' || (type === 'test:diagnostic' && data.message.startsWith('Error:'))) {
      const file = startedFile(data)
      printed.set(file, `${printed.get(file) ?? ''}${data.message}\n`.slice(-20_000))
    }
    if (type !== 'test:pass' && type !== 'test:fail') continue
    // A file without tests passes.
    if (type === 'test:pass' && relative(data.file) === relative(data.name)) continue
    const file = startedFile(data)
    const outcome = outcomes.get(file) ?? { passed: 0, failed: 0, skipped: 0, failures: [] }
    outcomes.set(file, outcome)
    if (type === 'test:fail') outcome.failed += 1
    else if (data.skip !== undefined) outcome.skipped += 1
    else outcome.passed += 1
    if (type === 'test:fail' && !isParent(data)) {
      const { reason, text } = describe(data, printed.get(file) ?? '')
      outcome.failures.push({ name: isFile(data) ? 'the file' : data.name, reason })
      print(text)
    }
    if (performance.now() - shown < progressMilliseconds) continue
    shown = performance.now()
    print(`${countTests(outcomes.values())} after ${Math.round((shown - began) / 1_000)} s\n`)
  }
}
