import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createTestDatabase } from './support/database.ts'
import { urlOf } from './support/address.ts'
import { form, picture } from './support/pictures.ts'
import { createDataDir, findPort, runCommand, startProcess } from './support/process.ts'

const folder = await createDataDir()
const database = await createTestDatabase()
after(async () => {
  await folder.remove()
  await database.drop()
})

const [old, fresh] = ['the old secret of all the instances', 'the new secret of all the instances']
const shared = { DATA_DIR: folder.dataDir, DATABASE_URL: urlOf(database.connection), WORKER: 'off' }

async function start(settings: Record<string, string>) {
  const PORT = String(await findPort())
  const { child, stop } = await startProcess({ ...shared, ...settings, PORT, PUBLIC_URL: 'http://catalogue.test' })
  after(() => child.kill('SIGKILL'))
  return { origin: `http://127.0.0.1:${PORT}`, stop }
}
type Instance = Awaited<ReturnType<typeof start>>

test('cursors and signed URLs survive a change of the secret on one instance after the other', async () => {
  const command = async (...words: string[]) =>
    (await runCommand({ ...shared, SECRET: old }, ...words, '--json')).stdout
  await command('houses', 'create', 'noord', '--name', 'Noord', '--locale', 'nl', '--currency', 'EUR')
  const { key } = JSON.parse(await command('keys', 'create', '--house', 'noord', '--all')) as { key: string }
  const ask = async (instance: Instance, path: string, body?: string | ReturnType<typeof form>) => {
    const isForm = typeof body === 'object'
    const headers = {
      authorization: `Bearer ${key}`,
      ...(isForm ? body.headers : { 'content-type': 'application/json' }),
    }
    const sent = body && { method: 'POST', body: isForm ? new Uint8Array(body.body) : body }
    const reply = await fetch(`${instance.origin}/api/v2${path}`, { headers, ...sent })
    return { status: reply.status, body: (await reply.json()) as { data: Record<string, string>; next_cursor: string } }
  }
  const issue = async (instance: Instance) => {
    const { next_cursor: cursor } = (await ask(instance, '/items?limit=1')).body
    const { original_url: address } = (await ask(instance, `/items/${item}/images/${image}`)).body.data
    return { cursor, address: address! }
  }
  const statuses = async (instance: Instance, { cursor, address }: Awaited<ReturnType<typeof issue>>) => [
    (await ask(instance, `/items?limit=1&cursor=${cursor}`)).status,
    (await fetch(address.replace('http://catalogue.test', instance.origin))).status,
  ]

  const before = await start({ SECRET: old })
  const item = (await ask(before, '/items', '{"external_reference":"V","title":"Vaas"}')).body.data['id']
  await ask(before, '/items', '{"external_reference":"K","title":"Kan"}')
  const upload = form(['external_reference', 'P'], ['file', await picture(), 'a.jpg'])
  const image = (await ask(before, `/items/${item}/images`, upload)).body.data['id']!

  const prepared = await start({ SECRET: old, SECRET_PREVIOUS: fresh })
  assert.deepEqual(await statuses(prepared, await issue(before)), [200, 200])
  assert.deepEqual(await statuses(before, await issue(prepared)), [200, 200])
  await before.stop()

  const changed = await start({ SECRET: fresh, SECRET_PREVIOUS: old })
  const early = await issue(prepared)
  assert.deepEqual(await statuses(changed, early), [200, 200])
  assert.deepEqual(await statuses(prepared, await issue(changed)), [200, 200])
  await prepared.stop()

  const done = await start({ SECRET: fresh })
  assert.deepEqual(await statuses(done, await issue(changed)), [200, 200])
  assert.deepEqual(await statuses(changed, await issue(done)), [200, 200])
  assert.deepEqual(await statuses(done, early), [400, 403])
  await Promise.all([changed.stop(), done.stop()])
})

test('metrics are served on METRICS_HOST, wherever HOST is', async () => {
  const METRICS_PORT = String(await findPort())
  const service = await start({ SECRET: old, HOST: '0.0.0.0', METRICS_PORT })
  const ask = (host: string) =>
    fetch(`http://${host}:${METRICS_PORT}/metrics`).then(
      ({ status }) => status,
      () => undefined,
    )
  assert.deepEqual([await ask('127.0.0.1'), await ask('127.0.0.2')], [200, undefined])
  await service.stop()
})
