import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { permissions } from '../../src/context.ts'
import { followedKinds, kinds, usualKinds } from '../../src/kinds.ts'
import { createKey } from '../../src/houses/api-keys.ts'
import { findHouse } from '../../src/houses/locks.ts'
import { loadLines } from '../../test/support/inside.ts'
import { catalogueOf } from '../../test/support/lines.ts'
import { createMirror } from '../../test/support/mirror.ts'
import { createRandom } from '../lib/random.ts'
import type { Instances } from './instances.ts'
import type { Trouble } from './troubles.ts'
import { linesOfSale, type Written } from './writers.ts'

/** The events of a history: acknowledged writes, refused or interrupted ones, pages read, and mirrors restarted. */
export type Told = { writes: number; failed: number; pages: number; restarts: number }

// Without a revision the record was deleted.
type Entry = Written & { revision: bigint | undefined; age: number }

/** The catalogue was restored: cursors are refused, and the last writes are gone. */
class Restored extends Error {}

// A killed instance gives no answer. Any instance may be overloaded.
const lost: readonly Trouble[] = ['service', 'restore']
const mayFail = (status: number, trouble: Trouble) => status === 503 || (status === 0 && lost.includes(trouble))

/**
 * Loads a house for a history, and returns the history, which adds to `told`. All houses are loaded before the trouble
 * begins.
 */
export async function prepareHistory(instances: Instances, number: number, seed: number, trouble: Trouble, told: Told) {
  const { observer, media, dataDir } = instances
  const { slug, ids, lines } = catalogueOf(number)
  const place = { number, slug, ids }
  await loadLines({ db: observer.db, media }, dataDir, [...lines, ...linesOfSale(place)])
  const house = (await findHouse(observer.db, slug))!
  const { key } = await createKey(observer.db, house, [...permissions], null, new Date())
  const random = createRandom(seed, number)
  const log: Entry[] = []
  const over = new AbortController()

  async function ask<T>(path: string, age: number): Promise<T> {
    for (;;) {
      for (let isOpen; isOpen !== instances.isOpen;) await (isOpen = instances.isOpen)
      const isOld = age < instances.age
      if (isOld && !path.includes('after=')) throw new Restored()
      const { status, text } = await random.pick(instances.all).ask(`/api/v2${path}`, key)
      if (status === 200) {
        assert.ok(!isOld, 'a cursor from before the restore is not refused')
        told.pages += 1
        return JSON.parse(text) as T
      }
      if (status === 400 && age < instances.age && text.includes('/problems/invalid-cursor')) throw new Restored()
      assert.ok(mayFail(status, trouble), `${path} ${status} ${text}`)
      await sleep(20)
    }
  }

  async function runWriter() {
    for (let count = 3 + random.below(6); count > 0; count--) {
      await instances.isOpen
      const { age } = instances
      try {
        const seed = random.below(2 ** 31)
        const all = await random.pick(instances.all).write({ ...place, seed })
        told.writes += 1
        for (const written of all) {
          const revision = (await findStored(written))?.revision
          if (age === instances.age) log.push({ ...written, age, revision })
        }
      } catch {
        told.failed += 1
      }
      await sleep(random.below(5))
    }
  }

  // The committed state: that of the write, or a newer one. An image may be deleted by now, and the database killed.
  async function findStored({ kind, uuid }: Written) {
    const archived = kind === 'lot' ? sql`archived` : sql`false`
    for (;;) {
      const { age } = instances
      await instances.isOpen
      try {
        const { rows } = await sql<{ revision: string; archived: boolean }>`
          select revision, ${archived} as archived from ${sql.table(`catalogue.${kinds[kind].plural}`)}
          where house_id = ${house.id} and public_id = ${uuid}`.execute(observer.db)
        return rows[0] && { ...rows[0], revision: BigInt(rows[0].revision) }
      } catch (error) {
        if (trouble !== 'database' && age === instances.age) throw error
        await sleep(20)
      }
    }
  }

  async function runMirror(): Promise<void> {
    const types = random.pick([[], followedKinds, random.shuffle(followedKinds).slice(0, 1 + random.below(5))])
    const limit = random.pick([1, 5, 20, 100])
    const isFollowed = ({ kind }: Entry) => (types.length === 0 ? usualKinds : types).includes(kind)
    await sleep(random.below(20))
    for (let isEqual = false; !isEqual;) {
      const { age } = instances
      const mirror = createMirror((path) => ask(path, age), types)
      try {
        while (!over.signal.aborted) {
          const before = log.length
          while ((await mirror.step(limit)).has_more) await sleep(random.below(3))
          for (const entry of log.slice(0, before).filter(isFollowed)) await assertSeen(mirror.records, entry, age)
          await sleep(random.below(10))
        }
        await mirror.follow(limit)
        await mirror.prove()
        isEqual = true
      } catch (error) {
        if (!(error instanceof Restored)) throw error
        told.restarts += 1
      }
    }
  }

  type Records = ReturnType<typeof createMirror>['records']

  async function assertSeen(records: Records, entry: Entry, own: number): Promise<void> {
    const { kind, uuid, item, revision, age } = entry
    // A restore may have undone it.
    if (age !== own || own !== instances.age) return
    const name = `${kind} ${kinds[kind].prefix}_${uuid}${item === undefined ? '' : ` itm_${item}`}`
    const version = records.get(name)?.version
    const shown = version === undefined ? undefined : BigInt(/^\w+\.(\d+)/.exec(version)![1]!)
    if (shown !== undefined && revision !== undefined && shown >= revision) return
    assert.equal(shown, undefined, `${name} has version ${version} after ${revision ?? 'its deletion'} was committed`)
    const stored = await findStored(entry)
    const isGone = (kind === 'lot' || kind === 'image') && (!stored || stored.archived)
    assert.ok(isGone || age !== instances.age, `${name} is missing`)
  }

  return {
    slug,
    /** Lets the writers write; more than once if `mayEnd` is given, until it returns true. */
    async runWriters(mayEnd: () => boolean): Promise<void> {
      do await Promise.all(Array.from({ length: 4 }, runWriter))
      while (!mayEnd())
    },
    /** Follows until `end()` was called. */
    runMirrors: async () => void (await Promise.all(Array.from({ length: 3 }, runMirror))),
    end: () => over.abort(),
  }
}
