import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { open, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import { createInstallation } from '../../test/support/installation.ts'
import { houseLine, uuid } from '../../test/support/lines.ts'
import { findPort, runCommand, startProcess } from '../../test/support/process.ts'
import { readConfig } from '../settings/config.ts'
import { createLogger } from '../running/logger.ts'

const { dataDir, settings, run, remove } = await createInstallation()
after(remove)

// Clears the screen, sets the window's title, reverses the text; in one character and in two.
const hostile = 'a\u001b[2J\u001b]0;b\u0007\u009b31m\u202ec\u2066d\re\nf\u007f'
const shown = String.raw`a\u001b[2J\u001b]0;b\u0007\u009b31m\u202ec\u2066d\u000de\u000af\u007f`
const obeyed = /[^\P{Cc}\n]|\p{Bidi_Control}/u
const [auction, session, item, lot] = [1, 2, 3, 4].map(uuid)
const file = path.join(path.dirname(dataDir), `h\u001b[31m.ndjson`)

before(async () => {
  const lines = [
    houseLine('house', { name: hostile }),
    { type: 'auction', id: auction, title: hostile },
    { type: 'session', id: session, auction, titles: { nl: hostile }, kind: 'live', live: {} },
    { type: 'item', id: item, title: hostile },
    { type: 'lot', id: lot, session, item, lot_number: 1, starting_bid: null },
  ]
  await writeFile(file, lines.map((line) => JSON.stringify(line)).join('\n'))
})

test('a terminal gets names and titles with visible control and bidirectional characters, JSON has them unchanged', async () => {
  const commands: [words: string[], code: number][] = [
    [['load', file], 0],
    [['houses', 'list'], 0],
    [['auctions', 'set', auction!, '--description', 'x'], 0],
    [['items', 'set', item!, '--weight', '2 kg'], 0],
    [['auctions', 'publish', auction!], 0],
    [['sessions', 'publish', session!], 0],
    [['lots', 'archive', lot!], 0],
    [['keys', 'create', '--house', 'house', '--all', '--name', hostile], 0],
    [['keys', 'list', '--house', 'house'], 0],
    [['keys', 'list', '--house', hostile.slice(0, 5)], 1],
    [['houses', hostile.slice(0, 5)], 2],
    [['bids', 'place', '--lot', lot!, '--amount', hostile.slice(0, 5)], 2],
  ]
  const repeating = /houses list|auctions|items|sessions|lots|keys list --house house/
  for (const [words, code] of commands) {
    const outcome = await runCommand(settings, ...words)
    assert.equal(outcome.code, code, outcome.stderr)
    assert.doesNotMatch(outcome.stdout + outcome.stderr, obeyed, words.join(' '))
    if (repeating.test(words.join(' '))) assert.ok(outcome.stdout.includes(shown), outcome.stdout)
    if (code !== 0 || words[0] === 'load') assert.ok(outcome.stderr.includes(String.raw`\u001b[`), outcome.stderr)
  }
  const { stdout } = await runCommand(settings, 'auctions', 'publish', auction!, '--json')
  assert.equal((JSON.parse(stdout) as { title: string }).title, hostile)
})

test('a load says how many records of each type were created', async () => {
  const file = path.join(path.dirname(dataDir), 'plural.ndjson')
  const twice = ['category', 'delivery_class', 'increment_strategy', 'maker'].flatMap((type) => [{ type }, { type }])
  const lines = [houseLine('plural'), { type: 'seller' }, ...twice]
  await writeFile(file, lines.map((line) => JSON.stringify(line)).join('\n'))
  const { stdout, stderr } = await runCommand(settings, 'load', file)
  const records = '1 house, 1 seller, 2 categories, 2 delivery classes, 2 increment strategies, 2 makers'
  assert.equal(stdout, `${file}: ${records}\n`)
  assert.equal(stderr, `loaded ${file}: 10 lines\n`)
})

test('a rotated key keeps its terms; the list shows them, and tells a key that will expire from an expired one', async () => {
  await run(...'houses create terms --name Terms --locale nl --currency EUR'.split(' '))
  const create = ['keys', 'create', '--house', 'terms', '--all']
  const issue = async (...words: string[]) =>
    (JSON.parse((await run(...create, '--json', '--name', ...words)).stdout) as { id: string }).id
  await issue('plain')
  await issue('free', '--rate-limit', '0')
  await run('keys', 'rotate', await issue('own', '--rate-limit', '12', '--require-if-match'))
  await run('keys', 'rotate', await issue('late'), '--grace', '0')
  const list = ['keys', 'list', '--house', 'terms']
  const listed = JSON.parse((await run(...list, '--json')).stdout) as Record<string, unknown>[]
  assert.deepEqual(
    listed.map(({ name, rate_limit, require_if_match }) => [name, rate_limit, require_if_match]),
    [
      ['plain', null, false],
      ['free', 0, false],
      ['own', 12, true],
      ['own', 12, true],
      ['late', null, false],
      ['late', null, false],
    ],
  )
  const { stdout } = await run(...list)
  assert.match(stdout, /plain +valid +- +auctions\.read.*\n.*free +valid +no-limit .*\n.*own .* 12\/min,if-match /)
  const states = stdout.match(/(own|late) +(expired|valid until|valid)/g)!
  assert.deepEqual(states.map((state) => state.replace(/ +/, ' ')).toSorted(), [
    'late expired',
    'late valid',
    'own valid',
    'own valid until',
  ])
  for (const wrong of ['-1', 'x', '1.5', ''])
    assert.equal((await runCommand(settings, ...create, '--rate-limit', wrong)).code, 2)
})

test('serve --json prints one line on standard output, and its log on standard error', async () => {
  const PORT = String(await findPort())
  const { child, printed, stop } = await startProcess({ ...settings, PORT, LOG_LEVEL: 'info' }, '--json')
  let rest = ''
  let log = ''
  child.stdout!.on('data', (chunk) => (rest += chunk))
  child.stderr!.on('data', (chunk) => (log += chunk))
  const closed = once(child, 'close')
  await fetch(`http://127.0.0.1:${PORT}/healthz`)
  await stop()
  await closed
  assert.equal(printed, `{"url":"http://127.0.0.1:${PORT}/api/v2"}\n`)
  assert.equal(rest, '')
  assert.match(log, /^\{.*"path":"\/healthz".*\}$/m)
})

test('a control character in the log does not reach the terminal', async () => {
  const name = path.join(path.dirname(dataDir), 'log')
  await using output = await open(name, 'w')
  createLogger(readConfig({}), output.fd).error({ err: new Error(hostile) }, 'something')
  const line = await readFile(name, 'utf8')
  assert.doesNotMatch(line, obeyed)
  assert.equal((JSON.parse(line) as { err: Error }).err.message, hostile)
})

test('the whole log is written even if the process ends at once', async () => {
  const lines = 5_000
  const program = `
    import { createLogger } from ${JSON.stringify(import.meta.resolve('../running/logger.ts'))}
    import { readConfig } from ${JSON.stringify(import.meta.resolve('../settings/config.ts'))}
    const logger = createLogger(readConfig({}))
    for (let line = 0; line < ${lines}; line++) logger.info({ line }, 'x'.repeat(100))
    process.exit()`
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const printed = (await text(child.stdout)).trimEnd().split('\n')
  assert.deepEqual(
    printed.map((line) => (JSON.parse(line) as { line: number }).line),
    Array.from({ length: lines }, (_, line) => line),
  )
})
