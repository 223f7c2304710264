/** Increment strategies in whole euros, and what follows from them. */
export interface Strategy {
  readonly ref: string
  readonly name: string
  readonly steps: readonly (readonly [from: number, increment: number])[]
}

export const online: Strategy = {
  ref: 'online',
  name: 'Online',
  steps: [
    [0, 5],
    [50, 10],
    [200, 20],
    [500, 50],
    [1000, 100],
    [2000, 200],
    [5000, 500],
    [10000, 1000],
  ],
}

export const hall: Strategy = {
  ref: 'hall',
  name: 'Zaalveiling',
  steps: [
    [0, 10],
    [200, 20],
    [500, 50],
    [1000, 100],
    [2000, 200],
    [5000, 500],
    [10000, 1000],
    [20000, 2000],
    [50000, 5000],
  ],
}

/** The least amount that overbids `current`: the increment of the highest step at or below it. */
export function overbid({ steps }: Strategy, current: number): number {
  const step = steps.findLast(([from]) => from <= current)
  return current + (step?.[1] ?? 0)
}

/** An opening at about three fifths of the low estimate, on the strategy's own ladder. */
export function startingBid(strategy: Strategy, lowEstimate: number): number {
  let amount = 0
  while (overbid(strategy, amount) <= lowEstimate * 0.6) amount = overbid(strategy, amount)
  return amount
}

/** A run of bids, each overbidding the last by one increment. */
export function ladder(strategy: Strategy, start: number, count: number): number[] {
  const amounts = count > 0 ? [start] : []
  while (amounts.length < count) amounts.push(overbid(strategy, amounts.at(-1) ?? start))
  return amounts
}

/** Where a timed lot's close ends up after these bids (section 2.2); milliseconds and, for the rule, seconds. */
export function extended(scheduled: number, bids: readonly number[], threshold: number, extension: number): number {
  return bids.reduce(
    (close, at) => (close - at <= threshold * 1000 ? Math.max(close, at + extension * 1000) : close),
    scheduled,
  )
}
