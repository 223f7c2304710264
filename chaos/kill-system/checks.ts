import assert from 'node:assert/strict'
import { sql } from 'kysely'
import type { Database } from '../../src/db/pool.ts'
import { cleanStore } from '../../src/images/clean-store.ts'
import { filesIn } from '../../src/images/files.ts'
import type { MediaStore } from '../../src/media/store.ts'
import { storedFiles } from '../../test/support/pictures.ts'
import { closeAfter, leastAfter } from '../lib/sale.ts'
import type { Bidders } from './bidders.ts'
import { itemsOfLoad, type Loads } from './loads.ts'
import { house, schedule, textsOf } from './sale.ts'
import type { Upload, Writers } from './writers.ts'

// Each check makes assertions and returns a line for the report. The rules are written here again, independently of the
// service.

/** Every acknowledged item and change is stored whole, and nothing else is stored. */
export async function checkItems(db: Database, { items, counts }: Writers): Promise<string> {
  type Text = { title: string; description: string }
  type Stored = { reference: string; uuid: string; nl: Text; translations: (Text & { locale: string })[] }
  const { rows } = await sql<Stored>`
    select i.external_reference as reference, i.public_id as uuid,
      json_build_object('title', i.title, 'description', i.description) as nl,
      (select coalesce(json_agg(json_build_object('locale', t.locale, 'title', t.title, 'description', t.description)
        order by t.locale), '[]')
      from catalogue.item_translations t where t.house_id = i.house_id and t.item_id = i.id) as translations
    from catalogue.items i join catalogue.houses h on h.id = i.house_id where h.slug = ${house}`.execute(db)
  const stored = new Map(rows.map((row) => [row.reference, row]))
  assert.equal(stored.size, rows.length, 'a reference is stored twice')
  for (const { reference, uuid, acknowledged, attempted } of items) {
    const item = stored.get(reference)
    stored.delete(reference)
    if (!item) {
      assert.ok(acknowledged < 0, `the item ${reference} was acknowledged and is lost`)
      continue
    }
    if (uuid !== undefined) assert.equal(item.uuid, uuid, reference)
    const n = Number(/^Vaas (\d+)$/.exec(item.nl.title)?.[1])
    const { nl, en } = textsOf(n)
    const translations = Object.entries({ en, nl }).map(([locale, texts]) => ({ locale, ...texts }))
    assert.deepEqual([item.nl, item.translations], [nl, translations], `the item ${reference} is half written`)
    assert.ok(n >= acknowledged, `the change ${acknowledged} of ${reference} was acknowledged and is lost: it has ${n}`)
    assert.ok(n <= attempted, `the change ${n} of ${reference} was never asked for`)
  }
  assert.deepEqual([...stored.keys()], [], 'items without a create')
  return `items: ${counts.created} created, ${counts.changed} changes acknowledged, all there and whole`
}

/** The lots of the draft session are switched as acknowledged, and close as section 2.2 and the schedule say. */
export async function checkSchedule(db: Database, { lots, counts }: Writers): Promise<string> {
  type Stored = { uuid: string; active: boolean; closes_at: Date | null; scheduled_closes_at: Date | null }
  const { rows } = await sql<Stored>`
    select l.public_id as uuid, coalesce(l.active, false) as active, l.closes_at, l.scheduled_closes_at
    from catalogue.lots l join catalogue.sessions s on s.house_id = l.house_id and s.id = l.session_id
    where s.external_reference = 'draft' order by l.lot_number`.execute(db)
  const { first_closes_at, group_size, interval_seconds } = schedule
  assert.equal(rows.length, lots.length)
  let place = 0
  for (const [index, { uuid, active, closes_at, scheduled_closes_at }] of rows.entries()) {
    const lot = lots[index]!
    assert.equal(uuid, lot.uuid)
    assert.equal(active, lot.active ?? active, `the switching of lot ${index + 1} was acknowledged and is lost`)
    const group = Math.floor(place / group_size)
    const close = active ? new Date(first_closes_at.getTime() + group * interval_seconds * 1000) : null
    assert.deepEqual([closes_at, scheduled_closes_at], [close, close], `the close of lot ${index + 1} is wrong`)
    if (active) place++
  }
  return `draft lots: ${counts.switched} switches acknowledged, all there; the closes of ${place} active ones are right`
}

