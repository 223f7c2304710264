import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { findBarriers, openSharedStage, settle, skip, timed } from './support.ts'

const many = 'Kandelaar van messing'

describe('searching all sales', { skip }, async () => {
  const stage = await openSharedStage()
  const some = Array.from({ length: 30 }, (_, index) => ({ title: `${many} ${index + 1}` }))
  const key = await stage.createSale('zoek', 'Kandelaars en meer', { ...timed, published: false }, [
    ...some,
    { title: 'Zoetermeerse vaas', description: 'Met een opmerkelijke zwanenhals.' },
  ])
  const open = async () => {
    const opened = await stage.open(`${stage.origin}/#key=${key}`)
    await opened.page.waitForSelector('.sessions .count')
    return opened
  }
  const field = (page: Page) => page.getByLabel('Search all sales')
  const titles = (page: Page) => page.locator('.found .title').allTextContents()

  test('results follow the typing, and the keyboard leads to a lot and back to the results', async () => {
    const { page, context } = await open()
    await page.keyboard.press('/')
    await page.keyboard.type('opmerkelijke zwanenh')
    assert.equal(await field(page).inputValue(), 'opmerkelijke zwanenh')
    await page.locator('.found .title', { hasText: 'Zoetermeerse vaas' }).waitFor()
    await page
      .getByRole('status')
      .filter({ hasText: /^1 lot$/ })
      .waitFor()
    assert.deepEqual(await findBarriers(page), [])
    await page.keyboard.press('ArrowDown')
    assert.equal(await page.evaluate(() => document.activeElement?.closest('.found') !== null), true)
    await page.keyboard.press('ArrowUp')
    assert.equal(await page.evaluate(() => document.activeElement?.id), 'search-all')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.waitForSelector('article.lot h1 >> text=Zoetermeerse vaas')
    await settle(() => field(page).inputValue(), '')
    await page.goBack()
    await page.locator('.found .title', { hasText: 'Zoetermeerse vaas' }).waitFor()
    await settle(() => field(page).inputValue(), 'opmerkelijke zwanenh')
    await field(page).fill('')
    await page.waitForURL((url) => url.hash === '#/search')
    await page.locator('datalist option[value="opmerkelijke zwanenh"]').waitFor({ state: 'attached' })
    await page.goBack()
    await page.waitForSelector('.sessions .count')
    await context.close()
  })

  test('a search is an address, has all its pages, says what it took for a word, and can be narrowed', async () => {
    const { page, context } = await open()
    await page.goto(`${stage.origin}/#/search?q=kandelaer`)
    await page.getByText('“kandelaer” was not found.').waitFor()
    await page.getByRole('status').filter({ hasText: '30 lots' }).waitFor()
    assert.equal((await titles(page)).length, 25)
    await page.getByRole('button', { name: 'More lots' }).click()
    await page.waitForFunction(() => document.querySelectorAll('.found li').length === 30)
    assert.equal(new Set(await titles(page)).size, 30)
    await field(page).fill('zoetermeerse vaas qqxx')
    await page.getByText('These have most of them.').waitFor()
    await field(page).fill('qqqqxxxx')
    await page.getByText('No lot of any sale matches.').waitFor()
    assert.equal(await page.locator('.found li').count(), 0)
    await context.close()
  })

  test('results of the demo house are narrowed by session and result, and the address keeps it', async () => {
    const { page, context } = await stage.open()
    await page.waitForSelector('.lot-card')
    await page.goto(`${stage.origin}/#/search?q=vaas`)
    const all = page.getByRole('status').filter({ hasText: /^\d+ lots?$/ })
    const before = Number.parseInt((await all.textContent())!, 10)
    const session = page.getByLabel('Session')
    const chosen = (await session.locator('option').nth(1).getAttribute('value'))!
    const count = Number(/\((\d+)\)$/.exec((await session.locator('option').nth(1).textContent())!)![1])
    assert.ok(count < before, `${count} of ${before}`)
    await session.selectOption(chosen)
    await page
      .getByRole('status')
      .filter({ hasText: new RegExp(`^${count} lots?$`) })
      .waitFor()
    await page.waitForURL(new RegExp(chosen))
    await page.reload()
    await page
      .getByRole('status')
      .filter({ hasText: new RegExp(`^${count} lots?$`) })
      .waitFor()
    assert.deepEqual(await findBarriers(page), [])
    await context.close()
  })

  test('an item that is in no sale is found too, and Enter leads to the only thing found, by words or by reference', async () => {
    await stage.load([
      { type: 'house', slug: 'zoek-stuk', name: 'zoek-stuk', default_locale: 'nl', currency: 'EUR' },
      { type: 'auction', ref: 'a', external_reference: 'a', title: 'Veiling', published: true },
      { type: 'session', ref: 's', auction: 'a', external_reference: 's', titles: { nl: 'Zitting' }, ...timed },
      { type: 'item', ref: 'in', external_reference: 'K-1', title: 'Koperen ketel' },
      { type: 'lot', session: 's', item: 'in', lot_number: 1, active: true },
      { type: 'item', external_reference: 'K-2', title: 'Koperen pan' },
      { type: 'item', external_reference: 'K-3', title: 'Koperen deksel' },
    ])
    const staff = await stage.issueKey('zoek-stuk', { staff: 'Ans' })
    const { page, context } = await stage.open(`${stage.origin}/#key=${staff}`)
    await field(page).fill('koperen')
    await page.getByRole('status').filter({ hasText: '1 lot · 2 items' }).waitFor()
    await page.getByRole('heading', { name: 'Items in no sale' }).waitFor()
    assert.deepEqual((await titles(page)).toSorted(), ['Koperen deksel', 'Koperen ketel', 'Koperen pan'])
    assert.deepEqual(await findBarriers(page), [])
    // Of several things the page of results stays.
    await page.keyboard.press('Enter')
    await page.waitForURL((url) => !url.hash.includes('go='))
    await field(page).fill('pan')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Koperen pan' }).waitFor()
    await page.goBack()
    await page.getByRole('status').filter({ hasText: '1 item' }).waitFor()
    await field(page).fill('K-1')
    await page.keyboard.press('Enter')
    await page.waitForSelector('article.lot h1 >> text=Koperen ketel')
    await context.close()
  })

  test('a key that reads no lots has no field, one that reads lots alone finds them, and without a network the page waits', async () => {
    const drafts = await stage.issueKey('zoek', { granted: ['auctions.read', 'auctions.write'] })
    const none = await stage.open(`${stage.origin}/#key=${drafts}`)
    await none.page.getByRole('heading', { name: 'Sales' }).waitFor()
    assert.equal(await field(none.page).count(), 0)
    await none.page.goto(`${stage.origin}/#/search?q=vaas`)
    await none.page.getByText('It lacks the permission lots.read.').waitFor()
    await none.context.close()

    const lots = await stage.issueKey('zoek', { granted: ['lots.read'] })
    const { page, context } = await stage.open(`${stage.origin}/#key=${lots}`)
    await field(page).fill('zwanenhals')
    await page.locator('.found .title', { hasText: 'Zoetermeerse vaas' }).first().waitFor()
    await context.setOffline(true)
    await field(page).fill('kandelaar')
    await page.getByText('You are offline.').waitFor()
    await page.getByRole('heading', { name: 'Found for “kandelaar”' }).waitFor()
    await context.setOffline(false)
    await page.locator('.found .title', { hasText: many }).first().waitFor()
    await context.close()
  })

  test('a late answer never replaces that of later words', async () => {
    const { page, context } = await open()
    let release = () => undefined as void
    const held = new Promise<void>((resolve) => (release = resolve))
    await page.route(/lots\/search.*q=zwanenhals/, async (route) => {
      await held
      await route.continue().catch(() => undefined)
    })
    const asked = page.waitForRequest(/lots\/search.*q=zwanenhals/)
    await field(page).fill('zwanenhals')
    await asked
    await field(page).fill(many)
    await page.locator('.found .title', { hasText: many }).first().waitFor()
    release()
    await page.waitForFunction(() => document.querySelectorAll('.found li').length === 25)
    assert.ok((await titles(page)).every((title) => title.startsWith(many)))
    await context.close()
  })

  test('the wall finds by description, and what changes while it is searched', async () => {
    const { page, context } = await open()
    await page.locator('.sessions a').first().click()
    await page.waitForSelector('.lot-card')
    await page.fill('#search', 'zwanenhals')
    // The wall may show that lot before it has searched.
    await settle(() => page.locator('.lot-card .title').allTextContents(), ['Zoetermeerse vaas'])
    const item = (await stage.call<{ id: string }[]>('/items?external_reference=i0', 'GET', undefined, key))[0]!
    await stage.call(`/items/${item.id}`, 'PATCH', { description: 'Ook met zwanenhals.' }, key)
    await page.waitForFunction(() => document.querySelectorAll('.lot-card').length === 2)
    await context.close()
  })

  test('a client who looks on is offered no search of other sales', async () => {
    const staff = await stage.issueKey('zoek', { staff: 'Ans' })
    const { page, context } = await stage.open(`${stage.origin}/#key=${staff}`)
    await field(page).waitFor()
    await page.getByRole('button', { name: 'Client view' }).click()
    await field(page).waitFor({ state: 'detached' })
    await page.goto(`${stage.origin}/#/search?q=vaas`)
    await page.getByText('This page is for staff.').waitFor()
    await context.close()
  })
})
