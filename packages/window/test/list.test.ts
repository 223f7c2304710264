import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { findBarriers, findSession, openSharedStage, skip, timed } from './support.ts'

describe('the list of a session', { skip }, async () => {
  const stage = await openSharedStage()
  const count = 545
  const some = Array.from({ length: count }, (_, index) => ({
    estimate: { low: { amount: 1_000 * ((index * 7) % count) + 100, currency: 'EUR' } },
  }))
  const key = await stage.createSale('lijst', 'Een lange lijst', { ...timed, published: false }, some)
  const session = await findSession(stage, 's', key)
  const rows = (page: Page) => page.locator('.list tbody tr:not([aria-hidden])')

  /** The list with its first page of lots. `release` lets the second page come. */
  async function openHalf() {
    const { page, context } = await stage.open('about:blank')
    const released = Promise.withResolvers<void>()
    await page.route('**/api/v2/lots?*cursor=*', async (route) => {
      await released.promise
      await route.continue()
    })
    await page.goto(`${stage.origin}/#key=${key}`)
    await page.waitForSelector('.sessions .count')
    await page.goto(`${stage.origin}/#/sessions/${session}/list`)
    await rows(page).nth(99).waitFor()
    return { page, context, release: released.resolve }
  }

  test('it sorts by its columns', async () => {
    const { page, context } = await stage.open(`${stage.origin}/#key=${key}`)
    await page.waitForSelector('.sessions .count')
    await page.goto(`${stage.origin}/#/sessions/${session}/list`)
    await page.getByText('545 lots', { exact: true }).waitFor()
    const first = () => rows(page).first().locator('td').first().textContent()
    assert.equal(await first(), '1')
    await page.getByRole('button', { name: 'Lot' }).click()
    await page.waitForSelector('th[aria-sort=descending] >> text=Lot')
    assert.equal(await first(), String(count))
    await page.getByRole('button', { name: 'Estimate' }).click()
    await page.waitForSelector('th[aria-sort=ascending] >> text=Estimate')
    assert.equal(await first(), '1')
    await page.getByRole('button', { name: 'Estimate' }).click()
    await page.waitForSelector('th[aria-sort=descending] >> text=Estimate')
    assert.equal(await first(), String(some.findIndex(({ estimate }) => estimate.low.amount === 544_100) + 1))
    assert.deepEqual(await findBarriers(page), [])
    await context.close()
  })

  test('it prints every lot of a session, also those that are loaded and not yet drawn', async () => {
    const { page, context, release } = await openHalf()
    // The button to print comes with the last lot that is loaded.
    const printed = page.evaluate(
      (of) =>
        new Promise<{ isWhole: boolean; printed: number }>((resolve) => {
          const countRows = () => document.querySelectorAll('.list tbody tr:not([aria-hidden])').length
          const observer = new MutationObserver(() => {
            if (!document.querySelector('.toolbar button')) return
            observer.disconnect()
            const isWhole = countRows() === of
            dispatchEvent(new Event('beforeprint'))
            resolve({ isWhole, printed: countRows() })
          })
          observer.observe(document.body, { childList: true, subtree: true })
        }),
      count,
    )
    release()
    assert.deepEqual(await printed, { isWhole: false, printed: count })
    await page.emulateMedia({ media: 'print' })
    assert.equal(await page.locator('.bar').isVisible(), false)
    assert.equal(await page.getByText('545 lots', { exact: true }).isVisible(), true)
    assert.equal(await page.locator('.list tbody tr:visible').count(), count)
    await context.close()
  })

  test('until its last lot is loaded it has no button to print, and a print by the keys of the browser says so', async () => {
    const { page, context, release } = await openHalf()
    const coming = page.getByText('100 of 545 lots loaded')
    await coming.waitFor()
    assert.equal(await page.locator('.toolbar button').count(), 0)
    await page.evaluate(() => dispatchEvent(new Event('beforeprint')))
    await page.emulateMedia({ media: 'print' })
    assert.equal(await coming.isVisible(), true)
    assert.equal(await rows(page).count(), 100)
    release()
    await page.getByText('545 lots', { exact: true }).waitFor()
    await page.evaluate(() => dispatchEvent(new Event('beforeprint')))
    assert.equal(await rows(page).count(), count)
    await page.emulateMedia({ media: 'screen' })
    await page.locator('.toolbar button').waitFor()
    await context.close()
  })

  test('a list whose next page fails says how many lots it has of how many', async () => {
    const { page, context } = await stage.open('about:blank')
    await page.route('**/api/v2/lots?*cursor=*', (route) =>
      route.fulfill({ status: 400, contentType: 'application/problem+json', body: '{"title":"Bad","status":400}' }),
    )
    await page.goto(`${stage.origin}/#key=${key}`)
    await page.waitForSelector('.sessions .count')
    await page.goto(`${stage.origin}/#/sessions/${session}/list`)
    await page.getByRole('button', { name: 'Try again' }).waitFor()
    await page.getByText('100 of 545 lots loaded', { exact: true }).waitFor()
    assert.equal(await page.locator('.toolbar button').count(), 0)
    await context.close()
  })
})
