import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Clients } from '../kill-system/client.ts'
import type { Item } from '../kill-system/writers.ts'

/**
 * Searches until `isOver` for the references of items, the newest and an older one in turn. A search must find first the
 * item whose creation was acknowledged before it.
 */
export function openSearcher({ call }: Clients, items: readonly Item[], isOver: () => boolean) {
  let searches = 0

  async function find({ reference, uuid }: Item): Promise<void> {
    const answer = await call('GET', `items/search?q=${encodeURIComponent(reference)}&limit=1`, [200])
    if (answer === undefined) return
    searches++
    assert.equal((answer.data as { id: string }[])[0]?.id, `itm_${uuid}`, `the search for ${reference}`)
  }

  return {
    async search() {
      while (!isOver()) {
        const known = items.filter(({ uuid }) => uuid !== undefined)
        await find(known.at(-1)!)
        await find(known[Math.floor(Math.random() * known.length)]!)
        await sleep(20)
      }
    },
    /** Searches for every item once more. */
    async prove(): Promise<string> {
      const meanwhile = searches
      const known = items.filter(({ uuid }) => uuid !== undefined)
      for (const item of known) await find(item)
      assert.equal(searches, meanwhile + known.length, 'every search is answered at the end')
      return `search: ${meanwhile} searches found their items meanwhile, and ${known.length} at the end`
    },
  }
}
