import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { after, before, test, type TestContext } from 'node:test'
import { gzipSync } from 'node:zlib'
import { build, type Rolldown } from 'vite'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'
import { openLiveSessions } from '../../../test/support/contract.ts'
import { catalogueOf } from '../../../test/support/lines.ts'
import { picture } from '../../../test/support/pictures.ts'
import { findPort } from '../../../test/support/process.ts'
import { openRelay } from '../../../test/support/tunnel.ts'
import { createProject, typescript } from './project.ts'
import { runProgram } from './runtimes.ts'
import { serveCatalogue } from './service.ts'

const { service, url, key, ids, catalogue, close } = await serveCatalogue()
let project: Awaited<ReturnType<typeof createProject>>

before(async () => {
  project = await createProject()
})
after(async () => {
  await close()
  await project.remove()
})

async function bundle(program: string): Promise<{ bytes: number; compressed: number }> {
  const entry = path.join(project.folder, 'entry.js')
  await writeFile(entry, program)
  const built = await build({
    configFile: false,
    root: project.folder,
    logLevel: 'silent',
    build: {
      write: false,
      target: 'es2022',
      lib: { entry, formats: ['es'] },
      rolldownOptions: { output: { minify: true } },
    },
  })
  const [{ output }] = built as [Rolldown.RolldownOutput]
  const contents = Buffer.from(output[0].code)
  return { bytes: contents.length, compressed: gzipSync(contents, { level: 9 }).length }
}

// The Node of the tests, and that of npm.
const nodes = new Set([process.execPath, process.env['npm_node_execpath'] ?? process.execPath])

test('the packed client runs in an empty project, on the Node of the tests and on that of npm', async () => {
  const file = path.join(project.folder, 'vaas.jpg')
  await writeFile(file, await picture())
  for (const node of nodes) await runProgram(project, [node], { url, key, item: ids.item, lot: ids.lot, file })
})

test('its types are correct in TypeScript with the module resolution of Node or of a bundler', async () => {
  for (const resolution of ['nodenext', 'bundler'] as const) await project.checkTypes(typescript, resolution)
})

test('a program in TypeScript that is CommonJS compiles for Node, and runs', async () => {
  await project.write(
    'commonjs.cts',
    "import { Catalogue } from '@auction-catalogue/client'\nconsole.log(typeof Catalogue)\n",
  )
  await project.compile('commonjs.cts')
  for (const node of nodes) assert.equal(await project.run([node], ['commonjs.cjs']), 'function\n')
})

test('publint reports no problem', async () => {
  const { messages, pkg } = await publint({ pkgDir: project.installed, pack: false })
  assert.deepEqual(
    messages.map((message) => formatMessage(message, pkg as never)),
    [],
  )
})

test('bundled for a browser it needs no module of Node, and has less than 20 KB, compressed less than 8', async () => {
  const whole = await bundle("export * from '@auction-catalogue/client'")
  assert.ok(whole.bytes < 20_000 && whole.compressed < 8_000, JSON.stringify(whole))
})

test('a bundler drops unused parts', async () => {
  const part = await bundle("import { etag } from '@auction-catalogue/client'; console.log(etag)")
  assert.ok(part.bytes < 200, `${part.bytes}`)
})

/** The first program of a section of the README. */
async function readExample(section: string): Promise<string> {
  const readme = await readFile(path.join(import.meta.dirname, '../README.md'), 'utf8')
  return readme.split(`\n## ${section}\n`)[1]!.split('```ts\n')[1]!.split('```')[0]!
}

test("the program of the README for staff compiles, records a lot's result and shows its journal", async () => {
  await openLiveSessions(service, [{ slug: catalogueOf(1).slug, ids }])
  await catalogue.staff.bids.place(ids.liveLot, { amount: { amount: 20_000, currency: 'EUR' } })
  const program = await readExample('Staff')
  await project.write('hammer.ts', program)
  await project.compile('hammer.ts')
  const hammer = (session: string, amount: string) =>
    project.run([process.execPath], ['hammer.js', session, '1', amount], { CATALOGUE_URL: url, CATALOGUE_KEY: key })
  assert.match(await hammer(ids.liveSession, '45000'), /^recorded\n\S+Z .*changeLot\n\S+Z .*placeBid\n$/)
  assert.match(await hammer(ids.session, '45000'), /^refused: not_closed\n/)
  assert.match(await hammer(ids.liveSession, '10'), /^refused: at least 20000\n/)
})

// What a snippet takes from the text around it.
const around = {
  catalogue: "import('@auction-catalogue/client').Catalogue",
  session: "import('@auction-catalogue/client').SessionId",
  url: 'string',
  key: 'string',
  cursor: 'string | undefined',
}

test('every program and every snippet of the README and of the documents compiles', async () => {
  const documents = ['packages/client/README.md', 'docs/storefront.md', 'docs/staff-interface.md']
  const files: string[] = []
  for (const document of documents) {
    const text = await readFile(path.join(import.meta.dirname, '../../..', document), 'utf8')
    const snippets = Array.from(text.matchAll(/^```ts\n(.*?)^```$/gms), ([, snippet]) => snippet!)
    assert.ok(snippets.length > 0)
    for (const [index, snippet] of snippets.entries()) {
      const lacking = Object.entries(around).filter(([name]) => !new RegExp(`const \\[?${name}\\b`).test(snippet))
      const declared = lacking.map(([name, type]) => `declare const ${name}: ${type}\n`).join('')
      const file = `${path.basename(document, '.md')}-${index}.ts`
      await project.write(file, `export {}\n${declared}${snippet}`)
      files.push(file)
    }
  }
  await project.compile(...files)
})

/** Runs the program of the project through a network that can be broken. */
async function follow(t: TestContext) {
  const { hostname, port } = new URL(url)
  const at = await findPort()
  const open = () =>
    openRelay({ host: '127.0.0.1', port: at }, { host: hostname, port: Number(port) }, (near, far) => {
      near.pipe(far).pipe(near)
    })
  let relay = await open()
  const child = spawn(process.execPath, ['follow.ts'], {
    cwd: project.folder,
    env: { PATH: process.env.PATH, CATALOGUE_URL: `http://127.0.0.1:${at}`, CATALOGUE_KEY: key },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  t.after(() => {
    child.kill('SIGKILL')
    relay.close()
  })
  let said = ''
  const hear = (chunk: Buffer) => (said += String(chunk))
  child.stdout.on('data', hear)
  child.stderr.on('data', hear)
  const exit = once(child, 'exit')
  return {
    async says(text: string) {
      for (;;) {
        if (said.includes(text)) return
        assert.equal(child.exitCode, null, said)
        await Promise.race([once(child.stdout, 'data'), exit])
      }
    },
    async breakOff() {
      relay.close()
      relay = await open()
    },
    async stop() {
      child.kill('SIGKILL')
      await exit
      return said
    },
  }
}

test('the follower of the README survives a broken connection, and continues where it was stopped', async (t) => {
  await project.write('follow.ts', await readExample('Following the catalogue'))
  const first = await follow(t)
  await first.says(ids.lot)
  await first.breakOff()
  await catalogue.items.update(ids.item, { title: 'Na de breuk' })
  await first.says(`${ids.lot} Na de breuk`)
  await first.stop()

  await catalogue.items.update(ids.item, { title: 'Later' })
  const second = await follow(t)
  await second.says(`${ids.lot} Later`)
  // Changes before the cursor do not come again.
  assert.ok(!(await second.stop()).includes(ids.liveLot))
})
