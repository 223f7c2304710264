import type { EventEmitter } from 'node:events'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { findOpenKind } from './callers.ts'
import { overloaded } from './overload.ts'

/** The slots for one kind of work; see `createSlots`. */
export type Slots = ReturnType<typeof createSlots>

type Waiter = { begin(): void; refuse(): void }
type Holder = { working: number; waiting: Waiter[] }

// No client waits longer than this for a slot.
const longestWait = 5_000

/**
 * Limits work to `most` requests at once. Another `mostWaiting` wait, at most 5 seconds. Holders (keys) take turns: a
 * free slot goes to the holder with the fewest slots. The last eighth is for holders that have none. When the queue
 * is full, the holder with the most requests loses its latest waiting one. No holder has more than `mostOfOne`.
 */
export function createSlots(most: number, mostWaiting: number, mostOfOne = most) {
  const holders = new Map<string, Holder>()
  const kept = Math.ceil(most / 8)
  let working = 0
  let waiting = 0

  const hasRoom = (holder: Holder) => working < most - (holder.working > 0 ? kept : 0) && holder.working < mostOfOne
  const sizeOf = (holder: Holder) => holder.working + holder.waiting.length

  function begin(name: string, holder: Holder): () => void {
    working += 1
    holder.working += 1
    let over = false
    return () => {
      if (over) return
      over = true
      working -= 1
      holder.working -= 1
      forget(name, holder)
      while (beginNext());
    }
  }

  function forget(name: string, holder: Holder) {
    if (sizeOf(holder) === 0 && holders.get(name) === holder) holders.delete(name)
  }

  function beginNext(): boolean {
    if (waiting === 0) return false
    let next: Holder | undefined
    for (const each of holders.values()) {
      if (each.waiting.length > 0 && (!next || each.working < next.working)) next = each
    }
    if (!next || !hasRoom(next)) return false
    next.waiting[0]!.begin()
    return true
  }

  // Displaces only a request of a holder with at least two requests more than the newcomer.
  function makeRoom(newcomer: Holder) {
    let largest: Holder | undefined
    for (const each of holders.values()) {
      if (each.waiting.length > 0 && (!largest || sizeOf(each) > sizeOf(largest))) largest = each
    }
    if (!largest || sizeOf(largest) <= sizeOf(newcomer) + 1) throw overloaded
    largest.waiting.at(-1)!.refuse()
  }

  return {
    /**
     * Waits for a slot and returns the function that frees it. Stops waiting when the client leaves. If it has to
     * wait, `onWait` receives the function that ends the waiting.
     * @throws Problem temporarily-unavailable
     */
    async take(name: string, client?: EventEmitter, onWait?: (refuse: () => void) => void): Promise<() => void> {
      const holder = holders.get(name) ?? { working: 0, waiting: [] }
      if (holder.waiting.length === 0 && hasRoom(holder)) {
        holders.set(name, holder)
        return begin(name, holder)
      }
      if (waiting >= mostWaiting) makeRoom(holder)
      holders.set(name, holder)
      return new Promise((resolve, reject) => {
        const leave = () => {
          clearTimeout(timer)
          client?.off('close', refuse)
          holder.waiting.splice(holder.waiting.indexOf(waiter), 1)
          waiting -= 1
        }
        const refuse = () => {
          leave()
          forget(name, holder)
          reject(overloaded)
        }
        const waiter: Waiter = {
          refuse,
          begin() {
            leave()
            resolve(begin(name, holder))
          },
        }
        const timer = setTimeout(refuse, longestWait)
        client?.once('close', refuse)
        holder.waiting.push(waiter)
        waiting += 1
        onWait?.(refuse)
      })
    },
  }
}

/**
 * Takes a slot for a request, unless it has one. The request frees it when its answer is handed over, and before it
 * waits for its body.
 * @throws Problem temporarily-unavailable
 */
export async function takeSlot(
  request: FastifyRequest,
  slots: Slots,
  onWait?: (refuse: () => void) => void,
): Promise<void> {
  request.freeSlot ??= await slots.take(request.credentials.key, request.raw.socket, onWait)
}

/** Frees the slot of a request, if it has one. */
export function freeSlot(request: FastifyRequest): void {
  request.freeSlot?.()
  request.freeSlot = undefined
}

// These requests are answered from memory or from a file of the documentation.
const mostOpen = 8
const mostOpenWaiting = 100

/**
 * Limits requests without a key. Client addresses take turns. Every request on `app` frees its slot when its answer
 * is handed over.
 */
export function holdOpenSlots(app: FastifyInstance): void {
  const slots = createSlots(mostOpen, mostOpenWaiting)
  app.decorateRequest('freeSlot')
  app.addHook('onRequest', async (request) => {
    if (findOpenKind(request.url) === 'open') request.freeSlot = await slots.take(request.ip, request.raw.socket)
  })
  app.addHook('onSend', (request, _reply, _payload, done) => {
    freeSlot(request)
    done()
  })
}
