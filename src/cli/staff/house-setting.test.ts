import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createInstallation } from '../../../test/support/installation.ts'
import { catalogueOf } from '../../../test/support/lines.ts'
import { runCommand } from '../../../test/support/process.ts'

const [one, other] = [catalogueOf(1), catalogueOf(2)]
const { settings, load, write, remove } = await createInstallation({ CATALOGUE_HOUSE: other.slug })
after(remove)
await load([...one.lines, ...other.lines])

const run = (...words: string[]) => runCommand(settings, ...words)
const list = async (...words: string[]) => {
  const { code, stdout, stderr } = await run(...words, '--json')
  assert.equal(code, 0, stderr)
  return (JSON.parse(stdout) as { id: string }[]).map(({ id }) => id)
}

test('CATALOGUE_HOUSE names the house of references and of lists, and --house wins', async () => {
  const { lot } = other.ids
  assert.deepEqual(await list('lots', 'list', 'S-1'), [lot])
  assert.deepEqual(await list('lots', 'list', '--session', 'S-1', '--house', one.slug), [one.ids.lot])
  assert.match((await run('auctions', 'publish', 'A-2')).stderr, /, house house-2\n/)
  assert.match((await run('journal')).stdout, /auctions publish/)
  assert.match((await run('journal', '--house', one.slug)).stdout, /load/)
  const file = await write('numbers.csv', 'session,number\nS-1,1\n')
  assert.match((await run('lots', 'hold', '--file', file)).stderr, /, house house-2: 1 lot\n/)
})

test('with CATALOGUE_HOUSE the id of a record of another house is refused', async () => {
  const { session } = one.ids
  const missing = `error: there is no session ${session} in the house house-2\n`
  for (const words of [
    ['sessions', 'publish', session],
    ['lots', 'list', session],
    ['journal', session],
  ])
    assert.deepEqual(await run(...words), { code: 1, stdout: '', stderr: missing })
})

test('CATALOGUE_HOUSE does not say which records doctor reads, for whom a key is, or what is exported', async () => {
  assert.deepEqual(await run('doctor'), { code: 0, stdout: 'Every record can be shown.\n', stderr: '' })
  assert.equal((await run('keys', 'create', '--all')).code, 2)
  assert.match((await run('export')).stderr, /there are several houses: say which with --house/)
})

test('the session of a list of lots is named once', async () => {
  assert.equal((await run('lots', 'list', 'S-1', '--session', 'S-1')).code, 2)
})
