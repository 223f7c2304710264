import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createInstallation } from '../../test/support/installation.ts'
import { uuid } from '../../test/support/lines.ts'
import { runCommand, runProcess } from '../../test/support/process.ts'

const installation = await createInstallation()
after(() => installation.remove())
const house = ['--name', 'Noord', '--locale', 'nl', '--currency', 'EUR']

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
  // Completion loads the descriptions of all commands.
  for (const words of [['--version'], ['lots', 'add', '--help'], ['completion', 'bash']]) {
    const { code, stderr } = await runProcess({ DATA_DIR: '/nowhere', NODE_OPTIONS }, ...words)
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
    [['constructor'], "error: unknown command 'constructor'\n"],
    [['__proto__'], "error: unknown command '__proto__'\n"],
    [['doctor', '--instalation'], "error: unknown option '--instalation' (Did you mean --installation?)\n"],
    [['doctr'], "error: unknown command 'doctr' (Did you mean doctor?)\n"],
  ]
  for (const [words, error] of errors) {
    const { code, stdout, stderr } = await runCommand({ DATA_DIR: '/nowhere' }, ...words)
    assert.deepEqual({ code, stdout, stderr }, { code: 2, stdout: '', stderr: error }, words.join(' '))
  }
})

test('the exit code tells refusals, wrong use and unreachable servers apart', async () => {
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
    const run = words[0] === 'serve' ? runProcess : runCommand
    const { code, stderr } = await run({ ...installation.settings, ...settings }, ...words)
    assert.equal(code, expected, `${words.join(' ')}: ${stderr}`)
    assert.equal(stderr === '', expected === 0, words.join(' '))
  }
})

test('a misspelt setting in the environment stops serve and every command, and doctor reports it', async () => {
  const says = 'the environment: there is no setting DATABSE_URL; did you mean DATABASE_URL?'
  for (const words of [['serve'], ['migrate'], ['houses', 'list'], ['doctor']]) {
    const run = words[0] === 'serve' ? runProcess : runCommand
    const { code, stdout, stderr } = await run({ DATABSE_URL: 'postgres://db/c' }, ...words)
    assert.deepEqual([code, stdout], [2, ''])
    assert.ok(stderr.startsWith(`error: ${says}`), stderr)
  }
  const { code, stdout } = await runCommand({ DATABSE_URL: 'postgres://db/c' }, 'doctor', '--installation')
  assert.equal(code, 1)
  assert.ok(stdout.startsWith(`wrong   settings    ${says}`), stdout)
})

test('a command with missing or wrong options ends with an error before it opens the catalogue', async () => {
  const one = ['--session', uuid(1), '--item', uuid(2)]
  const bid = ['bids', 'place', '--lot', uuid(1)]
  const wrong: [words: string[], message: RegExp][] = [
    [['auctions', 'publish'], /^error: missing required argument 'id'\n/],
    [['lots', 'add', ...one], /^error: required option '--number <n>' not specified\n/],
    [bid, /^error: required option '--amount <money>' not specified\n/],
    [[...bid, '--amount-minor', '12.50'], /^error: .*must be a whole number/],
    [
      [...bid, '--amount', 'EUR 5', '--amount-minor', '500'],
      /^error: option '--amount-minor <n>' cannot be used with option '--amount <money>'\n/,
    ],
    [
      ['lots', 'add', '--file', 'lots.csv', '--number', '1'],
      /^error: option '--file <file>' cannot be used with .*\n$/,
    ],
    [['lots', 'activate'], /^error: say which lots: their names, or --session, or --file\n$/],
    [['lots', 'activate', 'S/1', '--numbers', '1-3'], /^error: option '--numbers <numbers>' needs --session\n$/],
    [['lots', 'deactivate', '--session', 'S', '--numbers', '3-1'], /^error: .*such as 1-120,124\.\n$/],
    [['lots', 'list', '--texts'], /^error: option '--texts' needs --csv\n$/],
    [['lots', 'list', '--locale', 'fr'], /^error: option '--locale' needs --csv\n$/],
    [['lots', 'list', '--csv', '--json'], /^error: option '--csv' cannot be used with option '--json'\n$/],
    [['lots', 'list', '--csv', '--locale', 'pt'], /^error: .*'pt' is invalid\. Allowed choices are nl, en, /],
    [['makers', 'create'], /^error: say what the maker is, or give --file\n$/],
    [['makers', 'set', 'Omega'], /^error: say what to change\n$/],
    [['categories', 'create', '--names', 'Klokken'], /is not like nl=Klokken\n$/],
    [['images', 'derive'], /^error: required option '--missing' not specified\n$/],
    [['sessions', 'set', 'S'], /^error: required option '--opens-at <time>, or another' not specified\n$/],
    [['sessions', 'set', 'S', '--opens-at', 'morgen'], /must be a time such as/],
    [['sessions', 'delay', 'S', '--by', '30', '--reason', 'x'], /must be a time such as 90s, 30m or 2h/],
  ]
  for (const [words, message] of wrong) {
    const { code, stdout, stderr } = await runCommand({ DATA_DIR: '/nowhere' }, ...words)
    assert.deepEqual([code, stdout], [2, ''], words.join(' '))
    assert.match(stderr, message)
  }
})

test('several commands at once in one process each keep their words, options and output', async () => {
  const houses = ['een', 'twee', 'drie']
  const created = await Promise.all(houses.map((slug) => installation.run('houses', 'create', slug, ...house)))
  assert.deepEqual(
    created.map(({ stdout }) => stdout),
    houses.map((slug) => `created the house ${slug}\n`),
  )
  const [listed, ...journals] = await Promise.all([
    installation.run('houses', 'list', '--json'),
    ...houses.map((slug) => installation.run('journal', '--house', slug, '--json')),
  ])
  assert.ok(houses.every((slug) => listed.stdout.includes(`"slug": "${slug}"`)))
  for (const { stdout } of journals) assert.match(stdout, /"operation": "houses create"/)
})
