/** Random choices that depend on a seed. */
export type Random = ReturnType<typeof createRandom>

/** The choices for one request. They depend only on the seed and the index, not on earlier choices. */
export function createRandom(seed: number, index: number) {
  let state = (Math.imul(seed, 0x9e3779b1) ^ Math.imul(index + 1, 0x85ebca6b)) >>> 0
  // mulberry32
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  const below = (bound: number) => Math.floor(next() * bound)
  const pick = <T>(from: readonly T[]): T => from[below(from.length)]!
  return {
    below,
    pick,
    /** True with this probability. */
    chance: (probability: number) => next() < probability,
    /** A size from 1 to about `most`. Each order of magnitude is equally likely. */
    size: (most: number) => Math.ceil(most ** next()),
    /** One of these, in proportion to its weight. */
    weigh<T>(choices: readonly (readonly [weight: number, choice: T])[]): T {
      let left = next() * choices.reduce((sum, [weight]) => sum + weight, 0)
      for (const [weight, choice] of choices) if ((left -= weight) < 0) return choice
      return choices[0]![1]
    },
    shuffle: <T>(values: readonly T[]): T[] =>
      values
        .map((value) => ({ value, at: next() }))
        .toSorted((a, b) => a.at - b.at)
        .map(({ value }) => value),
    uuid: () => '00000000-0000-4000-8000-000000000000'.replaceAll('0', () => below(16).toString(16)),
  }
}

/** Choices without a seed. */
export const random = createRandom(Date.now(), process.pid)
