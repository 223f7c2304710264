import assert from 'node:assert/strict'
import { contextNow } from '../../src/context.ts'
import type { Connection } from '../../src/db/pool.ts'
import { createKey } from '../../src/houses/api-keys.ts'
import { findHouse } from '../../src/houses/locks.ts'
import { createItem } from '../../src/items/creation.ts'
import { loadLines } from '../../test/support/inside.ts'
import { houseLine, uuid, type Line } from '../../test/support/lines.ts'
import { openInstances } from '../changes/instances.ts'

const [all, most] = [10_300, 10_000]

function* records(slug: string): Generator<Line> {
  yield houseLine(slug)
  for (let number = 1; number <= all; number++) {
    const texts = number % 3 === 0 ? { title: 'Vaas' } : { title: 'Stoel', description: 'met een vaas' }
    const created_at = new Date(Date.UTC(2026, 0, 1, 0, 0, number)).toISOString()
    yield { type: 'item', id: uuid(number), ...texts, created_at }
  }
}

/**
 * Walks by relevance through more matches than are ranked, each page of another instance, while matches are created. The
 * 10,000 that were created last at the first page come exactly once.
 */
export async function walkFar(connection: Connection, slug: string): Promise<void> {
  const instances = await openInstances(connection)
  const { media, dataDir, observer } = instances
  const { db } = observer
  try {
    await loadLines({ db, media }, dataDir, records(slug))
    const house = (await findHouse(db, slug))!
    const { key } = await createKey(db, house, ['lots.read'], null, new Date())
    const ids: string[] = []
    for (let cursor: string | null = '', turn = 0; cursor !== null; turn++) {
      const path = `/api/v2/items/search?q=vaas+&limit=100${cursor === '' ? '' : `&cursor=${cursor}`}`
      const { status, text } = await instances.all[turn % 2]!.ask(path, key)
      assert.equal(status, 200, text)
      const page = JSON.parse(text) as { data: { id: string }[]; next_cursor: string | null; complete?: false }
      assert.equal(page.complete, undefined, text)
      ids.push(...page.data.map(({ id }) => id.slice(-36)))
      cursor = page.next_cursor
      await createItem(contextNow(db, house), { external_reference: `later ${turn}`, title: 'Vaas' })
    }
    const newest = Array.from({ length: most }, (_, at) => uuid(all - most + 1 + at))
    assert.deepEqual(ids.toSorted(), newest)
  } finally {
    await instances.close()
  }
}
