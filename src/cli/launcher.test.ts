import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { promisify } from 'node:util'
import { checkout } from '../../test/support/process.ts'

const folder = await mkdtemp(path.join(tmpdir(), 'catalogue-launcher-'))
after(() => rm(folder, { recursive: true }))

// The machine's Node of that version: it answers what the launcher asks, and says so when it is asked to run.
async function helpOn(version: string, typescript: 'strip' | false): Promise<string> {
  const described = { versions: { node: version }, features: { typescript } }
  const answer = `"${process.execPath}" -p "const process = ${JSON.stringify(described).replaceAll('"', "'")}; $2"`
  const script = `#!/bin/sh\nif [ "$1" = -p ]; then ${answer}; else echo "the machine's Node"; fi\n`
  await writeFile(path.join(folder, 'node'), script, { mode: 0o755 })
  const env = { PATH: `${folder}:${process.env.PATH}` }
  return (await promisify(execFile)(path.join(checkout, 'bin/catalogue'), ['--help'], { env })).stdout
}

test('commands run on the Node of the machine where it is 24 or newer and reads TypeScript, else on the locked one', async () => {
  for (const version of ['24.0.0', '26.10.0', '100.1.2']) {
    assert.equal(await helpOn(version, 'strip'), "the machine's Node\n")
  }
  assert.match(await helpOn('22.23.3', 'strip'), /^Usage: catalogue/)
  assert.match(await helpOn('24.21.0', false), /^Usage: catalogue/)
})
