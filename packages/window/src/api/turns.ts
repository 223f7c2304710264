import { connection } from './connection.ts'

let last = Promise.resolve()

export const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

/**
 * Waits for the turn of a background request, such as one of many that count. Background requests run one after
 * another, at most ten a second, and leave half of the key's requests of a minute to the user.
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
