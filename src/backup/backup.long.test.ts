import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, before, describe, test } from 'node:test'
import { sql } from 'kysely'
import S3rver from 's3rver'
import { findUnfinished } from '../../test/support/jobs.ts'
import { makeArchive, readEverything, restoreInto } from '../../test/support/backups.ts'
import { catalogueOf } from '../../test/support/lines.ts'
import { form, picture, storedFiles, workOff } from '../../test/support/pictures.ts'
import { startService, type TestService } from '../../test/support/service.ts'
import { examine } from '../doctor/records.ts'
import { readGeneration } from '../db/generation.ts'
import { listHouses } from '../houses/locks.ts'
import { findNamedFiles } from './files.ts'
import { filesIn } from '../images/files.ts'
import { listJobs, retryJob } from '../jobs/jobs.ts'
import { enqueue } from '../jobs/queue.ts'
import { openMediaStore } from '../media/open.ts'
import type { MediaStore } from '../media/store.ts'

const { slug, ids, lines } = catalogueOf(1)
const images = `/api/v2/items/${ids.item}/images`

async function upload(service: TestService, key: string, options: { visible?: boolean } = {}): Promise<string> {
  const { headers, body } = form(
    ['external_reference', crypto.randomUUID()],
    ['public', String(options.visible ?? true)],
    ['file', await picture(), 'a.jpg'],
  )
  const reply = await service.request({ method: 'POST', url: images, key, headers, body })
  assert.equal(reply.statusCode, 201, reply.body)
  return String(reply.headers.location)
}

/** The files that the rows of a service name. */
async function namedFiles({ db }: TestService): Promise<string[]> {
  const named: string[] = []
  for await (const { original, renditions, source_widths } of findNamedFiles(db)) {
    if (original !== null) named.push(original)
    if (renditions !== null) named.push(...filesIn({ renditions, source_widths }))
  }
  return named.toSorted()
}

async function withServices(work: (source: TestService, target: TestService) => Promise<void>, media?: MediaStore[]) {
  const source = await startService({ records: lines, ...(media && { media: media[0]! }) })
  const target = await startService(media && { media: media[1]! })
  await work(source, target)
  await target.close()
  await source.close()
}

describe('with a bucket and with a folder', () => {
  let folder: string
  let server: S3rver
  let buckets: MediaStore[]

  before(async () => {
    process.env.AWS_ACCESS_KEY_ID = process.env.AWS_SECRET_ACCESS_KEY = 'S3RVER'
    folder = await mkdtemp(path.join(tmpdir(), 'buckets-'))
    const options = { address: '127.0.0.1', port: 0, silent: true, directory: folder }
    const names = ['source', 'target']
    server = new S3rver({ ...options, configureBuckets: names.map((name) => ({ name, configs: [] })) })
    const { port } = await server.run()
    const place = { store: 's3', endpoint: `http://127.0.0.1:${port}`, region: 'eu-west-1' } as const
    buckets = await Promise.all(
      names.map((bucket) => openMediaStore({ ...place, bucket }, { dataDir: folder, publicUrl: '', keyring: [''] })),
    )
    // The addresses of the same picture in two buckets differ by the bucket.
    buckets[1] = { ...buckets[1]!, publicBase: buckets[0]!.publicBase }
  })
  after(async () => {
    await server.close().catch(() => undefined)
    await rm(folder, { recursive: true })
  })

  for (const store of ['folder', 'bucket'] as const) {
    test(`a restored catalogue answers every read as before, with its keys, files and jobs (${store})`, () =>
      withServices(
        async (source, target) => {
          const key = await source.issueKey(slug)
          for (const visible of [true, false]) await upload(source, key, { visible })
          await workOff(source)
          const waiting = await upload(source, key)
          await sql`update graphile_worker._private_jobs set attempts = max_attempts, last_error = 'no luck'
            where task_id = (select id from graphile_worker._private_tasks where identifier = 'clean_store')`.execute(
            source.db,
          )
          const before = await readEverything(source, key, ids)
          const jobs = await listJobs(source.db, { failed: false })
          const storing = jobs.filter(({ task }) => ['clean_store', 'derive_renditions'].includes(task))
          assert.deepEqual(storing.map(({ task, state }) => `${task} ${state}`).toSorted(), [
            'clean_store failed',
            'derive_renditions waiting',
          ])

          const { archive, files, missing } = await makeArchive(source)
          assert.deepEqual([files, missing], [2 * 6 + 1, []])
          const restored = await restoreInto(target, archive)
          assert.equal(restored.files, files)

          assert.deepEqual(await readEverything(target, key, ids), before)
          assert.deepEqual(await examine(target.db, await listHouses(target.db)), [])
          assert.deepEqual(await storedFiles(target.media), await namedFiles(source))
          const kept = (job: (typeof jobs)[number]) => ({ ...job, id: undefined })
          const keptOf = (all: typeof jobs) => all.map(kept).toSorted((a, b) => (a.task < b.task ? -1 : 1))
          assert.deepEqual(keptOf(await listJobs(target.db, { failed: false })), keptOf(jobs))

          await workOff(target)
          const { processing } = await target.read<{ processing: boolean }>(waiting, key)
          assert.equal(processing, false)
          assert.deepEqual(await storedFiles(target.media), await namedFiles(target))
        },
        store === 'bucket' ? buckets : undefined,
      ))
  }
})

