import { randomUUID } from 'node:crypto'
import { json, openClient } from '../../test/support/client.ts'

/** Does the work again and again for so many seconds, so many at once. Gives how often a second. */
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

/** Creates items for so many seconds, eight at once. Gives how many a second. */
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
