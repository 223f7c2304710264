import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Context } from '../../src/context.ts'
import { followed, followedKinds, type Followed } from '../../src/db/changes.ts'
import { permissions } from '../../src/context.ts'
import { createKey } from '../../src/houses/api-keys.ts'
import { findHouse } from '../../src/houses/houses.ts'
import { load } from '../../src/load/loader.ts'
import { catalogueOf } from '../../test/support/lines.ts'
import { createMirror } from '../../test/support/mirror.ts'
import { idPrefixes } from '../../src/values/ids.ts'
import { observerName, type Instances } from './instances.ts'
import { moveHouse } from '../kill-nodes/placement.ts'
import { createRandom, type Random } from '../fuzz/random.ts'
import { linesOfSale, write, type Place, type Written } from './writers.ts'

/** What happened in a history: acknowledged writes, refused or broken off ones, and pages that were read. */
export type Told = { writes: number; failed: number; pages: number }

/** What happens to the database meanwhile: connections are cut off, or the house moves from worker to worker of a Citus. */
export type Disturbance = 'none' | 'cuts' | 'moves'

type Entry = Written & { revision: bigint }

/**
 * Lets random writers and mirrors go at a new house at once, on all instances. At no time does a mirror that has gone on
 * to the end miss what was acknowledged before it began. In the end each mirror is the catalogue, byte for byte.
 */
export async function runHistory(
  { apps, databases, observer, media, dataDir }: Instances,
  number: number,
  seed: number,
  disturbance: Disturbance,
): Promise<Told> {
  const random = createRandom(seed, number)
  const { slug, ids, lines } = catalogueOf(number)
  const place: Place = { number, slug, ids, media, dataDir }
  const all = [...lines, ...linesOfSale(place)].map((line) => Buffer.from(`${JSON.stringify(line)}\n`))
  const source = { name: slug, stream: Readable.from(all), directory: dataDir }
  await load({ db: observer, media, now: new Date() }, source)
  const house = (await findHouse(observer, slug))!
  const { key } = await createKey(observer, house, [...permissions], null, new Date())
  const told: Told = { writes: 0, failed: 0, pages: 0 }
  const log: Entry[] = []
  const over = new AbortController()
  const moved = new AbortController()

  async function ask<T>(path: string): Promise<T> {
    for (;;) {
      const app = random.pick(apps)
      const reply = await app.inject({ url: `/api/v2${path}`, headers: { authorization: `Bearer ${key}` } })
      if (reply.statusCode === 200) {
        told.pages += 1
        return reply.json<T>()
      }
      assert.equal(reply.statusCode, disturbance === 'none' ? 200 : 503, `${path} ${reply.payload}`)
    }
  }

  async function runWriter() {
    for (let count = 3 + random.below(6); count > 0 || !moved.signal.aborted; count--) {
      const chosen = random.pick(databases)
      const context: Context = { db: chosen, house, now: new Date(), clock: () => new Date(), mediaBase: '' }
      try {
        for (const written of await write(context, place, random))
          log.push({ ...written, revision: await findRevision(written) })
        told.writes += 1
      } catch {
        told.failed += 1
      }
      await sleep(random.below(5))
    }
  }

  // What is committed by now: what the write left, or something newer.
  async function findRevision({ kind, uuid }: Written): Promise<bigint> {
    const { rows } = await sql<{ revision: string }>`select revision from ${sql.table(`catalogue.${followed[kind]}`)}
      where house_id = ${house.id} and public_id = ${uuid}`.execute(observer)
    return BigInt(rows[0]!.revision)
  }

  async function runMirror(): Promise<ReturnType<typeof createMirror>> {
    const types = random.below(3) === 0 ? random.shuffle(followedKinds).slice(0, 1 + random.below(5)) : []
    const mirror = createMirror(ask, types)
    const limit = random.pick([1, 2, 5, 100])
    await sleep(random.below(20))
    while (!over.signal.aborted) {
      const before = log.length
      while ((await mirror.step(limit)).has_more) await sleep(random.below(3))
      const isFollowed = ({ kind }: Entry) => types.length === 0 || types.includes(kind)
      for (const entry of log.slice(0, before).filter(isFollowed)) await assertSeen(mirror, entry)
      await sleep(random.below(10))
    }
    await mirror.follow(limit)
    await mirror.prove()
    return mirror
  }

  async function assertSeen({ records }: ReturnType<typeof createMirror>, { kind, uuid, revision }: Entry) {
    const name = `${kind} ${idPrefixes[kind]}_${uuid}`
    const version = records.get(name)?.version
    const shown = version === undefined ? undefined : BigInt(/^\w+\.(\d+)/.exec(version)![1]!)
    if (shown !== undefined && shown >= revision) return
    assert.equal(shown, undefined, `${name} has version ${version} after ${revision} was committed`)
    assert.ok(await isArchived(kind, uuid), `${name} is missing`)
  }

  async function isArchived(kind: Followed, uuid: string): Promise<boolean> {
    if (kind !== 'lot') return false
    const { rows } = await sql<{ archived: boolean }>`
      select archived from catalogue.lots where house_id = ${house.id} and public_id = ${uuid}`.execute(observer)
    return rows[0]!.archived
  }

  const cutting = disturbance === 'cuts' && cutConnections(observer, random, () => over.signal.aborted)
  const moving = (disturbance === 'moves' ? moveHouse(observer, slug) : Promise.resolve()).finally(() => moved.abort())
  const mirrors = Array.from({ length: 3 }, runMirror)
  const writing = Promise.all(Array.from({ length: 4 }, runWriter)).finally(() => over.abort())
  await Promise.all([writing, moving, ...mirrors])
  await cutting
  return told
}

async function cutConnections(
  db: Instances['databases'][number],
  random: Random,
  isOver: () => boolean,
): Promise<void> {
  while (!isOver()) {
    await sleep(random.below(40))
    await sql`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and application_name <> ${observerName} and backend_type = 'client backend'
      order by random() limit 1`.execute(db)
  }
}
