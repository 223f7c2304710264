import { Listing, type Position, type RawPage } from './listing.ts'
import type { Options } from './groups.ts'
import type { Kind, RecordOf } from './records.ts'
import type { ItemId } from './generated/wire.ts'
import { checkNames, isPage } from './shapes.ts'
import { wait, type Transport } from './transport.ts'

/**
 * Reads the cursor of a change, to pass as a later `after`. No later change is missed. Inside a page it is the cursor of
 * the page before; inside the first one of a walk from the beginning it is empty, which means the beginning.
 */
export const cursor: unique symbol = Symbol.for('@auction-catalogue/client/cursor')

type Shown<K extends Kind, E> = [E] extends [never] ? object : { record: RecordOf[K] | null }

/** The state of a changed record. Each record comes once, with its latest change. */
export type Change<K extends Kind = Kind, E = never> = K extends Kind
  ? {
      type: K
      /** Null where the record has none (`integrity`). */
      id: RecordOf[K]['id'] | null
      /** Changes with the record; null if it is deleted. */
      version: string | null
      /** The record can no longer be read. */
      deleted: boolean
      /** The record's `updated_at`. */
      changed_at: string | null
      /** The record cannot be shown. */
      integrity?: true
      readonly [cursor]: string
    } & Shown<K, E> &
      (K extends 'image' ? { /** Null where the item has no id. */ item: ItemId | null } : object)
  : never

/** Which changes to read, and from which cursor on. */
export type ChangesQuery<K extends Kind, E> = {
  /** Default: all types that the key may read, but `image`, which comes only when it is named. */
  types?: readonly K[] | undefined
  /** The cursor of the last processed change. Default, and if it is empty: from the beginning. */
  after?: string | undefined
  limit?: number | undefined
  expand?: readonly E[] | undefined
  /** Waits for more at the end, and for a service that is away, until a signal ends it. */
  follow?: boolean | undefined
}

/** The state of a copy: its counts, and the sum over the versions of every record in `/changes`. */
export type Fingerprint = { cursor: string; counts: { [K in Kind]?: number }; fingerprint: string }

type RawChanges = { data: object[]; has_more: boolean; next_cursor: string }

// The service answers earlier if there is a change.
const waitSeconds = 30

// A page without a cursor would begin again at the beginning.
const isFeed = (body: unknown) => isPage(body) && typeof body['next_cursor'] === 'string'

/** The changes of a catalogue. */
export function listChanges<T>(
  transport: Transport,
  query: ChangesQuery<Kind, 'record'>,
  options: Options,
): Listing<T, string> {
  checkNames('changes', query, ['types', 'after', 'limit', 'expand', 'follow'])
  const { types, after, limit, expand, follow } = query
  async function read(position: Position, isAtEnd: boolean): Promise<RawPage<T>> {
    const began = Date.now()
    const answer = await transport.send({
      method: 'GET',
      path: '/changes',
      query: { 'types[]': types, 'expand[]': expand, limit: position.limit, after: position.cursor || undefined },
      isPersistent: follow,
      ...(isAtEnd && { headers: { prefer: `wait=${waitSeconds}` }, waits: waitSeconds }),
      ...options,
      accepts: isFeed,
    })
    const { data, has_more, next_cursor } = answer.body as RawChanges
    for (const [index, row] of data.entries()) {
      // Inside a page there is no cursor: a program that stops here gets the page again.
      const value = index === data.length - 1 ? next_cursor : (position.cursor ?? '')
      Object.defineProperty(row, cursor, { value })
    }
    // A proxy may drop the header that asks to wait.
    if (isAtEnd && data.length === 0 && Date.now() - began < 1000) await wait(2, options.signal)
    return { data: data as T[], has_more, next_cursor }
  }
  return new Listing(read, { limit, cursor: after }, follow)
}
