import { setTimeout as sleep } from 'node:timers/promises'
import { findTraffic } from '../values/traffic.ts'

// How many times as long as a batch took the duty rests after it: a batch takes longer when others use the database.
const restRatio = { busy: 12, unknown: 2.5, quiet: 0 }
const stepMilliseconds = 100
// A worker that stops waits for the rest.
const longestRest = 5_000

let latest: Promise<unknown> = Promise.resolve()

/**
 * Does a batch of background work for which no request waits. All such work of the process is one duty: one batch at a time,
 * and under traffic a thirteenth of the time. Returns after the rest.
 */
export function doDuty<Result>(batch: () => Promise<Result>): Promise<Result> {
  const done = latest.then(async () => {
    const begun = performance.now()
    const result = await batch()
    await rest(performance.now() - begun)
    return result
  })
  latest = done.catch(() => undefined)
  return done
}

// The rest ends early when the traffic does.
async function rest(took: number): Promise<void> {
  const begun = performance.now()
  for (;;) {
    const left = begun + Math.min(longestRest, took * restRatio[findTraffic()]) - performance.now()
    if (left <= 0) return
    await sleep(Math.min(left, stepMilliseconds))
  }
}
