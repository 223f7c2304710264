import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { runCommand } from '../../test/support/process.ts'

const folder = await mkdtemp(path.join(tmpdir(), 'catalogue-completion-'))
after(() => rm(folder, { recursive: true }))

const shells = ['bash', 'zsh', 'fish']
const scripts = new Map(shells.map((shell) => [shell, path.join(folder, shell)]))
const isMissing = (shell: string) => (spawnSync(shell, ['--version']).error ? `${shell} is not installed` : false)

before(async () => {
  for (const [shell, file] of scripts) {
    // Completion needs no database, and creates none.
    const { code, stdout, stderr } = await runCommand({ DATA_DIR: '/nowhere' }, 'completion', shell)
    assert.deepEqual([code, stderr], [0, ''])
    await writeFile(file, stdout)
  }
})

// The words that bash offers for the last one, and whether it offers files.
function completeInBash(...words: string[]): { offered: string[]; files: boolean } {
  const script = `source "$0"; compopt() { echo files; }
    COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _catalogue; echo "\${COMPREPLY[@]}"`
  const lines = execFileSync('bash', ['-c', script, scripts.get('bash')!, ...words], { encoding: 'utf8' }).trim()
  const [first, last = first] = lines.split('\n') as [string, string?]
  return { offered: last.split(' ').filter((word) => word !== '' && word !== 'files'), files: first === 'files' }
}

test('bash completes commands, options and choices, and files where a file is expected', () => {
  const offered = (...words: string[]) => completeInBash('bin/catalogue', ...words).offered
  assert.deepEqual(offered('lo'), ['load', 'lots'])
  assert.deepEqual(offered('lots', ''), [
    'list',
    'search',
    'add',
    'activate',
    'deactivate',
    'archive',
    'set',
    'renumber',
    'hold',
    'release',
    'result',
    '--help',
  ])
  assert.deepEqual(offered('sessions', 'publish', '--'), ['--json', '--house', '--help'])
  assert.deepEqual(offered('lots', 'add', '--json', '--s'), ['--session', '--starting-bid', '--starting-bid-minor'])
  assert.deepEqual(offered('completion', ''), [...shells, '--help'])
  // The value of an option, although a command has this name.
  assert.deepEqual(offered('lots', 'add', '--session', 'lo'), [])
  for (const words of [
    ['load', ''],
    ['restore', 'x'],
    ['lots', 'add', '--file', ''],
  ])
    assert.deepEqual(completeInBash('catalogue', ...words), { offered: [], files: true })
  assert.deepEqual(offered('load', '--j'), ['--json'])
})

test('zsh reads the script', { skip: isMissing('zsh') }, () => {
  const script = 'compdef() { echo "$@"; }; source "$0"'
  const printed = execFileSync('zsh', ['-f', '-c', script, scripts.get('zsh')!], { encoding: 'utf8' })
  assert.equal(printed, '_catalogue catalogue\n')
})

test('fish completes commands, options and files', { skip: isMissing('fish') }, () => {
  const complete = (line: string) =>
    execFileSync('fish', ['--no-config', '-c', 'source $argv[1]; complete -C $argv[2]', scripts.get('fish')!, line], {
      encoding: 'utf8',
      env: { ...process.env, HOME: folder },
    })
      .trim()
      .split('\n')
      .map((shown) => shown.split('\t', 1)[0]!)
  assert.deepEqual(complete('catalogue lo'), ['load', 'lots'])
  assert.deepEqual(complete('catalogue lots add --s'), ['--session', '--starting-bid', '--starting-bid-minor'])
  assert.ok(complete(`catalogue lots add --file ${folder}/`).includes(`${folder}/fish`))
})
