import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { allPermissions } from '../../src/context.ts'
import type { Connection } from '../../src/db/pool.ts'
import { createKey } from '../../src/houses/api-keys.ts'
import { findHouse } from '../../src/houses/locks.ts'
import { numberAllChanges } from '../../src/changes/numbering.ts'
import { catalogueOf } from '../../test/support/lines.ts'
import { openInstances } from '../changes/instances.ts'
import { makeTrouble } from '../changes/troubles.ts'
import { openStriker } from '../lib/database.ts'
import { createRandom, type Random } from '../lib/random.ts'
import {
  changeSubject,
  failLoad,
  loadSlowly,
  makeSubject,
  Unknown,
  type Place,
  type Subject,
  type Tools,
} from './subjects.ts'

/** What disturbs a round. `commit`: commits are cut, delayed and swallowed. */
export const troubles = ['none', 'commit', 'cut', 'service', 'database'] as const

/**
 * What happened: searches checked, writes acknowledged and without an answer, searches without an answer, commits
 * struck, and kills of an instance or of PostgreSQL.
 */
export type Told = Record<'checks' | 'writes' | 'unknown' | 'unanswered' | 'struck' | 'kills', number>

type Round = { number: number; seed: number; trouble: (typeof troubles)[number]; checks: number }

const writers = 4
const searchers = 4
const subjectsOfWriter = 12

/**
 * Lets writers change records of the houses `number` and `number + 1`, which have the same words, while searchers ask two
 * instances for exactly these records, until there were enough checks. A search that began after a write was acknowledged,
 * and ended before the next one began, finds this record alone by the new word, and none by the word before. Adds to
 * `told`.
 */
export async function searchUnderFire(
  connection: Connection,
  { number, seed, trouble, checks }: Round,
  killDatabase?: () => Promise<void>,
  told: Told = { checks: 0, writes: 0, unknown: 0, unanswered: 0, struck: 0, kills: 0 },
): Promise<Told> {
  const struck = createRandom(seed, 0)
  const enough = told.checks + checks
  let [isBegun, hasEnded] = [false, false]
  const isOver = () => hasEnded || told.checks >= enough
  const proxy = await openStriker(connection, (statements) => {
    if (!isBegun || !/\b(insert|update|delete)\b/i.test(statements) || struck.below(8) > 0) return false
    told.struck += 1
    return true
  })
  const instances = await openInstances(trouble === 'commit' ? proxy.connection : connection, killDatabase)
  const { media, dataDir, observer } = instances
  const { db } = observer
  const subjects: Subject[] = []
  let made = 0

  async function openPlace(number: number): Promise<Place> {
    const place = catalogueOf(number)
    await loadSlowly({ db, media, dataDir, random: createRandom(seed, number) }, place.lines)
    const house = (await findHouse(db, place.slug))!
    const { key } = await createKey(db, house, [...allPermissions], 'staff', new Date())
    return { ...place, house, key }
  }

  function toolsOf(place: Place, random: Random): Tools {
    const send: Tools['send'] = (method, path, body) => random.pick(instances.all).ask(path, place.key, method, body)
    return { db, media, dataDir, random, send, isTroubled: trouble !== 'none' }
  }

  /** Searches in a house. Undefined without an answer. */
  async function ask({ key }: Place, random: Random, path: string): Promise<string[] | undefined> {
    const { status, text } = await random.pick(instances.all).ask(`/api/v2/${path}`, key)
    if (status === 503 || (status === 0 && trouble === 'service')) {
      told.unanswered += 1
      return sleep(20, undefined)
    }
    assert.equal(status, 200, `${path} ${text}`)
    const { data, complete } = JSON.parse(text) as { data: { id: string }[]; complete?: false }
    assert.equal(complete, undefined, path)
    return data.map(({ id }) => id)
  }

  async function check(subject: Subject, random: Random): Promise<void> {
    const { place, kind, id, item, turn, shown, gone, active } = subject
    const word = random.pick([shown, gone])
    if (word === undefined) return
    const asked = word === shown ? random.pick([kind, 'items' as const]) : kind
    const filter = asked === 'items' ? undefined : random.pick([undefined, true, false])
    const path = `${asked}/search?q=${word}%20${filter === undefined ? '' : `&active=${filter}`}`
    const found = await ask(place, random, path)
    if (!found) return
    const whole = asked === 'items' ? item : id
    const message = `${place.slug} ${path} ${JSON.stringify({ ...subject, place: undefined })}`
    // Meanwhile another write may have begun. Then it is open which of the two the search has seen.
    if (subject.turn !== turn) assert.ok(found.length === 0 || found.join() === whole, message)
    else assert.deepEqual(found, word === shown && (filter ?? active) === active ? [whole] : [], message)
    told.checks += 1
  }

  async function runWriter(writer: number, places: Place[]): Promise<void> {
    const random = createRandom(seed, 100 * number + writer)
    const own: Subject[] = []
    const used = new Set<string>()

    async function add(): Promise<Subject> {
      const place = random.pick(places)
      // The houses have the same words.
      const shared = own.find((each) => each.place !== place && !used.has(`${place.slug} ${each.number}`))
      const number = shared?.number ?? (made += 1)
      used.add(`${place.slug} ${number}`)
      const subject = await makeSubject(toolsOf(place, random), place, number)
      own.push(subject)
      subjects.push(subject)
      return subject
    }

    while (!isOver()) {
      let subject = own.length < subjectsOfWriter ? undefined : random.pick(own)
      try {
        if (subject) await changeSubject(toolsOf(subject.place, random), subject)
        else subject = await add()
        told.writes += 1
      } catch (error) {
        if (!(error instanceof Unknown)) throw error
        told.unknown += 1
        await sleep(20)
      }
      if (subject?.isOver) {
        own.splice(own.indexOf(subject), 1)
        if (subject.gone === undefined) subjects.splice(subjects.indexOf(subject), 1)
      }
      if (subject) await check(subject, random)
      await sleep(random.below(10))
    }
  }

  async function runSearcher(searcher: number): Promise<void> {
    const random = createRandom(seed, 100 * number + 50 + searcher)
    while (!isOver()) {
      if (subjects.length > 0) await check(random.pick(subjects.slice(-100)), random)
      await sleep(random.below(5))
    }
  }

  async function runJobs(place: Place): Promise<void> {
    const random = createRandom(seed, 100 * number + 99)
    while (!isOver()) {
      await numberAllChanges({ db }).catch((error: unknown) => {
        if (trouble === 'none') throw error
      })
      const found = await ask(place, random, `items/search?q=${await failLoad(toolsOf(place, random), place)}%20`)
      assert.equal(found?.length ?? 0, 0, 'a search has found what was never committed')
      await sleep(random.below(500))
    }
  }

  const places = [await openPlace(number), await openPlace(number + 1)]
  isBegun = true
  const plan = { random: createRandom(seed, 1), houses: places.map(({ slug }) => slug) }
  const troubled = makeTrouble(trouble === 'commit' ? 'none' : trouble, instances, plan, isOver)
  try {
    const working = Promise.all([
      ...Array.from({ length: writers }, (_, writer) => runWriter(writer, places)),
      ...Array.from({ length: searchers }, (_, searcher) => runSearcher(searcher)),
      runJobs(places[0]!),
      troubled,
    ])
    await Promise.race([working, instances.failed])
    told.kills += await troubled
  } finally {
    ;[isBegun, hasEnded] = [false, true]
    await proxy.settled()
    await instances.close()
    await proxy.close()
  }
  return told
}
