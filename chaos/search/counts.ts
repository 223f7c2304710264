import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { allPermissions, contextNow } from '../../src/context.ts'
import { openDatabase, type Connection, type Database } from '../../src/db/pool.ts'
import { createKey } from '../../src/houses/api-keys.ts'
import { findHouse } from '../../src/houses/locks.ts'
import { Problem } from '../../src/problems.ts'
import { loadLines } from '../../test/support/inside.ts'
import { eur } from '../../test/support/lines.ts'
import { openInstances } from '../changes/instances.ts'
import { count, type Counts } from '../lib/counts.ts'
import { createRandom, type Random } from '../lib/random.ts'
import { answer, type Answer } from './answers.ts'
import { changes } from './changes.ts'
import { installLock, withoutCommits } from './commits.ts'
import { makeQuestion, printQuestion, type Question } from './questions.ts'
import { makeHouse, type Place } from './sale.ts'

type Round = { number: number; seed: number; comparisons: number }
type Keyed = Place & { key: string; reader: string }
type Page = Pick<Answer, 'facets'> & { data: { id: string }[]; next_cursor: string | null; total: number }

const writers = 3
const walkers = 1
const bidsPerSecond = 50
const mostBids = 8
const questionsTogether = 5
const attempts = 8

/**
 * Lets writers change everything that a search of two houses filters, counts, sorts or looks for, beside 50 bids a second,
 * until there were enough comparisons. For one the commits stop, but not the transactions: what two instances find, count
 * and sort is then what plain SQL does. Meanwhile others walk through what is found, with each page from another
 * instance: a record that nothing changes comes exactly once, in its order. Adds to `told`.
 */
