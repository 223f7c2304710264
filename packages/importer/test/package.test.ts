import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'

const run = promisify(execFile)
const packageFolder = join(import.meta.dirname, '..')

test('the packed importer has JavaScript and no sources, and runs on the Node of the tests and on that of npm', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'importer-package-'))
  t.after(() => rm(folder, { recursive: true }))
  const { stdout } = await run('npm', ['pack', '--json', '--pack-destination', folder], { cwd: packageFolder })
  const [packed] = JSON.parse(stdout.slice(stdout.indexOf('['))) as [{ filename: string; files: { path: string }[] }]
  const files = packed.files.map(({ path }) => path)
  for (const needed of ['bin/catalogue-import.js', 'dist/main.js', 'load-format.schema.json', 'README.md'])
    assert.ok(files.includes(needed), needed)
  assert.deepEqual(
    files.filter((path) => /\.ts$|^src|^test|^fixtures/.test(path)),
    [],
  )

  await run('tar', ['-xzf', join(folder, packed.filename), '-C', folder])
  const manifest = JSON.parse(await readFile(join(folder, 'package/package.json'), 'utf8')) as { scripts: object }
  assert.ok(!('prepare' in manifest.scripts))
  // No packed file leads to a file that is not packed.
  assert.doesNotMatch(await readFile(join(folder, 'package/README.md'), 'utf8'), /\]\((?!https:)/)
  await symlink(join(packageFolder, '../../node_modules'), join(folder, 'node_modules'))
  const program = join(folder, 'package/bin/catalogue-import.js')
  for (const node of new Set([process.execPath, process.env['npm_node_execpath'] ?? process.execPath])) {
    const version = await run(node, [program, '--version'])
    assert.match(version.stdout, /^\d+\.\d+\.\d+\n$/)
    const help = await run(node, [program, '--help'])
    assert.match(help.stdout, /plan {3}SOURCE/)
  }
})
