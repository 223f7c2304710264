import assert from 'node:assert/strict'
import { rename } from 'node:fs/promises'
import path from 'node:path'
import { test } from 'node:test'
import { sql } from 'kysely'
import { faults, openCommitProxy, type Fault } from '../../test/support/commits.ts'
import { form, picture, storedFiles, until } from '../../test/support/pictures.ts'
import { findPort, startProcess } from '../../test/support/process.ts'
import { findUnfinished } from '../../test/support/jobs.ts'
import { catalogueOf } from '../../test/support/lines.ts'
import { startService } from '../../test/support/service.ts'
import { cleanStore } from '../images/clean-store.ts'
import { filesIn } from '../images/files.ts'
import { mediaFolder } from '../media/file-store.ts'

/** The commits of a worker, each broken once: its own transactions, and the statements of the queue. */
const commits = {
  'new renditions': /set processing = false, processing_failed_at = null,.*commit$/is,
  'moved renditions': /update catalogue\.images set\s+renditions =.*commit$/is,
  'closing times': /update catalogue\.lots.*commit$/is,
  'the mark of a failed attempt': /update catalogue\.images set processing = /,
  'the fetch of a job': /set\s+attempts = jobs\.attempts \+ 1/i,
  'the end of a job': /delete from .*_private_jobs/,
  'the failure of a job': /last_error = /,
  'the release of jobs': /_private_jobs set locked_by = null/,
  'the release of jobs of the dead': /force_unlock_workers/,
}

const { slug, ids, lines } = catalogueOf(1)

async function open() {
  const service = await startService({ records: lines })
  const key = await service.issueKey(slug)
  const images = `/api/v2/items/${ids.item}/images`
  return {
    service,
    key,
    images,
    async upload(): Promise<string> {
      const { headers, body } = form(['external_reference', crypto.randomUUID()], ['file', await picture(), 'a.jpg'])
      const reply = await service.request({ method: 'POST', url: images, key, headers, body })
      assert.equal(reply.statusCode, 201, reply.body)
      return reply.json<{ data: { id: string } }>().data.id
    },
    unfinished: () => findUnfinished(service.db),
    startWorker: async (url: string) =>
      startProcess({
        DATABASE_URL: url,
        DATA_DIR: service.dataDir,
        SECRET: service.secret,
        PORT: String(await findPort()),
        LOG_LEVEL: 'silent',
      }),
  }
}

async function workOffStruck(fault: Fault): Promise<void> {
  const { service, key, images, upload, unfinished, startWorker } = await open()
  let armed = false
  const left = new Set(Object.keys(commits) as (keyof typeof commits)[])
  const proxy = await openCommitProxy(service.connection, (statement) => {
    const name = [...left].find((each) => commits[each].test(statement))
    if (!armed || name === undefined) return undefined
    left.delete(name)
    return fault
  })
  const worker = await startWorker(proxy.connection.connectionString)
  try {
    const failing = await upload()
    await until(async () => (await unfinished()).length === 0)
    const { rows } = await sql<{ original: string }>`
      select original from catalogue.images where public_id = ${failing.slice(4)}`.execute(service.db)
    const original = path.join(mediaFolder(service.dataDir), rows[0]!.original)
    await rename(original, `${service.dataDir}/away`)

    armed = true
    const send = (method: string, url: string, body?: object) => service.request({ method, url, key, body })
    assert.equal((await send('POST', `${images}/${failing}/reprocess`, {})).statusCode, 202)
    const moved = await upload()
    const body = { images: [moved] }
    assert.equal((await send('PATCH', `/api/v2/items/${ids.item}/gallery`, body)).statusCode, 200)
    await send('PATCH', `/api/v2/lots/${ids.lot}`, { active: true })
    await until(async () => !left.has('the failure of a job'))
    await rename(`${service.dataDir}/away`, original)
    await until(async () => left.size === 0 && (await unfinished()).length === 0)
  } finally {
    await worker.stop()
    await proxy.close()
  }

  const { rows } = await sql<{
    public: boolean
    processing: boolean
    failed: boolean
    original: string
    renditions: string
    source_widths: number[]
  }>`
    select public, processing, processing_failed_at is not null as failed, original, renditions, source_widths from catalogue.images
    where original is not null`.execute(service.db)
  assert.deepEqual(
    rows.map((row) => [row.processing, row.failed, row.renditions.startsWith('public/') === row.public]),
    rows.map(() => [false, false, true]),
  )
  const tomorrow = () => new Date(Date.now() + 25 * 3_600_000)
  await cleanStore({ db: service.db, media: service.media, clock: tomorrow, isLastAttempt: false })
  const named = rows.flatMap(({ original, ...folder }) => [original, ...filesIn(folder)])
  assert.deepEqual(await storedFiles(service.media), named.toSorted())
  await service.close()
}

for (const fault of faults) {
  test(`a worker whose commits are ${fault} does every job within minutes, and every picture keeps its files`, () =>
    workOffStruck(fault))
}

for (const fault of ['late', 'swallow'] as const) {
  test(`a job whose last attempt was lost in a broken commit gets that attempt again (${fault})`, async () => {
    const { service, key, images, upload, unfinished, startWorker } = await open()
    const image = await upload()
    await sql`update graphile_worker._private_jobs set attempts = max_attempts - 1`.execute(service.db)
    let isFetched = false
    const proxy = await openCommitProxy(service.connection, (statement) =>
      !isFetched && commits['the fetch of a job'].test(statement) ? fault : undefined,
    )
    const worker = await startWorker(proxy.connection.connectionString)
    try {
      await until(async () => (isFetched = (await unfinished())[0]!.state === 'running'))
      await until(async () => (await unfinished()).length === 0)
      const { processing, url } = await service.read<{ processing: boolean; url: unknown }>(`${images}/${image}`, key)
      assert.deepEqual([processing, typeof url], [false, 'string'])
    } finally {
      await worker.stop()
      await proxy.close()
    }
    await service.close()
  })
}
