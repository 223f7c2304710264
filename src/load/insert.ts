import { sql } from 'kysely'
import type { Database } from '../db/pool.ts'
import { chooseSlug, slugify } from '../values/slugs.ts'
import { tables, type Batch, type Line, type OwnedType } from './batch.ts'
import { Conflict } from './errors.ts'
import { categoryRows, makerRows, rows, stepRows, translationRows, type Origin, type Row } from './rows.ts'

// The rows, which have the same columns, go as one parameter, so that the statement's text is constant. A conflict
// that raised an error would end the transaction, and nobody could find out which line it was.
async function insertRows(tx: Database, table: string, rows: Row[]) {
  if (rows.length === 0) return
  const name = sql.table(`catalogue.${table}`)
  const columns = sql.join(Object.keys(rows[0]!).map((column) => sql.ref(column)))
  const inserted = await sql`insert into ${name} (${columns})
    select ${columns} from json_populate_recordset(null::${name}, ${JSON.stringify(rows)}::json)
    on conflict do nothing`.execute(tx)
  if (inserted.numAffectedRows !== BigInt(rows.length)) throw new Conflict(table)
}

async function slugsOf(tx: Database, house: string, lines: Line<'auction'>[]): Promise<Map<Line, string>> {
  const bases = new Map(lines.map((line) => [line, slugify(line.record.title ?? '')]))
  const found = await sql<{ slug: string }>`
    select auctions.slug from catalogue.auctions
    join unnest(${[...new Set(bases.values())]}::text[]) as bases (slug)
      on auctions.slug = bases.slug or starts_with(auctions.slug, bases.slug || '-')
    where auctions.house_id = ${house}`.execute(tx)
  const taken = new Set(found.rows.map((row) => row.slug))
  const slugs = new Map<Line, string>()
  for (const [line, base] of bases) {
    const slug = chooseSlug(taken, base)
    taken.add(slug)
    slugs.set(line, slug)
  }
  return slugs
}

async function auctionsOf(tx: Database, house: string, lines: Line<'lot'>[]): Promise<Map<string, string>> {
  const sessions = [...new Set(lines.map((line) => line.targets['session']!))]
  const found = await sql<{ id: string; auction: string }>`
    select id, auction_id as auction from catalogue.sessions
    where house_id = ${house} and id = any(${sessions}::bigint[])`.execute(tx)
  return new Map(found.rows.map(({ id, auction }) => [id, auction]))
}

// Preparing a session (activation, its schedule) locks the session FOR UPDATE and asks whether it has bids, so whoever
// adds bids or lots holds FOR KEY SHARE against it. Lots come with it, by their foreign key; bids do not.
async function lockSessions(tx: Database, batch: Batch) {
  const lots = [...new Set(batch.of('bid').map((line) => line.targets['lot']!))]
  if (lots.length === 0) return
  await sql`
    select id from catalogue.sessions where house_id = ${batch.house.id} and id in (
      select session_id from catalogue.lots where house_id = ${batch.house.id} and id = any(${lots}::bigint[]))
    order by id for key share`.execute(tx)
}

/**
 * Inserts the rows of a batch whose lines have their ids and targets; `originals` say which files of images are stored.
 * Throws a Conflict where a unique constraint forbids a row.
 */
export async function insertBatch(tx: Database, batch: Batch, now: Date, originals: Map<Line, Row>) {
  const origin: Origin = { house: batch.house, now: now.toISOString() }
  const insert = <Type extends OwnedType>(type: Type, extra: (line: Line<Type>) => Row = () => ({})) =>
    insertRows(
      tx,
      tables[type],
      batch.of(type).map((line) => ({ ...rows[type](origin, line), ...extra(line) })),
    )

  await insert('seller')
  await insert('category')
  await insert('maker')
  await insert('delivery_class')
  await insert('increment_strategy')
  await insertRows(
    tx,
    'increment_steps',
    batch.of('increment_strategy').flatMap((line) => stepRows(origin, line)),
  )
  await insert('consignment')
  const auctions = batch.of('auction')
  if (auctions.length > 0) {
    const slugs = await slugsOf(tx, batch.house.id, auctions)
    await insert('auction', (line) => ({ slug: slugs.get(line) }))
  }
  await insert('session')
  const items = batch.of('item')
  await insert('item')
  await insertRows(
    tx,
    'item_translations',
    items.flatMap((line) => translationRows(origin, line)),
  )
  await insertRows(
    tx,
    'item_categories',
    items.flatMap((line) => categoryRows(origin, line)),
  )
  await insertRows(
    tx,
    'item_makers',
    items.flatMap((line) => makerRows(origin, line)),
  )
  await insert('image', (line) => {
    const stored = originals.get(line)
    if (stored || line.record.file == null) return { original: null, original_bytes: null, ...stored }
    // A file that is no picture is not stored: no attempt could succeed.
    return { original: null, original_bytes: null, processing: false, processing_failed_at: origin.now }
  })
  const lots = batch.of('lot')
  if (lots.length > 0) {
    const auctionIds = await auctionsOf(tx, batch.house.id, lots)
    await insert('lot', (line) => ({ auction_id: auctionIds.get(line.targets['session']!) }))
  }
  await lockSessions(tx, batch)
  await insert('bid')
}
