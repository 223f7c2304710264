import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { kinds, type Followed } from '../../src/kinds.ts'

/** A row of the feed. */
export type Row = {
  type: string
  id: string | null
  /** Of an image. */
  item?: string | null
  version: string | null
  deleted: boolean
  changed_at: string | null
  integrity?: true
  record?: unknown
}

/** An answer of `GET /changes`. */
export type Page = { data: Row[]; has_more: boolean; next_cursor: string }

/** Reads the JSON at a path of the interface. */
export type Ask = <T>(path: string) => Promise<T>

// Images of two items may share an id.
const nameOf = ({ type, id, item }: Pick<Row, 'type' | 'id' | 'item'>) =>
  `${type} ${id ?? ''}${type === 'image' ? ` ${item}` : ''}`

// Signatures change every second.
const print = (record: unknown) => JSON.stringify(record)?.replaceAll(/\?expires=[^"]*/g, '')

/** The fingerprint of versions by `type id`, as the interface defines it. More in the name of an image does not count. */
export function fingerprintOf(versions: Iterable<[name: string, version: string]>): string {
  let sum = 0n
  for (const [name, version] of versions)
    sum += BigInt(
      `0x${createHash('sha256')
        .update(`${name.split(' ', 2).join(' ')} ${version}`)
        .digest('hex')
        .slice(0, 32)}`,
    )
  return BigInt.asUintN(128, sum).toString(16).padStart(32, '0')
}

/** A copy of a catalogue that follows its changes only by `GET /changes`. */
export function createMirror(ask: Ask, types: readonly string[] = []) {
  const records = new Map<string, { version: string; json: string }>()
  const filter = types.map((type) => `&types[]=${type}`).join('')
  let cursor = ''
  return {
    records,
    cursor: () => cursor,
    /** Reads one page, and returns it. */
    async step(limit = 100): Promise<Page> {
      const after = cursor === '' ? '' : `&after=${cursor}`
      const page = await ask<Page>(`/changes?expand[]=record&limit=${limit}${filter}${after}`)
      for (const row of page.data) {
        if (row.deleted) records.delete(nameOf(row))
        else records.set(nameOf(row), { version: row.version!, json: print(row.record) })
      }
      cursor = page.next_cursor
      return page
    },
    /** Reads to the end. */
    async follow(limit?: number): Promise<void> {
      while ((await this.step(limit)).has_more);
    },
    /** Asserts that the copy equals the catalogue: each record as in its list, and the fingerprint. */
    async prove(): Promise<void> {
      const query = types.length === 0 ? '' : `?${filter.slice(1)}`
      const proof = await ask<{ cursor: string; counts: Record<string, number>; fingerprint: string }>(
        `/changes/fingerprint${query}`,
      )
      const versions = Array.from(records, ([name, { version }]): [string, string] => [name, version])
      assert.equal(fingerprintOf(versions), proof.fingerprint)
      for (const [type, count] of Object.entries(proof.counts)) {
        const path = kinds[type as Followed].plural
        const read: string[] = []
        for (let next: string | null = ''; next !== null;) {
          const page: { data: { id: string; item?: string }[]; next_cursor: string | null } = await ask(
            `/${path}?limit=100${next === '' ? '' : `&cursor=${next}`}`,
          )
          for (const record of page.data) {
            const name = nameOf({ ...record, type })
            read.push(name)
            assert.equal(records.get(name)?.json, print(record))
          }
          next = page.next_cursor
        }
        const kept = [...records.keys()].filter((name) => name.startsWith(`${type} `))
        assert.deepEqual(kept.toSorted(), read.toSorted())
        assert.equal(kept.length, count)
      }
    },
  }
}
