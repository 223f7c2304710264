import { hash } from 'node:crypto'
import type { ServedContext } from '../reads/context.ts'
import { followedKinds, kinds, type Followed } from '../kinds.ts'
import { markChanged } from '../writes/touch.ts'
import { inTransaction } from '../writes/transaction.ts'
import { numberChanges } from './numbering.ts'
import {
  doubtVersions,
  findDeletedImages,
  findPlaces,
  findRecords,
  type FeedPosition,
  type FollowedRecord,
  type Place,
} from './statements.ts'

/**
 * The selection of a page of the feed: at most `limit` changes after a number, of some kinds of record, with or
 * without their documents.
 */
export type FeedRequest = { kinds: readonly Followed[]; after: FeedPosition; limit: number; record: boolean }

/** The JSON texts of the fields of a row. If its `record` is an image, `fields` lacks it and `image` has it, without URLs. */
type FeedRow = { fields: Record<string, string>; image?: string }

/** A page of the feed: its rows, whether there is more, and the position to continue from. */
export type FeedPage = { rows: FeedRow[]; hasMore: boolean; last: FeedPosition }

// A deleted image has only its id and its item.
type ShownRecord = Partial<FollowedRecord>

const images = kinds.image.number
// Their versions depend on other records.
const returning = ['auction', 'image'] as const

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
  const records = new Map<string, ShownRecord>()
  const nameOf = ({ kind, id }: Pick<Place, 'kind' | 'id'>) => `${kind} ${id}`
  for (const [kind, name] of followedKinds.entries()) {
    const ids = places.flatMap((place) => (place.kind === kind ? [place.id] : []))
    if (ids.length === 0) continue
    const found = await findRecords(context, name, ids, request)
    for (const record of found) records.set(nameOf({ kind, id: record.row }), record)
  }
  // A version that depends on other records can return to an earlier value. The record would keep its place, and a
  // reader that got the interim version from this page would miss the return. So such records get a new place.
  const versionOf = ({ readable, version }: ShownRecord) => (readable ? version : null)
  for (const kind of returning) {
    const passing = places.filter((place) => {
      const record = records.get(nameOf(place))
      return place.kind === kinds[kind].number && record && versionOf(record) !== place.version
    })
    if (passing.length > 0) await renew(context, kind, passing)
  }
  const deleted = places.filter((place) => place.kind === images && !records.has(nameOf(place)))
  const kept =
    deleted.length === 0
      ? []
      : await findDeletedImages(
          context,
          deleted.map(({ id }) => id),
        )
  for (const image of kept) records.set(nameOf({ kind: images, id: image.row }), image)
  const base = baseOf(context)
  const rows = places.map((place) => printRow(followedKinds[place.kind]!, records.get(nameOf(place)), base, request))
  const lastOf = (some: Place[]) => some.at(-1)?.number
  return {
    rows,
    hasMore,
    last: {
      number: lastOf(places.filter(({ kind }) => kind !== images)) ?? request.after.number,
      image: lastOf(places.filter(({ kind }) => kind === images)) ?? request.after.image,
    },
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
  record: ShownRecord | undefined,
  base: string,
  { record: isExpanded }: FeedRequest,
): FeedRow {
  const { id = null, item = null, changed_at = null, defect = null } = record ?? {}
  const readable = record?.readable ? record : undefined
  const isDefective = readable !== undefined && defect !== null
  const fields = {
    type: quote(type),
    id: quote(id),
    ...(type === 'image' && { item: quote(item) }),
    version: quote(readable ? printVersion(base, readable.version!) : null),
    deleted: String(readable === undefined),
    changed_at: quote(changed_at),
    ...(isDefective && { integrity: 'true' }),
  }
  if (!isExpanded) return { fields }
  const document = readable && !isDefective ? readable.json! : null
  if (type === 'image' && document !== null) return { fields, image: document }
  return { fields: { ...fields, record: document ?? 'null' } }
}

// A text that needs no escapes as JSON text.
const quote = (text: string | null) => (text === null ? 'null' : `"${text}"`)

// A loop takes half the time of a list, which matters for a page of a thousand rows.
function printObject(fields: FeedRow['fields']): string {
  let text = ''
  for (const name in fields) text += `${text === '' ? '{' : ','}"${name}":${fields[name]}`
  return `${text}}`
}

/** The JSON texts of a page's rows. `sign` adds the URLs of an image. */
export function signRows({ rows }: FeedPage, sign: (image: string) => Promise<string>): Promise<string[]> {
  return Promise.all(
    rows.map(async ({ fields, image }) =>
      printObject(image === undefined ? fields : { ...fields, record: await sign(image) }),
    ),
  )
}

/** The version of a record as the interface shows it. */
export const printVersion = (base: string, version: string) => `${base}.${version}`
