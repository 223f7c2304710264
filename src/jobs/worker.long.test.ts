import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { environmentOf, findPort, runCommand, startProcess } from '../../test/support/process.ts'
import { lockRecord } from '../../test/support/locks.ts'
import { form, picture, until } from '../../test/support/pictures.ts'
import { houseLine, uuid } from '../../test/support/lines.ts'
import { startService, type TestService } from '../../test/support/service.ts'
import { listJobs, retryJob } from './jobs.ts'
import { enqueue, enqueueRenditions } from './queue.ts'
import { startWorker } from './worker.ts'
import { findUnfinished, tasks } from '../../test/support/jobs.ts'

let service: TestService
let key: string
const item = `/api/v2/items/itm_${uuid(1)}`
const program = path.join(import.meta.dirname, '..', '..', 'bin', 'catalogue')
const silent = { error() {}, warn() {}, info() {}, debug() {} }

before(async () => {
  service = await startService({
    records: [houseLine('noord'), { type: 'item', id: uuid(1), translations: { nl: { title: 'Vaas' } } }],
  })
  key = await service.issueKey('noord')
})
after(() => service.close())

async function upload(): Promise<{ path: string; id: string; house: string }> {
  const { headers, body } = form(['external_reference', crypto.randomUUID()], ['file', await picture(), 'a.jpg'])
  const response = await service.request({ method: 'POST', url: `${item}/images`, key, headers, body })
  const path = String(response.headers.location)
  const { rows } = await sql<{ id: string; house_id: string }>`select id, house_id from catalogue.images
    where public_id = ${path.slice(-36)}`.execute(service.db)
  return { path, id: rows[0]!.id, house: rows[0]!.house_id }
}

const isProcessing = async (image: string) =>
  (await service.get(image, key)).json<{ data: { processing: boolean } }>().data.processing
const findJob = async (task: string) => (await listJobs(service.db, { failed: false })).find((job) => job.task === task)

/** Settings of a process on the same database and files. */
async function settings() {
  const { connection, dataDir, secret } = service
  const url =
    'connectionString' in connection
      ? connection.connectionString
      : `postgres:///${connection.database}?${new URLSearchParams({ host: connection.host, user: connection.user }).toString()}`
  return { DATABASE_URL: url, DATA_DIR: dataDir, SECRET: secret, PORT: String(await findPort()) }
}

test('of jobs with one key one waits, and a transaction makes it visible with its commit', async () => {
  await service.db.transaction().execute(async (db) => {
    await enqueueRenditions({ db, house: { id: '1' } }, ['999'])
    await enqueueRenditions({ db, house: { id: '1' } }, ['999'])
    assert.equal(await findJob('derive_renditions'), undefined)
  })
  const jobs = await findUnfinished(service.db)
  assert.deepEqual(
    jobs.map((job) => [job.task, job.state, job.max_attempts]),
    [['derive_renditions', 'waiting', 5]],
  )
  const worker = await startWorker(service, tasks, silent)
  await until(async () => (await findJob('derive_renditions')) === undefined)
  await worker.stop()
})

test('a job begins after its commit, even while pictures keep the worker busy', async () => {
  const images = await Promise.all([1, 2, 3, 4].map(upload))
  const worker = await service.db.transaction().execute(async (tx) => {
    // Each rendition waits for the item at its end.
    await lockRecord(tx, 'items', item.slice(-36))
    const started = await startWorker(service, tasks, silent)
    await until(
      async () => (await listJobs(service.db, { failed: false })).filter((job) => job.state === 'running').length === 2,
    )
    await enqueue(service.db, 'delete_media', { keys: [] })
    await until(async () => (await findJob('delete_media')) === undefined)
    return started
  })
  for (const { path } of images) await until(async () => !(await isProcessing(path)))
  await worker.stop()
})

test('the job of a killed worker is done by another', async () => {
  const { path } = await upload()
  await service.db.transaction().execute(async (tx) => {
    await lockRecord(tx, 'images', path.slice(-36))
    const first = await startProcess(await settings())
    await until(async () => (await findJob('derive_renditions'))?.state === 'running')
    await first.stop('SIGKILL')
  })
  assert.equal((await findJob('derive_renditions'))!.state, 'running')
  const second = await startWorker(service, tasks, silent)
  await until(async () => !(await isProcessing(path)))
  await second.stop()
})

test('a job whose end could not be recorded is repeated, although its worker lives', async () => {
  const { path } = await upload()
  await sql`create function lose_database() returns trigger language plpgsql
    as $$ begin raise exception 'gone' using errcode = '57P01'; end $$`.execute(service.db)
  await sql`create trigger lose_database before delete on graphile_worker._private_jobs
    execute function lose_database()`.execute(service.db)
  const worker = await startProcess({ ...(await settings()), LOG_LEVEL: 'fatal' })
  await until(async () => !(await isProcessing(path)))
  assert.equal((await findJob('derive_renditions'))!.state, 'running')
  await sql`drop function lose_database cascade`.execute(service.db)
  await until(async () => (await findJob('derive_renditions')) === undefined)
  assert.equal(await worker.stop(), 0)
})

