import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { listJobs } from '../src/jobs/jobs.ts'
import { createTestDatabase } from './support/database.ts'
import { startPgbouncer, withoutPgbouncer } from './support/pgbouncer.ts'
import { form, picture, until } from './support/pictures.ts'
import { createDataDir, findPort, runCommand, startProcess } from './support/process.ts'

const folder = await createDataDir()
after(() => folder.remove())

for (const size of [1, 20]) {
  test(
    `a pooler in transaction mode (${size} connections) stops the start and every command with one line, and nothing has changed`,
    { skip: withoutPgbouncer },
    async () => {
      const database = await createTestDatabase()
      await database.db.schema.dropSchema('catalogue').cascade().execute()
      const pooler = await startPgbouncer(database.connection, 'transaction', size)
      const settings = { DATA_DIR: folder.dataDir, DATABASE_URL: pooler.url, PORT: String(await findPort()) }
      for (const words of [['serve'], ['migrate'], ['houses', 'list']]) {
        const { code, stderr } = await runCommand(settings, ...words)
        assert.equal(code, 1)
        assert.match(stderr, /^error: DATABASE_URL .*pooler in transaction mode.*\n$/)
      }
      const schemas = await database.pool.query(`select from pg_namespace where nspname = 'catalogue'`)
      assert.equal(schemas.rowCount, 0)
      await pooler.stop()
      await database.drop()
    },
  )
}

test(
  'behind a pooler in session mode requests are answered, jobs are done, commands work and a stop is clean',
  { skip: withoutPgbouncer },
  async () => {
    const database = await createTestDatabase()
    const pooler = await startPgbouncer(database.connection, 'session', 30)
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
    const replies = await Promise.all(
      Array.from({ length: 200 }, (_, index) =>
        index % 2 === 0 ? create(index) : ask(`/items?limit=${1 + (index % 50)}`),
      ),
    )
    assert.ok(replies.every(({ status }, index) => status === (index % 2 === 0 ? 201 : 200)))
    const { headers, body } = form(['external_reference', 'P'], ['file', await picture(), 'a.jpg'])
    const images = `/items/${replies[0]!.data.id}/images`
    assert.equal((await ask(images, new Uint8Array(body), headers)).status, 201)
    await until(async () => (await listJobs(database.db, { failed: false })).every((job) => job.task === 'clean_store'))
    assert.equal(await service.stop(), 0)
    await pooler.stop()
    await database.drop()
  },
)
