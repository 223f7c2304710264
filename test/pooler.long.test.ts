import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createTestDatabase } from './support/database.ts'
import { startPgbouncer, withoutPgbouncer } from './support/pgbouncer.ts'
import { form, picture, until } from './support/pictures.ts'
import { createDataDir, findPort, runCommand, startProcess } from './support/process.ts'
import { findUnfinished } from './support/jobs.ts'

const folder = await createDataDir()
after(() => folder.remove())

for (const size of [1, 20]) {
  test(
    `a pooler in transaction mode (${size} connections) stops the start and every command with one line, and nothing has changed`,
    { skip: withoutPgbouncer },
    async (t) => {
      const database = await createTestDatabase()
      await database.db.schema.dropSchema('catalogue').cascade().execute()
      const pooler = await startPgbouncer(database.connection, 'transaction', size)
      t.after(() => pooler.stop())
      const settings = { DATA_DIR: folder.dataDir, DATABASE_URL: pooler.url, PORT: String(await findPort()) }
      for (const words of [['serve'], ['migrate'], ['houses', 'list']]) {
        const { code, stderr } = await runCommand(settings, ...words)
        assert.equal(code, 2)
        assert.match(stderr, /^error: DATABASE_URL .*pooler in transaction mode.*\n$/)
      }
      const schemas = await database.pool.query(`select from pg_namespace where nspname = 'catalogue'`)
      assert.equal(schemas.rowCount, 0)
      await database.drop()
    },
  )
}

test(
  'behind a pooler in session mode requests are answered, jobs run, commands work and a stop is clean',
  { skip: withoutPgbouncer },
  async (t) => {
    const database = await createTestDatabase()
    const pooler = await startPgbouncer(database.connection, 'session', 30)
    t.after(() => pooler.stop())
    const PORT = String(await findPort())
    const settings = { DATA_DIR: folder.dataDir, DATABASE_URL: pooler.url, RATE_LIMIT_PER_MINUTE: '0', PORT }
    const command = async (...words: string[]) => {
      const { code, stdout, stderr } = await runCommand(settings, ...words, '--json')
      assert.equal(code, 0, stderr)
      return JSON.parse(stdout) as { key: string }
    }
    await command('houses', 'create', 'noord', '--name', 'Noord', '--locale', 'nl', '--currency', 'EUR')
    const { key } = await command('keys', 'create', '--house', 'noord', '--all')
    const service = await startProcess(settings)
    t.after(() => service.child.kill('SIGKILL'))
    const authorization = `Bearer ${key}`
    const ask = async (path: string, body?: RequestInit['body'], headers: Record<string, string> = {}) => {
      const url = `http://127.0.0.1:${PORT}/api/v2${path}`
      const reply = await fetch(url, {
        headers: { authorization, ...headers },
        ...(body !== undefined && { method: 'POST', body }),
      })
      return { status: reply.status, ...((await reply.json()) as { data: { id: string } }) }
    }
    const json = { 'content-type': 'application/json' }
    const create = (index: number) =>
      ask('/items', JSON.stringify({ title: 'Vaas', external_reference: `I-${index}` }), json)
    const items: string[] = []
    const work = async (client: number) => {
      for (let turn = 0; turn < 12; turn++) {
        const created = await create(client * 100 + turn)
        assert.equal(created.status, 201)
        items.push(created.data.id)
        assert.equal((await ask(`/items?limit=${1 + turn}`)).status, 200)
      }
    }
    await Promise.all(Array.from({ length: 8 }, (_, client) => work(client)))
    const { headers, body } = form(['external_reference', 'P'], ['file', await picture(), 'a.jpg'])
    const images = `/items/${items[0]!}/images`
    assert.equal((await ask(images, new Uint8Array(body), headers)).status, 201)
    const areDone = async () => (await findUnfinished(database.db)).length === 0
    await until(areDone)
    assert.equal(await service.stop(), 0)
    await database.drop()
  },
)
