import { globSync, statSync } from 'node:fs'
import path from 'node:path'
import { run } from 'node:test'
import type { TestEvent } from 'node:test/reporters'
import { format } from 'node:util'
import { globalSetup, globalTeardown } from './global-setup.ts'
import { openReport, type FileOutcome, type Report, type TestResult } from './reporter.ts'

const folder = path.join(import.meta.dirname, '../..')
const folders = '{src,packages,examples,test,acceptance,chaos}'

// What every change runs, and what is slow and seldom fails.
const suites: Record<string, string> = {
  quick: `${folders}/**/!(*.long).test.ts`,
  long: `${folders}/**/*.long.test.ts`,
}

process.env.NODE_COMPILE_CACHE ??= path.join(folder, 'node_modules/.cache/tests')

const stopping = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stopping.abort())

/** The files of suites, or that patterns name, from the root of the checkout. Throws if a word names none. */
export function findFiles(words: string[]): string[] {
  const files = words.flatMap((word) => {
    const found = globSync(suites[word] ?? word, { cwd: folder, exclude: (name) => name === 'node_modules' })
    if (found.length === 0) throw new Error(`no test file is named ${word}`)
    return found.map((file) => path.relative(folder, path.resolve(folder, file))).toSorted()
  })
  return [...new Set(files)]
}

/** The rooms of test files, the largest first: a file that changes its process, or takes long, has one of its own. */
function groupFiles(files: string[]): string[][] {
  const isAlone = (file: string) => /\.(alone|long)\.test\.ts$/.test(file)
  const roomOf = (file: string) => (isAlone(file) ? file : file.split('/').slice(0, 2).join('/'))
  const sizeOf = (room: string[]) => room.reduce((sum, file) => sum + statSync(path.join(folder, file)).size, 0)
  return Object.values(Object.groupBy(files, roomOf) as Record<string, string[]>).toSorted(
    (one, other) => sizeOf(other) - sizeOf(one),
  )
}

type Result = Extract<TestEvent, { type: 'test:pass' | 'test:fail' }>
type RunOptions = NonNullable<Parameters<typeof run>[0]>
type RunnerError = Error & { failureType?: string; exitCode?: number | null; signal?: string | null }

function readResult({ type, data }: Result, file: string): TestResult {
  const at = { name: data.name, file, place: data.file ?? file, line: data.line ?? 1 }
  if (type === 'test:pass') return { ...at, state: data.skip === undefined ? 'passed' : 'skipped' }
  const { cause, failureType, exitCode, signal } = data.details.error as RunnerError
  const { message, stack = '' } = cause instanceof Error ? cause : data.details.error
  const end = signal ?? (exitCode == null ? undefined : `exit code ${exitCode}`)
  // The message of an error is not always a text.
  const error = { message: end === undefined ? format('%s', message) : `the file ended with ${end}`, stack }
  return { ...at, state: 'failed', error: { ...error, isOfTestInside: failureType === 'subtestsFailed' } }
}

const room = path.join(import.meta.dirname, 'room.ts')
// Tests wait as long as they compute: two processors are free half of the time with two.
const roomsAtOnce = 3

/** Runs a file in a process of its own, or several one after another in one. Returns those that did not come to their end. */
async function runTogether(files: string[], options: RunOptions, report: Report): Promise<string[]> {
  const isRoom = files.length > 1
  const unfinished = new Set(isRoom ? files : [])
  let [file, printed] = [files[0]!, '']
  for await (const event of run({ ...options, ...(isRoom ? { files: [room], argv: files } : { files }) })) {
    const { type, data } = event
    if (isRoom && type === 'test:dequeue' && data.nesting === 0 && data.name !== room) [file, printed] = [data.name, '']
    // An error after the end of a test is told as a diagnostic.
    if (type === 'test:stderr' || (type === 'test:diagnostic' && data.message.startsWith('Error:')))
      printed = `${printed}${data.message}\n`.slice(-20_000)
    if (type !== 'test:pass' && type !== 'test:fail') continue
    const result = readResult(event, file)
    if (isRoom && data.nesting === 0 && data.name !== room) unfinished.delete(data.name)
    // A room that ended early has files that are run again.
    if (data.name === room && unfinished.size === 0 && type === 'test:fail') {
      const [, place = file] = / at (\S+\.test\.ts):\d/.exec(printed) ?? []
      report.add({ ...result, name: place, file: place }, printed)
    } else if (data.name !== room) report.add(result, printed)
  }
  return [...unfinished]
}

/**
 * Runs test files, those of a room one after another in a process, and prints failures and progress. What the files share
 * is made for this run: a file that runs again does not find what its first run left. Adds what becomes of the tests of
 * each file to `outcomes`. Throws if a signal stopped the run.
 */
export async function runFiles(
  files: string[],
  outcomes: Map<string, FileOutcome>,
  testNamePatterns: string[] = [],
): Promise<void> {
  // A test inside a file's own would be left out with it.
  const rooms = testNamePatterns.length > 0 ? files.map((file) => [file]) : groupFiles(files)
  const report = openReport(outcomes, (text) => process.stdout.write(text))
  const options = {
    cwd: folder,
    concurrency: 1,
    testNamePatterns,
    timeout: 600_000,
    execArgv: ['--import', path.join(import.meta.dirname, 'ending.ts')],
    signal: stopping.signal,
  }
  const runRooms = async () => {
    for (let room = rooms.shift(); room !== undefined; room = rooms.shift())
      for (const file of await runTogether(room, options, report)) {
        outcomes.delete(file)
        await runTogether([file], options, report)
      }
  }
  await globalSetup()
  try {
    await Promise.all(Array.from({ length: roomsAtOnce }, runRooms))
  } finally {
    await globalTeardown()
  }
  if (stopping.signal.aborted) throw new Error('the run was stopped')
}
