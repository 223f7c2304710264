import type { Interface, Operation } from './document.ts'
import { houses, type House } from './houses.ts'

// A cursor, and the list that it continues.
type Cursor = { house: House; path: string; filters: string; cursor: string }
/** An ETag, with its house and address. */
export type Tag = { house: House; address: string; etag: string }

const most = 400
const uuids = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g

/** Some of the first values and the last ones, so that old ones are requested too. */
function keep<T>(list: T[], value: T): void {
  if (list.length >= most) list.splice(most / 4, 1)
  list.push(value)
}

/** One of many, by a number. The first (loaded) and the last (just created) are chosen more often. */
export function pickAt<T>(known: readonly T[], n: number): T | undefined {
  const place = Math.floor(n / 5)
  if (n % 5 < 1) return known[place % Math.min(12, known.length)]
  return n % 5 < 3 ? known.at(-1 - (place % Math.min(20, known.length))) : known[place % known.length]
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

/** The knowledge from earlier answers, by house: ids, cursors, ETags and addresses of files. */
export type Knowledge = ReturnType<typeof createKnowledge>

export function createKnowledge(api: Interface) {
  const ofHouse = <T>(make: () => T) => Object.fromEntries(houses.map((house) => [house, make()])) as Record<House, T>
  /** The ids in the path of a record, such as `[item, image]`, by the place at which it is read. */
  const live = ofHouse(() => new Map<string, string[][]>())
  const deleted = ofHouse(() => new Map<string, string[][]>())
  const gone = new Set<string>()
  const values = ofHouse(() => new Map<string, unknown[]>())
  const urls = ofHouse((): string[] => [])
  const seen = new Set<string>()
  const owners = new Map<string, House>()
  const cursors: Cursor[] = []
  const tags: Tag[] = []
  const tagged = new Map<string, Set<string>>()

  const under = (map: Map<string, string[][]>, place: string) => {
    const list = map.get(place) ?? []
    map.set(place, list)
    return list
  }

  const addRecord = (house: House, place: string, ids: string[]) => {
    const key = `${place} ${ids.join(' ')}`
    if (seen.has(key) || gone.has(key)) return
    seen.add(key)
    keep(under(live[house], place), ids)
  }

  // Values by field name, so that filters and bodies can use existing ones.
  const addValues = (house: House, value: unknown, name = ''): void => {
    if (Array.isArray(value)) for (const each of value.slice(0, 20)) addValues(house, each, name)
    else if (typeof value === 'object' && value !== null)
      for (const [field, each] of Object.entries(value)) addValues(house, each, field)
    else if (value !== null) {
      const text = typeof value === 'string' ? value : JSON.stringify(value)
      for (const [place, prefix] of api.recordPlaces) {
        if (text.startsWith(prefix) && place.split('{}').length === 2) addRecord(house, place, [text])
      }
      if (/^https?:/.test(text) && name.endsWith('url')) keep(urls[house], text)
      if (text.length > 200) return
      const known = values[house].get(name) ?? []
      values[house].set(name, known)
      if (!known.includes(value)) keep(known, value)
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
    /** Learns from an answer to a key of the house. `ids` are those of the path. */
    learn(house: House, operation: Operation, ids: string[], text: string, body: unknown): void {
      for (const [found] of text.matchAll(uuids)) if (!owners.has(found)) owners.set(found, house)
      addValues(house, body)
      const { data } = (body ?? {}) as { data?: { id?: string } | { id?: string }[] }
      const place = `${operation.path.replaceAll(/\{\w+\}/g, '{}')}/{}`
      if (!api.prefixAt(place)) return
      for (const record of [data ?? []].flat())
        if (record.id !== undefined) addRecord(house, place, [...ids, record.id])
    },
    /** Forgets a deleted record. */
    forget(house: House, place: string, ids: string[]): void {
      gone.add(`${place} ${ids.join(' ')}`)
      const list = under(live[house], place)
      const at = list.findIndex((each) => each.join(' ') === ids.join(' '))
      if (at !== -1) keep(under(deleted[house], place), list.splice(at, 1)[0]!)
    },
    addCursor: (cursor: Cursor) => keep(cursors, cursor),
    addTag(tag: Tag): void {
      keep(tags, tag)
      const known = tagged.get(tag.etag) ?? new Set()
      tagged.set(tag.etag, known.add(`${tag.house} ${tag.address}`))
    },
    /** Whether the ETag was given to the house at this address. */
    isTagOf: (etag: string, house: House, address: string) => tagged.get(etag)?.has(`${house} ${address}`) ?? false,
    /** The ids in the path of a record of the house at a place, if possible below the record with the ids `near`. */
    pickRecord: (house: House, place: string, n: number, near: string[] = []) => {
      const known = live[house].get(place) ?? []
      const nearest = near.length === 0 ? known : known.filter((ids) => near.every((id, index) => ids[index] === id))
      return pickAt(nearest.length > 0 ? nearest : known, n)
    },
    pickDeleted: (house: House, place: string, n: number) => pickAt(deleted[house].get(place) ?? [], n),
    /** A value that a field with this name has had in the house. */
    pickValue: (house: House, name: string, n: number): unknown => pickAt(values[house].get(name) ?? [], n),
    /** The place at which records with ids of this prefix are read. */
    placeOf: (prefix: string) => [...api.recordPlaces].find(([, each]) => each === prefix)?.[0],
  }
}