test('a job that was replaced while it ran leaves nothing behind, whether it failed or its worker died', async () => {
  const replace = () => enqueue(service.db, 'recalculate_session', { house: '0', session: '0' }, { key: 'once' })
  for (const end of [
    sql`locked_at = locked_at`,
    sql`locked_by = null, locked_at = null, last_error = 'the connection broke'`,
  ]) {
    await replace()
    await sql`update graphile_worker._private_jobs set locked_by = 'gone', locked_at = now() - interval '1 hour', attempts = 1
      where key = 'once'`.execute(service.db)
    await replace()
    await sql`update graphile_worker._private_jobs set ${end} where locked_by = 'gone'`.execute(service.db)
    const worker = await startWorker(service, tasks, silent)
    await until(async () => (await findJob('recalculate_session')) === undefined)
    await worker.stop()
  }
})

test('a worker that stops waits for the end of its job', async () => {
  const { path } = await upload()
  let stopped: Promise<void> | undefined
  await service.db.transaction().execute(async (tx) => {
    await lockRecord(tx, 'images', path.slice(-36))
    const worker = await startWorker(service, tasks, silent)
    await until(async () => (await findJob('derive_renditions'))?.state === 'running')
    stopped = worker.stop()
  })
  await stopped
  assert.equal(await isProcessing(path), false)
  assert.equal(await findJob('derive_renditions'), undefined)
})

test('a process that stops leaves no job in the queue that it has done', async () => {
  const { path } = await upload()
  let stopped: Promise<number | null> | undefined
  await service.db.transaction().execute(async (tx) => {
    await lockRecord(tx, 'images', path.slice(-36))
    const process = await startProcess(await settings())
    await until(async () => (await findJob('derive_renditions'))?.state === 'running')
    stopped = process.stop()
  })
  assert.equal(await stopped, 0)
  assert.equal(await isProcessing(path), false)
  assert.equal(await findJob('derive_renditions'), undefined)
})

test('the operator lists waiting and failed jobs, and retries a failed one', async () => {
  const environment = await settings()
  const missing = '9'.repeat(12)
  await enqueue(service.db, 'delete_media', { keys: ['../../outside'] })
  const worker = await startWorker(service, tasks, silent)
  await until(async () => (await findJob('delete_media'))?.state === 'retrying')
  await worker.stop()
  const { id } = (await findJob('delete_media'))!
  const listed = JSON.parse((await runCommand(environment, 'jobs', 'list', '--failed', '--json')).stdout) as unknown[]
  assert.deepEqual(listed, [(await findJob('delete_media'))!])
  const plain = await runCommand(environment, 'jobs', 'list')
  assert.match(plain.stdout, new RegExp(`^${id} +delete_media +retrying +\\d+/25 .* not a key of the store`, 'm'))
  const retried = await runCommand(environment, 'jobs', 'retry', id)
  assert.equal(retried.code, 0)
  assert.deepEqual([(await findJob('delete_media'))!.state, (await findJob('delete_media'))!.attempts], ['waiting', 0])
  const refused = await runCommand(environment, 'jobs', 'retry', missing)
  assert.deepEqual(
    [refused.code, refused.stderr],
    [1, `error: there is no job ${missing} that is waiting, retrying or failed (see: bin/catalogue jobs list)\n`],
  )
  await assert.rejects(retryJob(service.db, 'x'), /there is no job x/)
})

test('WORKER decides whether a process works on the queue, serves, or both', async () => {
  const { path } = await upload()
  const shared = await settings()
  const serving = await startProcess({ ...shared, WORKER: 'off' })
  const answer = await fetch(`http://127.0.0.1:${shared.PORT}${path}`, { headers: { authorization: `Bearer ${key}` } })
  assert.equal(((await answer.json()) as { data: { processing: boolean } }).data.processing, true)
  assert.equal(await serving.stop(), 0)

  const working = spawn(program, ['serve'], { env: environmentOf({ ...shared, WORKER: 'only' }) })
  await until(async () => !(await isProcessing(path)))
  await assert.rejects(fetch(`http://127.0.0.1:${shared.PORT}/healthz`))
  working.kill('SIGTERM')
  assert.equal((await once(working, 'exit'))[0], 0)

  const both = await startProcess({ ...shared, WORKER: 'in-process' })
  const another = await upload()
  await until(async () => !(await isProcessing(another.path)))
  assert.equal(await both.stop(), 0)
})
