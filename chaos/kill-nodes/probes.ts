import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { openClient } from '../../test/support/client.ts'
import { createMirror } from '../../test/support/mirror.ts'
import { waitUntil } from '../lib/processes.ts'
import { random } from '../lib/random.ts'
import type { Clients } from '../kill-system/client.ts'
import type { Item } from '../kill-system/writers.ts'

const recoverySeconds = 120

/** A client that repeats a request, and records the longest time without any answer but 503. */
export function openProbe(ask: () => Promise<unknown>, isOver: () => boolean) {
  let [last, longest] = [performance.now(), 0]
  return {
    async probe() {
      while (!isOver()) {
        const isAnswered = (await ask()) !== undefined
        const now = performance.now()
        longest = Math.max(longest, now - last)
        if (isAnswered) last = now
        await sleep(20)
      }
    },
    /** Waits for an answer. Returns the seconds, and begins again. */
    async take(): Promise<number> {
      const asked = performance.now()
      await waitUntil('it does not answer again', async () => last >= asked, recoverySeconds)
      const seconds = longest / 1_000
      longest = 0
      return seconds
    },
  }
}

/** A copy that follows the changes, and in the end proves that it equals the catalogue. */
export function openFollower(port: number, key: string, isOver: () => boolean) {
  const client = openClient(`http://127.0.0.1:${port}`, key, 1)
  const mirror = createMirror(async <T>(path: string): Promise<T> => {
    for (;;) {
      const reply = await client.call('GET', path.slice(1)).catch(() => undefined)
      if (reply?.status === 200) return JSON.parse(reply.text) as T
      assert.ok(reply === undefined || reply.status === 503, `${path} answered ${reply?.status}: ${reply?.text}`)
      await sleep(50)
    }
  })
  return {
    async follow() {
      while (!isOver()) if ((await mirror.step()).data.length === 0) await sleep(100)
    },
    async prove(): Promise<string> {
      await mirror.follow()
      await mirror.prove()
      client.close()
      return `feed: the copy of ${mirror.records.size} records is the catalogue`
    },
  }
}

/**
 * Searches until `isOver` for the references of items, the newest and an older one in turn. A search must find first the
 * item whose creation was acknowledged before it.
 */
export function openSearcher({ call }: Clients, items: readonly Item[], isOver: () => boolean) {
  let searches = 0
  const findKnown = () => items.filter(({ uuid }) => uuid !== undefined)

  async function find({ reference, uuid }: Item): Promise<void> {
    const answer = await call('GET', `items/search?q=${encodeURIComponent(reference)}&limit=1`, [200])
    if (answer === undefined) return
    searches++
    assert.equal((answer.data as { id: string }[])[0]?.id, `itm_${uuid}`, `the search for ${reference}`)
  }

  return {
    async search() {
      while (!isOver()) {
        const known = findKnown()
        await find(known.at(-1)!)
        await find(random.pick(known))
        await sleep(20)
      }
    },
    /** Searches for every item once more. */
    async prove(): Promise<string> {
      const meanwhile = searches
      const known = findKnown()
      for (const item of known) await find(item)
      assert.equal(searches, meanwhile + known.length, 'every search is answered at the end')
      return `search: ${meanwhile} searches found their items meanwhile, and ${known.length} at the end`
    },
  }
}
