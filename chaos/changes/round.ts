import { createRandom } from '../lib/random.ts'
import { prepareHistory, type Told } from './history.ts'
import type { Instances } from './instances.ts'
import { makeTrouble, type Trouble } from './troubles.ts'

/**
 * Runs histories at once: random writers and mirrors, each history in a house of its own, on all instances. A mirror at
 * the end of the changes has every write that was acknowledged before it began. In the end each mirror equals the
 * catalogue, byte for byte, and has its fingerprint. The numbers of the houses begin at `first`. Adds to `told`.
 */
export async function runRound(
  instances: Instances,
  { first, count, seed, trouble }: { first: number; count: number; seed: number; trouble: Trouble },
  told: Told = { writes: 0, failed: 0, pages: 0, restarts: 0 },
): Promise<Told> {
  const histories: Awaited<ReturnType<typeof prepareHistory>>[] = []
  for (let number = first; number < first + count; number++)
    histories.push(await prepareHistory(instances, number, seed, trouble, told))
  let isOver = false
  let hasHappened = trouble !== 'restore' && trouble !== 'move'
  const plan = { random: createRandom(seed, first + count), houses: histories.map(({ slug }) => slug) }
  const troubled = makeTrouble(trouble, instances, plan, () => isOver).finally(() => (hasHappened = true))
  const mirrors = Promise.all(histories.map((history) => history.runMirrors()))
  const writers = Promise.all(histories.map((history) => history.runWriters(() => hasHappened)))
  try {
    await Promise.race([mirrors, writers, instances.failed])
    isOver = true
    // By then the work of a killed instance is over.
    await troubled
  } finally {
    for (const history of histories) history.end()
  }
  await mirrors
  return told
}
