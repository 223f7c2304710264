import { lockWork } from '../writes/locks.ts'
import { followedKinds, usualKinds, type Followed } from '../kinds.ts'
import { inTransaction } from '../writes/transaction.ts'
import type { ServedContext } from '../reads/context.ts'
import { baseOf, printVersion } from './feed.ts'
import { numberMarked, numberUnmarked } from './numbering.ts'
import { sumVersions, type Sum } from './sum-statements.ts'

/** The sums of a house's readable records by kind, and the last numbers of its feed. */
type Sums = Awaited<ReturnType<typeof compute>>

async function compute(context: ServedContext, kinds: readonly Followed[]) {
  const readSums = () =>
    inTransaction(context, async (tx) => {
      await lockWork(tx, 'fingerprint')
      return sumVersions(tx, kinds, printVersion(baseOf(context), ''))
    })
  await numberMarked(context)
  const sums = await readSums()
  if (sums.isWhole) return sums
  // A write without a mark, or one since the numbering, is missing.
  await numberUnmarked(context)
  return readSums()
}

/**
 * Returns the function that computes the sums of a house, with those of images only if they are among the kinds.
 * Concurrent callers share one computation.
 */
export function shareSums(): (context: ServedContext, kinds: readonly Followed[]) => Promise<Sums> {
  const running = new Map<string, Promise<Sums>>()
  return (context, kinds) => {
    const summed = kinds.includes('image') ? followedKinds : usualKinds
    const name = `${context.house.id} ${baseOf(context)} ${summed.length}`
    const sums = running.get(name) ?? compute(context, summed).finally(() => running.delete(name))
    running.set(name, sums)
    return sums
  }
}

const empty: Omit<Sum, 'kind'> = { count: '0', high: '0', low: '0', negative: '0' }

/**
 * The count of the records of these kinds, and the sum modulo 2^128 of the first 16 bytes of their hashes, as 32
 * hexadecimal digits.
 */
export function addUp({ sums }: Sums, kinds: readonly Followed[]) {
  const chosen = kinds.map((kind) => ({ kind, ...(sums.find((sum) => followedKinds[sum.kind] === kind) ?? empty) }))
  const total = chosen.reduce(
    (sum, { high, low, negative }) => sum + ((BigInt(high) + BigInt(negative)) << 64n) + BigInt(low),
    0n,
  )
  return {
    counts: Object.fromEntries(kinds.map((kind, index) => [kind, Number(chosen[index]!.count)])),
    fingerprint: BigInt.asUintN(128, total).toString(16).padStart(32, '0'),
  }
}
