import { setTimeout as sleep } from 'node:timers/promises'
import { identify, type Context } from '../context.ts'
import type { Database } from '../db/pool.ts'

type House = Context['house']
type Write = (context: Pick<Context, 'db' | 'house'>, items: string[]) => Promise<void>

// A first walk through a large catalogue finds more than this. Later reads store the others.
const mostWaiting = 10_000
const mostTogether = 100
const pauseMilliseconds = 50
const failureMilliseconds = 10_000

type Queue = { waiting: Map<string, { house: House; items: Set<string> }>; count: number; isWriting: boolean }

/**
 * Returns a function that soon writes the documents of items, one statement at a time. The documents are copies: reads
 * do not need them if the database takes no changes.
 */
export function writeSoon(write: Write): (db: Database, house: House, items: string[]) => void {
  const queues = new WeakMap<Database, Queue>()

  async function writeNext(db: Database, queue: Queue): Promise<void> {
    const [name, { house, items }] = queue.waiting.entries().next().value!
    const chosen = [...items].slice(0, mostTogether)
    for (const item of chosen) items.delete(item)
    queue.count -= chosen.length
    // Houses take turns.
    queue.waiting.delete(name)
    if (items.size > 0) queue.waiting.set(name, { house, items })
    await write({ db, house }, chosen)
  }

  async function writeAll(db: Database, queue: Queue): Promise<void> {
    await sleep(pauseMilliseconds, undefined, { ref: false })
    try {
      while (queue.count > 0) await writeNext(db, queue)
    } catch {
      queue.waiting.clear()
      queue.count = 0
      await sleep(failureMilliseconds, undefined, { ref: false })
    }
    queue.isWriting = false
  }

  return (db, house, items) => {
    const queue = queues.get(db) ?? { waiting: new Map(), count: 0, isWriting: false }
    queues.set(db, queue)
    const name = identify(house)
    const ofHouse = queue.waiting.get(name) ?? { house, items: new Set() }
    for (const item of items) {
      if (queue.count === mostWaiting) break
      if (ofHouse.items.has(item)) continue
      ofHouse.items.add(item)
      queue.waiting.set(name, ofHouse)
      queue.count += 1
    }
    if (queue.isWriting || queue.count === 0) return
    queue.isWriting = true
    void writeAll(db, queue)
  }
}
