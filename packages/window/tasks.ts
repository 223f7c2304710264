// Does the commonest tasks, and the seven of staff, in Chromium, and counts clicks, keys and seconds:
// npx node packages/window/tasks.ts [staff]
import { writeFile } from 'node:fs/promises'
import { loadavg } from 'node:os'
import path from 'node:path'
import { Catalogue, type ImageId, type ItemId } from '@auction-catalogue/client'
import type { Page } from 'playwright-core'
import { picture } from '../../test/support/pictures.ts'
import { catalogueObjects } from './test/cataloguing-tasks.ts'
import { createHands, type Hands } from './test/hands.ts'
import * as staff from './test/staff-tasks.ts'
import { findSession, openOwnStage, settlePictures, timed } from './test/support.ts'

const stage = await openOwnStage()

/** A draft of 40 lots, all off: one has ten unordered pictures, one a picture whose processing failed. */
async function prepareSale() {
  const lots40 = Array.from({ length: 40 }, () => ({ active: false }))
  const key = await stage.createSale('taken', 'Veertig kavels', { ...timed, published: false }, lots40)
  const catalogue = new Catalogue({ url: stage.origin, key })
  const [session] = (await catalogue.sessions.list().page()).data
  const { data: lots } = await catalogue.lots.list({ session: session!.id, limit: 100 }).page()
  const [ordered, failed] = lots.map(({ item }) => item) as [ItemId, ItemId]
  for (const number of [4, 10, 2, 9, 1, 7, 3, 8, 6, 5]) {
    const file = new Blob([new Uint8Array(await picture(`#${100_000 + number}`))])
    const { id } = await catalogue.images.upload(ordered, { file, external_reference: `T-1-${number}` })
    await catalogue.images.settled(ordered, id)
  }
  const mend = await breakPicture(catalogue, failed)
  const open = async () => {
    const { page, context } = await stage.open(`${stage.origin}/#key=${key}`)
    await page.waitForSelector('text=Veertig kavels')
    await page.goto(`${stage.origin}/#/sessions/${session!.id}`)
    await page.waitForSelector('.lot-card')
    await page.waitForSelector('.switching')
    return { page, context }
  }
  const listNames = async () => {
    const names = new Map<ImageId, string | null>()
    for await (const { id, external_reference } of catalogue.images.list(ordered)) names.set(id, external_reference)
    return (await catalogue.items.get(ordered)).images.map((id) => names.get(id))
  }
  return { open, listNames, mend }
}

/** Uploads a picture whose processing fails, until the returned function is called. */
async function breakPicture(catalogue: Catalogue, item: ItemId) {
  const good = await picture('#abcdef')
  const file = new Blob([new Uint8Array(good)])
  const { id } = await catalogue.images.upload(item, { file, external_reference: 'T-2-1' })
  await catalogue.images.settled(item, id)
  const original = await stage.findUpload(good)
  await writeFile(original, 'no picture')
  await catalogue.images.reprocess(item, id)
  await catalogue.images.settled(item, id).catch(() => undefined)
  return () => writeFile(original, good)
}

const print = (name: string, { clicks, keys }: { clicks: number; keys: number }, begun: number) => {
  const seconds = ((performance.now() - begun) / 1000).toFixed(1)
  const typed = keys > 0 ? `, ${keys} keys` : ''
  process.stdout.write(`${name.padEnd(60)} ${clicks} ${clicks === 1 ? 'click' : 'clicks'}${typed}, ${seconds} s\n`)
}

async function time(name: string, page: Page, work: (click: (selector: string) => Promise<void>) => Promise<unknown>) {
  let clicks = 0
  const begun = performance.now()
  await work(async (selector) => {
    clicks++
    await page.click(selector)
  })
  print(name, { clicks, keys: 0 }, begun)
}

async function timeHands<T>(name: string, hands: Hands, work: () => Promise<T>): Promise<T> {
  const before = { ...hands.done }
  const begun = performance.now()
  const result = await work()
  const { clicks, keys } = hands.done
  print(name, { clicks: clicks - before.clicks, keys: keys - before.keys }, begun)
  return result
}

