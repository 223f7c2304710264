import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdir, readdir, readFile, symlink } from 'node:fs/promises'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import { checkout, createDataDir, findPort, programOf } from './support/process.ts'

const run = promisify(execFile)
const folder = await createDataDir()
const modules = path.join(folder.dataDir, 'node_modules')
const installed = path.join(modules, 'auction-catalogue')
// The Node of npm is the machine's.
const node = process.env['npm_node_execpath'] ?? process.execPath

before(async () => {
  await mkdir(installed, { recursive: true })
  const { stdout } = await run('npm', ['pack', '--json', '--pack-destination', folder.dataDir], { cwd: checkout })
  const [{ filename }] = JSON.parse(stdout) as [{ filename: string }]
  await run('tar', ['-xzf', path.join(folder.dataDir, filename), '-C', installed, '--strip-components=1'])
  for (const name of await readdir(path.join(checkout, 'node_modules')))
    if (!name.startsWith('node-linux'))
      await symlink(path.join(checkout, 'node_modules', name), path.join(modules, name))
})
after(() => folder.remove())

test('the packed file runs no script at its installation, and contains no Node', async () => {
  const { scripts, optionalDependencies } = JSON.parse(
    await readFile(path.join(installed, 'package.json'), 'utf8'),
  ) as {
    scripts: Record<string, string>
    optionalDependencies: Record<string, string>
  }
  for (const name of ['preinstall', 'install', 'postinstall', 'prepare']) assert.equal(scripts[name], undefined)
  for (const name of Object.keys(optionalDependencies)) assert.doesNotMatch(name, /^node/)
})

test('every link of a packed page leads to a packed file', async () => {
  const files = await readdir(installed, { recursive: true })
  const broken = []
  for (const page of files.filter((name) => name.endsWith('.md'))) {
    const text = await readFile(path.join(installed, page), 'utf8')
    for (const [, link] of text.matchAll(/\]\((?![a-z]+:|#)([^)#\s]+)/g))
      if (!files.includes(path.join(path.dirname(page), link!).replace(/\/$/, ''))) broken.push(`${page}: ${link}`)
  }
  assert.deepEqual(broken, [])
})

test('hints show the command as typed where the package is installed', async () => {
  const settings = { PATH: `${path.dirname(node)}:/usr/bin:/bin`, DATA_DIR: path.join(folder.dataDir, 'empty') }
  const { stderr } = await programOf(installed).runProcess(settings, 'sessions', 'list')
  assert.equal(stderr, 'error: there is no house yet (see: npx catalogue houses create)\n')
})

test('installed from the packed file, the program serves the demo house and its page on the Node of the machine', async () => {
  const port = String(await findPort())
  const settings = {
    PATH: `${path.dirname(node)}:/usr/bin:/bin`,
    DATA_DIR: path.join(folder.dataDir, 'data'),
    PORT: port,
  }
  const service = await programOf(installed).startProcess(settings, '--demo', '--json')
  const { url, key } = JSON.parse(service.printed) as { url: string; key: string }
  const reply = await fetch(`${url}/lots?expand[]=item.images`, { headers: { authorization: `Bearer ${key}` } })
  assert.equal(reply.status, 200)
  assert.equal(((await reply.json()) as { data: unknown[] }).data.length, 25)
  const page = await fetch(`http://127.0.0.1:${port}/`)
  assert.equal(page.status, 200)
  assert.match(await page.text(), /<script/)
  assert.equal(await service.stop(), 0)
})
