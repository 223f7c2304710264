import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { after, before, test, type TestContext } from 'node:test'
import { findPort } from '../../../test/support/process.ts'
import { openRelay } from '../../../test/support/tunnel.ts'
import { createProject } from './project.ts'
import { serveCatalogue } from './service.ts'

const { url, key, ids, catalogue, close } = await serveCatalogue()
let project: Awaited<ReturnType<typeof createProject>>

before(async () => {
  project = await createProject()
})
after(async () => {
  await close()
  await project.remove()
})

/** Runs the program of the project through a way to the service that can be broken. */
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

test('the follower of the README survives a break in the connection, and goes on where it was stopped', async (t) => {
  const readme = await readFile(path.join(import.meta.dirname, '../README.md'), 'utf8')
  const [, program] = /## Following the catalogue\n\n```ts\n(.+?)```/s.exec(readme)!
  await project.write('follow.ts', program!)
  const first = await follow(t)
  await first.says(ids.lot)
  await first.breakOff()
  await catalogue.items.update(ids.item, { title: 'Na de breuk' })
  await first.says(`${ids.lot} Na de breuk`)
  await first.stop()

  await catalogue.items.update(ids.item, { title: 'Later' })
  const second = await follow(t)
  await second.says(`${ids.lot} Later`)
  // What came before the cursor does not come again.
  assert.ok(!(await second.stop()).includes(ids.liveLot))
})
