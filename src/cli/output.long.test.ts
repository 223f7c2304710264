import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { open } from 'node:fs/promises'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { after, test } from 'node:test'
import { createInstallation } from '../../test/support/installation.ts'
import { environmentOf, checkout, findPort, runCommand, startProcess } from '../../test/support/process.ts'

const { settings, remove } = await createInstallation()
after(remove)

test('a key that cannot be printed is not issued, and the one that it would replace stays valid', async () => {
  const listKeys = async () =>
    JSON.parse((await runCommand(settings, 'keys', 'list', '--json')).stdout) as { id: string }[]
  await runCommand(settings, 'houses', 'create', 'keys', '--name', 'Keys', '--locale', 'nl', '--currency', 'EUR')
  await runCommand(settings, 'keys', 'create', '--house', 'keys', '--all')
  const keys = await listKeys()
  for (const words of [
    ['create', '--house', 'keys', '--all'],
    ['create', '--house', 'keys', '--all', '--json'],
    ['rotate', keys[0]!.id],
  ]) {
    await using full = await open('/dev/full', 'w')
    const child = spawn(path.join(checkout, 'bin/catalogue'), ['keys', ...words], {
      env: environmentOf(settings),
      stdio: ['ignore', full.fd, 'pipe'],
    })
    const [complaint, [code]] = await Promise.all([text(child.stderr!), once(child, 'exit')])
    assert.equal(code, 1)
    assert.match(complaint, /^error: no key was issued: the output cannot be written: .*\n$/)
  }
  // Also into a pipe without a reader.
  const script = `"$0" keys create --house keys --all 2>&1 >&3 3>&- | cat >&2`
  const child = execFile(
    '/bin/bash',
    ['-c', `exec 3> >(exec 0<&-; exit); wait $!; ${script}`, path.join(checkout, 'bin/catalogue')],
    {
      env: environmentOf(settings),
    },
  )
  assert.match(await text(child.stderr!), /no key was issued/)
  assert.deepEqual(await listKeys(), keys)
})

test('a start that prints no key says how to issue one, or why the demo has none', async () => {
  for (const [words, expected] of [
    [[], /Keys are issued by +bin\/catalogue keys create\n/],
    [['--demo'], /No key is shown: +the database has other houses, .*; it needs an empty DATA_DIR\n/],
  ] as [string[], RegExp][]) {
    const { child, printed, stop } = await startProcess({ ...settings, PORT: String(await findPort()) }, ...words)
    let rest = ''
    child.stdout!.on('data', (chunk) => (rest += chunk))
    await stop()
    assert.match(printed + rest, expected)
  }
})
