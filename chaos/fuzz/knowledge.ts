import { pathOf, type Call } from './call.ts'
import type { Answer } from './connection.ts'
import { placeOf, type Interface, type Operation } from './document.ts'
import { houses, type House } from './houses.ts'

// A cursor, and the list that it continues.
type Cursor = { house: House; path: string; filters: string; cursor: string }
// An ETag, with its house and address.
type Tag = { house: House; address: string; etag: string }

const most = 400
const uuids = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g

// Some of the first values and the last ones, so that old ones are requested too.
function keep<T>(list: T[], value: T): void {
  if (list.length >= most) list.splice(most / 4, 1)
  list.push(value)
}

/** An address with its ids in the standard form. */
export function canonicalAddress(target: string): string {
  return target.replaceAll(
    /([a-z]{3}_)?([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})/gi,
    (_, __: string | undefined, uuid: string) => uuid.toLowerCase(),
  )
}

/** The address to which an ETag belongs. For a record it is the same with any expansions. */
export function taggedAddress(target: string): string {
  const address = canonicalAddress(target)
  const [path] = address.split('?') as [string]
  return /\/[0-9a-f-]{36}$/.test(path) ? path : address
}

const filterLists = ['category[]', 'maker[]']

/** Whether a parameter may change between the pages of a list. */
export const isPaging = (name: string) =>
  name === 'limit' || name === 'cursor' || (name.endsWith('[]') && !filterLists.includes(name))

/** The filters of a query, which bind a cursor. Those of one name keep their order. */
export function filtersOf(target: string): string {
  const pairs = (target.split('?')[1] ?? '').split('&').map((pair) => [pair.split('=')[0]!, pair] as const)
  const filters = pairs
    .filter(([name]) => name !== '' && !isPaging(name))
    .toSorted(([a], [b]) => (a < b ? -1 : a === b ? 0 : 1))
  return canonicalAddress(filters.map(([, pair]) => pair).join('&'))
}

// The ids in the path of each record, such as `[item, image]`, by the place at which it is read.
type Records = Map<string, string[][]>

/** The knowledge from earlier answers, by house: ids, cursors, ETags and addresses of files. */
export type Knowledge = ReturnType<typeof createKnowledge>

export function createKnowledge({ prefixes }: Pick<Interface, 'prefixes'>) {
  const ofHouse = <T>(make: () => T) => Object.fromEntries(houses.map((house) => [house, make()])) as Record<House, T>
  const live = ofHouse((): Records => new Map())
  const deleted = ofHouse((): Records => new Map())
  const values = ofHouse(() => new Map<string, unknown[]>())
  const urls = ofHouse((): string[] => [])
  // Each record that was ever seen, and each deleted one.
  const seen = new Set<string>()
  const owners = new Map<string, House>()
  const cursors: Cursor[] = []
  const tags: Tag[] = []
  const tagged = new Set<string>()

  const at = <T>(map: Map<string, T[]>, key: string) => map.get(key) ?? map.set(key, []).get(key)!

  const addRecord = (house: House, place: string, ids: string[]) => {
    const key = `${place} ${ids.join(' ')}`
    if (!seen.has(key)) keep(at(live[house], place), ids)
    seen.add(key)
  }

  // Values by field name, so that filters and bodies can use existing ones.
  const addValues = (house: House, value: unknown, name = ''): void => {
    if (Array.isArray(value)) for (const each of value.slice(0, 20)) addValues(house, each, name)
    else if (typeof value === 'object' && value !== null)
      for (const [field, each] of Object.entries(value)) addValues(house, each, field)
    else if (value !== null) {
      const text = typeof value === 'string' ? value : JSON.stringify(value)
      for (const [place, prefix] of prefixes)
        if (text.startsWith(prefix) && place.split('{}').length === 2) addRecord(house, place, [text])
      if (/^https?:/.test(text) && name.endsWith('url')) keep(urls[house], text)
      const known = at(values[house], name)
      if (text.length <= 200 && !known.includes(value)) keep(known, value)
    }
  }

  return {
    owners,
    cursors,
    tags,
    urls,
    /** An id in the text that belongs to another house, if any. Ids in `own` were in the request itself. */
    findForeign(text: string, house: House | undefined, own: string): string | undefined {
      for (const [found] of text.matchAll(uuids)) {
        const owner = owners.get(found)
        if (owner !== undefined && owner !== house && !own.includes(found)) return found
      }
      return undefined
    },
    /** Learns from a right answer to a call of the operation. */
    learn(call: Call, { status, headers, body: bytes }: Answer, operation: Operation, body: unknown): void {
      const { house, may } = call.holder
      // A dry run leaves no record.
      if (may === 'nothing' || status >= 300 || headers.has('dry-run')) return
      const path = pathOf(call)
      const inPath = path.split('/').filter((_, index) => operation.segments[index] === undefined)
      const ids = operation.places.map((place, index) => prefixes.get(place)! + inPath[index]!.slice(-36).toLowerCase())
      if (call.method === 'DELETE') {
        const place = operation.places.at(-1)!
        seen.add(`${place} ${ids.join(' ')}`)
        const list = at(live[house], place)
        const index = list.findIndex((each) => each.join(' ') === ids.join(' '))
        if (index !== -1) keep(at(deleted[house], place), list.splice(index, 1)[0]!)
      }
      if (!body) return
      for (const [found] of bytes.toString().matchAll(uuids)) if (!owners.has(found)) owners.set(found, house)
      addValues(house, body)
      const { data, next_cursor: cursor } = body as { data?: { id?: string } | { id?: string }[]; next_cursor?: string }
      const place = `${placeOf(operation.path)}/{}`
      if (prefixes.has(place))
        for (const record of [data ?? []].flat())
          if (record.id !== undefined) addRecord(house, place, [...ids, record.id])
      const etag = headers.get('etag')
      if (etag !== undefined && call.method === 'GET') {
        const address = taggedAddress(call.target)
        keep(tags, { house, address, etag })
        tagged.add(`${etag} ${house} ${address}`)
      }
      if (typeof cursor === 'string')
        keep(cursors, { house, path: canonicalAddress(path), filters: filtersOf(call.target), cursor })
    },
    /** Whether the ETag was given to the house at this address. */
    isTagOf: (etag: string, house: House, address: string) => tagged.has(`${etag} ${house} ${address}`),
    /** The ids in the path of each record of the house at a place; of those below the record `near`, if there are any. */
    recordsAt(house: House, place: string | undefined, near: string[] = []): string[][] {
      const known = live[house].get(place ?? '') ?? []
      const nearest = known.filter((ids) => near.every((id, index) => ids[index] === id))
      return nearest.length > 0 ? nearest : known
    },
    deletedAt: (house: House, place: string | undefined): string[][] => deleted[house].get(place ?? '') ?? [],
    /** The values that a field with this name has had in the house. */
    valuesOf: (house: House, name: string): unknown[] => values[house].get(name) ?? [],
    /** The place at which records with ids of this prefix are read. */
    placeOf: (prefix: string) => [...prefixes].find(([, each]) => each === prefix)?.[0],
  }
}