export async function compareUnderFire(
  connection: Connection,
  { number, seed, comparisons }: Round,
  told: Counts = {},
): Promise<Counts> {
  const enough = (told['comparisons'] ?? 0) + comparisons
  let hasEnded = false
  const isOver = () => hasEnded || (told['comparisons'] ?? 0) >= enough
  const instances = await openInstances(connection)
  const { db } = openDatabase(connection, writers + walkers + 2)
  const done = new Set<string>()

  async function openPlace(number: number): Promise<Keyed> {
    const slug = `compared-${number}`
    const { known, lines } = makeHouse(slug, createRandom(seed, number))
    await loadLines({ db, media: instances.media }, instances.dataDir, lines)
    const house = (await findHouse(db, slug))!
    const issue = async (permissions: (typeof allPermissions)[number][], name: string | null) =>
      (await createKey(db, house, permissions, name, new Date())).key
    const reader = await issue(['lots.read', 'auctions.read'], null)
    return { house, known, next: 1_000, key: await issue([...allPermissions], 'staff'), reader }
  }

  /** Asks a question to the end, each page of another instance. */
  async function walk({ key, reader }: Keyed, question: Question, limit: number) {
    const path = `${question.isStaff ? '/staff/v1' : '/api/v2'}/${printQuestion(question)}&limit=${limit}`
    const ids: string[] = []
    let first: Page | undefined
    for (let cursor: string | null = '', turn = number; cursor !== null; turn++) {
      const instance = instances.all[turn % instances.all.length]!
      const asked = cursor === '' ? path : `${path}&cursor=${cursor}`
      const { status, text } = await instance.ask(asked, question.isStaff ? key : reader)
      assert.equal(status, 200, `${path} ${text}`)
      const page = JSON.parse(text) as Page
      assert.ok(!('complete' in page) && !('corrected' in page) && !('relaxed' in page), `${path} ${text}`)
      first ??= page
      ids.push(...page.data.map(({ id }) => id.slice(-36)))
      cursor = page.next_cursor
      count(told, 'pages')
    }
    return { path, ids, total: first!.total, facets: first!.facets ?? {} }
  }

  const isRanked = ({ clauses, sort }: Question) => clauses.length > 0 && sort === undefined
  const inOrder = (question: Question, ids: string[]) => (isRanked(question) ? ids.toSorted() : ids)

  async function compare(one: Database, place: Keyed, random: Random): Promise<void> {
    const question = makeQuestion(place.known, random)
    const expect = () => answer(one, place.house.id, question, new Date())
    const before = await expect()
    const { path, ids, total, facets } = await walk(place, question, random.pick([30, 100]))
    const hasClock = question.filters['open'] !== undefined || question.facets.includes('open')
    // A lot may have closed meanwhile. Then it is open what the search has seen.
    if (hasClock && !isDeepStrictEqual(before, await expect())) return count(told, 'closed meanwhile')
    const message = `${place.house.slug} ${path}`
    const { ids: wanted } = before
    assert.deepEqual(inOrder(question, ids), inOrder(question, wanted), message)
    assert.equal(total, wanted.length, message)
    assert.deepEqual(facets, before.facets, message)
    count(told, 'comparisons')
    count(told, 'records compared', ids.length)
  }

  async function runComparisons(places: Keyed[]): Promise<void> {
    const random = createRandom(seed, 1)
    while (!isOver()) {
      const begun = performance.now()
      await withoutCommits(db, async (one) => {
        for (let times = 0; times < questionsTogether; times++) await compare(one, random.pick(places), random)
      })
      // Half of the time belongs to the writers.
      await sleep(performance.now() - begun)
    }
  }

  async function runWalker(walker: number, places: Keyed[]): Promise<void> {
    const random = createRandom(seed, 10 + walker)
    while (!isOver()) {
      const place = random.pick(places)
      const question = makeQuestion(place.known, random)
      const still = new Set([...place.known.still.item, ...place.known.still.lot])
      const { ids: wanted } = await answer(db, place.house.id, question, new Date())
      const { path, ids } = await walk(place, question, 3 + random.below(10))
      const unchanged = (all: string[]) => inOrder(question, all).filter((id) => still.has(id))
      assert.deepEqual(unchanged(ids), unchanged(wanted), `${place.house.slug} ${path}`)
      count(told, 'walks')
      await sleep(random.below(500))
    }
  }

  async function change(name: string, place: Keyed, random: Random): Promise<void> {
    const { still, changing } = place.known
    const tools = { place, random, isOn: random.chance(0.5), context: contextNow(db, place.house) }
    const pick = (kind: keyof typeof still) => random.pick(changing[kind])
    const pickAny = (kind: keyof typeof still) => random.pick([...still[kind], ...changing[kind]])
    await changes[name]!({ ...tools, pick, pickAny })
    done.add(name)
    count(told, 'writes')
  }

  async function runWriter(writer: number, places: Keyed[]): Promise<void> {
    const random = createRandom(seed, 20 + writer)
    while (!isOver())
      for (const name of random.shuffle(Object.keys(changes)))
        for (let attempt = 1; attempt <= attempts && !isOver(); attempt++) {
          const refused = await change(name, random.pick(places), random).catch((error: unknown) => error)
          await sleep(random.below(20))
          if (!refused) break
          if (!(refused instanceof Problem)) throw refused
        }
  }

  async function runBidders(places: Keyed[]): Promise<void> {
    const random = createRandom(seed, 30)
    const underWay = new Set<Promise<void>>()
    let amount = 100_000

    async function bid(place: Keyed): Promise<void> {
      const { bidden, changing } = place.known
      const lot = random.pick(random.chance(0.2) ? changing.lot : bidden)
      const path = `/staff/v1/lots/lot_${lot}/bids`
      const { status, text } = await random
        .pick(instances.all)
        .ask(path, place.key, 'POST', { amount: eur((amount += 1_000)) })
      if ([404, 409, 422].includes(status)) return count(told, 'refused bids')
      assert.ok(status < 300, `${path} ${status} ${text}`)
      count(told, 'bids')
    }

    for (let due = Date.now(); !isOver(); due += 1_000 / bidsPerSecond) {
      await sleep(Math.max(0, due - Date.now()))
      if (underWay.size >= mostBids) await Promise.race(underWay)
      const asked = bid(random.pick(places)).finally(() => underWay.delete(asked))
      underWay.add(asked)
    }
    await Promise.all(underWay)
  }

  const places = [await openPlace(number), await openPlace(number + 1)]
  await installLock(db)
  const begun = Date.now()
  try {
    const working = Promise.all([
      runComparisons(places),
      runBidders(places),
      ...Array.from({ length: walkers }, (_, walker) => runWalker(walker, places)),
      ...Array.from({ length: writers }, (_, writer) => runWriter(writer, places)),
    ])
    await Promise.race([working, instances.failed])
    count(told, 'seconds', Math.round((Date.now() - begun) / 1_000))
  } finally {
    hasEnded = true
    await instances.close()
    await db.destroy()
  }
  const refused = Object.keys(changes).filter((name) => !done.has(name))
  assert.deepEqual(refused, [], 'each change is possible sooner or later')
  return told
}
