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

type Creation = (reference: string) => { path: string; body: object; status: number }

const create: Creation = (reference) => ({
  path: 'items',
  body: { external_reference: reference, title: 'Vaas', translations: { en: { title: 'Vase' } } },
  status: 201,
})

const mutation = `mutation ($house: BigInt!, $item: BigInt!, $uuid: UUID!, $reference: String!, $now: Datetime!) {
  createItem(input: { item: { houseId: $house, rowId: $item, publicId: $uuid, externalReference: $reference, title: "Vaas",
    createdAt: $now, updatedAt: $now } }) { item { publicId externalReference title description createdAt updatedAt } }
  nl: createItemTranslation(input: { itemTranslation: { houseId: $house, itemId: $item, locale: "nl", title: "Vaas" } }) {
    itemTranslation { locale title description } }
  en: createItemTranslation(input: { itemTranslation: { houseId: $house, itemId: $item, locale: "en", title: "Vase" } }) {
    itemTranslation { locale title description } }
}`

// Beyond all ids that the database gives, and those of an earlier run.
let lastItem = Date.now() * 1_000

/** The same creation as a request to PostGraphile. The client chooses the ids: a mutation cannot use those that it makes. */
export const mutate =
  (house: string): Creation =>
  (reference) => {
    const variables = { house, item: String(++lastItem), uuid: reference, reference, now: new Date() }
    return { path: '/graphql', body: { query: mutation, variables }, status: 200 }
  }

/** Creates items for some seconds, eight at once. Returns the count per second. */
export async function createItems(url: string, key: string, seconds: number, creation = create): Promise<number> {
  const { call, close } = openClient(url, key, 8)
  const rate = await repeat(8, seconds, async () => {
    const { path, body, status: wanted } = creation(randomUUID())
    const { status, text } = await call('POST', path, json(body))
    if (status !== wanted || text.includes('"errors"'))
      throw new Error(`creating an item was answered ${status}: ${text}`)
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
