import { connection } from './connection.ts'

let last = Promise.resolve()

export const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

/**
 * Waits for the turn of a request that nobody waits for, such as one of many that count. They go one after another, ten a
 * second at most, and leave half of what the key may ask in a minute to whoever works.
 */
export function takeTurn(signal: AbortSignal): Promise<void> {
  last = waitBehind(last, signal)
  return last
}

async function waitBehind(turn: Promise<void>, signal: AbortSignal): Promise<void> {
  await turn
  if (!signal.aborted) await pause(100)
  while (!signal.aborted && !connection.hasSpare()) await pause(500)
}
