import { globSync } from 'node:fs'
import path from 'node:path'
import { run } from 'node:test'
import { globalSetup, globalTeardown } from './global-setup.ts'
import { reportTests, type FileOutcome } from './reporter.ts'

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

/**
 * Runs test files, each in a process of its own, and prints failures and progress. What the files share is made for this
 * run: a file that runs again does not find what its first run left. Adds what becomes of the tests of each file to
 * `outcomes`. Throws if a signal stopped the run.
 */
export async function runFiles(
  files: string[],
  concurrency: number,
  outcomes: Map<string, FileOutcome>,
  testNamePatterns: string[] = [],
): Promise<void> {
  await globalSetup()
  try {
    const events = run({
      files,
      cwd: folder,
      concurrency,
      testNamePatterns,
      timeout: 600_000,
      execArgv: ['--import', path.join(import.meta.dirname, 'ending.ts')],
      signal: stopping.signal,
    })
    await reportTests(events, outcomes, (text) => process.stdout.write(text))
  } finally {
    await globalTeardown()
  }
  if (stopping.signal.aborted) throw new Error('the run was stopped')
}