test('a restored database begins a generation, and never reuses an id', () =>
  withServices(async (source, target) => {
    const key = await source.issueKey(slug)
    const { next_cursor } = (await source.get('/api/v2/items?limit=1', key)).json<{ next_cursor: string }>()
    const { headers } = await source.get('/api/v2/items', key)
    const gone = await upload(source, key)
    const highest = sql<{ id: string }>`select max(id)::text as id from catalogue.images`
    const before = (await highest.execute(source.db)).rows[0]!.id
    assert.equal((await source.request({ method: 'DELETE', url: gone, key })).statusCode, 204)

    const empty = await readGeneration(target.db)
    await restoreInto(target, (await makeArchive(source)).archive)
    const generation = await readGeneration(target.db)
    assert.ok(![empty, await readGeneration(source.db)].includes(generation))
    await target.refused(`/api/v2/items?limit=1&cursor=${next_cursor}`, key, 400, 'invalid-cursor')
    const reply = await target.get('/api/v2/items', key, { 'if-none-match': String(headers['etag']) })
    assert.equal(reply.statusCode, 200)
    await upload(target, key)
    assert.ok(BigInt((await highest.execute(target.db)).rows[0]!.id) > BigInt(before))
  }))

test('a backup shows one moment, despite concurrent writes, and has every file that its rows name', () =>
  withServices(async (source, target) => {
    const key = await source.issueKey(slug)
    const [deleted, hidden, processed] = [
      await upload(source, key),
      await upload(source, key),
      await upload(source, key),
    ]
    await workOff(source)
    const before = await readEverything(source, key, ids)
    const files = await namedFiles(source)

    // The rows have been read by the time of the first file.
    const reading = Promise.withResolvers<void>()
    const written = Promise.withResolvers<void>()
    const media: MediaStore = {
      ...source.media,
      async read(file) {
        reading.resolve()
        await written.promise
        return source.media.read(file)
      },
    }
    const backup = makeArchive({ ...source, media })
    await reading.promise
    const send = async (status: number, method: string, url: string, body?: object) =>
      assert.equal((await source.request({ method, url, key, body })).statusCode, status, `${method} ${url}`)
    await send(204, 'DELETE', deleted)
    await send(200, 'PATCH', `/api/v2/items/${ids.item}/gallery`, { images: [processed.split('/').at(-1)!] })
    await send(202, 'POST', `${processed}/reprocess`, {})
    await send(200, 'PATCH', `/api/v2/items/${ids.item}`, { title: 'Another' })
    await send(201, 'POST', '/api/v2/items', { title: 'New', external_reference: 'new' })
    await upload(source, key)
    await workOff(source)
    assert.notEqual((await source.read<{ url: string | null }>(hidden, key)).url, null)
    written.resolve()

    const { archive, missing } = await backup
    assert.deepEqual(missing, [])
    await restoreInto(target, archive)
    assert.deepEqual(await readEverything(target, key, ids), before)
    assert.deepEqual(await storedFiles(target.media), files)

    for (const { id, task } of await listJobs(source.db, { failed: false }))
      if (task === 'delete_media') await retryJob(source.db, id)
    await workOff(source)
    assert.deepEqual(await storedFiles(source.media), await namedFiles(source))
  }))

