import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { openClerkDesk, short } from './clerks.ts'
import { closeAfterwards } from './closing.ts'
import { findBarriers, openStage, skip } from './support.ts'

describe('the desk of the clerk in other languages and without a network', { skip }, async () => {
  const stage = await openStage()
  closeAfterwards(stage)

  test('without a network decisions are kept, also through a reload, and sent in order', async () => {
    const { page, context, readLots, session } = await openClerkDesk(stage, 'stil', 4)
    await context.setOffline(true)
    await page.keyboard.type('150')
    await page.keyboard.press('Enter')
    await page.keyboard.press('p')
    await page.keyboard.type('120')
    await page.keyboard.press('Enter')
    await page.getByText('3 decisions wait to be sent.').waitFor()
    await context.setOffline(false)
    await page.waitForFunction(() => document.querySelectorAll('.clerk-log [data-state=stored]').length === 3)
    assert.deepEqual((await readLots()).map(short), ['sold 15000', 'unsold', 'sold 12000', null])
    await page.route('**/staff/v1/**', (route) => route.abort())
    await page.keyboard.press('p')
    await page.getByText('1 decision waits to be sent.').waitFor()
    page.on('dialog', (dialog) => void dialog.accept())
    await page.reload()
    await page.getByText('1 decision waits to be sent.').waitFor()
    await page.unrouteAll()
    await page.locator('.clerk-log [data-state=stored]').waitFor()
    assert.deepEqual((await readLots()).map(short), ['sold 15000', 'unsold', 'sold 12000', 'unsold'])
    assert.match(page.url(), new RegExp(session))
    await context.close()
  })

  test('the desk speaks Dutch, German and French, and fits a phone', async () => {
    const { session, key, context } = await openClerkDesk(stage, 'talen', 1)
    for (const [locale, words] of Object.entries({ nl: 'Toegeslagen', de: 'Zuschlag', fr: 'Adjugé' })) {
      const { page, context } = await stage.open(`${stage.origin}/#key=${key}`, {
        locale,
        viewport: { width: 390, height: 800 },
      })
      await page.waitForURL(new RegExp(session))
      await page.goto(`${stage.origin}/#/sessions/${session}/desk`)
      await page.getByRole('button', { name: words }).waitFor()
      assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 390)
      assert.deepEqual(await findBarriers(page), [])
      await context.close()
    }
    await context.close()
  })

  test('no page broke the content policy or threw an error', () => {
    assert.deepEqual(stage.complaints, [])
  })
})
