import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { kinds, type Followed } from '../../src/kinds.ts'

/** A row of the feed. */
export type Row = {
  type: string
  id: string | null
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

/** The fingerprint of versions by `type id`, as the interface defines it. */
export function fingerprintOf(versions: Iterable<[name: string, version: string]>): string {
  let sum = 0n
  for (const [name, version] of versions)
    sum += BigInt(`0x${createHash('sha256').update(`${name} ${version}`).digest('hex').slice(0, 32)}`)
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
      for (const { type, id, version, deleted, record } of page.data) {
        const name = `${type} ${id ?? ''}`
        if (deleted) records.delete(name)
        else records.set(name, { version: version!, json: JSON.stringify(record) })
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
          const page: { data: { id: string }[]; next_cursor: string | null } = await ask(
            `/${path}?limit=100${next === '' ? '' : `&cursor=${next}`}`,
          )
          for (const record of page.data) {
            read.push(`${type} ${record.id}`)
            assert.equal(records.get(`${type} ${record.id}`)?.json, JSON.stringify(record))
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
