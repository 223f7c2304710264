import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createRandom } from '../../chaos/lib/random.ts'
import { houseLine, uuid } from '../../test/support/lines.ts'
import { countFound } from '../../test/support/searching.ts'
import { startService } from '../../test/support/service.ts'
import { findHouse } from '../houses/locks.ts'
import { createSearcher } from './searcher.ts'

const [houses, items, clients, searches] = [50, 1_100, 4, 400]
const pause = 60_000

/** A search of a house. */
type Told = { began: number; ended: number; isComplete: boolean }

/** The complete searches of a house that was evicted less than a minute before. It was evicted after a complete one began. */
const findHasty = (searched: Told[]) =>
  searched.filter((again) => {
    const between = searched.filter(({ ended, isComplete }) => !isComplete && ended <= again.began)
    const before = searched.filter(({ ended, isComplete }) => isComplete && between.some(({ began }) => ended <= began))
    return again.isComplete && before.some(({ began }) => again.ended - began < pause)
  })

const slugOf = (house: number) => `huis-${house}`

test('fifty houses with memory for ten are searched in a random order, and none is indexed as a whole again within a minute', async () => {
  const service = await startService({
    records: Array.from({ length: houses }, (_, house) => [
      houseLine(slugOf(house)),
      ...Array.from({ length: items }, (_, at) => {
        return { type: 'item', id: uuid(house * 10_000 + at), title: `Vaas ${house} ${at}` }
      }),
    ]).flat(),
  })
  const { db } = service
  const found = await Promise.all(Array.from({ length: houses }, (_, house) => findHouse(db, slugOf(house))))
  const one = createSearcher(Infinity, Infinity)
  await countFound(one, db, found[0]!)
  const most = 10 * one.measure().bytes

  const searcher = createSearcher(most, Infinity)
  const told: Told[][] = found.map(() => [])
  let left = searches

  async function runClient(client: number): Promise<void> {
    const random = createRandom(1, client)
    while (left > 0) {
      left -= 1
      const house = random.below(houses)
      const began = performance.now()
      const { count, isComplete } = await countFound(searcher, db, found[house]!, 'vaas ')
      told[house]!.push({ began, ended: performance.now(), isComplete })
      assert.ok(isComplete ? count === items : count >= 1_000, `${count} ${isComplete}`)
      // The houses of the other clients may be growing.
      assert.ok(
        searcher.measure().bytes <= most + (clients - 1) * one.measure().bytes,
        `${searcher.measure().bytes} of ${most}`,
      )
    }
  }

  await Promise.all(Array.from({ length: clients }, (_, client) => runClient(client)))
  for (const searched of told) assert.deepEqual(findHasty(searched), [])
  const partial = told.flat().filter(({ isComplete }) => !isComplete)
  assert.ok(partial.length > 0 && partial.length < searches)
  await Promise.all([one.close(), searcher.close()])
  await service.close()
})
