import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import { checkout, programOf } from '../../test/support/process.ts'

const folder = await mkdtemp(path.join(tmpdir(), 'catalogue-launcher-'))
after(() => rm(folder, { recursive: true }))

// A Node of that version: it answers the launcher's question, and prints a line if told to run.
async function helpOn(
  version: string,
  typescript: 'strip' | false,
  program = path.join(checkout, 'bin/catalogue'),
): Promise<string> {
  const script = `#!/bin/sh
case "$1 $2" in
  '--version ') echo 'v${version}' ;;
  '-p process.features.typescript') echo '${typescript}' ;;
  *) echo "the machine's Node" ;;
esac
`
  await writeFile(path.join(folder, 'node'), script, { mode: 0o755 })
  const env = { PATH: `${folder}:${process.env.PATH}` }
  return (await promisify(execFile)(program, ['--help'], { env })).stdout
}

test("commands run on the machine's Node if it is 24 or newer and reads TypeScript, otherwise on the locked one", async () => {
  for (const version of ['24.0.0', '26.10.0', '100.1.2']) {
    assert.equal(await helpOn(version, 'strip'), "the machine's Node\n")
  }
  assert.match(await helpOn('22.23.3', 'strip'), /^Usage: catalogue/)
  assert.match(await helpOn('24.21.0', false), /^Usage: catalogue/)
})

test("an installed package runs JavaScript, on the machine's Node if it is 20.19 or newer", async () => {
  const modules = path.join(folder, 'node_modules')
  const installed = path.join(modules, 'auction-catalogue')
  await mkdir(path.join(installed, 'dist/cli'), { recursive: true })
  await mkdir(path.join(modules, '.bin'))
  await cp(path.join(checkout, 'bin'), path.join(installed, 'bin'), { recursive: true })
  await symlink('../auction-catalogue/bin/catalogue', path.join(modules, '.bin/catalogue'))
  const program = path.join(modules, '.bin/catalogue')
  for (const version of ['20.19.0', '20.20.2', '22.1.0', '24.0.0', '100.1.2'])
    assert.equal(await helpOn(version, false, program), "the machine's Node\n")
  for (const version of ['18.20.8', '20.18.3', '20.9.0'])
    await assert.rejects(helpOn(version, false, program), /error: this needs Node 20\.19 or newer/)
})

const copy = path.join(folder, 'checkout')
before(async () => {
  for (const part of ['bin', 'src', 'package.json'])
    await cp(path.join(checkout, part), path.join(copy, part), { recursive: true })
  await symlink(path.join(checkout, 'node_modules'), path.join(copy, 'node_modules'))
})

test('in a checkout, .env supplies what the environment lacks', async () => {
  await writeFile(path.join(copy, '.env'), 'DATA_DIR=/proc/file\nPORT=99999\n')
  const { runProcess } = programOf(copy)
  const run = async (settings: Record<string, string | undefined>) =>
    (await runProcess(settings, 'houses', 'list')).stderr
  const unset = { DATA_DIR: undefined, PORT: undefined }
  assert.match(await run(unset), /^error: PORT must be a whole number from 1 to 65535, not "99999"\n$/)
  assert.match(await run({ ...unset, PORT: '4000' }), /^error: DATA_DIR \/proc\/file: /)
  assert.match(await run({ PORT: '', DATA_DIR: '/proc/environment' }), /^error: DATA_DIR \/proc\/environment: /)
})

test('a misspelt setting in .env is refused with its correct name; names of other programs are not', async () => {
  const file = path.join(copy, '.env')
  const { runProcess } = programOf(copy)
  const ignore = 'If it is not yours, name it in SETTINGS_IGNORE'
  await writeFile(file, '# a comment\ndata_dir=x\n')
  const { code, stderr: complaint } = await runProcess({ DATA_DIR: undefined }, 'houses', 'list')
  assert.equal(complaint, `error: ${file}: there is no setting data_dir; did you mean DATA_DIR? ${ignore}\n`)
  assert.equal(code, 2)
  await writeFile(file, 'POSTGRES_PASSWORD=x\nAWS_ACCESS_KEY_ID=x\n#PROT=1\nPOST=x\nSETTINGS_IGNORE=POST\n')
  const { stderr } = await runProcess({ DATA_DIR: '/proc/nowhere', SETTINGS_IGNORE: undefined }, 'houses', 'list')
  assert.match(stderr, /^error: DATA_DIR \/proc\/nowhere: /)
})