test('of successive writes a backup has all up to one of them, and none after it', () =>
  withServices(async (source, target) => {
    const { rows } = await sql<{ id: string }>`select id from catalogue.houses`.execute(source.db)
    const house = rows[0]!.id
    // Makers come before sellers in an archive. Without a snapshot the last seller would have no maker.
    const done = new AbortController()
    const write = async () => {
      for (let number = 1000; !done.signal.aborted; number++) {
        await sql`insert into catalogue.makers (house_id, name) values (${house}, ${`m${number}`})`.execute(source.db)
        await sql`insert into catalogue.sellers (house_id, seller_number) values (${house}, ${number})`.execute(
          source.db,
        )
      }
    }
    const writing = write()
    const archives = []
    for (let backup = 0; backup < 5; backup++) archives.push((await makeArchive(source)).archive)
    done.abort()
    await writing
    await restoreInto(target, archives.at(-1)!)
    const numbers = async (expression: string, table: string) => {
      const found = await sql<{
        n: number
      }>`select ${sql.raw(expression)}::int as n from ${sql.table(`catalogue.${table}`)}
        where ${sql.raw(expression)}::int >= 1000 order by 1`.execute(target.db)
      return found.rows.map(({ n }) => n)
    }
    const makers = await numbers(`substring(name from '^m(\\d+)$')`, 'makers')
    const sellers = await numbers('seller_number', 'sellers')
    assert.ok(sellers.length > 0)
    assert.deepEqual(makers.slice(0, sellers.length), sellers)
    assert.ok(makers.length - sellers.length <= 1)
  }))

test('a running job counts as waiting, and a file that the store lost is reported and does not stop the backup', () =>
  withServices(async (source, target) => {
    const key = await source.issueKey(slug)
    await upload(source, key)
    const original = (await storedFiles(source.media))[0]!
    await source.media.delete(original)
    await enqueue(source.db, 'delete_media', { keys: [] })
    await sql`update graphile_worker._private_jobs set locked_at = now(), locked_by = 'worker', attempts = 1`.execute(
      source.db,
    )
    const { archive, missing } = await makeArchive(source)
    assert.deepEqual(missing, [original])
    await restoreInto(target, archive)
    const jobs = await listJobs(target.db, { failed: false })
    assert.deepEqual(
      jobs.map(({ state, attempts }) => [state, attempts]),
      jobs.map(() => ['waiting', 0]),
    )
    assert.equal((await findUnfinished(target.db)).length, 2)
  }))

test('an archive is only restored into a database without records', () =>
  withServices(async (source, target) => {
    const { archive } = await makeArchive(source)
    const before = await source.db.selectFrom('catalogue.items').select(['public_id', 'revision']).execute()
    await assert.rejects(restoreInto(source, archive), /the database is not empty/)
    assert.deepEqual(await source.db.selectFrom('catalogue.items').select(['public_id', 'revision']).execute(), before)
    await target.load(catalogueOf(2).lines)
    await assert.rejects(restoreInto(target, archive), /the database is not empty/)
  }))
