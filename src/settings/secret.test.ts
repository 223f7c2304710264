import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { promisify } from 'node:util'
import { createTestDatabase } from '../../test/support/database.ts'
import { urlOf } from '../../test/support/address.ts'
import { environmentOf, checkout, runCommand } from '../../test/support/process.ts'
import { ConfigError } from './config.ts'
import { makeFolder } from './folders.ts'
import { deriveKeyrings, findSecret } from './secret.ts'

const database = await createTestDatabase()
const folder = await mkdtemp(path.join(tmpdir(), 'catalogue-secret-'))
const file = path.join(folder, 'secret')
after(async () => {
  await rm(folder, { recursive: true })
  await database.drop()
})
const modeOf = async (place: string) => ((await stat(place)).mode & 0o777).toString(8)

test('the first process in an empty folder makes the secret, and no draft remains', async () => {
  const secrets = await Promise.all(Array.from({ length: 20 }, () => findSecret(folder, undefined)))
  assert.equal(new Set(secrets).size, 1)
  assert.match(secrets[0]!, /^[\w-]{43}$/)
  assert.deepEqual(await readdir(folder), ['secret'])
  assert.equal(await findSecret(folder, 'a setting'), 'a setting')
})

test('an empty secret, a short one, or one that is not a file is refused in one line that names the file', async () => {
  for (const content of ['', '\n', 'x'.repeat(31), ` ${'x'.repeat(31)}\n`]) {
    await writeFile(file, content)
    await assert.rejects(findSecret(folder, undefined), (error) => {
      assert.ok(error instanceof ConfigError)
      assert.equal(error.message, `${file} holds fewer than 32 characters: restore it, or remove it for a new one`)
      return true
    })
  }
  await rm(file)
  await mkdir(file)
  await assert.rejects(findSecret(folder, undefined), new RegExp(`^Error: ${file} cannot be used: EISDIR`))
  await rm(file, { recursive: true })
})

test('a secret file that other users can read is made private', async () => {
  await writeFile(file, `${'x'.repeat(32)}\n`)
  await chmod(file, 0o644)
  assert.equal(await findSecret(folder, undefined), 'x'.repeat(32))
  assert.equal(await modeOf(file), '600')
})

test('DATA_DIR has mode 0700 and the secret 0600 whatever the umask, with the embedded database and with another', async () => {
  const other = { DATABASE_URL: urlOf(database.connection) }
  for (const [at, [umask, settings]] of (
    [
      ['000', {}],
      ['000', other],
      ['077', other],
    ] as const
  ).entries()) {
    const dataDir = path.join(folder, String(at), 'data')
    const command = `umask ${umask}; "$0" houses list`
    const env = environmentOf({ DATA_DIR: dataDir, ...settings })
    await promisify(execFile)('/bin/sh', ['-c', command, path.join(checkout, 'bin/catalogue')], { env })
    assert.deepEqual([await modeOf(path.dirname(dataDir)), await modeOf(dataDir)], ['700', '700'])
    for (const name of await readdir(dataDir))
      assert.equal(await modeOf(path.join(dataDir, name)), name === 'postgres' ? '700' : '600', name)
    assert.equal((await readFile(path.join(dataDir, 'secret'), 'utf8')).length, 43)
  }
})

test('a DATA_DIR that the system cannot make is refused in one line, without a hang', async () => {
  await assert.rejects(makeFolder('/proc/x/y'), { code: 'ENOENT' })
  for (const settings of [{}, { DATABASE_URL: urlOf(database.connection), SECRET: 'x'.repeat(32) }]) {
    const { code, stderr } = await runCommand({ ...settings, DATA_DIR: '/proc/x' }, 'houses', 'list')
    assert.equal(code, 2)
    assert.match(stderr, /^error: DATA_DIR \/proc\/x: .*\n$/)
  }
})

test('each use of a secret has its own key, and the key of the previous secret comes second', () => {
  const [one, two] = ['1'.repeat(32), '2'.repeat(32)]
  const keys = Object.values(deriveKeyrings(one)).flat()
  assert.equal(new Set([...keys, one]).size, 6)
  for (const [use, [current, previous]] of Object.entries(deriveKeyrings(two, one))) {
    assert.deepEqual([current], Object.entries(deriveKeyrings(two)).find(([each]) => each === use)![1])
    assert.deepEqual([previous], Object.entries(deriveKeyrings(one)).find(([each]) => each === use)![1])
  }
})
