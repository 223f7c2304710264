import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { short } from './clerks.ts'
import { askStaff, takeAndClose } from './preparing.ts'
import {
  findBarriers,
  findLots,
  findSession,
  intercept,
  live,
  openSharedStage,
  settle,
  skip,
  timed,
} from './support.ts'

describe('the board of a timed sale, its results and its journal', { skip }, async () => {
  const stage = await openSharedStage()
  const eur = (amount: number) => ({ amount, currency: 'EUR' })
  const inMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString()

  /** A timed session that has opened: the lots of `minutes` close then, those below 0 have closed. */
  async function openSale(slug: string, minutes: number[], options?: Parameters<typeof stage.open>[1]) {
    const closes = minutes.map(inMinutes)
    const terms = { ...timed, opens_at: '2026-01-01T10:00:00Z', customer_bidding_enabled: true, published: true }
    const lots = closes.map((closes_at) => ({
      lot: { closes_at, scheduled_closes_at: closes_at, starting_bid: eur(10_000) },
    }))
    await stage.createSale(slug, `Online ${slug}`, terms, lots)
    const key = await stage.issueKey(slug, { staff: 'Anna' })
    const session = await findSession(stage, 's', key)
    const readLots = () => findLots(stage, session, key)
    const opened = await stage.open(`${stage.origin}/#key=${key}`, options)
    await opened.page.waitForURL(new RegExp(session))
    const go = (path: string) => opened.page.goto(`${stage.origin}/#/sessions/${session}/${path}`)
    return { ...opened, key, session, readLots, go }
  }
  const panel = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
  const fact = (page: Page, name: string) =>
    page.locator('.sale-head dl > div', { has: page.locator('dt', { hasText: new RegExp(`^${name}$`) }) }).locator('dd')

  test('the list is sorted by the number of bids, as it changes; a client and a key without staff see none', async () => {
    const { page, context, go, readLots, session, key } = await openSale('geteld', [60, 90, 120])
    const lots = await readLots()
    const bid = (at: number, amount: number) =>
      askStaff(stage, key, 'POST', `/lots/${lots[at]!.id}/bids`, { amount: eur(amount) })
    await bid(1, 10_000)
    await bid(1, 12_000)
    await bid(2, 10_000)
    await go('list')
    const rows = page.locator('.list tbody tr')
    const count = (row: number) => rows.nth(row).locator('td').nth(4).textContent()
    const counts = async () => Promise.all([0, 1, 2].map(count))
    await page.getByRole('button', { name: /^Bids/ }).click()
    await page.waitForSelector('th[aria-sort=ascending] >> text=Bids')
    // The page was open before the bids.
    await settle(counts, ['0', '1', '2'])
    await page.getByRole('button', { name: /^Bids/ }).click()
    await page.waitForSelector('th[aria-sort=descending] >> text=Bids')
    assert.deepEqual(await counts(), ['2', '1', '0'])
    for (const amount of [10_000, 12_000, 14_000]) await bid(0, amount)
    // With the second of the three, the first lot is first already.
    await settle(counts, ['3', '2', '1'])
    await rows.first().getByText('Kavel 1').waitFor()
    assert.deepEqual(await findBarriers(page), [])
    await page.getByRole('button', { name: 'Client view' }).click()
    await page.getByRole('button', { name: /^Bids/ }).waitFor({ state: 'detached' })
    await context.close()

    const other = await stage.open(`${stage.origin}/#key=${await stage.issueKey('geteld')}`)
    const asked: string[] = []
    other.page.on('request', (request) => asked.push(request.url()))
    await other.page.goto(`${stage.origin}/#/sessions/${session}/list`)
    await other.page.locator('.list tbody tr').nth(2).waitFor()
    assert.deepEqual(
      asked.filter((url) => url.includes('/staff/')),
      [],
    )
    assert.equal(await other.page.getByRole('button', { name: /^Bids/ }).count(), 0)
    await other.context.close()
  })

  test('results of many lots that are refused name each lot that stands in the way, and lead to it', async () => {
    const { page, context, go, readLots, session, key } = await openSale('geweigerd', [-10, -9, -8])
    await go('results')
    await page.getByRole('button', { name: 'Select all 3' }).click()
    await page.getByRole('button', { name: /^Passed: 3 selected/ }).click()
    // Another person decides two of them meanwhile.
    const [first, second] = await readLots()
    for (const { id } of [first!, second!])
      await askStaff(stage, key, 'PATCH', `/lots/${id}`, { result: { state: 'withdrawn' } })
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Check first' }).click()
    const alert = dialog.getByRole('alert')
    await alert.getByText('The lot is withdrawn.').waitFor()
    const links = await alert.getByRole('link').evaluateAll((all) => all.map((each) => each.getAttribute('href')))
    assert.deepEqual(
      links,
      [first!, second!].map(({ id }) => `/#/sessions/${session}/lots/${id}`),
    )
    await context.close()
  })

  test('the board takes a bid, holds, withdraws, delays and reopens, each after a rehearsal', async () => {
    const { page, context, go, readLots, session } = await openSale('bord', [-10, 60, 90, 120])
    await go('desk')
    const next = panel(page, 'Closes next')
    await next.getByText('Kavel 2').waitFor()
    assert.equal(await fact(page, 'Open').textContent(), '3')
    assert.equal(await fact(page, 'Without a bid').textContent(), '3')
    assert.equal(await fact(page, 'Without a result').textContent(), '1')
    const on = (region: string, lot: number) => panel(page, region).locator('li', { hasText: `Kavel ${lot}` })
    const soFar = page.getByRole('dialog').locator('dd')
    await on('Closes next', 2).getByRole('button', { name: /Bid/ }).click()
    await settle(() => soFar.allTextContents(), ['–', '€100'])
    await page.getByRole('dialog').getByLabel('Amount').fill('50')
    await page.getByRole('dialog').getByRole('button', { name: 'Check first' }).click()
    await page.getByRole('alert').getByText('At least €100').waitFor()
    assert.equal((await readLots())[1]!.current_bid, null)
    await takeAndClose(page, 'Bid', 'Lot 2: highest bid €120', { Amount: '120' })
    await panel(page, 'Bids as they come').getByText('€120').waitFor()
    await page.waitForFunction(() => document.activeElement?.closest('.stage'))
    await on('Closes next', 2).getByRole('button', { name: /Bid/ }).click()
    // Without a strategy the next bid is one cent higher.
    await soFar.getByText('€120.01').waitFor()
    assert.equal(await soFar.first().textContent(), '€120')
    await page.keyboard.press('Escape')
    await on('Without a bid', 3).getByRole('button', { name: /Hold/ }).click()
    await takeAndClose(page, 'Hold', 'Lot 3 is held: a person decides on it.')
    await on('Held', 3).waitFor()
    await on('Closes next', 4)
      .getByRole('button', { name: /Withdraw/ })
      .click()
    await takeAndClose(page, 'Withdraw', 'Lot 4: Withdrawn.')
    const before = (await readLots())[1]!.closes_at
    await page
      .getByRole('button', { name: 'Delay: Delay all closes' })
      .or(page.getByRole('button', { name: 'Delay all closes' }))
      .click()
    await takeAndClose(page, 'Delay', '2 lots close later', { Minutes: '30', Reason: 'fire alarm' })
    assert.equal(Date.parse((await readLots())[1]!.closes_at) - Date.parse(before), 30 * 60_000)
    await on('Without a result', 1)
      .getByRole('button', { name: /Passed/ })
      .click()
    await takeAndClose(page, 'Passed', 'Lot 1: Unsold.')
    await page.goto(`${stage.origin}/#/sessions/${session}/lots/${(await readLots())[0]!.id}/history`)
    // The page before has such a button too.
    await page.getByRole('region', { name: 'Journal' }).waitFor()
    await page.getByRole('button', { name: 'Reopen lot 1' }).click()
    await takeAndClose(page, 'Reopen', 'takes bids until', { Takes: '45', Reason: 'closed too early' })
    const [first, , , fourth] = await readLots()
    assert.deepEqual([short(first!), short(fourth!)], [null, 'withdrawn'])
    assert.ok(Date.parse(first!.closes_at) > Date.now())
    assert.deepEqual(await findBarriers(page), [])
    await context.close()
  })

  test('results are recorded for many lots at once, an unsold lot is sold afterwards, and after the end they are corrected with a reason', async () => {
    const { page, context, go, readLots, session, key } = await openSale('uitslag', [-10, -9, -8, 60])
    await go('results')
    await page.getByRole('button', { name: /^Select all 3/ }).click()
    await page.getByRole('checkbox', { name: 'Select lot 3' }).uncheck()
    await page.getByRole('button', { name: /^Passed: 2 selected/ }).click()
    await takeAndClose(page, 'Passed', 'Sold: 0. Unsold: 2.')
    await page
      .getByRole('row', { name: /Kavel 3/ })
      .getByRole('button', { name: /Sold/ })
      .click()
    await takeAndClose(page, 'Sold', 'Lot 3: Sold €300.', { Price: '300' })
    await page.waitForFunction(() => document.querySelector('.sale-head')?.textContent?.includes('33.3%'))
    assert.equal(await fact(page, 'Total of the prices').textContent(), '€300')
    await page
      .getByRole('row', { name: /Kavel 1/ })
      .getByRole('button', { name: /Aftersale/ })
      .click()
    await takeAndClose(page, 'Aftersale', 'Lot 1: Aftersale €90.', { Price: '90' })
    await fact(page, 'Aftersale').getByText('1 · €90').waitFor()
    assert.deepEqual((await readLots()).map(short), ['sold 9000', 'unsold', 'sold 30000', null])
    assert.equal((await readLots())[0]!.result!.after_sale, true)
    assert.deepEqual(await findBarriers(page), [])
    await page.getByRole('button', { name: 'Finish the session' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Check first' }).click()
    const ticks = 'Tick “Although lots are still open” and “Although lots have no result”, or decide them first.'
    await dialog.getByRole('alert').getByText(ticks).waitFor()
    await dialog.getByLabel('Although lots are still open: 4', { exact: true }).check()
    await dialog.getByLabel('Although lots have no result: 4', { exact: true }).check()
    // Of lots that were not named the step says so, and is checked again.
    await dialog.getByRole('button', { name: 'Check first' }).click()
    await dialog.getByText('This would happen:').waitFor()
    const second = `/../../staff/v1/lots/${(await readLots())[1]!.id}`
    await stage.call(second, 'PATCH', { result: null, reason: 'wrong lot' }, key)
    await dialog.getByLabel('Although lots have no result: 2, 4', { exact: true }).waitFor()
    await dialog.getByRole('button', { name: 'Finish' }).click()
    await dialog.getByRole('alert').getByText('Other lots are open or without a result by now.').waitFor()
    await stage.call(second, 'PATCH', { result: { state: 'unsold' } }, key)
    await dialog.getByLabel('Although lots have no result: 4', { exact: true }).waitFor()
    await takeAndClose(page, 'Finish', 'The session is finished.')
    const { finished } = await stage.call<{ finished: boolean }>(`/sessions/${session}`, 'GET', undefined, key)
    assert.equal(finished, true)
    const line = (lot: number) => page.getByRole('row', { name: new RegExp(`Kavel ${lot}`) })
    await line(3)
      .getByRole('button', { name: /^Correct/ })
      .click()
    await dialog.getByLabel('Price').fill('320')
    await dialog.getByRole('button', { name: 'Check first' }).click()
    // Without a reason nothing is asked of the service.
    await dialog.getByRole('alert').getByText('Fill in “Reason, for the journal”.').waitFor()
    assert.equal(await dialog.getByText('This would happen:').count(), 0)
    await takeAndClose(page, 'Correct', 'Lot 3: Sold €320.', { Reason: 'misheard' })
    // A lot without a result needs no reason, although it had not closed when the session ended.
    await line(4)
      .getByRole('button', { name: /^Passed/ })
      .click()
    await takeAndClose(page, 'Passed', 'Lot 4: Unsold.')
    await page.goto(`${stage.origin}/#/sessions/${session}/lots/${(await readLots())[1]!.id}/history`)
    // The page before has such a button too.
    await page.getByRole('region', { name: 'Journal' }).waitFor()
    await page.getByRole('button', { name: 'Correct the result of lot 2' }).click()
    await dialog.getByLabel('Result').selectOption('Withdrawn')
    await takeAndClose(page, 'Correct', 'Lot 2: Withdrawn.', { Reason: 'it was never here' })
    await page
      .getByRole('region', { name: 'Journal' })
      .getByRole('row', { name: /Anna.*it was never here/ })
      .waitFor()
    await page.getByRole('button', { name: 'Reopen lot 2' }).click()
    assert.equal(await dialog.getByLabel('Takes bids again').count(), 0)
    await takeAndClose(page, 'Reopen', 'has no result, and is held', { Reason: 'it was here' })
    assert.deepEqual((await readLots()).map(short), ['sold 9000', null, 'sold 32000', 'unsold'])
    await context.close()
  })

  test('a corrected lot stays with the one that it was sold with, unless it gets a price of its own', async () => {
    const key = await stage.createSale('samen', 'Samen', { ...live, published: true }, [{}, {}])
    const staff = await stage.issueKey('samen', { staff: 'Anna' })
    const session = await findSession(stage, 's', key)
    const readLots = () => findLots(stage, session, key)
    const [first, second] = (await readLots()).map(({ id }) => id)
    const results = [
      { lot: first, state: 'sold', amount: eur(50_000) },
      { lot: second, state: 'sold', with: first },
    ]
    await askStaff(stage, staff, 'POST', `/sessions/${session}/results`, { results })
    const { page, context } = await stage.open(`${stage.origin}/#key=${staff}`)
    await page.waitForURL(new RegExp(session))
    await page.goto(`${stage.origin}/#/sessions/${session}/lots/${second}/history`)
    // The page before has such a button too.
    await page.getByRole('region', { name: 'Journal' }).waitFor()
    await page.getByRole('button', { name: 'Correct the result of lot 2' }).click()
    await takeAndClose(page, 'Correct', 'Lot 2: Sold', { Reason: 'checked' })
    assert.equal((await readLots())[1]!.result!.with, first)
    await page.getByRole('button', { name: 'Correct the result of lot 2' }).click()
    await takeAndClose(page, 'Correct', 'Lot 2: Sold €70.', { Price: '70', Reason: 'alone' })
    const { amount, with: carrier } = (await readLots())[1]!.result!
    assert.deepEqual([amount?.amount, carrier], [7_000, null])
    await context.close()
  })

  test('a session is published and taken back, and bidding is enabled, each after a rehearsal', async () => {
    const draft = { ...timed, published: false }
    await stage.createSale('klaar', 'Morgen', draft, [{}, {}])
    const key = await stage.issueKey('klaar', { staff: 'Anna' })
    const session = await findSession(stage, 's', key)
    const read = () =>
      stage.call<{ published: boolean; customer_bidding_enabled: boolean }>(
        `/sessions/${session}`,
        'GET',
        undefined,
        key,
      )
    const { page, context } = await stage.open(`${stage.origin}/#key=${key}`)
    await page.waitForSelector('.sessions .count')
    await page.goto(`${stage.origin}/#/sessions/${session}/desk`)
    await page.getByRole('button', { name: 'Publish' }).click()
    await takeAndClose(page, 'Publish', 'The public sees the session.')
    await page.getByRole('button', { name: 'Enable bidding' }).click()
    await takeAndClose(page, 'Enable bidding', 'Customers can bid')
    const { published, customer_bidding_enabled } = await read()
    assert.deepEqual([published, customer_bidding_enabled], [true, true])
    await page.getByRole('button', { name: 'Take back the publication' }).click()
    await takeAndClose(page, 'Take back the publication', 'does not see the session')
    assert.equal((await read()).published, false)
    await context.close()
  })

  test('a lot shows its bids and who changed what, and a wrong bid is cancelled with a reason', async () => {
    const { page, context, go, readLots, key } = await openSale('klacht', [60])
    const [lot] = await readLots()
    const bid = async (amount: number) => {
      const reply = await fetch(`${stage.origin}/staff/v1/lots/${lot!.id}/bids`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ amount: eur(amount) }),
      })
      return reply.status
    }
    assert.deepEqual([await bid(12_000), await bid(13_000), await bid(100)], [200, 200, 422])
    await go(`lots/${lot!.id}`)
    await page.getByRole('link', { name: 'Bids and journal' }).click()
    const bids = page.getByRole('region', { name: 'Bids' })
    const journal = page.getByRole('region', { name: 'Journal' })
    await bids.getByRole('cell', { name: '€130', exact: true }).waitFor()
    // A refused bid has a row too.
    await journal.getByRole('row', { name: /Anna Bid refused.*Amount: – → €1 .*must be at least/ }).waitFor()
    assert.equal(await journal.getByRole('row').count(), 4)
    // The next bid takes neither the rows nor the focus away.
    const gate = Promise.withResolvers<void>()
    const open = await intercept(page, /\/bids\?/, async (route) => {
      await gate.promise
      await route.continue()
    })
    await bids.getByRole('row', { name: /€130/ }).getByRole('button').focus()
    const asked = page.waitForRequest(/\/bids\?/)
    assert.equal(await bid(14_000), 200)
    await asked
    assert.equal(await bids.getByRole('button').and(page.locator(':focus')).count(), 1)
    gate.resolve()
    await bids.getByRole('cell', { name: '€140', exact: true }).waitFor()
    open()
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').getByText('€130').first().waitFor()
    await page.keyboard.press('Escape')
    await bids.getByRole('row', { name: /€140/ }).getByRole('button').click()
    await takeAndClose(page, 'Cancel the bid', 'Highest bid: €130.', { Reason: 'a wrong paddle' })
    await bids.getByText('a wrong paddle').waitFor()
    await journal.getByRole('row', { name: /Anna.*a wrong paddle/ }).waitFor()
    assert.equal((await readLots())[0]!.current_bid!.amount, 13_000)
    assert.deepEqual(await findBarriers(page), [])
    await context.close()
  })

  test('a session has a journal of itself and its lots, of one person if wanted', async () => {
    const { page, context, go, readLots, session, key } = await openSale('journaal', [60, 90])
    const other = await stage.issueKey('journaal', { staff: 'Bram' })
    const [, second] = await readLots()
    await askStaff(stage, other, 'PATCH', `/lots/${second!.id}`, { result: { state: 'withdrawn' } })
    await askStaff(stage, key, 'PATCH', `/sessions/${session}`, { customer_bidding_enabled: false })
    await go('journal')
    const journal = page.getByRole('region', { name: 'Journal' })
    await journal.getByRole('row', { name: /Anna Session changed Bidding enabled: yes → no/ }).waitFor()
    await journal.getByRole('row', { name: /Bram Lot changed 2 Result: – → Withdrawn/ }).waitFor()
    await page.getByLabel('Who').selectOption('Bram')
    await journal.getByRole('row', { name: /Anna/ }).waitFor({ state: 'detached' })
    assert.deepEqual(await findBarriers(page), [])
    await journal.getByRole('link', { name: '2', exact: true }).click()
    await page.getByRole('region', { name: 'Bids' }).waitFor()
    await context.close()
  })
})
