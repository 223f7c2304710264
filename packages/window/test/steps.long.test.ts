import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { openClerkDesk, short } from './clerks.ts'
import { findLots, findSession, openSharedStage, skip, timed } from './support.ts'

describe('the steps of staff under careless hands, and beside other people', { skip }, async () => {
  const stage = await openSharedStage()
  const eur = (amount: number) => ({ amount, currency: 'EUR' })

  /** The desk of a timed session whose lots close in an hour. */
  async function openBoard(slug: string, count: number) {
    const closes_at = new Date(Date.now() + 3_600_000).toISOString()
    const terms = { ...timed, opens_at: '2026-01-01T10:00:00Z', customer_bidding_enabled: true, published: true }
    const lots = Array.from({ length: count }, () => ({ lot: { closes_at, scheduled_closes_at: closes_at } }))
    await stage.createSale(slug, `Online ${slug}`, terms, lots)
    const key = await stage.issueKey(slug, { staff: 'Anna' })
    const session = await findSession(stage, 's', key)
    const { page, context } = await stage.open(`${stage.origin}/#key=${key}`)
    await page.waitForURL(new RegExp(session))
    await page.goto(`${stage.origin}/#/sessions/${session}/desk`)
    const readLots = () => findLots(stage, session, key)
    const highest = async () => (await readLots())[0]!.current_bid?.amount ?? null
    const dialog = page.getByRole('dialog')
    const button = (name: string) => dialog.getByRole('button', { name, exact: true })
    const open = (name: string) => page.getByRole('button', { name }).first().click()
    return { page, context, key, session, readLots, highest, dialog, button, open }
  }

  test('a double click and a key that is held down rehearse, and do nothing', async () => {
    const { page, context, highest, dialog, button, open } = await openBoard('dubbel', 1)
    await open('Bid on lot 1')
    await dialog.getByLabel('Amount').fill('120')
    await button('Check first').dblclick({ delay: 200 })
    await dialog.getByText('This would happen:').waitFor()
    await dialog.getByLabel('Amount').fill('130')
    for (let times = 0; times < 10; times++) {
      await page.keyboard.down('Enter')
      await page.waitForTimeout(100)
    }
    await page.keyboard.up('Enter')
    await dialog.getByText('This would happen:').waitFor()
    assert.equal(await highest(), null)
    await button('Bid').click()
    await dialog.getByRole('button', { name: /^Close/ }).waitFor()
    assert.equal(await highest(), 13_000)
    await context.close()
  })

  test('an amount that was changed while its rehearsal was on its way is rehearsed again', async () => {
    const { page, context, highest, dialog, button, open } = await openBoard('later', 1)
    const release = Promise.withResolvers<void>()
    await page.route('**/bids?dry_run=true', async (route) => {
      await release.promise
      await route.continue()
    })
    await open('Bid on lot 1')
    await dialog.getByLabel('Amount').fill('120')
    const answered = page.waitForResponse('**/bids?dry_run=true')
    await button('Check first').click()
    await dialog.getByLabel('Amount').fill('1200')
    release.resolve()
    await (await answered).finished()
    await dialog.locator('[type=submit][aria-disabled=false]').waitFor()
    assert.equal(await dialog.getByText('This would happen:').count(), 0)
    await button('Check first').click()
    await dialog.getByText('€1,200').waitFor()
    assert.equal(await highest(), null)
    await context.close()
  })

  test('what is on its way is not cancelled, and its dialog says so', async () => {
    const { page, context, highest, dialog, button, open } = await openBoard('onderweg', 1)
    await open('Bid on lot 1')
    await dialog.getByLabel('Amount').fill('120')
    await button('Check first').click()
    await dialog.getByText('This would happen:').waitFor()
    await context.setOffline(true)
    await button('Bid').click()
    await dialog.getByLabel('Amount').press('0')
    await button('Cancel').click()
    await dialog.getByText('It is on its way.').waitFor()
    for (let times = 0; times < 3; times++) await page.keyboard.press('Escape')
    await dialog.getByText('It is on its way.').waitFor()
    await context.setOffline(false)
    await dialog.getByRole('button', { name: /^Close/ }).click()
    await dialog.waitFor({ state: 'detached' })
    assert.equal(await highest(), 12_000)
    await context.close()
  })

  test('a delay says the time that is stored, and is not added to that of another person', async () => {
    const { context, key, session, readLots, dialog, button, open } = await openBoard('uitstel', 2)
    const before = Date.parse((await readLots())[1]!.closes_at)
    await open('Delay')
    await dialog.getByLabel('Minutes').fill('10')
    await dialog.getByLabel('Reason').fill('storm')
    await button('Check first').click()
    await dialog.getByText('This would happen:').waitFor()
    const body = { seconds: 600, reason: 'storm' }
    await stage.call(`/../../staff/v1/sessions/${session}/delay`, 'POST', body, key)
    await button('Delay').click()
    await dialog.getByText('The closes have changed since.').waitFor()
    await button('Check first').click()
    const said = dialog.getByRole('status')
    await dialog.getByText('This would happen:').waitFor()
    const rehearsed = (await said.textContent())!.replace('This would happen:', '').trim()
    await button('Delay').click()
    await dialog.getByRole('button', { name: /^Close/ }).waitFor()
    assert.equal((await said.textContent())!.replace('Done:', '').trim(), rehearsed)
    assert.equal(Date.parse((await readLots())[1]!.closes_at) - before, 1_200_000)
    await context.close()
  })

  test('a delay and enabled bidding say the lots of the moment, also while their dialog is open', async () => {
    const { context, key, session, readLots, dialog, button, open } = await openBoard('aantal', 3)
    await open('Delay')
    await dialog.getByLabel('Minutes').fill('10')
    await dialog.getByLabel('Reason').fill('storm')
    const [first, second] = await readLots()
    const withdraw = (id: string) =>
      stage.call(`/../../staff/v1/lots/${id}`, 'PATCH', { result: { state: 'withdrawn' } }, key)
    await withdraw(first!.id)
    await button('Check first').click()
    await dialog.getByText('2 lots close later.').waitFor()
    await withdraw(second!.id)
    await dialog.getByText(/\b1 lots? close/).waitFor()
    await button('Delay').click()
    await dialog.getByRole('button', { name: /^Close/ }).waitFor()
    await dialog.getByText(/\b1 lots? close/).waitFor()
    await dialog.getByRole('button', { name: /^Close/ }).click()
    const disabled = { customer_bidding_enabled: false }
    await stage.call(`/../../staff/v1/sessions/${session}`, 'PATCH', disabled, key)
    await open('Enable bidding')
    await button('Check first').click()
    await dialog.getByText('The lots 1, 2, 3 have no starting bid').waitFor()
    const [, , third] = await readLots()
    await stage.call(`/../../staff/v1/lots/${third!.id}`, 'PATCH', { starting_bid: eur(5_000) }, key)
    await dialog.getByText('The lots 1, 2 have no starting bid').waitFor()
    await context.close()
  })

  test('the results of a saleroom session leave those that another person recorded', async () => {
    const { page, context, session, key, readLots } = await openClerkDesk(stage, 'stap', 2)
    await page.goto(`${stage.origin}/#/sessions/${session}/results`)
    for (const lot of [1, 2]) await page.getByRole('checkbox', { name: `Lot ${lot}` }).check()
    await page.getByRole('button', { name: 'Passed: 2 selected' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Check first' }).click()
    await dialog.getByText('This would happen:').waitFor()
    const [first] = await readLots()
    const result = { state: 'sold', amount: eur(17_000) }
    await stage.call(`/../../staff/v1/lots/${first!.id}`, 'PATCH', { result }, key)
    await dialog.getByRole('button', { name: 'Passed', exact: true }).click()
    await dialog.getByText('Lot 1: Sold €170.').waitFor()
    assert.deepEqual((await readLots()).map(short), ['sold 17000', null])
    await context.close()
  })
})
