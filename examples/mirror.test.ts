import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, test } from 'node:test'
import { promisify } from 'node:util'
import { Catalogue } from '@auction-catalogue/client'
import { openMirror } from './mirror.ts'
import { createInstallation } from '../test/support/installation.ts'
import { houseLine } from '../test/support/lines.ts'
import { findPort, runCommand, startProcess } from '../test/support/process.ts'

const installation = await createInstallation()
after(installation.remove)

test('without an address and a file, the mirror prints its usage', async () => {
  const run = promisify(execFile)(process.execPath, [path.join(import.meta.dirname, 'mirror.ts')])
  await assert.rejects(run, { code: 2, stdout: '', stderr: /^usage: .+\n$/ })
})

test('the mirror copies the demo house, proves the copy, continues where it stopped, and starts again if it must', async (t) => {
  // A worker would change items meanwhile, because it makes their pictures.
  const own = { ...installation.settings, PORT: String(await findPort()), WORKER: 'off' }
  const settings = { ...own, RATE_LIMIT_PER_MINUTE: '0' }
  const service = await startProcess(settings, '--demo', '--json')
  t.after(() => service.child.kill('SIGKILL'))
  const { url, key } = JSON.parse(service.printed) as { url: string; key: string }
  const file = path.join(installation.dataDir, 'copy.sqlite')
  const program = path.join(import.meta.dirname, 'mirror.ts')
  const run = async () => {
    const env = { ...process.env, CATALOGUE_KEY: key }
    const { stdout } = await promisify(execFile)(process.execPath, [program, url, file], { env })
    return /^(\d+) changes, (\d+) records, proved\n$/.exec(stdout)!.slice(1).map(Number)
  }
  const [first, records] = await run()
  assert.ok(first! > 50)
  assert.equal(records, first)

  const catalogue = new Catalogue({ url, key })
  const { id } = await catalogue.items.create({ external_reference: 'mirrored', title: 'Spiegel' })
  assert.deepEqual(await run(), [1, records! + 1])

  // The change is there already, or comes while the mirror waits.
  const mirror = openMirror(file, url, key)
  const waiting = mirror.follow(true)
  const item = await catalogue.items.update(id, { title: 'Grote spiegel' })
  assert.equal(await waiting, 1)
  const copy = new DatabaseSync(file)
  const { document } = copy.prepare('select document from records where id = ?').get(id) as { document: string }
  assert.deepEqual(JSON.parse(document), { ...item })

  copy.prepare('delete from records where id = ?').run(id)
  assert.equal(await mirror.prove(), true)
  assert.equal(mirror.countRecords(), records! + 1)
  await runCommand(settings, 'generation', '--new')
  // The service looks up a key, and with it the generation, again after half a second.
  await new Promise((resolve) => setTimeout(resolve, 600))
  assert.equal(await mirror.follow(), records! + 1)
  assert.equal(await mirror.prove(), true)
  copy.close()
  mirror.close()

  // Records without an id, which only an older system has, cannot be told apart.
  const nameless = path.join(installation.dataDir, 'nameless.ndjson')
  const lines = [houseLine('oud'), ...['A', 'B', 'C'].map((title) => ({ type: 'item', id: null, title }))]
  await writeFile(nameless, lines.map((line) => JSON.stringify(line)).join('\n'))
  assert.equal((await runCommand(settings, 'load', nameless)).code, 0)
  const issued = await runCommand(settings, 'keys', 'create', '--house', 'oud', '--all', '--json')
  const old = openMirror(
    path.join(installation.dataDir, 'old.sqlite'),
    url,
    (JSON.parse(issued.stdout) as { key: string }).key,
  )
  assert.equal(await old.follow(), 3)
  assert.equal(await old.prove(), true)
  assert.equal(old.countRecords(), 3)
  old.close()
  assert.equal(await service.stop(), 0)
})
