import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { createHands, takeAndClose } from './hands.ts'
import { askStaff } from './preparing.ts'
import { findBarriers, intercept, openSharedStage, settle, skip, timed } from './support.ts'

describe('after the sale', { skip }, async () => {
  const stage = await openSharedStage()
  const eur = (units: number) => ({ amount: units * 100, currency: 'EUR' })
  const sold = (units: number) => ({ state: 'sold', amount: eur(units), at: null, after_sale: false })
  const unsold = { state: 'unsold', amount: null, at: null, after_sale: false }

  /** Two finished sessions of two auctions, and one that is prepared. Mrs Albers has lots in both. */
  async function openHouse(slug: string, options?: Parameters<typeof stage.open>[1]) {
    const lot = (session: string, number: number, item: string, result: object) => ({
      type: 'lot',
      session,
      item,
      lot_number: number,
      active: true,
      result,
    })
    const item = (ref: string, title: string, consignment: string) => ({
      type: 'item',
      ref,
      external_reference: ref,
      title,
      consignment,
      seller: consignment === 'c1' ? 'albers' : 'bos',
      estimate: { low: eur(100), high: eur(150) },
    })
    const session = (auction: string, external_reference: string, more: object) => ({
      type: 'session',
      ref: external_reference,
      auction,
      external_reference,
      titles: { nl: `Zitting ${external_reference}` },
      ...timed,
      ...more,
    })
    const past = { opens_at: '2025-01-01T10:00:00Z', published: true, finished: true }
    await stage.load([
      { type: 'house', slug, name: slug, default_locale: 'nl', currency: 'EUR' },
      { type: 'seller', ref: 'albers', seller_number: 12, profile_name: 'Mevrouw Albers' },
      { type: 'seller', ref: 'bos', seller_number: 13, profile_name: 'De heer Bos' },
      { type: 'consignment', ref: 'c1', number: '2025-1', seller: 'albers' },
      { type: 'consignment', ref: 'c2', number: '2025-2', seller: 'bos' },
      ...['2025-A', '2025-B', '2036-A'].map((ref) => {
        return { type: 'auction', ref, external_reference: ref, title: `Veiling ${ref}`, published: true }
      }),
      session('2025-A', '2025-A/1', past),
      session('2025-B', '2025-B/1', past),
      session('2036-A', '2036-A/1', { published: false }),
      item('vaas', 'Vaas', 'c1'),
      item('klok', 'Klok', 'c1'),
      item('kast', 'Kast', 'c1'),
      item('stoel', 'Stoel', 'c2'),
      item('lamp', 'Lamp', 'c2'),
      item('bank', '=Bank', 'c1'),
      item('tafel', 'Tafel', 'c1'),
      lot('2025-A/1', 1, 'vaas', unsold),
      lot('2025-A/1', 2, 'klok', sold(120)),
      lot('2025-A/1', 3, 'stoel', unsold),
      lot('2025-A/1', 4, 'lamp', sold(300)),
      lot('2025-A/1', 5, 'bank', sold(50)),
      lot('2025-A/1', 6, 'tafel', sold(80)),
      lot('2025-B/1', 1, 'kast', unsold),
    ])
    const key = await stage.issueKey(slug, { staff: 'Anna' })
    const opened = await stage.open(`${stage.origin}/#key=${key}`, options)
    await opened.page.waitForSelector('.sessions .count')
    const lots = await stage.call<{ id: string; title: string }[]>('/lots?limit=100', 'GET', undefined, key)
    const idOf = (title: string) => lots.find((each) => each.title === title)!.id
    // The bench of Mrs Albers goes with the lamp of Mr Bos, her table with her clock.
    for (const [one, other] of [
      ['=Bank', 'Lamp'],
      ['Tafel', 'Klok'],
    ] as const) {
      const result = { state: 'sold', with: idOf(other), correct: true, reason: 'samen' }
      await askStaff(stage, key, 'PATCH', `/lots/${idOf(one)}`, { result })
    }
    return { ...opened, key }
  }
  const choose = async (page: Page, field: string, typed: string, name: string) => {
    await page.getByRole('combobox', { name: field, exact: true }).focus()
    await page.keyboard.type(typed)
    await page.getByRole('option', { name }).waitFor()
    await page.keyboard.press('Enter')
  }
  const titles = (page: Page) => page.locator('.outcomes .title').allTextContents()

  test('what of a seller is unsold in all sales is found by keyboard, and offered again in one step', async () => {
    const { page, context, key } = await openHouse('na-de-veiling')
    const hands = createHands(page, { hasPointer: false })
    await hands.use(page.getByRole('link', { name: 'After the sale' }))
    await settle(async () => (await titles(page)).length, 7)
    await choose(page, 'Seller', 'alb', '12 · Mevrouw Albers')
    await settle(async () => (await titles(page)).toSorted(), ['=Bank', 'Kast', 'Klok', 'Tafel', 'Vaas'])
    await hands.use(page.getByRole('button', { name: /^Unsold 2/ }))
    await settle(async () => (await titles(page)).toSorted(), ['Kast', 'Vaas'])
    assert.deepEqual(await findBarriers(page), [])
    await hands.use(page.getByRole('button', { name: 'Select all 2 unsold' }))
    await takeAndClose(hands, /^Offer again/, 'Add', '2 lots would be added, numbers 1 to 2.')
    const [first] = await stage.call<{ id: string }[]>('/sessions?external_reference=2036-A/1', 'GET', undefined, key)
    const added = await stage.call<{ title: string }[]>(`/lots?session=${first!.id}`, 'GET', undefined, key)
    assert.deepEqual(added.map(({ title }) => title).toSorted(), ['Kast', 'Vaas'])
    // They are not offered twice by mistake.
    await settle(() => page.getByText('Offered again').count(), 2)
    assert.equal(await page.getByRole('button', { name: /^Select all/ }).count(), 0)
    await page.reload()
    await settle(() => page.getByText('Offered again').count(), 2)
    // Who would sell one of them after the sale learns it.
    await page
      .getByRole('button', { name: /Aftersale/ })
      .first()
      .click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText(/Kast|Vaas/).waitFor()
    await dialog.getByRole('button', { name: 'Check first' }).click()
    await dialog.getByText('The same object is in another lot').waitFor()
    await page.keyboard.press('Escape')
    // The sheet has what was sold or not, and nothing of the coming sale.
    await page.getByRole('button', { name: 'All', exact: true }).click()
    await page.getByRole('link', { name: 'Sheets for sellers' }).click()
    await page.getByRole('region', { name: 'Sheets for sellers' }).getByText('Zitting 2025-B/1').waitFor()
    assert.equal(await page.getByText('Zitting 2036-A/1').count(), 0)
    assert.equal(await page.getByRole('cell', { name: 'Vaas' }).count(), 1)
    await context.close()
  })

  test('all unsold lots are selected with their true number, also those that the page has not loaded', async () => {
    const past = { ...timed, opens_at: '2025-01-01T10:00:00Z', published: true, finished: true }
    const lots = Array.from({ length: 230 }, (_, index) => ({
      lot: { result: index % 2 === 0 ? unsold : { ...sold(90) } },
    }))
    await stage.createSale('veel-onverkocht', 'Zitting veel', past, lots)
    const key = await stage.issueKey('veel-onverkocht', { staff: 'Anna' })
    const { page, context } = await stage.open(`${stage.origin}/#key=${key}`)
    await page.waitForSelector('.sessions .count')
    await page.goto(`${stage.origin}/#/after`)
    await settle(async () => (await titles(page)).length, 100)
    await page.getByRole('button', { name: 'Select all 115 unsold' }).click()
    await page.getByText('115 selected').waitFor()
    await page.getByRole('button', { name: /^Offer again/ }).click()
    await page.getByRole('heading', { name: 'Add 115 items as lots' }).waitFor()
    await context.close()
  })

  test('what is typed into a filter before its list is there is chosen when it is, also if that fails at first', async () => {
    const { page, context } = await openHouse('vroeg-getypt')
    let release: () => void = () => undefined
    const released = new Promise<void>((resolve) => (release = resolve))
    const letThrough = await intercept(page, /\/sellers\?/, async (route) => {
      await released
      const problem = { type: 'https://x/problems/invalid-parameter', title: 'No', status: 400, detail: 'No.' }
      await route.fulfill({ status: 400, contentType: 'application/problem+json', body: JSON.stringify(problem) })
    })
    await page.goto(`${stage.origin}/#/after`)
    const seller = page.getByRole('combobox', { name: 'Seller' })
    await seller.fill('12 · Mevrouw Albers')
    await seller.press('Tab')
    assert.equal(await seller.inputValue(), '12 · Mevrouw Albers')
    release()
    await page.getByText('The list could not be read.').waitFor()
    assert.equal(await seller.inputValue(), '12 · Mevrouw Albers')
    letThrough()
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('option', { name: '12 · Mevrouw Albers' }).waitFor()
    await page.keyboard.press('Enter')
    await settle(() => /seller=/.test(page.url()), true)
    await context.close()
  })

  test('the sheet of a seller has the columns of the contract, and no price that belongs to two sellers', async () => {
    const { page, context } = await openHouse('uitslaglijst', { acceptDownloads: true })
    await page.goto(`${stage.origin}/#/after`)
    await settle(async () => (await titles(page)).length, 7)
    await choose(page, 'Seller', '12', '12 · Mevrouw Albers')
    await page.getByRole('link', { name: 'Sheets for sellers' }).click()
    const paper = page.getByRole('region', { name: 'Sheets for sellers' })
    await paper.getByRole('heading', { name: 'Mevrouw Albers (12)' }).waitFor()
    await paper.getByText('€120').first().waitFor()
    await paper.getByText('the price is not divided here').waitFor()
    assert.deepEqual(await findBarriers(page), [])
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Save as CSV' }).click()
    const file = await (await download).path()
    const [head, ...lines] = (await readFile(file, 'utf8')).replace('\uFEFF', '').trim().split('\n')
    assert.equal(
      head,
      'seller_number,seller,consignment,session,number,item,title,estimate_low,estimate_high,result,after_sale,price,currency,sold_with',
    )
    const own = (line: string) => `12,Mevrouw Albers,2025-1,${line}`
    assert.deepEqual(lines, [
      own('2025-A/1,1,vaas,Vaas,100.00,150.00,unsold,false,,EUR,'),
      own('2025-A/1,2,klok,Klok,100.00,150.00,sold,false,120.00,EUR,6'),
      own("2025-A/1,5,bank,'=Bank,100.00,150.00,sold,false,,EUR,4"),
      own('2025-A/1,6,tafel,Tafel,100.00,150.00,sold,false,,EUR,2'),
      own('2025-B/1,1,kast,Kast,100.00,150.00,unsold,false,,EUR,'),
    ])
    await context.close()
  })

  test('a sale gives a sheet for each of its sellers, and the carrier of a shared price has none either', async () => {
    const { page, context } = await openHouse('per-inbrenger')
    await page.goto(`${stage.origin}/#/after`)
    await settle(async () => (await titles(page)).length, 7)
    await choose(page, 'Sale', '2025-A', 'Veiling 2025-A')
    await settle(async () => (await titles(page)).length, 6)
    await page.getByRole('link', { name: 'Sheets for sellers' }).click()
    const heads = page.locator('.print-sheet h2')
    await settle(() => heads.allTextContents(), ['Mevrouw Albers (12)', 'De heer Bos (13)'])
    const lamp = page.getByRole('row', { name: /Lamp/ })
    assert.match((await lamp.textContent())!, /Together with 5$/)
    await context.close()
  })

  test('a key that may not read sellers sees the results, and neither their field nor the sheets', async () => {
    const { context } = await openHouse('zonder-inbrengers')
    await context.close()
    const less = await stage.issueKey('zonder-inbrengers', { staff: 'Bea', granted: ['auctions.read', 'lots.read'] })
    const other = await stage.open(`${stage.origin}/#key=${less}`)
    await other.page.waitForSelector('.sessions .count')
    await other.page.goto(`${stage.origin}/#/after`)
    await settle(async () => (await titles(other.page)).length, 7)
    assert.equal(await other.page.getByRole('combobox', { name: 'Seller' }).count(), 0)
    await other.page.goto(`${stage.origin}/#/after/sheets`)
    await other.page.getByText('seller_profiles.read').waitFor()
    await other.context.close()
    const least = await stage.issueKey('zonder-inbrengers', { staff: 'Cor', granted: ['lots.read'] })
    const without = await stage.open(`${stage.origin}/#key=${least}`)
    await without.page.getByRole('link', { name: 'Sales', exact: true }).waitFor()
    await without.page.getByLabel('Search all sales').waitFor()
    assert.equal(await without.page.getByRole('link', { name: 'After the sale' }).count(), 0)
    await without.context.close()
  })
})
