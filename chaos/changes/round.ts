import { createRandom } from '../lib/random.ts'
import { prepareHistory, type Told } from './history.ts'
import type { Instances } from './instances.ts'
import { makeTrouble, type Trouble } from './troubles.ts'

/**
 * Runs histories at once: random writers and mirrors, each history in a house of its own, on all instances. A mirror at
 * the end of the changes has every write that was acknowledged before it began. In the end each mirror equals the
 * catalogue, byte for byte, and has its fingerprint. The numbers of the houses begin at `first`.
 */
export async function runRound(
  instances: Instances,
  { first, count, seed, trouble }: { first: number; count: number; seed: number; trouble: Trouble },
  killDatabase: () => Promise<unknown> = () => Promise.reject(new Error('the database cannot be killed here')),
): Promise<Told> {
  const histories = []
  for (let number = first; number < first + count; number++)
    histories.push(await prepareHistory(instances, number, seed, trouble))
  let isOver = false
  let hasHappened = trouble !== 'restore' && trouble !== 'move'
  const random = createRandom(seed, first + count)
  const houses = histories.map(({ slug }) => slug)
  const troubled = makeTrouble(trouble, instances, { random, houses }, () => isOver, killDatabase).finally(
    () => (hasHappened = true),
  )
  const mirrors = Promise.all(histories.map((history) => history.runMirrors()))
  try {
    await Promise.race([mirrors, Promise.all(histories.map((history) => history.runWriters(() => hasHappened)))])
    isOver = true
    // By then the work of a killed instance is over.
    await troubled
  } finally {
    for (const history of histories) history.end()
  }
  await mirrors
  const sum: Told = { writes: 0, failed: 0, pages: 0, restarts: 0 }
  for (const { told } of histories) for (const name of Object.keys(sum) as (keyof Told)[]) sum[name] += told[name]
  return sum
}
