import type { EventEmitter } from 'node:events'
import { listenTo } from '../db/listener.ts'
import type { Connection } from '../db/pool.ts'
import { channel } from '../writes/touch.ts'

/** Requests that wait for the same: they share each look at it. */
type Group = { look: () => Promise<unknown>; waiters: Set<(found: unknown) => void> }

/** The groups of a house by what they wait for. `looking`: a look is under way; `again`: another one must follow it. */
type House = { groups: Map<string, Group>; looking: boolean; again: boolean }

// An announcement may be lost, so nobody relies on it.
const pollMilliseconds = 3_000

/**
 * Where requests wait for changes of their house, without a connection to the database or a slot. Those of a house that
 * wait for the same share one look. There is one look at a time in each house: after an announcement, and every three
 * seconds.
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
        // Without the database there is nothing to see. It may come back.
        const found = await look().catch(() => undefined)
        if (found !== undefined) for (const give of waiters) give(found)
      }
    }
    house.looking = false
  }

  function open() {
    timer ??= setInterval(lookEverywhere, pollMilliseconds).unref()
    listener ??=
      connection &&
      listenTo(channel, connection, (id) => {
        const house = id === undefined ? undefined : houses.get(id)
        if (house) void lookInto(house)
        else if (id === undefined) lookEverywhere()
      })
  }

  return {
    /**
     * Waits until `look` finds something, at most so many milliseconds; undefined if it did not, or if the client has
     * left. `name` says what is looked for in the house: calls with the same one share `look`.
     */
    async wait<Found>(
      {
        house: id,
        name,
        milliseconds,
        client,
      }: { house: string; name: string; milliseconds: number; client: EventEmitter },
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
      group.waiters.add(resolve)
      // Something may have come since the caller looked.
      void lookInto(house)
      try {
        return (await found) as Found | undefined
      } finally {
        clearTimeout(end)
        client.off('close', leave)
        group.waiters.delete(resolve)
        if (group.waiters.size === 0 && house.groups.get(name) === group) house.groups.delete(name)
        if (house.groups.size === 0 && houses.get(id) === house) houses.delete(id)
      }
    },
    /** Ends all waiting, now and later. */
    async close() {
      isClosed = true
      clearInterval(timer)
      for (const { groups } of houses.values())
        for (const { waiters } of groups.values()) for (const give of waiters) give(undefined)
      await listener?.close()
    },
  }
}

/** See `createWaitingRoom`. */
export type WaitingRoom = ReturnType<typeof createWaitingRoom>
