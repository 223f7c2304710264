import path from 'node:path'
import { stripVTControlCharacters } from 'node:util'

/** A test that has ended. */
export type TestResult = {
  name: string
  /** The file that the run started, and where the test stands: a file may import tests. */
  file: string
  place: string
  line: number
} & ({ state: 'passed' | 'skipped' } | { state: 'failed'; error: TestError })

type TestError = { message: string; stack: string; isOfTestInside?: boolean }
type Failure = Extract<TestResult, { state: 'failed' }>

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
const relative = (file: string) => path.relative(folder, path.resolve(folder, file))
const indent = (lines: string[]) => lines.map((line) => `  ${line}`)
const linesOf = (text: string) =>
  stripVTControlCharacters(text)
    .split('\n')
    .filter((line) => !/^\s*$|^node:internal|^\s*(throw err;|\^+)$/.test(line))

/** Where in the test's own file the error was thrown; otherwise where the test begins. */
function locate({ place, line, error: { stack } }: Failure): string {
  const [, at = line] = new RegExp(`${path.basename(place)}:(\\d+):\\d+\\)?$`, 'm').exec(stack) ?? []
  return `${relative(place)}:${at}`
}

// A file that ended before its tests, or not with them.
const isFile = ({ name, file }: TestResult) => relative(file) === relative(name)

const quote = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`
const asPattern = (name: string) => name.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&')

function describe(failure: Failure, printed: string): { reason: string[]; text: string } {
  const { message, stack } = failure.error
  const hasEnded = isFile(failure)
  const reason = linesOf(hasEnded ? `${message}\n${printed}` : message)
  const frames = hasEnded ? [] : linesOf(stack).filter((line) => line.includes(folder))
  const pattern = hasEnded ? '' : ` -- --test-name-pattern=${quote(asPattern(failure.name))}`
  const first = reason.slice(0, mostFirstLines)
  const lines = [
    '',
    `✖ ${failure.name}`,
    ...indent([
      locate(failure),
      ...first,
      `npm run test:file ${relative(failure.file)}${pattern}`,
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

/** The report of a run, to which results are added as they come. */
export type Report = ReturnType<typeof openReport>

/**
 * Prints failures, each with its place, its reason and its command first, and how far the run is. Adds what becomes of the
 * tests to `outcomes`, by the path of their file.
 */
export function openReport(outcomes: Map<string, FileOutcome>, print: (text: string) => void) {
  const began = performance.now()
  let shown = began
  return {
    /** Adds a result. `printed`: what its process wrote to standard error since the file began. */
    add(result: TestResult, printed: string): void {
      // A file without tests passes; with a test that failed, it fails.
      if (isFile(result) && (result.state !== 'failed' || result.error.isOfTestInside)) return
      const file = relative(result.file)
      const outcome = outcomes.get(file) ?? { passed: 0, failed: 0, skipped: 0, failures: [] }
      outcomes.set(file, outcome)
      outcome[result.state] += 1
      // A test that failed because one inside it did says nothing more.
      if (result.state === 'failed' && !result.error.isOfTestInside) {
        const { reason, text } = describe(result, printed)
        outcome.failures.push({ name: isFile(result) ? 'the file' : result.name, reason })
        print(text)
      }
      if (performance.now() - shown < progressMilliseconds) return
      shown = performance.now()
      print(`${countTests(outcomes.values())} after ${Math.round((shown - began) / 1_000)} s\n`)
    },
  }
}
