import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import * as staff from './staff-tasks.ts'
import { findBarriers, findLots, findSession, openSharedStage, settlePictures, skip, type Lot } from './support.ts'

describe('every page of staff, the magnifier and the results of a search', { skip }, async () => {
  const stage = await openSharedStage()
  const demo = await findSession(stage, 'veiling-113-online')
  const [pictured] = await findLots(stage, demo)
  await settlePictures(stage, demo)
  const online = await staff.loadOnlineSale(stage, 'elk-bord')
  const saleroom = await staff.loadSaleroom(stage, 'elk-zaal', 12)
  const heap = await staff.loadHeap(stage, 'elk-hoop', 6)
  await staff.refuseBid(stage, online)
  const lots = await stage.call<Lot[]>(`/lots?session=${online.session}`, 'GET', undefined, online.key)
  const refused = lots.find(({ lot_number }) => lot_number === 2)

  /** Opens each page with the key that may see it, and calls `look` with its name. */
  async function visit(options: Parameters<typeof stage.open>[1], look: (page: Page, name: string) => Promise<void>) {
    const see = async (key: string, pages: Record<string, [address: string, ready: string]>) => {
      const { page, context } = await stage.open(`${stage.origin}/#key=${key}`, options)
      await page.waitForSelector('.lot-card, .sessions, .auction')
      for (const [name, [address, ready]] of Object.entries(pages)) {
        await page.goto(`${stage.origin}/#/${address}`)
        await page.waitForSelector(ready)
        await look(page, name)
      }
      return { page, context }
    }
    const of = (session: string) => `sessions/${session}`
    const sale = await see(online.key, {
      board: [`${of(online.session)}/desk`, '.board-lot'],
      results: [`${of(online.session)}/results`, '.results'],
      journal: [`${of(online.session)}/journal`, '.panel tbody tr'],
      history: [`${of(online.session)}/lots/${refused!.id}/history`, '.panel tbody tr'],
    })
    await sale.context.close()
    const room = await see(saleroom.key, {
      clerk: [`${of(saleroom.session)}/desk`, '#price'],
      'catalogue list': [`${of(saleroom.session)}/prints?paper=list`, '.sheet, .paper, table'],
      'book of the auctioneer': [`${of(saleroom.session)}/prints?paper=book`, '.sheet, .paper, table'],
    })
    await room.page.goto(`${stage.origin}/#/${of(saleroom.session)}/desk`)
    await room.page.waitForSelector('#price')
    await room.page.getByRole('button', { name: /^Withdraw|^Zurückziehen/ }).click()
    await room.page.waitForSelector('dialog')
    await look(room.page, 'the question of the clerk')
    await room.context.close()
    const preparing = await see(heap, {
      preparation: ['prepare', 'a[href$="prepare/items"]'],
      items: ['prepare/items', '.results'],
    })
    await preparing.context.close()
    const looking = await see(stage.key, {
      search: ['search?q=delfts', '.found a'],
      lot: [`${of(demo)}/lots/${pictured!.id}`, '.gallery img'],
    })
    await looking.page.locator('.gallery .large button').click()
    await looking.page.waitForSelector('dialog img')
    await look(looking.page, 'magnifier')
    await looking.context.close()
  }

  for (const [name, options] of Object.entries({
    'at 320 pixels, in German': { viewport: { width: 320, height: 640 }, locale: 'de-DE' },
    'at 1,280 pixels in the dark': { viewport: { width: 1280, height: 800 }, colorScheme: 'dark' as const },
  })) {
    test(`axe finds no barrier, and no page scrolls sideways, ${name}`, async () => {
      const found: Record<string, string[]> = {}
      await visit(options, async (page, of) => {
        const excess = await page.evaluate(
          () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
        )
        const barriers = [...(await findBarriers(page)), ...(excess > 0 ? [`${excess} pixels too wide`] : [])]
        if (barriers.length > 0) found[of] = barriers
      })
      assert.deepEqual(found, {})
    })
  }
})
