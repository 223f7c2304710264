import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { json } from '../../test/support/client.ts'
import { form, picture } from '../../test/support/pictures.ts'
import { random } from '../lib/random.ts'
import type { Clients } from './client.ts'
import { draftLots, loadedItems, textsOf, type RunningLot } from './sale.ts'

/** An item. `acknowledged`, `attempted`: the numbers of the last acknowledged and sent texts; -1: none. */
export type Item = { reference: string; uuid: string | undefined; acknowledged: number; attempted: number }

// A lot of the draft session, and whether it is active. Undefined if the last answer was lost.
type DraftLot = { uuid: string; active: boolean | undefined }

/** An upload by its reference within its item. `deleted`: whether its deletion was acknowledged, if one was sent. */
export type Upload = { item: string; reference: string; acknowledged: boolean; deleted?: boolean }

type Image = { id: string; external_reference: string }
type Shown = { id: string; title: string; description: string; active: boolean }

/**
 * Clients that write until `isOver`, and record what was acknowledged. Each record has one writer, so its final state
 * is known.
 */
export function openWriters({ call }: Clients, running: RunningLot[], isOver: () => boolean) {
  const items = loadedItems.map((uuid, index): Item => ({
    reference: `loaded ${index}`,
    uuid,
    acknowledged: 0,
    attempted: 0,
  }))
  const lots = draftLots.map((uuid): DraftLot => ({ uuid, active: false }))
  const uploads: Upload[] = []
  const counts = { created: 0, changed: 0, switched: 0, arranged: 0, deleted: 0, refused: 0 }

  async function repeat(mostMilliseconds: number, write: () => Promise<void>): Promise<void> {
    while (!isOver()) {
      await write()
      await sleep(random.below(mostMilliseconds))
    }
  }

  // After a lost answer the writer sends the same reference again, as an importer does. A 409 then says that the item
  // was created.
  async function createItem(item: Item): Promise<void> {
    const { reference, attempted } = item
    item.attempted = 0
    const body = json({ external_reference: reference, translations: textsOf(0) })
    const answer = await call('POST', 'items', attempted === 0 ? [201, 409] : [201], body)
    if (!answer) return
    if (item.acknowledged < 0) counts.created++
    item.acknowledged = 0
    const search = `items?external_reference=${encodeURIComponent(reference)}`
    const found: Shown[] | undefined = answer.status === 201 ? [answer.data] : (await call('GET', search, [200]))?.data
    assert.notEqual(found?.length, 0, `the item ${reference} is taken and not found`)
    item.uuid = found?.[0]!.id.replace('itm_', '')
  }

  async function changeItem(item: Item): Promise<void> {
    const n = ++item.attempted
    const { nl, en } = textsOf(n)
    const answer = await call('PATCH', `items/itm_${item.uuid}`, [200], json({ ...nl, translations: { en } }))
    if (!answer) return
    const { title, description } = answer.data as Shown
    assert.deepEqual({ title, description }, nl, `the answer to a change of ${item.reference}`)
    item.acknowledged = n
    counts.changed++
  }

  function writeItems(writer: number, writers: number): Promise<void> {
    const own = items.filter((_, index) => index % writers === writer)
    return repeat(20, async () => {
      // An item whose creation got no answer comes first.
      let item = own.find(({ uuid }) => uuid === undefined)
      if (!item && random.chance(0.2)) {
        item = { reference: `item ${randomUUID()}`, uuid: undefined, acknowledged: -1, attempted: -1 }
        items.push(item)
        own.push(item)
      }
      item ??= random.pick(own)
      await (item.uuid === undefined ? createItem(item) : changeItem(item))
    })
  }

  function switchLots(writer: number, writers: number): Promise<void> {
    const own = lots.filter((_, index) => index % writers === writer)
    return repeat(100, async () => {
      const lot = random.pick(own)
      const active = !(lot.active ?? random.chance(0.5))
      lot.active = undefined
      const answer = await call('PATCH', `lots/lot_${lot.uuid}`, [200], json({ active }))
      if (!answer) return
      assert.equal((answer.data as Shown).active, active)
      lot.active = active
      counts.switched++
    })
  }

  async function uploadImages(): Promise<void> {
    const jpeg = await picture('#336699', 800, 600)
    let upload: Upload | undefined
    await repeat(300, async () => {
      const isRepeated = upload !== undefined
      const own: Upload = (upload ??= { item: random.pick(loadedItems), reference: randomUUID(), acknowledged: false })
      if (!isRepeated) uploads.push(own)
      const content = form(['external_reference', own.reference], ['file', jpeg, 'a.jpg'])
      if (!(await call('POST', `items/itm_${own.item}/images`, isRepeated ? [201, 409] : [201], content))) return
      own.acknowledged = true
      upload = undefined
    })
  }

  // Replaces the gallery of an item, or deletes one of its images. A job may hold the item at that moment.
  async function changeImages(): Promise<void> {
    const path = `items/itm_${random.pick(loadedItems)}`
    const images: Image[] = (await call('GET', `${path}/images?limit=100`, [200]))?.data ?? []
    if (random.chance(0.8)) {
      const gallery = random.shuffle(images.filter(() => random.chance(0.7)))
      const body = json({ images: gallery.map(({ id }) => id), featured: gallery.at(-1)?.id ?? null })
      if ((await call('PATCH', `${path}/gallery`, [200, 409], body))?.status === 200) counts.arranged++
    } else if (images.length > 0) {
      const { id, external_reference } = random.pick(images)
      const upload = uploads.find(({ reference }) => reference === external_reference)!
      // An upload without an answer is sent again, and would replace the deleted image.
      if (!upload.acknowledged) return
      upload.deleted ??= false
      if ((await call('DELETE', `${path}/images/${id}`, [204, 404, 409]))?.status !== 204) return
      upload.deleted = true
      counts.deleted++
    }
  }

  // A lot of a running sale must not change, even after crashes.
  async function disturbSale(): Promise<void> {
    if (await call('PATCH', `lots/lot_${random.pick(running).uuid}`, [409], json({ active: false }))) counts.refused++
  }

  return {
    items,
    lots,
    uploads,
    counts,
    write: () =>
      Promise.all([
        ...[0, 1, 2, 3].map((writer) => writeItems(writer, 4)),
        ...[0, 1].map((writer) => switchLots(writer, 2)),
        uploadImages(),
        repeat(300, changeImages),
        repeat(400, disturbSale),
      ]),
  }
}

export type Writers = ReturnType<typeof openWriters>
