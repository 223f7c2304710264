import {
  CatalogueError,
  type Change,
  type ItemId,
  type Kind,
  type LotId,
  type Session,
} from '@auction-catalogue/client'
import type { QueryClient } from '@tanstack/react-query'
import { catalogue } from './catalogue.ts'
import { connection } from './connection.ts'
import { beginFollowing } from './store.ts'
import { discoveryQuery } from './house.ts'
import { isLoading, isOlder, itemIdOf, noteChanges, sortByNumber, type LotChange, type Lots, withItem } from './lots.ts'
import { showPictures, type PictureChange } from './pictures.ts'
import { readItem, type CountedSession, type Item, type Lot, type StoredItem } from './records.ts'

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

let hasBegun = false

// The records that the pages show, by the permission to read them.
const followed = { 'auctions.read': ['auction', 'session'], 'lots.read': ['lot', 'item', 'image'] } as const

/**
 * Returns the function that keeps the pages up to date until a signal. Its first call follows the changes from their
 * end. Later calls catch up with missed changes.
 */
export function createFollower(client: QueryClient): (signal: AbortSignal) => Promise<void> {
  let after: string | undefined

  async function begin(types: Kind[], signal: AbortSignal): Promise<string> {
    const { cursor } = await catalogue().fingerprint({ types }, { signal })
    // Data read before this moment may be older than the cursor. On a first start, others wait for it.
    const read = [
      'auctions',
      'session',
      'lot',
      'item',
      'images',
      ...(hasBegun ? ['lots', 'counts', 'pictures', 'found'] : []),
    ]
    void client.invalidateQueries({ predicate: ({ queryKey }) => read.includes(String(queryKey[0])) })
    beginFollowing()
    hasBegun = true
    return cursor
  }

  return async (signal) => {
    while (!signal.aborted) {
      try {
        const { permissions } = (await client.fetchQuery(discoveryQuery)).key
        const types = permissions.flatMap((name) => (name in followed ? followed[name as keyof typeof followed] : []))
        if (types.length === 0) return beginFollowing()
        after ??= await begin(types, signal)
        const query = { types, after, expand: ['record'] as const, limit: 100, follow: true }
        for (let page = await catalogue().changes(query, { signal }).page(); ; page = (await page.next())!) {
          await apply(client, page.data)
          after = page.nextCursor!
          connection.change({ behind: null })
        }
      } catch (error) {
        const { status = 0, code } = error instanceof CatalogueError ? error : {}
        // The database was restored, or the house shows its records differently.
        if (code === 'invalid-cursor') after = undefined
        // If the key may not read the changes, only the user can reload the pages.
        else if ([401, 403, 404].includes(status)) return beginFollowing()
        else if (!signal.aborted) {
          connection.change({ behind: error })
          await pause(5_000)
        }
      }
    }
  }
}

async function apply(client: QueryClient, changes: Change<Kind, 'record'>[]): Promise<void> {
  const lots = changes.filter((change) => change.type === 'lot')
  const items = new Set(changes.flatMap(({ type, id }) => (type === 'item' && id !== null ? [id] : [])))
  for (const { type, id, deleted, record } of changes) {
    if (type === 'session' && record)
      client.setQueryData<CountedSession>(
        ['session', id],
        (known) => known && { ...(record as Session), counts: known.counts },
      )
    if (type === 'session' || type === 'auction') void client.invalidateQueries({ queryKey: ['auctions'] })
    if (deleted && id !== null) client.removeQueries({ queryKey: [type, id] })
  }
  const pictures = changes.flatMap((change): PictureChange[] =>
    change.type === 'image' && change.id !== null && change.item !== null ? [change as PictureChange] : [],
  )
  if (pictures.length > 0) showPictures(client, pictures)
  if (lots.length > 0) applyLots(client, lots)
  if (lots.length + items.size > 0) recount(client)
  if (items.size > 0) await applyItems(client, items)
}

/** Shows the lots of an answer on all pages. */
export const showLots = (client: QueryClient, lots: Lot[]): void =>
  applyLots(
    client,
    lots.map((record) => ({ id: record.id, deleted: false, record })),
  )

function applyLots(client: QueryClient, changes: LotChange[]): void {
  noteChanges(changes)
  const byId = new Map(changes.map((change) => [change.id, change]))
  for (const { id, record } of changes)
    if (record) client.setQueryData<Lot>(['lot', id], (known) => (isOlder(record, known) ? known : record))
  for (const [key, loaded] of client.getQueriesData<Lots>({ queryKey: ['lots'] })) {
    if (loaded === undefined) continue
    const known = new Set<LotId | null>(loaded.lots.map((lot) => lot.id))
    const kept = loaded.lots.flatMap((lot) => {
      const change = byId.get(lot.id)
      if (change === undefined) return [lot]
      if (change.deleted) return []
      const { record } = change
      if (record && isOlder(record, lot)) return [lot]
      return [record ? withItem(record, lot) : lot]
    })
    if (kept.some((lot, index) => lot !== loaded.lots[index]) || kept.length !== loaded.lots.length)
      client.setQueryData(key, { ...loaded, lots: sortByNumber(kept) })
    const isNew = changes.some(({ id, record }) => record?.session === key[1] && !known.has(id))
    if (isNew && !isLoading(key[1])) void client.invalidateQueries({ queryKey: key })
  }
  recount(client)
}

let recounting: ReturnType<typeof setTimeout> | undefined
/** Counts and searches again, at most every five seconds: in a running sale a lot changes with each bid. */
function recount(client: QueryClient): void {
  recounting ??= setTimeout(() => {
    recounting = undefined
    for (const name of ['counts', 'found']) void client.invalidateQueries({ queryKey: [name] })
  }, 5_000)
}

async function applyItems(client: QueryClient, ids: Set<ItemId>): Promise<void> {
  const shown = new Set(
    client.getQueriesData<Lots>({ queryKey: ['lots'] }).flatMap(([, loaded]) => loaded?.lots.map(itemIdOf) ?? []),
  )
  for (const id of ids) {
    if (!shown.has(id) && client.getQueryData(['item', id]) === undefined) continue
    // The page with the item then reads it again, and shows why it cannot be read.
    const stored = await readItem(id).catch(() => void client.invalidateQueries({ queryKey: ['item', id] }))
    if (stored) showStored(client, stored)
  }
}

/** Shows a newer item in every wall that has it. */
function showItem(client: QueryClient, item: Item): void {
  client.setQueriesData<Lots>({ queryKey: ['lots'] }, (loaded) => {
    if (!loaded?.lots.some((lot) => itemIdOf(lot) === item.id)) return loaded
    const lots = loaded.lots.map((lot) => (itemIdOf(lot) === item.id ? { ...lot, item, title: item.title } : lot))
    return { ...loaded, lots }
  })
}

/** Shows the item of an answer on all pages. */
export function showStored(client: QueryClient, stored: StoredItem): void {
  const { record, etag } = stored
  client.setQueryData(['item', record.id], stored)
  showItem(client, record)
  // The answer to a repeated write has no ETag, which the next save needs.
  if (etag === null) void client.invalidateQueries({ queryKey: ['item', record.id] })
}
