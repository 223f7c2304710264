import {
  CatalogueError,
  type Change,
  type ImageId,
  type ItemId,
  type Kind,
  type ManagedImage,
} from '@auction-catalogue/client'
import type { QueryClient } from '@tanstack/react-query'
import { catalogue } from './catalogue.ts'
import { connection } from './connection.ts'
import { discoveryQuery } from './house.ts'
import { readItemsOf, readStaffOf } from './lots.ts'
import {
  distrustRecords,
  knownItem,
  knownLot,
  putImages,
  putLots,
  putSession,
  removeImage,
  removeLot,
  type Lot,
} from './records.ts'
import { readItem } from './single.ts'
import { readsAsStaff } from './staffed.ts'
import { beginFollowing } from './store.ts'

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
      'auction',
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
          await apply(client, page.data, signal)
          after = page.nextCursor!
          connection.change({ behind: null })
        }
      } catch (error) {
        const { status = 0, code } = error instanceof CatalogueError ? error : {}
        // The database was restored, or the house shows its records differently.
        if (code === 'invalid-cursor') {
          after = undefined
          distrustRecords()
        }
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

async function apply(client: QueryClient, changes: Change<Kind, 'record'>[], signal: AbortSignal): Promise<void> {
  const items: ItemId[] = []
  const lots: Lot[] = []
  const images: ManagedImage[] = []
  for (const change of changes) {
    const { type, id, deleted, record } = change
    if (id === null) continue
    if (type === 'session' || type === 'auction') void client.invalidateQueries({ queryKey: ['auctions'] })
    if (type === 'auction') void client.invalidateQueries({ queryKey: ['auction', id] })
    if (type === 'session' && record) putSession(record)
    // The changes have nothing that only staff see.
    if (type === 'session' && readsAsStaff()) void client.invalidateQueries({ queryKey: ['session', id] })
    if (type === 'lot' && record) lots.push(record)
    if (type === 'lot' && deleted) removeLot(id)
    if (type === 'image' && record) images.push(record)
    if (change.type === 'image' && deleted && change.item !== null) removeImage(change.item, id as ImageId)
    if (type === 'item') items.push(id)
    // The page with the record then asks for it, and shows that it is gone.
    if (deleted) void client.invalidateQueries({ queryKey: [type, id] })
  }
  putImages(images)
  const known = lots.filter(({ id }) => knownLot(id))
  putLots(lots)
  if (changes.some(({ type }) => type === 'lot' || type === 'item')) recount(client)
  for (const session of new Set(lots.map((lot) => lot.session)))
    // The reading of all lots of a session ends with those that came meanwhile.
    if (
      client.getQueryData(['lots', session]) !== undefined &&
      client.isFetching({ queryKey: ['lots', session] }) === 0
    )
      void readItemsOf(session)
  if (readsAsStaff())
    for (const [session, each] of Map.groupBy(known, (lot) => lot.session))
      await readStaffOf(session, new Set(each.map(({ id }) => id)), signal).catch(() => signal.throwIfAborted())
  for (const id of items) {
    if (knownItem(id) === undefined) continue
    // The page with the item then reads it again, and shows why it cannot be read.
    await readItem(id).catch(() => void client.invalidateQueries({ queryKey: ['item', id] }))
  }
}

let recounting: ReturnType<typeof setTimeout> | undefined
/** Counts and searches again, at most every five seconds: in a running sale a lot changes with each bid. */
function recount(client: QueryClient): void {
  recounting ??= setTimeout(() => {
    recounting = undefined
    for (const name of ['counts', 'found']) void client.invalidateQueries({ queryKey: [name] })
  }, 5_000)
}
