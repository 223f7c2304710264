import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createInstallation } from '../../test/support/installation.ts'
import { runCommand } from '../../test/support/process.ts'

const installation = await createInstallation()
after(() => installation.remove())

// Prints the name of every loaded module on standard error.
const trace = `import { registerHooks } from 'node:module'
registerHooks({
  load(url, context, next) {
    if (url.startsWith('file:')) process.stderr.write(url + '\\n')
    return next(url, context)
  },
})`
const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(trace)}`

test('the version, a help and the completion load only the descriptions of commands, none of their modules', async () => {
  for (const words of [
    ['--version'],
    ['--help'],
    ['lots', 'add', '--help'],
    ['help', 'serve'],
    ['completion', 'bash'],
  ]) {
    const { code, stderr } = await runCommand({ DATA_DIR: '/nowhere', NODE_OPTIONS }, ...words)
    assert.equal(code, 0)
    const loaded = stderr.split('\n')
    const others = loaded.filter((url) =>
      /\/src\/(?!cli\/|config|folders|kinds|program|settings|context|values\/)/.test(url),
    )
    assert.deepEqual(others, [], words.join(' '))
    const packages = loaded.flatMap((url) => /\/node_modules\/([^/]+)/.exec(url)?.[1] ?? [])
    const known = new Set(['commander', 'fast-string-truncated-width', 'fast-string-width'])
    assert.ok(packages.includes('commander'), stderr)
    assert.deepEqual(
      [...new Set(packages)].filter((name) => !known.has(name)),
      [],
      words.join(' '),
    )
  }
})

test('`help` and a command print the same as the command with --help', async () => {
  const print = async (...words: string[]) => (await runCommand({ DATA_DIR: '/nowhere' }, ...words)).stdout
  for (const words of [[], ['lots'], ['sessions', 'publish'], ['completion']]) {
    const text = await print(...words, '--help')
    assert.ok(text.startsWith(`Usage: ${['catalogue', ...words].join(' ')} `), text)
    assert.equal(await print('help', ...words), text)
  }
})

test('an unknown command or option is refused in one line that names the nearest, also where help is asked for', async () => {
  const errors: [words: string[], error: string][] = [
    [['lost', '--help'], "error: unknown command 'lost' (Did you mean lots?)\n"],
    [['help', 'lost'], "error: unknown command 'lost' (Did you mean lots?)\n"],
    [['sessions', 'publsh', '-h'], "error: unknown command 'publsh' (Did you mean publish?)\n"],
    [['help', 'sessions', 'publsh'], "error: unknown command 'publsh' (Did you mean publish?)\n"],
    [['nonsense', '--help'], "error: unknown command 'nonsense'\n"],
    [['doctor', '--instalation'], "error: unknown option '--instalation' (Did you mean --installation?)\n"],
    [['doctr'], "error: unknown command 'doctr' (Did you mean doctor?)\n"],
  ]
  for (const [words, error] of errors) {
    const { code, stdout, stderr } = await runCommand({ DATA_DIR: '/nowhere' }, ...words)
    assert.deepEqual({ code, stdout, stderr }, { code: 2, stdout: '', stderr: error }, words.join(' '))
  }
})

test('the exit code tells refusals, wrong use and unreachable servers apart', async () => {
  const house = ['--name', 'Noord', '--locale', 'nl', '--currency', 'EUR']
  const endings: [code: number, settings: Record<string, string>, ...words: string[]][] = [
    [0, {}, 'houses', 'create', 'noord', ...house],
    [0, {}, 'lots', 'list'],
    [1, {}, 'houses', 'create', 'noord', ...house],
    [1, {}, 'auctions', 'publish', '2026-1'],
    [1, {}, 'jobs', 'retry', '1'],
    [1, {}, 'load', '/nowhere/catalogue.ndjson'],
    [1, {}, 'lots', 'add', '--file', '/nowhere/lots.csv'],
    [1, {}, 'restore', '/nowhere/catalogue.tar'],
    [2, {}],
    [2, {}, 'nonsense'],
    [2, {}, 'help', 'nonsense'],
    [2, {}, 'lots', 'nonsense'],
    [2, {}, 'lots', 'list', '--nonsense'],
    [2, {}, 'auctions', 'publish'],
    [2, {}, 'completion', 'nonsense'],
    [2, {}, 'houses', 'create', 'a house', ...house],
    [2, {}, 'houses', 'create', 'zuid', ...house, '--locale', 'xx'],
    [2, {}, 'keys', 'create', '--house', 'noord'],
    [2, {}, 'keys', 'create', '--house', 'noord', '--permissions', 'nonsense'],
    [2, { PORT: 'nonsense' }, 'lots', 'list'],
    [3, { DATABASE_URL: 'postgres://stranger@127.0.0.1:1/nothing' }, 'lots', 'list'],
    [3, { DATABASE_URL: 'postgres://stranger@127.0.0.1:1/nothing' }, 'serve'],
    [3, { DATABASE_URL: 'postgres://stranger@nowhere.invalid/nothing' }, 'lots', 'list'],
  ]
  for (const [expected, settings, ...words] of endings) {
    const { code, stderr } = await runCommand({ ...installation.settings, ...settings }, ...words)
    assert.equal(code, expected, `${words.join(' ')}: ${stderr}`)
    assert.equal(stderr === '', expected === 0, words.join(' '))
  }
})

test('a misspelt setting in the environment stops serve and every command, and doctor reports it', async () => {
  const says = 'the environment: there is no setting DATABSE_URL; did you mean DATABASE_URL?'
  for (const words of [['serve'], ['migrate'], ['houses', 'list'], ['doctor']]) {
    const { code, stdout, stderr } = await runCommand({ DATABSE_URL: 'postgres://db/c' }, ...words)
    assert.deepEqual([code, stdout], [2, ''])
    assert.ok(stderr.startsWith(`error: ${says}`), stderr)
  }
  const { code, stdout } = await runCommand({ DATABSE_URL: 'postgres://db/c' }, 'doctor', '--installation')
  assert.equal(code, 1)
  assert.ok(stdout.startsWith(`wrong   settings    ${says}`), stdout)
})
