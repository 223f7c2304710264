import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Catalogue } from '@auction-catalogue/client'
import { cardOf, countMarks, findSession, openRunningSale, openSignedIn, skip, timed } from './support.ts'

const past = { opens_at: '2024-01-01T10:00:00Z', published: true }

describe('the times of lots', { skip }, async () => {
  const { stage, session, lots } = await openRunningSale()
  const openAt = (path: string) => openSignedIn(stage, `${stage.origin}/#/${path}`)

  test('an extension moves the clock, without animation for users who prefer reduced motion', async () => {
    const closes_at = new Date(Date.now() + 7_200_000).toISOString()
    const day = { extension_threshold_seconds: 86_400, extension_seconds: 86_400 }
    const open = { ...past, kind: 'timed', customer_bidding_enabled: true }
    const running = { ...open, timed: { ...timed.timed, first_closes_at: closes_at, ...day } }
    const key = await stage.createSale('verlengd', 'Verlengd', running, [
      { lot: { closes_at, scheduled_closes_at: closes_at, starting_bid: { amount: 1_000, currency: 'EUR' } } },
    ])
    const catalogue = new Catalogue({ url: stage.origin, key })
    const [lot] = (await catalogue.lots.list().page()).data
    const moving = await stage.open(`${stage.origin}/#key=${key}`)
    const still = await stage.open(`${stage.origin}/#key=${key}`, { reducedMotion: 'reduce' })
    for (const { page } of [moving, still]) {
      const card = cardOf(page, lot!.id)
      await card
        .locator('.clock')
        .getByText(/^1:5\d:|^2:00:00/)
        .waitFor()
      assert.equal(await card.getByText('Extended').count(), 0)
      // The mark of a new bid disappears after a moment.
      await page.evaluate(() => {
        const observer = new MutationObserver(() => {
          const bid = document.querySelector('.bid[data-new=true] b')
          if (bid === null) return
          observer.disconnect()
          document.body.dataset['animations'] = String(bid.getAnimations().length)
        })
        observer.observe(document.body, { subtree: true, childList: true, attributes: true })
      })
    }
    await stage.run('bids', 'place', '--lot', lot!.id, '--amount-minor', '1000')
    const extended = await catalogue.lots.get(lot!.id)
    assert.notEqual(extended.closes_at, closes_at)
    for (const [index, { page, context }] of [still, moving].entries()) {
      const card = cardOf(page, lot!.id)
      await card.getByText('Extended').waitFor()
      assert.equal(await card.locator('.clock').getAttribute('datetime'), extended.closes_at)
      await card
        .locator('.clock')
        .getByText(/^23:5\d:|^1d/)
        .waitFor()
      await page.waitForFunction((count) => document.body.dataset['animations'] === count, String(index))
      await context.close()
    }
  })

  test('a closed lot has its result; without one the result is to follow, and no lot is called unsold', async () => {
    const closes = { closes_at: '2024-01-02T10:00:00Z' }
    const bid = { current_bid: { amount: 1_000, currency: 'EUR' } }
    const result = (state: string, fields: object = {}) => ({ lot: { ...closes, result: { state, ...fields } } })
    const price = { amount: { amount: 123_400, currency: 'EUR' } }
    const ended = [
      { lot: { ...closes, ...bid, sold: true } },
      result('sold', { ...price, after_sale: true }),
      result('unsold'),
      result('withdrawn'),
      { lot: { ...closes, ...bid, notice: 'Niet gesigneerd', notice_translations: { en: 'Not signed' } } },
      { lot: closes },
      { active: false },
    ]
    const follows = 'Closed, result to follow'
    const sales = {
      zaal: { ...past, kind: 'live', live: closes },
      net: { ...past, kind: 'timed', timed: timed.timed },
      klaar: { ...past, kind: 'timed', timed: timed.timed, finished: true },
    }
    for (const [slug, sale] of Object.entries(sales)) {
      const key = await stage.createSale(slug, `Voorbij ${slug}`, sale, ended)
      const { page, context } = await stage.open(`${stage.origin}/#key=${key}`)
      await page.waitForSelector(`text=Voorbij ${slug}`)
      await page.goto(`${stage.origin}/#/sessions/${await findSession(stage, 's', key)}`)
      await page.waitForSelector('.lot-card')
      assert.deepEqual(await page.locator('.lot-card .badge').allTextContents(), [
        'Sold',
        'Aftersale',
        'Unsold',
        'Withdrawn',
        follows,
        follows,
        'Off',
      ])
      await page.locator('.chips').getByText('Sold 2', { exact: true }).waitFor()
      await page.locator('.lot-card').nth(1).getByText('€1,234').waitFor()
      await page.locator('.lot-card').nth(4).getByText('Not signed').waitFor()
      await page.locator('.lot-card a').nth(4).click()
      await page.locator('.bidding').getByText(follows, { exact: true }).waitFor()
      await page.locator('.bidding').getByText('Not signed').waitFor()
      await context.close()
    }
  })

  test('the schedule of a published session shows the times of its lots, and names the lots without one', async () => {
    const closes = ['2036-01-02T10:00:00Z', '2036-01-02T10:01:00Z']
    const on = closes.map((at) => ({ lot: { closes_at: at, scheduled_closes_at: at } }))
    const lots = [on[0]!, { active: false }, on[1]!, { active: false, lot: { closes_at: closes[1] } }]
    const key = await stage.createSale('morgen', 'Aangekondigd', { ...timed, published: true }, lots)
    const { page, context } = await stage.open(`${stage.origin}/#key=${key}`)
    await page.click('text=Aangekondigd')
    await page.click('.tabs >> text=Schedule')
    await page.waitForSelector('text=2 lots are off or have no closing time')
    assert.equal(await countMarks(page), 2)
    assert.equal(await page.getByText('A draft').count(), 0)
    await page.waitForSelector('.facts-list >> text=2 Jan 2036, 11:01:00')
    await context.close()
  })

  test('the keyboard and the pointer choose and open the lots of the plot', async () => {
    const { page, context } = await openAt(`sessions/${session}/schedule`)
    const chooser = page.getByRole('slider', { name: 'Choose a lot of the plot' })
    await chooser.focus()
    await page.keyboard.press('End')
    const last = lots.at(-1)!
    assert.match((await chooser.getAttribute('aria-valuetext'))!, new RegExp(`^Lot ${last.lot_number}: `))
    await page.keyboard.press('ArrowLeft')
    await page.keyboard.press('Tab')
    assert.match((await page.locator(':focus').textContent())!, new RegExp(`^Lot ${lots.at(-2)!.lot_number}: `))
    await page.keyboard.press('Shift+Tab')
    await page.keyboard.press('End')
    await page.keyboard.press('Enter')
    await page.waitForURL(new RegExp(last.id))
    await page.goBack()
    const { width, height } = (await page.locator('.plot svg').boundingBox())!
    await page.locator('.plot svg').click({ position: { x: width / 2, y: height - 40 } })
    await page.waitForURL(new RegExp(last.id))
    await context.close()
  })
})
