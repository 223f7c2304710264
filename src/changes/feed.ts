import { hash } from 'node:crypto'
import type { ServedContext } from '../reads/context.ts'
import { followedKinds, kinds, type Followed } from '../kinds.ts'
import { markChanged } from '../writes/touch.ts'
import { inTransaction } from '../writes/transaction.ts'
import { numberChanges } from './numbering.ts'
import { doubtVersions, findPlaces, findRecords, type FollowedRecord, type Place } from './statements.ts'

/**
 * The selection of a page of the feed: at most `limit` changes after a number, of some kinds of record, with or
 * without their documents.
 */
export type FeedRequest = { kinds: readonly Followed[]; after: string; limit: number; record: boolean }

/** A page of the feed: the JSON text of each row, whether there is more, and the number to continue from. */
export type FeedPage = { rows: string[]; hasMore: boolean; last: string }

const auctions = kinds.auction.number

// A request numbers at most this many thousands of changes. The next one continues.
const mostRounds = 5

/**
 * A hash of everything beside the records that documents depend on: the generation of the database, the settings of the
 * house, the address of its pictures. Cursors and versions with another base are not valid.
 */
export function baseOf({ house, mediaBase }: Pick<ServedContext, 'house' | 'mediaBase'>): string {
  const { id, generation, defaultLocale, currency, defaults } = house
  const parts = JSON.stringify([id, generation, defaultLocale, currency, defaults, mediaBase])
  return hash('sha256', parts, 'hex').slice(0, 8)
}

/** Reads a page of a house's feed. A change that was committed before the call is on the page or on a later one. */
export async function readFeed(context: ServedContext, request: FeedRequest): Promise<FeedPage> {
  const { places, hasMore } = await findPage(context, request)
  const records = new Map<string, FollowedRecord>()
  const nameOf = ({ kind, id }: Pick<Place, 'kind' | 'id'>) => `${kind} ${id}`
  for (const [kind, name] of followedKinds.entries()) {
    const ids = places.flatMap((place) => (place.kind === kind ? [place.id] : []))
    if (ids.length === 0) continue
    const found = await findRecords(context, name, ids, request)
    for (const record of found) records.set(nameOf({ kind, id: record.row }), record)
  }
  // An auction's version can return to an earlier value when its sessions change. The auction would keep its place, and
  // a reader that got the interim version from this page would miss the return. So such auctions get a new place.
  const versionOf = ({ readable, version }: FollowedRecord) => (readable ? version : null)
  const passing = places.filter((place) => {
    const record = records.get(nameOf(place))
    return place.kind === auctions && record && versionOf(record) !== place.version
  })
  if (passing.length > 0) await renew(context, 'auction', passing)
  const base = baseOf(context)
  return {
    rows: places.map((place) => printRow(followedKinds[place.kind]!, records.get(nameOf(place)), base, request)),
    hasMore,
    last: places.at(-1)?.number ?? request.after,
  }
}

async function renew(context: ServedContext, kind: Followed, places: Place[]): Promise<void> {
  const ids = places.map(({ id }) => id)
  await inTransaction(context, async (tx) => {
    await doubtVersions(tx, kind, ids)
    await markChanged(tx, kind, ids)
  })
}

// Earlier changes are numbered first, even for a full page. Otherwise a changed record would come at its old place and
// again at its new one.
async function findPage(context: ServedContext, { kinds, after, limit }: FeedRequest) {
  let isNumbered = false
  for (let round = 0; ; round++) {
    const { places, isBehind } = await findPlaces(context, kinds, after, limit + 1)
    if (!isBehind || isNumbered || round === mostRounds)
      return { places: places.slice(0, limit), hasMore: places.length > limit || (isBehind && !isNumbered) }
    isNumbered = await numberChanges(context)
  }
}

function printRow(
  type: Followed,
  record: FollowedRecord | undefined,
  base: string,
  { record: isExpanded }: FeedRequest,
): string {
  const { id = null, changed_at = null, defect = null } = record ?? {}
  const readable = record?.readable ? record : undefined
  const isDefective = readable !== undefined && defect !== null
  const row = JSON.stringify({
    type,
    id,
    version: readable ? printVersion(base, readable.version) : null,
    deleted: readable === undefined,
    changed_at,
    ...(isDefective && { integrity: true }),
  })
  if (!isExpanded) return row
  const document = readable && !isDefective ? readable.json : null
  return `${row.slice(0, -1)},"record":${document}}`
}

/** The version of a record as the interface shows it. */
export const printVersion = (base: string, version: string) => `${base}.${version}`
