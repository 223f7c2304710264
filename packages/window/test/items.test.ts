import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { askStaff, takeAndClose } from './preparing.ts'
import { findBarriers, intercept, openSharedStage, settle, skip } from './support.ts'

describe('the items of a house', { skip }, async () => {
  const stage = await openSharedStage()
  const eur = (units: number) => ({ amount: units * 100, currency: 'EUR' })

  async function openItems(slug: string, options?: Parameters<typeof stage.open>[1]) {
    await stage.load([
      { type: 'house', slug, name: slug, default_locale: 'nl', currency: 'EUR' },
      { type: 'seller', ref: 'albers', seller_number: 12, profile_name: 'Mevrouw Albers' },
      { type: 'seller', ref: 'bos', seller_number: 13, profile_name: 'De heer Bos' },
      { type: 'consignment', ref: 'c1', number: '2036-1', seller: 'albers' },
      { type: 'category', ref: 'zilver', slug: 'zilver', names: { nl: 'Zilver' } },
      { type: 'category', ref: 'glas', slug: 'glas', names: { nl: 'Glas' } },
      { type: 'maker', ref: 'begeer', name: 'Begeer' },
      { type: 'delivery_class', ref: 'pakje', name: 'Pakje' },
      { type: 'item', external_reference: 'R-1', title: 'Zilveren kandelaar', seller: 'albers', consignment: 'c1' },
      { type: 'item', external_reference: 'R-2', title: 'Glazen vaas', seller: 'bos', categories: ['glas'] },
      { type: 'item', external_reference: 'R-3', title: 'Zilveren schaal', estimate: { low: eur(100) } },
      { type: 'item', external_reference: 'R-4', title: 'Zilveren lepel', estimate: { low: eur(50) } },
    ])
    const key = await stage.issueKey(slug, { staff: 'Anna' })
    const opened = await stage.open(`${stage.origin}/#key=${key}`, options)
    await opened.page.getByText('There are no sales yet.').waitFor()
    await opened.page.goto(`${stage.origin}/#/prepare/items`)
    await settle(async () => (await titles(opened.page)).length, 4)
    return { ...opened, key }
  }
  const titles = (page: Page) => page.locator('.cards tbody td:nth-child(3)').allTextContents()
  const choose = async (page: Page, field: string, typed: string, name: string) => {
    await page.getByRole('combobox', { name: field, exact: true }).focus()
    await page.keyboard.type(typed)
    await page.getByRole('option', { name }).waitFor()
    await page.keyboard.press('Enter')
  }

  test('items are found by words, seller, consignment, maker and category, in an order, and the address keeps it', async () => {
    const { page, context } = await openItems('stukken-vinden')
    await page.getByLabel('Search items').fill('zilver')
    await settle(async () => (await titles(page)).length, 3)
    await page.getByLabel('Order').selectOption('estimate')
    await settle(() => titles(page), ['Zilveren lepel', 'Zilveren schaal', 'Zilveren kandelaar'])
    await choose(page, 'Seller', 'alb', '12 · Mevrouw Albers')
    await settle(() => titles(page), ['Zilveren kandelaar'])
    await page.reload()
    await settle(() => titles(page), ['Zilveren kandelaar'])
    assert.deepEqual(await findBarriers(page), [])
    await page.getByLabel('Search items').fill('')
    await page.getByRole('combobox', { name: 'Seller', exact: true }).fill('')
    await page.keyboard.press('Enter')
    await settle(async () => (await titles(page)).length, 4)
    await choose(page, 'Categories', 'gla', 'Glas')
    await settle(() => titles(page), ['Glazen vaas'])
    await page.getByRole('combobox', { name: 'Categories', exact: true }).fill('')
    await page.keyboard.press('Enter')
    // What is no record is dropped when the field is left.
    await page.getByRole('combobox', { name: 'Makers', exact: true }).fill('Rembrandt')
    await page.getByText('Nothing has this name.').waitFor()
    await page.keyboard.press('Tab')
    assert.equal(await page.getByRole('combobox', { name: 'Makers', exact: true }).inputValue(), '')
    await choose(page, 'Consignment', '2036-1', '2036-1')
    await settle(() => titles(page), ['Zilveren kandelaar'])
    await context.close()
  })

  test('a list that breaks off at a damaged record keeps what was read, and says so', async () => {
    const { page, context } = await openItems('lijst-breekt-af')
    const problem = { type: `${stage.origin}/problems/integrity-unavailable`, title: 'Damaged', status: 500 }
    await intercept(page, /\/api\/v2\/makers\?/, async (route) => {
      if (route.request().url().includes('cursor='))
        return route.fulfill({ status: 500, contentType: 'application/problem+json', body: JSON.stringify(problem) })
      const response = await route.fetch()
      const answer = (await response.json()) as object
      const headers = { ...response.headers(), etag: '', link: '' }
      return route.fulfill({ response, headers, json: { ...answer, has_more: true, next_cursor: 'next' } })
    })
    // The makers may have been read already.
    await page.reload()
    for (const [path, heading] of [
      ['/prepare/items', 'Items'],
      ['/catalogue', 'Catalogue an item'],
    ] as const) {
      await page.goto(`${stage.origin}/#${path}`)
      // The page before has such a field too.
      await page.getByRole('heading', { name: heading, exact: true }).waitFor()
      await page.getByRole('combobox', { name: 'Makers', exact: true }).fill('beg')
      await page.getByRole('option', { name: 'Begeer' }).waitFor()
      await page.getByText('The list breaks off: not all are in it.').waitFor()
    }
    await context.close()
  })

  test('a maker that is made at the desk of the cataloguer is found among the items at once', async () => {
    const { page, context } = await openItems('nieuwe-maker')
    const makers = page.getByRole('combobox', { name: 'Makers', exact: true })
    const option = (name: string) => page.getByRole('listbox').getByRole('option', { name })
    await makers.fill('beg')
    await option('Begeer').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('link', { name: 'Catalogue an item' }).click()
    await page.getByRole('heading', { name: 'Catalogue an item' }).waitFor()
    await makers.fill('Bonebakker')
    await option('Make “Bonebakker”').click()
    await page.getByRole('button', { name: 'Remove Bonebakker' }).waitFor()
    await page.goBack()
    await page.getByRole('heading', { name: 'Items' }).waitFor()
    await makers.fill('bone')
    await option('Bonebakker').waitFor()
    await context.close()
  })

  test('the items of a locked consignment are found', async () => {
    const { page, context, key } = await openItems('geeindigd')
    const [consignment] = await stage.call<{ id: string }[]>('/consignments?number=2036-1', 'GET', undefined, key)
    await askStaff(stage, key, 'PATCH', `/consignments/${consignment!.id}`, { locked: true })
    await page.reload()
    await choose(page, 'Consignment', '2036-1', '2036-1')
    await settle(() => titles(page), ['Zilveren kandelaar'])
    await context.close()
  })

  test('a title that is changed at the desk of the cataloguer is in the list of items', async () => {
    const { page, context } = await openItems('nieuwe-titel')
    await page.getByRole('link', { name: 'Zilveren lepel' }).click()
    await page.locator('[name="nl.title"]').fill('Zilveren vork')
    await page.keyboard.press('Control+Enter')
    await page.getByText('Saved.', { exact: true }).waitFor()
    await page.goBack()
    await settle(async () => (await titles(page)).includes('Zilveren vork'), true)
    await context.close()
  })

  test('a page of staff says that it loads until its texts are there', async () => {
    const { page, context } = await openItems('wacht')
    let release = () => undefined as void
    const held = new Promise<void>((resolve) => (release = resolve))
    await page.route(/assets\/en-/, async (route) => {
      await held
      await route.continue()
    })
    await page.reload()
    await page.getByText('Loading…').waitFor()
    release()
    await page.getByRole('heading', { name: 'Items' }).waitFor()
    await context.close()
  })

  test('the chosen columns stay in the browser', async () => {
    const { page, context } = await openItems('kolommen')
    await page.getByText('Columns', { exact: true }).click()
    await page.getByLabel('Seller', { exact: true }).and(page.getByRole('checkbox')).check()
    await page.getByLabel('Estimate', { exact: true }).uncheck()
    await page.getByRole('columnheader', { name: 'Seller' }).waitFor()
    await page.getByRole('cell', { name: 'Mevrouw Albers' }).waitFor()
    await page.reload()
    await page.getByRole('columnheader', { name: 'Seller' }).waitFor()
    assert.equal(await page.getByRole('columnheader', { name: 'Estimate' }).count(), 0)
    await context.close()
  })

  test('many items get a category, a maker and a delivery class at once, and what goes is said before', async () => {
    const { page, context, key } = await openItems('veel-tegelijk')
    await page.getByRole('button', { name: 'Select all 4' }).click()
    await page.getByRole('button', { name: /^Category, maker, delivery/ }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Categories').selectOption('Zilver')
    await dialog.getByLabel('Makers').selectOption('Begeer')
    await dialog.getByLabel('Delivery').selectOption('Pakje')
    await takeAndClose(page, 'Change', '1 item has something else, which is replaced:')
    type Item = { categories: string[]; makers: string[]; delivery_class: string | null }
    const items = await stage.call<Item[]>('/items', 'GET', undefined, key)
    for (const name of ['categories', 'makers', 'delivery_class'] as const)
      assert.equal(new Set(items.flatMap((item) => item[name])).size, 1)
    assert.ok(items.every((item) => item.categories.length === 1 && item.delivery_class !== null))
    await context.close()
  })

  test('on a phone each item is a card, and the page does not scroll sideways', async () => {
    const { page, context } = await openItems('stuk-op-telefoon', { viewport: { width: 390, height: 844 } })
    const width = () => page.evaluate(() => document.documentElement.scrollWidth)
    assert.equal(await width(), 390)
    const card = page.locator('.cards tbody tr').first()
    assert.ok((await card.boundingBox())!.height > 70)
    assert.deepEqual(await findBarriers(page), [])
    await context.close()
  })
})