async function timeCommonest() {
  const running = await findSession(stage, 'veiling-113-online')
  await settlePictures(stage, running)
  const { open, listNames, mend } = await prepareSale()
  const { page, context } = await open()
  await time('find the lots without a photograph', page, async (click) => {
    await click('.chips >> text=Without photograph')
    await page.waitForFunction(() => document.querySelectorAll('.lot-card .frame:not(.empty)').length === 0)
  })
  await page.click('.chips >> text=All')
  await page.waitForSelector('.lot-card >> text=Kavel 1')
  await time('put ten photographs in order', page, async (click) => {
    await click('.lot-card a')
    await click('text=Sort by reference')
    for (const wanted = Array.from({ length: 10 }, (_, index) => `T-1-${index + 1}`).join(); ;)
      if ((await listNames()).join() === wanted) break
  })
  await page.keyboard.press('Escape')
  await page.waitForSelector('.lot-card')
  await mend()
  await time('see why a picture failed, and mend it', page, async (click) => {
    await click('.lot-card:has-text("Kavel 2") a')
    await page.waitForSelector('text=could not make renditions')
    await click('.desk summary')
    await click('text=Process again')
    await page.getByText('could not make renditions').waitFor({ state: 'detached' })
  })
  await page.keyboard.press('Escape')
  await page.waitForSelector('.lot-card')
  await time('switch 40 lots on', page, async (click) => {
    await click('.chips >> text=Off')
    await click('text=Select all 40')
    await click('.switching >> text=Switch on')
    await click('dialog >> text=Switch 40 on')
    await page.waitForSelector('dialog >> text=The schedule is up to date.')
  })
  await context.close()
  const looking = await stage.open(stage.window)
  await looking.page.waitForSelector('.facts >> text=The last lot closes')
  await time('see when the sale ends, and what was extended', looking.page, async (click) => {
    await click('.facts a')
    await looking.page.waitForSelector('.chips [aria-pressed=true] >> text=Extended')
  })
  await looking.context.close()
}

async function timeStaff() {
  const open = async (key: string, path: string, ready: string) => {
    const { page } = await stage.open(`${stage.origin}/#key=${key}`)
    await page.waitForSelector('.lot-card, .auction')
    await page.goto(`${stage.origin}/#${path}`)
    await page.waitForSelector(ready)
    return createHands(page, { hasPointer: true })
  }
  const preparing = await open(await staff.loadHeap(stage, 'hoop', 40), '/', '.auction')
  await timeHands('a session, and 40 items of the heap as its lots', preparing, () => staff.makeSession(preparing, 40))
  await timeHands('order, numbers, times and starting bids', preparing, () => staff.orderLots(preparing))
  const photograph = path.join(stage.dataDir, 'hoop.jpg')
  await timeHands('what is missing, publish, enable bidding', preparing, () => staff.mendLots(preparing, photograph))
  const cataloguing = await open(await staff.loadHeap(stage, 'lepels', 5), '/catalogue', '[name="en.title"]')
  const spoon = path.join(stage.dataDir, 'lepels.jpg')
  const beside = await timeHands('thirty objects of a consignment, catalogued', cataloguing, () =>
    catalogueObjects(cataloguing, 30, spoon),
  )
  process.stdout.write(`of which ${Math.max(...beside)} keys an object, beside those of its texts\n`)
  const online = await staff.loadOnlineSale(stage, 'bord')
  const watching = await open(online.key, `/sessions/${online.session}`, '.lot-card')
  await timeHands('a phone bid, a withdrawal, a delay, a lot reopened', watching, () => staff.watchSale(watching))
  const saleroom = await staff.loadSaleroom(stage, 'zaal', 10)
  const recording = await open(saleroom.key, `/sessions/${saleroom.session}`, '.lot-card')
  const seconds = await timeHands('ten lots of a saleroom session, and its end', recording, () =>
    staff.recordSession(recording),
  )
  process.stdout.write(`of which a lot that is sold ${seconds.toFixed(2)} s\n`)
  await staff.refuseBid(stage, online)
  await timeHands('who did what, for a complaint', watching, () => staff.answerComplaint(watching, 'Kavel 2'))
}

try {
  if (process.argv[2] !== 'staff') await timeCommonest()
  await timeStaff()
  process.stdout.write(`load average ${loadavg()[0]!.toFixed(1)}\n`)
} finally {
  await stage.close()
}
