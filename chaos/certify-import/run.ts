import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Catalogue } from '@auction-catalogue/client'
import { startImporter } from '../../packages/importer/test/program.ts'
import { createRandom } from '../lib/random.ts'
import { openService } from '../lib/service.ts'
import { makeSource, type Made } from './source.ts'

type Report = { rejections: { reference: string }[]; counts: Record<string, Record<string, number>> }

const faultRate = 0.3
const mostKills = 3

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

async function collect<T>(list: AsyncIterable<T>): Promise<T[]> {
  const records: T[] = []
  for await (const record of list) records.push(record)
  return records
}

// Addresses of pictures need no key. The service may be starting again, on a busy machine.
async function download(url: string): Promise<Uint8Array> {
  for (let attempt = 0; ; attempt++) {
    const answer = await fetch(url)
      .then(async (reply) => ({ status: reply.status, bytes: new Uint8Array(await reply.arrayBuffer()) }))
      .catch((error: unknown) => {
        if (attempt === 240) throw error
      })
    if (answer) {
      assert.equal(answer.status, 200, url)
      return answer.bytes
    }
    await sleep(500)
  }
}

/**
 * Asserts that the catalogue has each record of a source once, as it is in the source, and its pictures, processed,
 * with their bytes.
 */
async function check(catalogue: Catalogue, made: Made): Promise<void> {
  const [auctions, sessions] = [
    await collect(catalogue.auctions.list({ external_reference: made.auction })),
    await collect(catalogue.sessions.list({ external_reference: made.session })),
  ]
  assert.deepEqual([auctions.length, sessions.length], [1, 1], made.auction)
  assert.equal(sessions[0]!.auction, auctions[0]!.id)
  for (const { external_reference, ...fields } of made.items) {
    const items = await collect(catalogue.items.list({ external_reference }))
    assert.equal(items.length, 1, external_reference)
    const { title, description, estimate } = items[0]!
    assert.deepEqual({ title, description, estimate }, fields, external_reference)
    const wanted = made.images.filter(({ item }) => item === external_reference)
    const images = await collect(catalogue.images.list(items[0]!.id))
    const order = images.toSorted((a, b) => a.gallery_position! - b.gallery_position!)
    assert.deepEqual(
      order.map((image) => image.external_reference),
      wanted.map((image) => image.external_reference),
    )
    for (const [index, image] of order.entries()) {
      assert.deepEqual([image.processing, image.processing_failure, image.public], [false, null, true])
      assert.equal(sha256(await download(image.original_url!)), sha256(wanted[index]!.bytes))
      assert.ok(image.url && image.preview_url && image.thumbnail_url && image.mini_url)
    }
  }
  for (const reference of made.rejected)
    assert.deepEqual(await collect(catalogue.items.list({ external_reference: reference })), [])
}

/**
 * Runs the imports of `chaos/certify-import.ts`.
 * @throws AssertionError for a record, a picture or a report that is missing, duplicate or untrue
 */
export async function certifyImport({
  runs,
  seed,
  atOnce,
  tell,
}: {
  runs: number
  seed: number
  atOnce: number
  tell: (text: string) => void
}) {
  const service = await openService({}, '--faults', `${seed}:${faultRate}`, '--yes-trouble-in-production')
  const { folder, origin: url } = service
  const sources = path.join(folder, 'sources')
  const strategy = path.join(folder, 'strategy.ndjson')
  const house = { type: 'house', slug: 'certify', name: 'Certify', default_locale: 'nl', currency: 'EUR' }
  const lines = [house, { type: 'increment_strategy', name: 'Standaard', steps: [] }]
  await writeFile(strategy, lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
  await service.command('load', strategy)
  const { key } = await service.issueKey('certify', '--all')
  const catalogue = new Catalogue({ url, key, retries: 35 })
  const counts = { kills: 0, serviceKills: 0, attempts: 0, items: 0, images: 0, rejected: 0 }

  async function importOnce(run: number): Promise<void> {
    const random = createRandom(seed, run)
    const made = await makeSource(path.join(sources, String(run)), run, random)
    const kills = random.below(mostKills + 1)
    let report: Report | undefined
    for (let attempt = 0; report === undefined; attempt++) {
      counts.attempts++
      const importer = startImporter(key, [
        'apply',
        made.file,
        '--json',
        ...(random.chance(0.5) ? ['--resume'] : []),
        '--url',
        url,
      ])
      const moment = 400 + random.below(4000)
      if (attempt < kills)
        void sleep(moment, undefined, { ref: false }).then(() => importer.exitCode ?? importer.kill('SIGKILL'))
      const { code, stdout, stderr } = await importer.outcome
      if (code === null) {
        counts.kills++
        // The journal may be lost too.
        if (random.chance(0.3)) await rm(`${made.file}.journal`, { force: true })
        continue
      }
      assert.equal(code, made.rejected.length > 0 ? 1 : 0, `run ${run}: ${stdout}${stderr}`)
      report = JSON.parse(stdout.trimEnd().split('\n').at(-1)!) as Report
    }
    assert.deepEqual(
      report.rejections.map(({ reference }) => reference).toSorted(),
      made.rejected.toSorted(),
      `run ${run}`,
    )
    await check(catalogue, made)
    counts.items += made.items.length
    counts.images += made.images.length
    counts.rejected += made.rejected.length
    await rm(path.dirname(made.file), { recursive: true })
  }

  const state = { next: 1, isOver: false }
  const importing = Array.from({ length: atOnce }, async () => {
    while (!state.isOver && state.next <= runs) {
      const run = state.next++
      await importOnce(run).catch((error: unknown) => {
        state.isOver = true
        throw new Error(`run ${run} of seed ${seed}`, { cause: error })
      })
      if (run % 50 === 0) tell(`${run} runs: ${JSON.stringify(counts)}`)
    }
  })
  const killing = (async () => {
    const random = createRandom(seed, 0)
    const interval = Math.max(4, Math.floor(runs / 100))
    for (let due = interval; ; due += interval) {
      while (!state.isOver && state.next < due) await sleep(50)
      if (state.isOver) return
      await sleep(random.below(1000))
      await service.kill()
      counts.serviceKills++
    }
  })()
  try {
    await Promise.all(importing)
    state.isOver = true
    await killing
    const all = await collect(catalogue.items.list())
    assert.equal(all.length, counts.items, 'nothing but the items of the sources')
    return counts
  } finally {
    state.isOver = true
    await Promise.allSettled([...importing, killing])
    await service.close()
  }
}
