import assert from 'node:assert/strict'
import { stat, writeFile } from 'node:fs/promises'
import { text } from 'node:stream/consumers'
import { after, test } from 'node:test'
import { createInstallation } from '../../../test/support/installation.ts'
import { until } from '../../../test/support/pictures.ts'
import {
  createDataDir,
  findPort,
  findServerProcess,
  runProcess,
  serveDemo,
  spawnCommand,
  stopProcess,
} from '../../../test/support/process.ts'

const folder = await createDataDir()
const { dataDir } = folder
after(() => folder.remove())

test('the first start loads the demo house; the second prints the same key, loads nothing again, and SIGTERM leaves no process', async () => {
  const first = await serveDemo(dataDir)
  const lots = await first.read('/lots?limit=100')
  assert.equal(lots.status, 200)
  assert.equal(lots.body.data.length, 100)
  assert.equal(await first.stop('SIGTERM'), 0)
  assert.equal(await findServerProcess(dataDir), undefined)

  const second = await serveDemo(dataDir)
  assert.deepEqual([second.key, second.staff.key], [first.key, first.staff.key])
  assert.deepEqual((await second.read('/lots?limit=100')).body, lots.body)
  assert.equal(await second.stop('SIGINT'), 0)
  assert.equal(await findServerProcess(dataDir), undefined)
})

test('a start prints its steps before its address, and nothing with --json', async (t) => {
  const other = await createInstallation()
  t.after(() => other.remove())
  const settings = { ...other.settings, PORT: String(await findPort()), WORKER: 'off' }
  for (const { words, steps } of [
    { words: [], steps: 'starting the database\nbringing the schema up to date\npreparing the demo house\n' },
    { words: ['--json'], steps: '' },
  ]) {
    const service = spawnCommand(settings, ['serve', '--demo', ...words])
    const said = text(service.stderr!)
    let printed = ''
    service.stdout!.on('data', (piece) => (printed += piece))
    await until(async () => printed.includes('/api/v2'))
    assert.equal(await stopProcess(service), 0)
    assert.ok((await said).startsWith(steps))
    if (steps === '') assert.equal(await said, '')
  }
})

test('a taken port, a DATA_DIR that is a file and a wrong setting each stop the start with one line that names it', async () => {
  const service = await serveDemo(dataDir, { WORKER: 'off' })
  const other = await createDataDir()
  const file = `${other.dataDir}-file`
  await writeFile(file, '')
  const free = String(await findPort())
  const attempts = [
    { settings: { DATA_DIR: other.dataDir, PORT: service.PORT }, names: /PORT/ },
    { settings: { DATA_DIR: other.dataDir, METRICS_PORT: service.PORT }, names: /METRICS_PORT/ },
    { settings: { DATA_DIR: other.dataDir, PORT: free, METRICS_PORT: free }, names: /METRICS_PORT/ },
    { settings: { DATA_DIR: file }, names: /DATA_DIR/ },
    { settings: { DATA_DIR: other.dataDir, WORKER: 'sometimes' }, names: /WORKER/ },
  ]
  for (const { settings, names } of attempts) {
    const { code, stderr } = await runProcess(settings, 'serve')
    assert.notEqual(code, 0)
    assert.match(stderr, names)
    assert.equal(stderr.trim().split('\n').length, 1, stderr)
  }
  // Nothing was made before the fault was found.
  await assert.rejects(stat(other.dataDir), { code: 'ENOENT' })
  await other.remove()
  await service.stop()
})
