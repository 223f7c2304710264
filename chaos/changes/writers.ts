import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { changeAuction, changeDraftAuction, createAuction } from '../../src/auctions/auctions.ts'
import { numberChanges } from '../../src/changes/numbering.ts'
import type { Context } from '../../src/context.ts'
import { replaceGallery } from '../../src/images/gallery.ts'
import { closeGaps, deleteRow, insertImage, switchNew } from '../../src/images/statements.ts'
import { createItem } from '../../src/items/creation.ts'
import { changeItem } from '../../src/items/items.ts'
import { findItem } from '../../src/items/locks.ts'
import { lockItemState } from '../../src/items/statements.ts'
import { reviseItem, touchItem, touchItems } from '../../src/items/touch.ts'
import type { Followed } from '../../src/kinds.ts'
import { addLots } from '../../src/lots/adding.ts'
import { holdLot } from '../../src/lots/bid-statements.ts'
import { placeBid } from '../../src/lots/bids.ts'
import { changeLot } from '../../src/lots/changes.ts'
import { recalculateSession } from '../../src/lots/closing.ts'
import { findBiddenLot } from '../../src/lots/queries.ts'
import { setLotActive } from '../../src/lots/switching.ts'
import { newFolder, newOriginal } from '../../src/media/object-keys.ts'
import type { MediaStore } from '../../src/media/store.ts'
import { changeSession } from '../../src/sales/sessions.ts'
import { changeDraftSession, createSession } from '../../src/sessions/sessions.ts'
import { touch } from '../../src/writes/touch.ts'
import { inTransactionOnce } from '../../src/writes/transaction.ts'
import { loadLines } from '../../test/support/inside.ts'
import { houseLine, runningSale, uuid, type CatalogueIds } from '../../test/support/lines.ts'
import type { Random } from '../lib/random.ts'

/** A record that a write has changed; for an image also the UUID of its item. */
export type Written = { kind: Followed; uuid: string; item?: string }

/** The records that writers change: those of `catalogueOf`, and a running sale of one lot. */
export type Place = { number: number; slug: string; ids: CatalogueIds; media: MediaStore; dataDir: string }

/** A write for an instance: its house, and the seed of its random choices. */
export type Order = Omit<Place, 'media' | 'dataDir'> & { seed: number }

const bare = (id: string) => id.slice(-36)
const saleOf = ({ number }: Pick<Place, 'number'>) => ({
  session: uuid(number * 1000 + 900),
  lot: uuid(number * 1000 + 901),
})

/** The lines of the running sale. */
export const linesOfSale = (place: Pick<Place, 'number' | 'ids'>) => runningSale(place.ids, saleOf(place))

async function changed(kind: Followed, id: string, work: Promise<unknown>): Promise<Written[]> {
  await work
  return [{ kind, uuid: bare(id) }]
}

async function created(kind: Followed, work: Promise<{ id?: string }>): Promise<Written[]> {
  return [{ kind, uuid: bare((await work).id!) }]
}

/** Does one random write, and returns the changed records. The order in which the transactions commit is open. */
export async function write(context: Context, place: Place, random: Random): Promise<Written[]> {
  const { ids } = place
  const item = bare(random.pick([ids.item, ids.plainItem]))
  const text = randomUUID()
  const isOn = random.below(2) === 0
  const lot_number = random.below(1_000_000)
  const opens_at = `2099-0${random.below(8) + 1}-01T10:00:00Z`
  const draftAuction: Written = { kind: 'auction', uuid: bare(ids.draftAuction) }
  const choices: (() => Promise<Written[]>)[] = [
    () => changed('item', item, changeItem(context, item, { description: random.pick([text, 'A', null]) })),
    () => created('item', createItem(context, { external_reference: text, title: 'Klok' })),
    () => {
      const images = random.shuffle([ids.image, ids.secondImage, ids.spareImage]).slice(random.below(4)).map(bare)
      return changed('item', ids.item, replaceGallery(context, bare(ids.item), { images }))
    },
    () => created('auction', createAuction(context, { title: 'Sale', external_reference: text })),
    () => {
      const title = random.pick([text, 'A'])
      return changed('auction', ids.draftAuction, changeDraftAuction(context, draftAuction.uuid, { title }))
    },
    async () => {
      const own = { auction: ids.draftAuction, title: 'X', external_reference: text, opens_at }
      const live = { closes_at: '2099-12-31T00:00:00Z' }
      return [...(await created('session', createSession(context, { ...own, live }))), draftAuction]
    },
    async () => {
      const timed = { first_closes_at: '2099-12-31T00:00:00Z', group_size: 1, interval_seconds: 60 }
      const changing = changeDraftSession(context, bare(ids.draftSession), { opens_at, timed })
      return [...(await changed('session', ids.draftSession, changing)), draftAuction]
    },
    () => changed('lot', ids.lot, setLotActive(context, bare(ids.lot), isOn)),
    async () => {
      const { lot } = saleOf(place)
      const { json } = await placeBid(context, { lot, amount: 500 * (1 + random.below(1_000_000)) })
      const { current_bid } = JSON.parse(json) as { current_bid: unknown }
      return current_bid === null ? [] : [{ kind: 'lot', uuid: lot }]
    },
    async () => {
      const lot = { session: bare(ids.session), item, lot_number, starting_bid: null, again: true }
      const [added] = await addLots(context, [lot])
      const uuid = bare((JSON.parse(added!) as { id: string }).id)
      if (isOn) await changeLot(context, uuid, { archived: true })
      return [{ kind: 'lot', uuid }]
    },
    () => changed('auction', ids.auction, changeAuction(context, bare(ids.auction), { published: isOn })),
    () => {
      const flag = random.pick(['published', 'customer_bidding_enabled'])
      return changed('session', ids.liveSession, changeSession(context, bare(ids.liveSession), { [flag]: isOn }))
    },
    async () => {
      const { session_id } = (await findBiddenLot(context, bare(ids.lot)))!
      return changed('lot', ids.lot, recalculateSession(context, session_id))
    },
    async () => {
      await loadLines({ db: context.db, media: place.media }, place.dataDir, [
        houseLine(place.slug),
        { type: 'maker', id: text, name: 'Jan' },
        { type: 'item', id: randomUUID(), ref: 'i', external_reference: text, title: 'Kom' },
        { type: 'lot', session: ids.liveSession, item: 'i', lot_number },
        { type: 'image', item: ids.plainItem, external_reference: text, public: isOn },
      ])
      return [
        { kind: 'maker', uuid: text },
        { kind: 'item', uuid: bare(ids.plainItem) },
      ]
    },
    ...Array.from({ length: 3 }, () => () => writeImage(context, place, random)),
    ...Array.from({ length: 2 }, () => () => holdOpen(context, place, random)),
  ]
  return random.pick(choices)()
}

