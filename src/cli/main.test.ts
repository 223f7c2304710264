import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runCommand } from '../../test/support/process.ts'

// Every module that is loaded is named on standard error.
const trace = `import { registerHooks } from 'node:module'
registerHooks({
  load(url, context, next) {
    if (url.startsWith('file:')) process.stderr.write(url + '\\n')
    return next(url, context)
  },
})`
const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(trace)}`

test('the version, a help and the completion load the descriptions of commands and nothing that a command works with', async () => {
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
    const others = loaded.filter((url) => /\/src\/(?!cli\/|config|folders|settings|context|values\/)/.test(url))
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

test('help and a command print the help of that command, as the command does with --help', async () => {
  const print = async (...words: string[]) => (await runCommand({ DATA_DIR: '/nowhere' }, ...words)).stdout
  for (const words of [[], ['lots'], ['sessions', 'publish'], ['completion']]) {
    const text = await print(...words, '--help')
    assert.ok(text.startsWith(`Usage: ${['catalogue', ...words].join(' ')} `), text)
    assert.equal(await print('help', ...words), text)
  }
})
