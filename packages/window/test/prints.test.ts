import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Catalogue } from '@auction-catalogue/client'
import type { Page } from 'playwright-core'
import { picture } from '../../../test/support/pictures.ts'
import { findBarriers, findSession, live, openSharedStage, skip } from './support.ts'

describe('the prints of a sale', { skip }, async () => {
  const stage = await openSharedStage()
  const eur = (amount: number) => ({ amount, currency: 'EUR' })
  const count = 60
  // The first has English texts, the second is off.
  const lots = Array.from({ length: count }, (_, index) => ({
    estimate: { low: eur(10_000 + 100 * index), high: eur(50_000) },
    ...(index === 0 && {
      description: 'Vier el hoog.',
      translations: [{ locale: 'en', title: 'A tall clock', description: 'Four ells high.' }],
    }),
    ...(index === 1 && { active: false }),
    lot: { starting_bid: eur(5_000) },
  }))
  const terms = { ...live, published: true, external_reference: 's' }
  const key = await stage.createSale('drukwerk', 'Klokken & kasten', terms, lots)
  const staff = await stage.issueKey('drukwerk', { staff: 'Anna' })
  const catalogue = new Catalogue({ url: stage.origin, key: staff })
  const session = (await findSession(stage, 's', staff)) as `ses_${string}`
  const { data: stored } = await catalogue.lots.list({ session, limit: 100 }).page()
  const byNumber = new Map(stored.map((lot) => [lot.lot_number, lot]))

  /** Opens a print. `images` are its photographs at the moment of printing, each with whether it was there. */
  async function openPrint(search: string) {
    const { page, context } = await stage.open(`${stage.origin}/#key=${staff}`)
    await page.waitForURL(new RegExp(session))
    await page.goto(`${stage.origin}/#/sessions/${session}/prints?${search}`)
    await page.waitForSelector('.paper')
    const images = async () => {
      await page.evaluate(() => {
        window.print = () => {
          const found = [...document.querySelectorAll<HTMLImageElement>('.paper img')]
          document.body.dataset['printed'] = JSON.stringify([
            document.title,
            found.map((each) => each.naturalWidth > 0),
          ])
        }
      })
      await page.getByRole('button', { name: 'Print', exact: true }).click()
      await page.waitForSelector('body[data-printed]')
      const printed = await page.evaluate(() => document.body.dataset['printed']!)
      return JSON.parse(printed) as [title: string, areThere: boolean[]]
    }
    return { page, context, images }
  }
  const countPages = async (page: Page) => {
    const file = await page.pdf({ preferCSSPageSize: true })
    return file.toString('latin1').match(/\/Type\s*\/Page\b/g)!.length
  }

  test('the catalogue list has every lot in the chosen language, and in that of the house where it lacks a title', async () => {
    const { page, context } = await openPrint('paper=list&language=en')
    const paper = page.locator('.paper')
    await paper.getByRole('row', { name: /^60 / }).waitFor()
    // A lot that is off is not printed.
    assert.equal(await paper.locator('tbody tr').count(), count - 1)
    const first = paper.locator('tbody tr').first()
    assert.match(await first.innerText(), /1\s+A tall clock\s+Four ells high\.\s+€100 – 500/)
    assert.equal(await paper.locator('tbody tr').nth(1).locator('[lang=nl]').textContent(), 'Kavel 3')
    await page.getByText('One lot is off or has no number').waitFor()
    await page.getByText('58 lots have no title in this language (English)').waitFor()
    assert.deepEqual(await findBarriers(page), [])
    await page.getByRole('combobox', { name: 'Language' }).selectOption('nl')
    await first.getByText('Vier el hoog.').waitFor()
    await paper.getByRole('columnheader', { name: 'Richtprijs' }).waitFor()
    assert.match(await page.evaluate(() => location.hash), /language=nl/)
    await page.emulateMedia({ media: 'print' })
    for (const hidden of ['.bar', '.session-head', '.prints .toolbar', '.print-hint'])
      assert.equal(await page.locator(hidden).first().isVisible(), false, hidden)
    assert.ok((await countPages(page)) > 1)
    await context.close()
  })

  test('a lot has a page of its own, and the photograph of a lot out of view is there when it prints', async () => {
    const item = byNumber.get(count)!.item
    const file = new Blob([new Uint8Array(await picture('#336699'))])
    const { id } = await catalogue.images.upload(item, { file, external_reference: 'P-60' })
    await catalogue.images.settled(item, id)
    const { page, context, images } = await openPrint('paper=pages')
    await page.getByRole('region', { name: 'Kavel 60' }).waitFor({ state: 'attached' })
    assert.equal(await countPages(page), count - 1)
    assert.deepEqual(await images(), ['Klokken & kasten – Catalogue, a page a lot', [true]])
    await page.goto(`${stage.origin}/#/sessions/${session}/lots/${byNumber.get(7)!.id}/history`)
    await page.getByRole('link', { name: 'Print', exact: true }).click()
    await page.getByRole('region', { name: 'Kavel 7' }).waitFor()
    assert.equal(await page.locator('.print-lot').count(), 1)
    assert.equal(await countPages(page), 1)
    await page.getByLabel('To lot').fill('9')
    await page.getByRole('region', { name: 'Kavel 9' }).waitFor({ state: 'attached' })
    assert.equal(await page.locator('.print-lot').count(), 3)
    await context.close()
  })

  test('the auctioneer’s book has starting and highest bids, and empty columns', async () => {
    await catalogue.staff.lots.update(byNumber.get(4)!.id, { starting_bid: eur(7_000) })
    const { page, context } = await openPrint('paper=book')
    const row = page.getByRole('row', { name: /^4 / })
    assert.match(await row.innerText(), /€\s103\s–\s500\t€\s70/)
    const names = ['Prijs', 'Bieder', 'Aantekeningen']
    for (const name of names) await page.getByRole('columnheader', { name, exact: true }).waitFor()
    assert.deepEqual(await row.locator('.print-blank').allTextContents(), ['', '', ''])
    await context.close()
  })

  test('the results have the price and the state of each lot, their sums and the sold share', async () => {
    const decide = (number: number, result: Parameters<typeof catalogue.staff.lots.update>[1]['result']) =>
      catalogue.staff.lots.update(byNumber.get(number)!.id, { result })
    await decide(1, { state: 'sold', amount: eur(25_000) })
    await decide(3, { state: 'withdrawn' })
    await decide(4, { state: 'unsold' })
    await decide(5, { state: 'sold', with: byNumber.get(1)!.id })
    await decide(6, { state: 'unsold' })
    await decide(6, { state: 'sold', after_sale: true, amount: eur(4_000) })
    const { page, context } = await openPrint('paper=results&language=en')
    const lineOf = async (number: number) => {
      const row = page.getByRole('row', { name: new RegExp(`^${number} `) })
      return (await row.locator('td').allTextContents()).slice(2)
    }
    assert.deepEqual(await lineOf(1), ['€250', 'Sold'])
    assert.deepEqual(await lineOf(3), ['', 'Withdrawn'])
    assert.deepEqual(await lineOf(4), ['', 'Unsold'])
    assert.deepEqual(await lineOf(5), ['', 'Sold together with lot 1'])
    assert.deepEqual(await lineOf(6), ['€40', 'Aftersale'])
    const sums = await page.locator('.print-sums > div').evaluateAll((all) => all.map((each) => each.textContent))
    assert.deepEqual(sums, [
      'Total of the prices€250',
      'Sold share50%',
      'Sold2 of 4',
      'Unsold2',
      'Withdrawn1',
      'Aftersale1 · €40',
    ])
    await page.goto(`${stage.origin}/#/sessions/${session}/prints?paper=list&language=en`)
    await page.getByRole('row', { name: /^3 .*Withdrawn/ }).waitFor()
    await context.close()
  })

  test('a key without staff is offered no prints, and an address of them shows none', async () => {
    const { page, context } = await stage.open(`${stage.origin}/#key=${key}`)
    await page.waitForSelector('.lot-card')
    assert.equal(await page.getByRole('link', { name: 'Prints' }).count(), 0)
    await page.goto(`${stage.origin}/#/sessions/${session}/prints`)
    await page.getByText('It lacks the permission staff.').waitFor()
    assert.equal(await page.locator('.paper').count(), 0)
    await context.close()
  })
})
