import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { after, test } from 'node:test'
import { promisify } from 'node:util'
import { createInstallation } from './support/installation.ts'
import { fingerprintOf, type Page } from './support/mirror.ts'
import { until } from './support/pictures.ts'
import { checkout, findPort, startProcess, stopProcess } from './support/process.ts'

// Runs the programs of the pages on the interface as printed, against a running demo house. Only the URL differs.
const installation = await createInstallation()
const work = await mkdtemp(`${path.dirname(installation.dataDir)}/work-`)
const port = String(await findPort())
const settings = { ...installation.settings, PORT: port, RATE_LIMIT_PER_MINUTE: '0', WORKER: 'off' }
let service = await startProcess(settings, '--demo', '--json')
const { url, key } = JSON.parse(service.printed) as { url: string; key: string }
const env = { PATH: process.env.PATH, HOME: process.env.HOME, KEY: key }
after(async () => {
  await service.stop()
  await rm(work, { recursive: true })
  await installation.remove()
})

/** The blocks of a page in a language, in order. */
async function readBlocks(page: string, language: string): Promise<string[]> {
  const text = await readFile(path.join(checkout, 'docs', page), 'utf8')
  const blocks = [...text.matchAll(/^```(\w+)\n([^]*?)^```$/gm)].filter(([, name]) => name === language)
  return blocks.map(([, , block]) => block!.replaceAll('127.0.0.1:4000', `127.0.0.1:${port}`))
}

async function runShell(script: string, cwd = work): Promise<string> {
  const { stdout } = await promisify(execFile)('bash', ['-ec', script], { cwd, env })
  return stdout
}

async function save(name: string, text: string): Promise<string> {
  await writeFile(path.join(work, name), text)
  return path.join(work, name)
}

/** Runs a program of a page on a file with these lines. Returns its output. */
async function runProgram(program: string, lines: object[]): Promise<string> {
  const file = await save('items.ndjson', lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
  return runShell(`node ${await save('program.ts', program)} ${file}`)
}

const statuses = (printed: string) => [...printed.matchAll(/HTTP\/1\.1 (\d+)/gm)].map(([, status]) => Number(status))

test('docs/repeating.md: the second request gets the first answer, and the import creates each item once', async () => {
  const [send] = await readBlocks('repeating.md', 'sh')
  const [first, second] = (await runShell(send!)).split(/(?=HTTP\/1)/)
  assert.deepEqual([...statuses(first!), ...statuses(second!)], [201, 201])
  assert.doesNotMatch(first!, /^idempotent-replayed/im)
  assert.match(second!, /^idempotent-replayed: true/im)
  const bodyOf = (answer: string) => answer.split('\r\n\r\n')[1]
  assert.equal(bodyOf(second!), bodyOf(first!))

  const [program] = await readBlocks('repeating.md', 'ts')
  const lines = ['R-1', 'R-2'].map((external_reference) => ({ external_reference, title: 'Kom' }))
  assert.equal(await runProgram(program!, lines), 'R-1: 201\nR-2: 201\n')
  assert.equal(await runProgram(program!, lines), 'R-1: 201 (had been created)\nR-2: 201 (had been created)\n')
  const refused = await runProgram(program!, [{ ...lines[0], external_reference: 'R-3', colour: 'red' }])
  assert.match(refused, /^R-3: 422 .+ colour is not a field of this body\.\n$/)
})

test('docs/rehearsing.md: the rehearsal is refused and accepted as the page shows, and the program finds the faults', async () => {
  const [curl] = await readBlocks('rehearsing.md', 'sh')
  const refused = await runShell(curl!)
  assert.deepEqual(statuses(refused), [422])
  const taken = await runShell(curl!.replace('10050', '10000'))
  assert.deepEqual(statuses(taken), [200])
  assert.match(taken, /^dry-run: true/im)
  assert.match(taken, /"id":null/)

  const [program] = await readBlocks('rehearsing.md', 'ts')
  const item = (external_reference: string, more = {}) => ({ external_reference, title: 'Kom', ...more })
  const printed = await runProgram(program!, [item('D-1'), item('D-2', { colour: 'red' }), item('D-1')])
  assert.match(printed, /^line 2: 422 .*\n$/)
})

test('docs/following.md: the program copies the house and follows it, and the copy has the fingerprint', async () => {
  const [first, mirror, proof] = await readBlocks('following.md', 'sh')
  const page = JSON.parse(await runShell(first!)) as Page
  assert.ok(page.data.length > 50 && page.data.every(({ record }) => record))
  const once = mirror!.replace(' --follow', '').replace('catalogue.sqlite', path.join(work, 'catalogue.sqlite'))
  assert.match(await runShell(once, checkout), /, proved\n$/)

  const [program] = await readBlocks('following.md', 'ts')
  const file = path.join(work, 'copy.json')
  const following = spawn(process.execPath, [await save('follow.ts', program!), file], { env })
  after(() => following.kill())
  let printed = ''
  following.stdout.setEncoding('utf8').on('data', (piece: string) => (printed += piece))
  const reached = (count: number) =>
    until(async () => {
      assert.equal(following.exitCode, null, printed)
      return printed.includes(`${count} records\n`)
    })
  const { counts } = JSON.parse(await runShell(proof!)) as { counts: Record<string, number> }
  const records = Object.values(counts).reduce((sum, each) => sum + each, 0)
  await reached(records)
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const body = JSON.stringify({ external_reference: 'F-1', title: 'Klok' })
  assert.equal((await fetch(`${url}/items`, { method: 'POST', headers, body })).status, 201)
  await reached(records + 1)
  await stopProcess(following)
  const copy = JSON.parse(await readFile(file, 'utf8')) as { records: Record<string, { version: string }> }
  const versions = Object.entries(copy.records).map(([name, { version }]): [string, string] => [name, version])
  const { fingerprint } = JSON.parse(await runShell(proof!)) as { fingerprint: string }
  assert.equal(fingerprintOf(versions), fingerprint)
})

test('docs/following.md: the program continues after an answer that is cut off within the body', async () => {
  await service.stop()
  // With this seed the first answer is cut off, and the next ones are complete.
  service = await startProcess(settings, '--demo', '--json', '--faults', '16:0.1')
  const [program] = await readBlocks('following.md', 'ts')
  const file = path.join(work, 'troubled.json')
  const following = spawn(process.execPath, [await save('follow.ts', program!), file], { env })
  after(() => following.kill())
  let printed = ''
  following.stdout.setEncoding('utf8').on('data', (piece: string) => (printed += piece))
  await until(async () => following.exitCode !== null || /^\d+ records\n/.test(printed))
  assert.equal(following.exitCode, null)
})
