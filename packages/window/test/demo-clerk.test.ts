import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { waitForDesk } from './clerks.ts'
import { findBarriers, openStage, skip } from './support.ts'

describe('the address of the demo house for its staff', { skip }, async () => {
  const stage = await openStage()

  test("it opens the clerk's desk; three lots recorded by keyboard are on the page of the sales", async () => {
    const desk = await stage.open(stage.staff.window)
    await waitForDesk(desk.page)
    assert.doesNotMatch(desk.page.url(), /key/)
    for (const [lot, ...keys] of [
      ['101', '2', '0', '0', '0', 'Enter'],
      ['102', 'p'],
      ['103', '9', '5', '0', 'Enter'],
    ]) {
      await desk.page.getByRole('region', { name: `Lot ${lot} stands ready` }).waitFor()
      for (const key of keys) await desk.page.keyboard.press(key)
    }
    await desk.page.waitForFunction(() => document.querySelectorAll('.clerk-log [data-state=stored]').length === 3)

    const visit = await stage.open()
    await visit.page.waitForSelector('.lot-card')
    await visit.page.goto(`${stage.origin}/#/`)
    const latest = visit.page.locator('a.running', { hasText: '(zaal)' }).locator('.latest li')
    await latest.nth(2).waitFor()
    const shown = (await latest.allTextContents()).map((text) =>
      text.replace(/^(\d+) .*?((Sold|Unsold).*)$/, '$1 $2').trim(),
    )
    assert.deepEqual(shown, ['103 Sold €950', '102 Unsold', '101 Sold €2,000'])
    assert.deepEqual(await findBarriers(visit.page), [])
    await Promise.all([desk.context.close(), visit.context.close()])
  })

  test('in a tab of another key the address asks first, and then opens its page', async () => {
    const { page, context } = await stage.open()
    await page.waitForSelector('.lot-card')
    await page.goto(stage.staff.window)
    await page.getByRole('dialog').getByRole('button', { name: 'Change' }).click()
    await waitForDesk(page)
    await context.close()
  })
})