/** The bids of every lot form a serial history with all acknowledged ones, and its closing time follows from them. */
export async function checkBids(db: Database, { lots, count }: Bidders): Promise<string> {
  type Stored = { uuid: string; current_bid: number | null; closes_at: Date; scheduled_closes_at: Date; bids: Bid[] }
  type Bid = { amount: number; placed_at: string }
  const { rows } = await sql<Stored>`
    select l.public_id as uuid, l.current_bid::float8, l.closes_at, l.scheduled_closes_at,
      (select coalesce(json_agg(json_build_object('amount', b.amount, 'placed_at', b.placed_at) order by b.id), '[]')
        from catalogue.bids b where b.house_id = l.house_id and b.lot_id = l.id) as bids
    from catalogue.lots l join catalogue.sessions s on s.house_id = l.house_id and s.id = l.session_id
    where s.external_reference = 'running' and l.active order by l.lot_number`.execute(db)
  assert.equal(rows.length, lots.length)
  let extensions = 0
  for (const [index, { uuid, current_bid, closes_at, scheduled_closes_at, bids }] of rows.entries()) {
    const { uuid: planned, closes, outcomes, closed } = lots[index]!
    const lot = `lot ${index + 1}`
    assert.deepEqual([uuid, scheduled_closes_at], [planned, closes], lot)
    let [highest, close] = [null as number | null, closes.getTime()]
    for (const { amount, placed_at } of bids) {
      const [placed, outcome] = [Date.parse(placed_at), outcomes.get(amount)]
      assert.ok(outcome === 'acknowledged' || outcome === 'unknown', `${lot}: the bid ${amount} is ${outcome}`)
      assert.ok(amount >= leastAfter(highest), `${lot}: ${amount} follows ${highest}`)
      assert.ok(placed < close, `${lot}: the bid ${amount} was taken after the close`)
      const moved = closeAfter(close, placed)
      if (moved > close) extensions++
      ;[highest, close] = [amount, moved]
    }
    assert.equal(current_bid, highest, `${lot}: the current bid is not the highest`)
    assert.deepEqual(closes_at, new Date(close), `${lot}: the close does not follow from its bids`)
    if (closed !== undefined) assert.equal(closes_at.toISOString(), closed, `${lot}: it had closed at ${closed}`)
    const stored = new Set(bids.map(({ amount }) => amount))
    for (const [amount, outcome] of outcomes) {
      const isLost = outcome === 'acknowledged' && !stored.has(amount)
      assert.ok(!isLost, `${lot}: the bid ${amount} was acknowledged and is lost`)
    }
  }
  const [acknowledged, refused, unknown] = ['acknowledged', 'refused', 'unknown'].map(count)
  return `bids: ${acknowledged} acknowledged, all there in serial histories; ${refused} refused, ${unknown} without an answer; ${extensions} extensions, all closes right`
}

/** Every acknowledged image is stored with its files, and after the clean-up every file belongs to an image. */
export async function checkImages(db: Database, media: MediaStore, uploads: Upload[]): Promise<string> {
  type Stored = {
    item: string
    reference: string
    public: boolean
    processing: boolean
    failed: boolean
    original: string
    renditions: string
    source_widths: number[] | null
  }
  const { rows } = await sql<Stored>`
    select i.public_id as item, m.external_reference as reference, m.public, m.processing, m.processing_failed_at is not null as failed,
      m.original, m.renditions, m.source_widths
    from catalogue.images m join catalogue.items i on i.house_id = m.house_id and i.id = m.item_id`.execute(db)
  assert.deepEqual(
    rows.filter((row) => row.processing || row.failed || row.renditions.startsWith('public/') !== row.public),
    [],
    'images without renditions, or with public ones while they are private',
  )
  const before = await storedFiles(media)
  const tomorrow = () => new Date(Date.now() + 25 * 3_600_000)
  await cleanStore({ db, media, clock: tomorrow, isLastAttempt: false })
  const files = await storedFiles(media)
  assert.deepEqual(files, rows.flatMap(({ original, ...folder }) => [original, ...filesIn(folder)]).toSorted())
  const name = ({ item, reference }: { item: string; reference: string }) => `${item} ${reference}`
  const stored = new Set(rows.map(name))
  assert.equal(stored.size, rows.length, 'an image is stored twice')
  for (const upload of uploads) {
    const isStored = stored.delete(name(upload))
    const isLost = upload.acknowledged && upload.deleted === undefined && !isStored
    assert.ok(!isLost, `the image ${name(upload)} was acknowledged and is lost`)
    assert.ok(!upload.deleted || !isStored, `the image ${name(upload)} was deleted and is there`)
  }
  assert.deepEqual([...stored], [], 'images without an upload')
  const acknowledged = uploads.filter((upload) => upload.acknowledged).length
  return `images: ${acknowledged} acknowledged, all there or deleted; ${files.length} files of ${rows.length} images, ${before.length - files.length} left by crashes and cleaned up`
}

/** Every file was loaded once and whole. */
export async function checkLoads(db: Database, { names, counts }: Loads): Promise<string> {
  const { rows } = await sql<{ name: string; items: number }>`
    select split_part(external_reference, ' ', 1) as name, count(*)::int as items
    from catalogue.items where external_reference like 'load-%' group by 1`.execute(db)
  const stored = Object.fromEntries(rows.map(({ name, items }) => [name, items]))
  const wanted = Object.fromEntries(names.map((name) => [name, itemsOfLoad]))
  assert.deepEqual(stored, wanted, 'loads that are not there, or in part')
  return `loads: ${names.length} files, ${counts.killed} killed, ${counts.struck} with their commit struck; ${counts.there} were there at the second attempt, all are whole`
}
