import type { EventEmitter } from 'node:events'
import { listenTo } from '../db/listener.ts'
import type { Connection } from '../db/pool.ts'
import { channel } from '../writes/touch.ts'

/** Requests that wait for the same page. They share each look. */
type Group = { look: () => Promise<unknown>; waiters: Set<Waiter> }
type Waiter = { give: (found: unknown) => void; isOver: () => Promise<boolean> }

/**
 * The groups of a house by name. `looking`: a look is under way; `again`: another one must follow it; `check`: runs when
 * the house asks its waiters whether their wait is over.
 */
type House = { groups: Map<string, Group>; looking: boolean; again: boolean; check?: NodeJS.Timeout | undefined }

// An announcement may be lost, so each house is also polled.
const pollMilliseconds = 3_000

// Longer than an instance remembers a key that it has looked up.
const checkMilliseconds = 600

/**
 * Lets requests wait for changes of their house without a database connection or a slot. Requests of a house with the
 * same `name` share one look. Each house has one look at a time: after an announcement, and every three seconds.
 */
export function createWaitingRoom(connection: Connection | undefined) {
  const houses = new Map<string, House>()
  let listener: ReturnType<typeof listenTo> | undefined
  let timer: NodeJS.Timeout | undefined
  let isClosed = false

  function lookEverywhere() {
    for (const house of houses.values()) void lookInto(house)
  }

  async function lookInto(house: House): Promise<void> {
    house.again = true
    if (house.looking) return
    house.looking = true
    while (house.again) {
      house.again = false
      for (const { look, waiters } of house.groups.values()) {
        // A failed look finds nothing: the database may come back.
        const found = await look().catch(() => undefined)
        if (found !== undefined) for (const { give } of waiters) give(found)
      }
    }
    house.looking = false
  }

  // The announcement may be of a key that was revoked.
  function checkSoon(house: House) {
    house.check ??= setTimeout(() => {
      house.check = undefined
      for (const { waiters } of house.groups.values())
        for (const { give, isOver } of waiters) void isOver().then((over) => over && give(undefined))
    }, checkMilliseconds).unref()
  }

  function open() {
    timer ??= setInterval(lookEverywhere, pollMilliseconds).unref()
    listener ??=
      connection &&
      listenTo(channel, connection, (id) => {
        // Without an id, announcements of any house may have been missed.
        const told = id === undefined ? [...houses.values()] : [houses.get(id)]
        for (const house of told) {
          if (!house) continue
          void lookInto(house)
          checkSoon(house)
        }
      })
  }

  return {
    /**
     * Waits until `look` finds something, for at most `milliseconds`. Undefined if it finds nothing, or if the client
     * disconnects, or once `isOver`, which is asked after each announcement of the house. Calls of a house with the same
     * `name` share one `look`.
     */
    async wait<Found>(
      {
        house: id,
        name,
        milliseconds,
        client,
        isOver,
      }: { house: string; name: string; milliseconds: number; client: EventEmitter; isOver: () => Promise<boolean> },
      look: () => Promise<Found | undefined>,
    ): Promise<Found | undefined> {
      if (isClosed) return undefined
      open()
      const house = houses.get(id) ?? { groups: new Map<string, Group>(), looking: false, again: false }
      houses.set(id, house)
      const group = house.groups.get(name) ?? { look, waiters: new Set() }
      house.groups.set(name, group)
      let resolve!: (found: unknown) => void
      const found = new Promise<unknown>((settle) => (resolve = settle))
      const leave = () => resolve(undefined)
      const end = setTimeout(leave, milliseconds)
      client.once('close', leave)
      const waiter = { give: resolve, isOver }
      group.waiters.add(waiter)
      // A change may have come since the caller looked.
      void lookInto(house)
      try {
        return (await found) as Found | undefined
      } finally {
        clearTimeout(end)
        client.off('close', leave)
        group.waiters.delete(waiter)
        if (group.waiters.size === 0 && house.groups.get(name) === group) house.groups.delete(name)
        if (house.groups.size === 0 && houses.get(id) === house) houses.delete(id)
      }
    },
    /** Ends all waits, present and later. */
    async close() {
      isClosed = true
      clearInterval(timer)
      for (const { groups } of houses.values())
        for (const { waiters } of groups.values()) for (const { give } of waiters) give(undefined)
      await listener?.close()
    },
  }
}

/** See `createWaitingRoom`. */
export type WaitingRoom = ReturnType<typeof createWaitingRoom>
