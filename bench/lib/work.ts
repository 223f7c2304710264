import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { json, openClient } from '../../test/support/client.ts'

/** Repeats the work for some seconds, several at once. Returns the count per second. */
export async function repeat(
  atOnce: number,
  seconds: number,
  work: (turn: number) => Promise<unknown>,
): Promise<number> {
  const begun = performance.now()
  let turns = 0
  const run = async () => {
    while (performance.now() < begun + seconds * 1000) await work(turns++)
  }
  await Promise.all(Array.from({ length: atOnce }, run))
  return (turns * 1000) / (performance.now() - begun)
}

/** Creates items with two translations for some seconds, eight at once. Returns the count per second. */
export async function createItems(url: string, key: string, seconds: number): Promise<number> {
  const { call, close } = openClient(url, key, 8)
  const rate = await repeat(8, seconds, async () => {
    const body = { external_reference: randomUUID(), title: 'Vaas', translations: { en: { title: 'Vase' } } }
    const { status, text } = await call('POST', 'items', json(body))
    if (status !== 201) throw new Error(`creating an item was answered ${status}: ${text}`)
  })
  close()
  return rate
}

/** Calls `work` at a steady rate until it is stopped. Returns the milliseconds from each due time to its end. */
export function keepDoing(perSecond: number, work: (number: number, due: number) => Promise<void>) {
  const stopping = new AbortController()
  const latencies: number[] = []
  const begun = performance.now()
  const run = (async () => {
    const running: Promise<void>[] = []
    while (!stopping.signal.aborted) {
      const due = begun + (running.length * 1000) / perSecond
      await sleep(Math.max(1, due - performance.now()))
      running.push(work(running.length, due).then(() => void latencies.push(performance.now() - due)))
    }
    await Promise.all(running)
  })()
  return async () => {
    stopping.abort()
    await run
    return latencies
  }
}
