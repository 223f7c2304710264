import assert from 'node:assert/strict'
import path from 'node:path'
import { test } from 'node:test'
import { sql } from 'kysely'
import { openDatabase } from '../src/db/pool.ts'
import { inTransaction } from '../src/writes/transaction.ts'
import { until } from '../test/support/pictures.ts'
import { createDataDir, findPort, findServerProcess, startProcess } from '../test/support/process.ts'
import { stopStarts } from './stop-starts/run.ts'

test('a first start that is stopped at any moment ends with 0, leaves no process, and the next one can serve', async () => {
  assert.equal((await stopStarts({ moments: 10 })).length, 10)
})

test('a service with endless requests still stops its database, and ends with 1', async (t) => {
  const folder = await createDataDir()
  t.after(() => folder.remove())
  const service = await startProcess({ DATA_DIR: folder.dataDir, PORT: String(await findPort()) }, '--demo', '--json')
  const { url, key } = JSON.parse(service.printed) as { url: string; key: string }
  const connection = { host: path.join(folder.dataDir, 'postgres'), user: 'catalogue', database: 'catalogue' }
  const { db, pool } = openDatabase(connection, 2)
  const locked = Promise.withResolvers<void>()
  const lock = async ({ db: tx }: { db: typeof db }) => {
    // The lock must outlive the stop of the service, on any machine.
    await sql`set local statement_timeout = 0`.execute(tx)
    await sql`lock table catalogue.items`.execute(tx)
    locked.resolve()
    await sql`select pg_sleep(600)`.execute(tx)
  }
  const holding = inTransaction({ db }, lock).catch(() => undefined)
  await locked.promise
  const request = fetch(`${url}/items?limit=1`, { headers: { authorization: `Bearer ${key}` } }).catch(() => undefined)
  await until(async () => {
    const { rows } = await pool.query('select from pg_locks where not granted')
    return rows.length > 0
  })
  assert.equal(await service.stop(), 1)
  assert.equal(await findServerProcess(folder.dataDir), undefined)
  await Promise.all([holding, request])
  await pool.end()
})
