import { setTimeout as sleep } from 'node:timers/promises'
import { sql, type Updateable } from 'kysely'
import { changeAuction } from '../../src/auctions/auctions.ts'
import type { Context } from '../../src/context.ts'
import type { Tables } from '../../src/db/schema/tables.ts'
import { replaceGallery } from '../../src/images/gallery.ts'
import { deleteRow, insertImage } from '../../src/images/statements.ts'
import { createItem } from '../../src/items/creation.ts'
import { archiveItem, changeItem } from '../../src/items/items.ts'
import { findItem } from '../../src/items/locks.ts'
import { touchItems } from '../../src/items/touch.ts'
import { addLots } from '../../src/lots/adding.ts'
import { cancelBid } from '../../src/lots/bids.ts'
import { changeLot } from '../../src/lots/changes.ts'
import { setLotActive } from '../../src/lots/switching.ts'
import { newOriginal } from '../../src/media/object-keys.ts'
import { changeReference } from '../../src/references/references.ts'
import { changeSession } from '../../src/sales/sessions.ts'
import { touch } from '../../src/writes/touch.ts'
import { inTransactionOnce } from '../../src/writes/transaction.ts'
import { eur } from '../../test/support/lines.ts'
import type { Random } from '../lib/random.ts'
import { makeText, type Kind, type Place } from './sale.ts'

/** What a change needs: `pick` gives the UUID of a record that may change, `pickAny` also that of a still one. */
type Tools = {
  place: Place
  context: Context
  random: Random
  isOn: boolean
  pick: (kind: Kind) => string
  pickAny: (kind: Kind) => string
}

type Made = { id: string }

const uuidOf = (json: string) => (JSON.parse(json) as Made).id.slice(-36)
const tables = { lot: 'lots', session: 'sessions', item: 'items' } as const

/** The internal id of a record. */
async function findId(
  { db, house }: Context,
  kind: 'lot' | 'session' | 'item' | 'auction',
  uuid: string,
): Promise<string> {
  const { rows } = await sql<Made>`select id::text from ${sql.table(`catalogue.${kind}s`)}
    where house_id = ${house.id} and public_id = ${uuid}`.execute(db)
  return rows[0]!.id
}

/** Changes a record as no verb does. The transaction is open for a while, and is sometimes rolled back. */
async function changeByHand<Of extends 'lot' | 'session'>(
  { context, random, pick }: Tools,
  kind: Of,
  choose: (tx: Context) => Promise<Updateable<Tables[`catalogue.${Of}s`]>>,
): Promise<void> {
  const rolledBack = new Error('rolled back')
  await inTransactionOnce(context, async (tx) => {
    await touch(tx, tables[kind] as 'lots', await findId(tx, kind, pick(kind)), await choose(tx))
    await sleep(random.below(20))
    if (random.chance(0.1)) throw rolledBack
  }).catch((error: unknown) => {
    if (error !== rolledBack) throw error
  })
}

const some = (random: Random, ids: string[], prefix: string) =>
  random
    .shuffle(ids)
    .slice(0, random.below(3))
    .map((id) => `${prefix}_${id}`)

