import type { QueryClient } from '@tanstack/react-query'
import { readChanges, readEnd, readItem, type Change } from './calls.ts'
import { itemIdOf, type Lots } from './lots.ts'
import type { Item, Lot } from './records.ts'
import { CatalogueError } from './request.ts'

const waitSeconds = 25
const begun = Promise.withResolvers<void>()
/** Resolves once what is read from now on is followed, or cannot be. */
export const whenFollowing = () => begun.promise

const pause = (milliseconds: number, signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, milliseconds)
    signal.addEventListener('abort', () => (clearTimeout(timer), resolve()), { once: true })
  })

/** Keeps what is on show up to date until the signal: follows the changes, from where they end now. */
export async function follow(client: QueryClient, signal: AbortSignal): Promise<void> {
  let cursor: string | undefined
  let isFirst = true
  for (let failures = 0; !signal.aborted;) {
    try {
      if (cursor === undefined) {
        cursor = await readEnd(signal)
        begun.resolve()
        // What was read before this moment may be older than the cursor. The lots of a first start wait for it.
        const followed = ['auctions', 'session', 'lot', 'item', 'images', ...(isFirst ? [] : ['lots'])]
        void client.invalidateQueries({ predicate: ({ queryKey }) => followed.includes(String(queryKey[0])) })
        isFirst = false
      }
      const page = await readChanges({ after: cursor, wait: waitSeconds }, signal)
      await apply(client, page.data)
      cursor = page.next_cursor
      failures = 0
    } catch (error) {
      if (signal.aborted) return
      if (error instanceof CatalogueError && error.code === 'invalid-cursor') cursor = undefined
      // A key that may read nothing, or a service that has no changes: the pages are read once, and again by hand.
      if (error instanceof CatalogueError && [401, 403, 404].includes(error.status)) return begun.resolve()
      await pause(Math.min(15_000, 500 * 2 ** failures++), signal)
    }
  }
}

async function apply(client: QueryClient, changes: Change[]): Promise<void> {
  const lots = changes.filter((change) => change.type === 'lot')
  const items = new Set(changes.filter(({ type, id }) => type === 'item' && id !== null).map(({ id }) => id!))
  for (const { type, id, deleted, record } of changes) {
    if (type === 'session' && record) client.setQueryData(['session', id], record)
    if (type === 'session' || type === 'auction') void client.invalidateQueries({ queryKey: ['auctions'] })
    if (deleted && id !== null) client.removeQueries({ queryKey: [type, id] })
  }
  if (lots.length > 0) applyLots(client, lots)
  if (items.size > 0) await applyItems(client, items)
}

function applyLots(client: QueryClient, changes: Change[]): void {
  const byId = new Map(changes.map((change) => [change.id, change]))
  for (const { id, record } of changes) if (record) client.setQueryData(['lot', id], record)
  for (const [key, loaded] of client.getQueriesData<Lots>({ queryKey: ['lots'] })) {
    if (loaded === undefined) continue
    const known = new Set(loaded.lots.map((lot) => lot.id))
    const kept = loaded.lots.flatMap((lot) => {
      const change = byId.get(lot.id)
      if (change === undefined) return [lot]
      if (change.deleted) return []
      const record = change.record as Lot | null | undefined
      return [record && itemIdOf(record) === itemIdOf(lot) ? { ...record, item: lot.item } : (record ?? lot)]
    })
    if (kept.some((lot, index) => lot !== loaded.lots[index]) || kept.length !== loaded.lots.length)
      client.setQueryData(key, { ...loaded, lots: kept })
    const session = key[1]
    const isNew = changes.some(({ id, record }) => record && (record as Lot).session === session && !known.has(id!))
    if (isNew) void client.invalidateQueries({ queryKey: key })
  }
}

async function applyItems(client: QueryClient, ids: Set<string>): Promise<void> {
  const shown = new Set(
    client.getQueriesData<Lots>({ queryKey: ['lots'] }).flatMap(([, loaded]) => loaded?.lots.map(itemIdOf) ?? []),
  )
  for (const id of ids) {
    void client.invalidateQueries({ queryKey: ['images', id] })
    if (!shown.has(id) && client.getQueryData(['item', id]) === undefined) continue
    const stored = await readItem(id).catch(() => undefined)
    if (stored === undefined) continue
    client.setQueryData(['item', id], stored)
    showItem(client, stored.record)
  }
}

/** Shows a newer item in every wall that has it. */
export function showItem(client: QueryClient, item: Item): void {
  client.setQueriesData<Lots>({ queryKey: ['lots'] }, (loaded) => {
    if (!loaded?.lots.some((lot) => itemIdOf(lot) === item.id)) return loaded
    const lots = loaded.lots.map((lot) => (itemIdOf(lot) === item.id ? { ...lot, item, title: item.title } : lot))
    return { ...loaded, lots }
  })
}

/** Shows a lot as it was just answered, with the item that was shown before. */
export function showLot(client: QueryClient, lot: Lot): void {
  applyLots(client, [{ type: 'lot', id: lot.id, deleted: false, record: lot }])
}
