import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'

const root = path.join(import.meta.dirname, '..')

const names = ['message', 'detail', 'problem', 'sentence', 'clause', 'refusal']
const methods =
  'replace|replaceAll|match|matchAll|slice|split|startsWith|endsWith|includes|indexOf|lastIndexOf|substring|search|at|charAt'

// A sentence that came from elsewhere under another name, such as `const text = error.message`.
const borrowed = /\b(?:const|let) (\w+)(?:: \w+)? = [^\n]*\.(?:message|detail)\b/g

/** The lines of a program that take a sentence apart, or give one to a refusal that has facts. */
function findFaults(source: string): string[] {
  const given = [...names, ...Array.from(source.matchAll(borrowed), ([, name]) => name!)].join('|')
  const faults = [
    new RegExp(String.raw`(?<!['"])\b(?:${given})\)?[?!]*\.(?:${methods})\(`),
    new RegExp(String.raw`(?<!['"])\b(?:${given})(?:!|\?\.)?\[\d`),
    /\.(?:exec|test)\([^()]*(?:\([^()]*\)[^()]*)?\b(?:message|detail)\b/,
    // A sentence as it is written, which ends with a full stop.
    new RegExp(`\\.[\`']\\.(?:${methods})\\(`),
    /\bconflict\(['"`]/,
    /new Problem\('(?:conflict|session-not-editable|lot-not-changeable)', (?!undefined)/,
  ]
  // A call over several lines counts as one.
  const lines = source
    .replaceAll(/\n\s*(?=[.?])|(?<=\()\n\s*/g, '')
    .replaceAll(/(?<=,)\n\s*/g, ' ')
    .split('\n')
  return lines.filter((line) => faults.some((fault) => fault.test(line)))
}

// Messages of other programs, and the one place that makes a sentence of a clause.
const allowed: Record<string, string> = {
  'src/sentences.ts': 'makes a sentence of a clause',
  'src/cli/command-line.ts': 'prints the first line of an error of any library',
  'src/db/errors.ts': 'PostgreSQL says in its message what no field says',
  'src/db/refusal.ts': 'SQL fails with a text alone',
  'src/media/decoder.ts': 'the library of pictures says only in its message that memory is short',
  'src/jobs/worker.ts': 'prints the first line of what the queue logs',
  'src/backup/restore.ts': 'bounds the message of a library that reads archives',
  'packages/importer/src/mapping/mapping.ts': 'prints the first line of the message of a parser of YAML',
}

test('no program takes a sentence apart, and no rule gives one to a refusal that has facts', () => {
  const files = globSync(['src/**/*.ts', 'packages/*/src/**/*.{ts,tsx}'], { cwd: root })
    .map((file) => file.split(path.sep).join('/'))
    .filter((file) => !file.includes('.test.') && !file.includes('/generated/'))
  assert.ok(files.length > 500)
  const faulty = files.flatMap((file) => {
    const faults = findFaults(readFileSync(path.join(root, file), 'utf8'))
    return faults.length > 0 ? [{ file, faults }] : []
  })
  assert.deepEqual(
    faulty.filter(({ file }) => !Object.hasOwn(allowed, file)),
    [],
    'let the error carry what the program needs to know',
  )
  assert.deepEqual(
    faulty.map(({ file }) => file).toSorted(),
    Object.keys(allowed).toSorted(),
    'nothing is allowed in vain',
  )
})

test('each way to take a sentence apart is found', () => {
  for (const line of [
    "const [first] = error.message.split(': ')",
    "if (problem.message?.startsWith('the lot')) return",
    "  error.message\n    .replace(/x/, '')",
    '/the lot (.+) is/.exec(error.message)',
    'pattern.test((error as Error).message)',
    "if (answer.detail!.includes('not closed')) wait()",
    "const text = error.message\nreturn text.replace(/: say --.*$/, '')",
    'const last = detail[0]',
    'throw new Error(`the ${problem}.`.replace(/^the /, String))',
    "throw conflict('the session is finished')",
    'throw conflict(`the session ${id} is finished`)',
    "throw new Problem('conflict', 'The session is finished.')",
    "throw new Problem(\n  'conflict',\n  text)",
  ])
    assert.notDeepEqual(findFaults(line), [], line)
  for (const line of [
    "throw conflict({ reason: 'finished', record })",
    'throw conflict(...causes)',
    "throw new Problem('conflict', undefined, { causes })",
    'print(error.message)',
    "const words = name.split(' ')",
    'messages.slice(1)',
  ])
    assert.deepEqual(findFaults(line), [], line)
})

test('the sentences of HTTP do not depend on the locale of the machine', async () => {
  const program = `import { describeFieldError } from ${JSON.stringify(path.join(root, 'src/sentences.ts'))}
    const minimum = { amount: 10_000, currency: 'EUR' }
    console.log(describeFieldError({ field: 'amount', problem: 'must be at least', minimum }))`
  const env = { ...process.env, LC_ALL: 'de_DE.UTF-8' }
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program], { env })
  assert.equal(stdout, 'amount must be at least €100.00\n')
})
