import assert from 'node:assert/strict'
import { exec, execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { promisify } from 'node:util'
import { checkout, environmentOf } from './support/process.ts'

const folder = await mkdtemp(path.join(tmpdir(), 'catalogue-runner-'))
after(() => rm(folder, { recursive: true, force: true }))

const preamble = `import { test } from 'node:test'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
`
const files = {
  passing: `test('it holds', () => {})`,
  /** Fails in every other run. */
  flickering: `test('it flickers', async (t) => t.test('inside', () => {
    const trace = '${folder}/trace'
    if (existsSync(trace)) return
    writeFileSync(trace, '')
    throw new Error('too early')
  }))`,
  failing: `test('it fails', () => { throw new Error('broken') })`,
  ending: `test('it never ends', async () => process.exit(7))`,
  leaving: `test('it holds', () => {})
    test('it leaves', () => process.exit(0))
    test('it would fail', () => { throw new Error('too late') })`,
  late: `test('it holds', () => { setImmediate(() => { throw new Error('after all') }) })`,
  odd: `test("a price (in $HOME) isn't [kept]", () => { throw new Error('broken') })`,
  twice: `for (const at of [1, 2]) test('the same', () => { throw new Error('broken ' + at) })`,
  empty: '',
  /** Fails in its first run, and then if it has the database server of that run. */
  sharing: `test('it has fixtures of its own', async () => {
    const { createTestDatabase } = await import('${checkout}/test/support/database.ts')
    const { connection, drop } = await createTestDatabase()
    await drop()
    const trace = '${folder}/trace'
    if (existsSync(trace) && readFileSync(trace, 'utf8') !== connection.host) return
    writeFileSync(trace, connection.host)
    throw new Error('not yet')
  })`,
}
for (const [name, text] of Object.entries(files)) await writeFile(path.join(folder, `${name}.test.ts`), preamble + text)
const patternOf = (...names: (keyof typeof files)[]) => path.join(folder, `{${names.join()},}.test.ts`)

/** Runs one of the programs that run tests. Returns its exit code and its lines. */
async function runProgram(program: string, ...words: string[]): Promise<{ code: number; lines: string[] }> {
  await rm(path.join(folder, 'trace'), { force: true })
  return new Promise((resolve) => {
    const env = environmentOf({})
    execFile(process.execPath, [path.join(checkout, 'test', program), ...words], { env }, (error, stdout) =>
      resolve({ code: error === null ? 0 : Number(error.code), lines: stdout.trimEnd().split('\n') }),
    )
  })
}

test('a file that fails among the others and passes alone is listed as unsteady, and the run goes on', async () => {
  const { code, lines } = await runProgram(
    'run.ts',
    '--again',
    patternOf('passing', 'flickering'),
    patternOf('passing'),
  )
  assert.equal(code, 0)
  const listed = lines.slice(lines.findIndex((line) => line.startsWith('Unsteady')))
  assert.match(listed[1]!, /flickering\.test\.ts: inside$/)
  assert.equal(listed[2]!.trim(), 'too early')
  assert.equal(lines.at(-1), '3 passed, 0 failed, 0 skipped')
})

test('a file that runs again shares nothing with its first run', async () => {
  const { code, lines } = await runProgram('run.ts', '--again', patternOf('sharing'))
  assert.deepEqual([code, lines.at(-1)], [0, '1 passed, 0 failed, 0 skipped'], lines.join('\n'))
})

test('a file that fails again fails the run, and no further suite begins', async () => {
  const { code, lines } = await runProgram('run.ts', '--again', patternOf('failing', 'ending'), patternOf('passing'))
  assert.equal(code, 1)
  const listed = lines.slice(lines.indexOf('Failed:') + 1).join('\n')
  assert.match(listed, /^ +.*ending\.test\.ts: the file\n +the file ended with exit code 7$/m)
  assert.match(listed, /^ +.*failing\.test\.ts: it fails\n +broken$/m)
  assert.ok(!lines.some((line) => line.startsWith('Unsteady')))
  assert.equal(lines.at(-1), '0 passed, 2 failed, 0 skipped')
})

test('a file that is named by itself runs once', async () => {
  const { code, lines } = await runProgram('run.ts', patternOf('flickering'))
  assert.equal(code, 1)
  assert.equal(lines.at(-1), '0 passed, 2 failed, 0 skipped')
})

test('a run of no test fails: no word, a name of no file, a file without tests, a pattern of no test', async () => {
  for (const words of [
    [],
    ['--again'],
    [patternOf('passing'), 'src/nothing.test.ts'],
    [patternOf('empty')],
    [patternOf('passing'), '--test-name-pattern=nothing'],
  ]) {
    const { code, lines } = await runProgram('run.ts', ...words)
    assert.deepEqual([code, lines.at(-1)], [1, '0 passed, 0 failed, 0 skipped'], words.join(' '))
  }
})

test('a file that ends before its tests has failed, also with exit code 0; a late error is the reason', async () => {
  const { code, lines } = await runProgram('run.ts', patternOf('leaving', 'late'))
  assert.equal(code, 1)
  const listed = lines.slice(lines.indexOf('Failed:') + 1).join('\n')
  assert.match(listed, /late\.test\.ts: the file\n +the file ended with exit code 1\n.*after all/)
  assert.match(
    listed,
    /leaving\.test\.ts: the file\n +the file ended with exit code 1\n +The file ended before its tests\./,
  )
})

test('the command that is printed with a failure runs that test', async () => {
  const { lines } = await runProgram('run.ts', patternOf('odd'))
  const command = lines.find((line) => line.includes('npm run test:file'))!
  const again = promisify(exec)(command, { cwd: checkout, env: environmentOf({}) })
  await assert.rejects(again, { code: 1, stdout: /0 passed, 1 failed, 0 skipped\n$/ })
})

test('rounds on a busy machine name each test that failed, with its rate', async () => {
  const { code, lines } = await runProgram('busy.ts', '--rounds', '2', patternOf('flickering', 'passing'))
  assert.equal(code, 1)
  const at = lines.indexOf('1 of 2 rounds of 2 files passed.')
  assert.match(lines[at + 1]!, /failed in 1 of 2: .*flickering\.test\.ts: inside$/)
  assert.equal(lines[at + 2]!.trim(), 'too early')
  const twice = await runProgram('busy.ts', '--rounds', '1', patternOf('twice'))
  assert.ok(twice.lines.some((line) => line.startsWith('  failed in 1 of 1: ')))
})
