import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { test } from 'node:test'
import { createInstallation } from '../../test/support/installation.ts'
import { houseLine } from '../../test/support/lines.ts'
import { until } from '../../test/support/pictures.ts'
import { createDataDir, findPort, findServerProcess } from '../../test/support/process.ts'
import { startInTerminal } from '../../test/support/terminal.ts'

test('Ctrl-C in a terminal ends a load with 130, reports the cancellation, and leaves no server', async (t) => {
  const folder = await createDataDir()
  t.after(() => folder.remove())
  const file = path.join(path.dirname(folder.dataDir), 'many.ndjson')
  const item = (_: unknown, at: number) => ({ type: 'item', external_reference: `I-${at}`, title: 'Vaas' })
  const lines = [houseLine('house'), ...Array.from({ length: 50_000 }, item)]
  await writeFile(file, lines.map((line) => JSON.stringify(line)).join('\n'))
  const { child, shown, ended } = startInTerminal({ DATA_DIR: folder.dataDir }, `bin/catalogue load ${file}`)
  await until(async () => shown().includes('2,001 lines'))
  child.stdin.write('\x03')
  assert.equal((await ended)[0], 130)
  assert.match(shown(), /gave up loading .*many\.ndjson\r\n$/)
  assert.equal(await findServerProcess(folder.dataDir), undefined)
})

test('on a terminal each line of the log is separate from the steps of the start', async (t) => {
  const installation = await createInstallation()
  t.after(() => installation.remove())
  const settings = { ...installation.settings, PORT: String(await findPort()), LOG_LEVEL: 'info' }
  const { child, shown, ended } = startInTerminal(settings, 'bin/catalogue serve --demo')
  await until(async () => shown().includes('curl'))
  child.stdin.write('\x03')
  await ended
  const lines = shown().split('\r\n')
  const listening = lines.find((line) => line.includes('Server listening'))!
  assert.ok(listening.slice(0, listening.indexOf('{')).endsWith('\r\x1b[K'), listening)
})