type StoredImage = { id: string; uuid: string; public: boolean }

async function pickImage(tx: Context, item: string, random: Random): Promise<StoredImage | undefined> {
  const { rows } = await sql<StoredImage>`
    select id, public_id as uuid, public from catalogue.images where house_id = ${tx.house.id} and item_id = ${item}
    order by id for update`.execute(tx.db)
  return rows.length === 0 ? undefined : random.pick(rows)
}

// Inserts, processes, fails or deletes an image as uploads and jobs do, but without files. It may wait before it commits.
async function writeImage(context: Context, { ids }: Place, random: Random): Promise<Written[]> {
  const of = bare(random.pick([ids.item, ids.plainItem]))
  return inTransactionOnce(context, async (tx) => {
    const item = await findItem(tx, of, 'for update')
    const stored = random.below(3) === 0 ? undefined : await pickImage(tx, item, random)
    const image = stored ?? { id: '', uuid: randomUUID(), public: random.below(2) === 0 }
    if (!stored) {
      const position = image.public ? await closeGaps(tx, item) : null
      const file = { original: newOriginal(), type: 'image/png', bytes: 1, width: 1, height: 1, alts: {} }
      await insertImage(tx, { ...file, uuid: image.uuid, item, reference: image.uuid, visible: image.public, position })
      if (image.public) await touchItems(tx, [item])
    } else if (random.below(3) === 0 && ![ids.image, ids.secondImage, ids.spareImage].map(bare).includes(image.uuid)) {
      // Images that other writers arrange are not deleted.
      await deleteRow(tx, image.id)
      if (image.public) await touchItems(tx, [item])
    } else if (random.below(2) === 0) {
      const made = { width: 1, height: 1, placeholder: '', sources: [], bytes: 1 }
      await switchNew(tx, image.id, newFolder(image.public), made)
      if (image.public) await reviseItem(tx, item)
    } else await touch(tx, 'images', image.id, { processing: false, processing_failed_at: tx.now })
    await sleep(random.below(10))
    return [{ kind: 'image', uuid: image.uuid, item: of }]
  })
}

const rolledBack = new Error('rolled back')

// A transaction that writes, and waits before it commits or rolls back.
async function holdOpen(context: Context, { ids }: Place, random: Random): Promise<Written[]> {
  const written: Written[] = []
  let reading: Promise<unknown> | undefined
  await inTransactionOnce(context, async (tx) => {
    if (random.below(3) > 0) {
      const uuid = bare(random.pick([ids.item, ids.plainItem]))
      const id = await findItem(tx, uuid, 'for update')
      if (random.below(3) === 0) await reviseItem(tx, id)
      else {
        const item = (await lockItemState(tx, uuid))!
        const { texts } = item.state
        const flat = { ...texts.flat, weight: randomUUID() }
        await touchItem(tx, item, { ...item.state, texts: { ...texts, flat } })
      }
      written.push({ kind: 'item', uuid })
    }
    if (random.below(2) === 0) {
      const uuid = bare(ids.liveLot)
      const lot = (await findBiddenLot(tx, uuid))!
      await holdLot(tx, lot.id)
      await touch(tx, 'lots', lot.id, { sold: random.below(2) === 0 })
      written.push({ kind: 'lot', uuid })
    }
    await sleep(random.below(20))
    // A reader numbers changes during this transaction. If the house is about to move, it waits for its end.
    if (random.below(4) === 0) {
      reading = numberChanges(context).catch(() => undefined)
      await Promise.race([reading, sleep(100)])
    }
    if (random.below(3) === 0) throw rolledBack
  }).catch((error: unknown) => {
    written.length = 0
    if (error !== rolledBack) throw error
  })
  await reading
  return written
}
