import path from 'node:path'
import type { TestEvent } from 'node:test/reporters'
import { stripVTControlCharacters } from 'node:util'

type Failure = Extract<TestEvent, { type: 'test:fail' }>['data']

// The first lines of a failure say where to look. The rest follows.
const mostFirstLines = 6
const mostLines = 60
const progressMilliseconds = 10_000

const folder = path.join(import.meta.dirname, '../..')
const relative = (file = '') => path.relative(folder, path.resolve(folder, file))
const indent = (lines: string[]) => lines.map((line) => `  ${line}`)
const linesOf = (text: string) =>
  stripVTControlCharacters(text)
    .split('\n')
    .filter((line) => line.trim() !== '')

/** Where in the test's own file the error was thrown; otherwise where the test begins. */
function locate({ file = '', line }: Failure, stack: string): string {
  const [, at = line] = new RegExp(`${path.basename(file)}:(\\d+):\\d+\\)?$`, 'm').exec(stack) ?? []
  return `${relative(file)}:${at}`
}

function describe(failure: Failure, printed: string): string[] {
  const { cause } = failure.details.error as { cause?: unknown }
  const error = cause instanceof Error ? cause : failure.details.error
  // A file that ended before its tests has written the reason to its standard error.
  const isFile = relative(failure.file) === failure.name
  const reason = linesOf(isFile && printed !== '' ? printed : error.message)
  const frames = isFile ? [] : linesOf(error.stack ?? '').filter((line) => line.includes(folder))
  const pattern = isFile ? '' : ` -- --test-name-pattern=${JSON.stringify(failure.name)}`
  return [
    '',
    `✖ ${failure.name}`,
    ...indent([
      locate(failure, error.stack ?? ''),
      ...reason.slice(0, mostFirstLines),
      `npm run test:file ${relative(failure.file)}${pattern}`,
      ...indent([...reason.slice(mostFirstLines), ...frames].slice(0, mostLines)),
    ]),
  ]
}

/** Prints failures as they come, each with its place, its reason and its command first, and a count at the end. */
export default async function* report(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  const counts = { passed: 0, failed: 0, skipped: 0 }
  const failed: string[] = []
  const printed = new Map<string, string>()
  const began = performance.now()
  let shown = began
  const seconds = () => Math.round((performance.now() - began) / 1_000)
  const count = () =>
    Object.entries(counts)
      .map(([name, number]) => `${number} ${name}`)
      .join(', ')
  for await (const { type, data } of events) {
    if (type === 'test:stderr') {
      const file = relative(data.file)
      printed.set(file, `${printed.get(file) ?? ''}${data.message}`.slice(-20_000))
    }
    if (type !== 'test:pass' && type !== 'test:fail') continue
    if (data.skip !== undefined) counts.skipped += 1
    else if (type === 'test:pass') counts.passed += 1
    else {
      counts.failed += 1
      failed.push(`${relative(data.file)}: ${data.name}`)
      yield `${describe(data, printed.get(relative(data.file)) ?? '').join('\n')}\n`
    }
    if (performance.now() - shown < progressMilliseconds) continue
    shown = performance.now()
    yield `${count()} after ${seconds()} s\n`
  }
  if (failed.length > 0) yield ['', 'Failed:', ...indent(failed), ''].join('\n')
  yield `\n${seconds()} s\n${count()}\n`
}
