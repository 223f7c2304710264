import type { Context, Scope } from '../context.ts'
import { isFollowed, kinds, type Kind } from '../kinds.ts'
import { markChanged, revise } from '../writes/touch.ts'
import type { Database } from '../db/pool.ts'
import { chooseSlug, slugify } from '../values/slugs.ts'
import type { Batch, Line } from './batch.ts'
import { Conflict } from './errors.ts'
import { categoryRows, makerRows, rows, stepRows, translationRows, type Origin, type Row } from './rows.ts'
import { findAuctions, findSlugs, insertAll, lockSessions } from './statements.ts'

// A conflict must not raise an error: that would end the transaction before the line could be found.
async function insertRows(tx: Database, table: string, rows: Row[]) {
  if (rows.length > 0 && (await insertAll(tx, table, rows)) !== rows.length) throw new Conflict(table)
}

async function slugsOf(tx: Scope, lines: Line<'auction'>[]): Promise<Map<Line, string>> {
  const slugs = new Map<Line, string>()
  const bases = new Map<Line, string>()
  for (const line of lines) {
    if (line.record.slug === undefined) bases.set(line, slugify(line.record.title ?? ''))
    else slugs.set(line, line.record.slug)
  }
  const taken = new Set([...(await findSlugs(tx, [...new Set(bases.values())])), ...slugs.values()])
  for (const [line, base] of bases) {
    const slug = chooseSlug(taken, base)
    taken.add(slug)
    slugs.set(line, slug)
  }
  return slugs
}

/**
 * Inserts the rows of a batch whose lines have their ids and targets. `originals` has the columns of images with a
 * stored file.
 * @throws Conflict if a unique constraint forbids a row
 */
export async function insertBatch(tx: Pick<Context, 'db' | 'house' | 'now'>, batch: Batch, originals: Map<Line, Row>) {
  const origin: Origin = { house: batch.house, now: tx.now.toISOString() }
  const insert = async <Type extends Kind>(type: Type, extra: (line: Line<Type>) => Row = () => ({})) => {
    const lines = batch.of(type)
    await insertRows(
      tx.db,
      kinds[type].plural,
      lines.map((line) => ({ ...rows[type](origin, line), ...extra(line) })),
    )
    const ids = lines.map((line) => line.id)
    // Images come with the mark of a loaded item, or are marked with the lock of an older one.
    if (isFollowed(type) && type !== 'image') await markChanged(tx, type, ids)
  }

  await insert('seller')
  await insert('category')
  await insert('maker')
  await insert('delivery_class')
  await insert('increment_strategy')
  await insertRows(
    tx.db,
    'increment_steps',
    batch.of('increment_strategy').flatMap((line) => stepRows(origin, line)),
  )
  await insert('consignment')
  const auctions = batch.of('auction')
  if (auctions.length > 0) {
    const slugs = await slugsOf(tx, auctions)
    await insert('auction', (line) => ({ slug: slugs.get(line) }))
  }
  await insert('session')
  const items = batch.of('item')
  await insert('item')
  await insertRows(
    tx.db,
    'item_translations',
    items.flatMap((line) => translationRows(origin, line)),
  )
  await insertRows(
    tx.db,
    'item_categories',
    items.flatMap((line) => categoryRows(origin, line)),
  )
  await insertRows(
    tx.db,
    'item_makers',
    items.flatMap((line) => makerRows(origin, line)),
  )
  await insert('image', (line) => {
    const stored = originals.get(line)
    if (stored || line.record.file == null) return { original: null, original_bytes: null, ...stored }
    // A file that is not a picture is not stored: no attempt at renditions could succeed.
    return { original: null, original_bytes: null, processing: false, processing_failed_at: origin.now }
  })
  const lots = batch.of('lot')
  if (lots.length > 0) {
    const auctionIds = await findAuctions(tx, [...new Set(lots.map((line) => line.targets['session']!))])
    await insert('lot', (line) => ({ auction_id: auctionIds.get(line.targets['session']!) }))
  }
  const bidden = [...new Set(batch.of('bid').map((line) => line.targets['lot']!))]
  if (bidden.length === 0) return
  // Preparing a session (activation, schedule) locks it FOR UPDATE and checks that it has no bids. Therefore a writer of
  // bids or lots must hold FOR KEY SHARE on it. The foreign key of lots takes that lock; bids have no such key.
  await lockSessions(tx, bidden)
  await insert('bid')
  await revise(tx, 'lots', bidden)
}