/** Changes of everything that a search filters, counts, sorts or looks for. Refused ones throw a Problem. */
export const changes: Record<string, (tools: Tools) => Promise<unknown>> = {
  activate: ({ context, pick, isOn }) => setLotActive(context, pick('lot'), isOn),
  hold: ({ context, pick, isOn }) => changeLot(context, pick('lot'), { held: isOn }),
  renumber: ({ context, pick, place }) => changeLot(context, pick('lot'), { lot_number: (place.next += 1) }),
  'record a result': ({ context, pick, random }) =>
    changeLot(context, pick('lot'), { result: { state: random.pick(['sold', 'unsold', 'withdrawn']), correct: true } }),
  'take back a result': ({ context, pick }) =>
    changeLot(context, pick('lot'), { reopening: { correct: true, reason: 'a mistake' } }),
  'archive a lot': async ({ context, pick, place }) => {
    const lot = pick('lot')
    await changeLot(context, lot, { archived: true })
    place.known.changing.lot = place.known.changing.lot.filter((each) => each !== lot)
  },
  'add a lot': async ({ context, pick, place }) => {
    const lot = { session: pick('session'), item: pick('item'), lot_number: (place.next += 1), starting_bid: null }
    const [added] = await addLots(context, [{ ...lot, again: true }])
    place.known.changing.lot.push(uuidOf(added!))
  },
  'cancel a bid': async ({ context, pick }) => {
    const { rows } = await sql<Made>`select b.public_id as id from catalogue.bids b
      join catalogue.lots l on l.id = b.lot_id and l.house_id = b.house_id
      where l.house_id = ${context.house.id} and l.public_id = ${pick('lot')} and b.cancelled_at is null`.execute(
      context.db,
    )
    for (const { id } of rows) await cancelBid(context, { bid: id, reason: 'a mistake' })
  },
  'publish an auction': ({ context, pick, isOn }) => changeAuction(context, pick('auction'), { published: isOn }),
  'publish a session': ({ context, pick, isOn }) =>
    changeSession(context, pick('session'), { published: isOn, customer_bidding_enabled: true }),
  'hide a session': (tools) => changeByHand(tools, 'session', async () => ({ hidden: tools.isOn })),
  'finish a session': (tools) => changeByHand(tools, 'session', async () => ({ finished: tools.random.chance(0.3) })),
  'close a live session': (tools) =>
    changeByHand(tools, 'session', async () => ({ live_closes_at: closeOf(tools.random) })),
  'move a session': (tools) =>
    changeByHand(tools, 'session', async (tx) => ({ auction_id: await findId(tx, 'auction', tools.pick('auction')) })),
  'close a lot': (tools) => changeByHand(tools, 'lot', async () => ({ closes_at: closeOf(tools.random) })),
  'move a lot': (tools) =>
    changeByHand(tools, 'lot', async (tx) => {
      const session_id = await findId(tx, 'session', tools.pick('session'))
      return { session_id, lot_number: (tools.place.next += 1) }
    }),
  'offer another item': (tools) =>
    changeByHand(tools, 'lot', async (tx) => ({ item_id: await findId(tx, 'item', tools.pick('item')) })),
  'unset a number or whether a lot is active': (tools) =>
    changeByHand(tools, 'lot', async () => (tools.isOn ? { lot_number: null } : { active: null })),
  'estimate an item': ({ context, pick, random }) => {
    const [low, high] = [100 * random.below(50), 5_000 + 100 * random.below(50)]
    const bounds = [
      { low: eur(low), high: eur(high) },
      { low: null, high: eur(high) },
      { low: eur(low), high: null },
    ]
    return changeItem(context, pick('item'), { estimate: random.pick([null, ...bounds]) })
  },
  'write texts': ({ context, pick, random }) => {
    const text = makeText(random)
    const texts = [
      { title: text },
      { description: random.pick([text, null]) },
      { translations: { en: { title: random.pick([text, null]) } } },
      { translations: { fr: { description: text } } },
    ]
    return changeItem(context, pick('item'), random.pick(texts))
  },
  'attach makers': ({ context, pick, place, random }) =>
    changeItem(context, pick('item'), { makers: some(random, makersOf(place), 'mkr') }),
  'attach categories': ({ context, pick, place, random }) =>
    changeItem(context, pick('item'), { categories: some(random, place.known.changing.category, 'cat') }),
  'give an item an owner': ({ context, pick, pickAny, random }) =>
    changeItem(
      context,
      pick('item'),
      random.pick([
        { consignment: `con_${pickAny('consignment')}` },
        { consignment: null, seller: `sel_${pickAny('seller')}` },
        { consignment: null, seller: null },
      ]),
    ),
  'create an item': async ({ context, pickAny, place, random }) => {
    const fields = { external_reference: random.uuid(), title: makeText(random), makers: [`mkr_${pickAny('maker')}`] }
    const { json } = await createItem(context, fields)
    place.known.changing.item.push(uuidOf(json))
  },
  'archive an item': async ({ context, pick, place }) => {
    const item = pick('item')
    await archiveItem(context, item)
    place.known.changing.item = place.known.changing.item.filter((each) => each !== item)
  },
  'rename a maker': ({ context, pick, random }) =>
    changeReference(context, 'maker', pick('maker'), { name: makeText(random) }),
  'rename a category': ({ context, pick, random }) =>
    changeReference(context, 'category', pick('category'), {
      names: { [random.pick(['nl', 'en'])]: makeText(random) },
    }),
  'move a category': ({ context, pick, random }) =>
    changeReference(context, 'category', pick('category'), {
      parent: random.chance(0.3) ? null : `cat_${pick('category')}`,
    }),
  'arrange a gallery': async ({ context, pick, isOn }) => {
    const item = pick('item')
    const images = await listImages(context, item)
    return replaceGallery(context, item, { images: isOn ? images.map(({ uuid }) => uuid) : [] })
  },
  'add an image': ({ context, pick, random, isOn }) =>
    inTransactionOnce(context, async (tx) => {
      const item = await findItem(tx, pick('item'), 'for update')
      const uuid = random.uuid()
      const file = { original: newOriginal(), type: 'image/png', bytes: 1, width: 1, height: 1, alts: {} }
      await insertImage(tx, { ...file, uuid, item, reference: uuid, visible: isOn, position: null })
      if (isOn) await touchItems(tx, [item])
    }),
  'delete an image': ({ context, pick }) =>
    inTransactionOnce(context, async (tx) => {
      const uuid = pick('item')
      const item = await findItem(tx, uuid, 'for update')
      for (const image of await listImages(tx, uuid)) {
        await deleteRow(tx, image.id)
        if (image.public) await touchItems(tx, [item])
      }
    }),
}

const makersOf = ({ known: { still, changing } }: Place) => [...still.maker, ...changing.maker]

// Some lots close during the run.
const closeOf = (random: Random) =>
  random.pick([null, new Date(Date.now() + random.below(20_000)), new Date(Date.now() - 1_000), new Date('2099-02-01')])

async function listImages({ db, house }: Context, item: string) {
  const { rows } = await sql<{ id: string; uuid: string; public: boolean }>`
    select image.id, image.public_id as uuid, image.public from catalogue.images image
    join catalogue.items i on i.house_id = image.house_id and i.id = image.item_id
    where i.house_id = ${house.id} and i.public_id = ${item}`.execute(db)
  return rows
}
