import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { openClerkDesk, short } from './clerks.ts'
import { findBarriers, intercept, openSharedStage, skip } from './support.ts'

describe('the desk of the clerk in other languages and without a network', { skip }, async () => {
  const stage = await openSharedStage()

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
    const letThrough = await intercept(page, '**/staff/v1/lots/*', (route) =>
      route.request().method() === 'PATCH' ? route.abort() : route.continue(),
    )
    await page.keyboard.press('p')
    await page.getByText('1 decision waits to be sent.').waitFor()
    page.on('dialog', (dialog) => void dialog.accept())
    await page.reload()
    await page.getByText('1 decision waits to be sent.').waitFor()
    letThrough()
    await page.locator('.clerk-log [data-state=stored]').nth(3).waitFor()
    assert.deepEqual((await readLots()).map(short), ['sold 15000', 'unsold', 'sold 12000', 'unsold'])
    // Only what is stored is said.
    await context.setOffline(true)
    await page.keyboard.press('z')
    await page.getByText('1 decision waits to be sent.').waitFor()
    const isSaid = page.getByText('Lot 4 has no result, and is held.')
    assert.equal(await isSaid.count(), 0)
    await context.setOffline(false)
    await isSaid.waitFor()
    assert.match(page.url(), new RegExp(session))
    await context.close()
  })

  test('a decided lot does not stand ready again while its answer arrives', async () => {
    const { page, context } = await openClerkDesk(stage, 'kort', 1)
    await page.evaluate(() => {
      const said: string[] = []
      const read = () => {
        const now = document.querySelector('.stand, .stand-text')?.ariaLabel ?? 'none'
        if (said.at(-1) !== now) said.push(now)
        document.body.dataset['said'] = said.join(', ')
      }
      read()
      new MutationObserver(read).observe(document.querySelector('.clerk')!, {
        subtree: true,
        childList: true,
        attributes: true,
      })
    })
    // Once the page has the change, it asks for the next ones.
    const applied = page.waitForResponse(/\/changes\?/).then(() => page.waitForRequest(/\/changes\?/))
    await page.keyboard.type('150')
    await page.keyboard.press('Enter')
    await page.locator('.clerk-log [data-state=stored]').waitFor()
    await applied
    await page.getByText('Every lot has a result.').first().waitFor()
    assert.equal(await page.evaluate(() => document.body.dataset['said']), 'Lot 1 stands ready, none')
    await context.close()
  })

  test('changes that were read before a later decision do not undo it on the page', async () => {
    const { page, context } = await openClerkDesk(stage, 'laat', 3)
    const [held, release, applied] = Array.from({ length: 3 }, () => Promise.withResolvers<void>())
    let isReleased = false
    await page.route(/\/changes\?/, async (route) => {
      // The page asks for the next changes once it shows these.
      if (isReleased) {
        applied!.resolve()
        return route.abort()
      }
      const response = await route.fetch()
      if ((await response.text()).includes('"amount":15000')) {
        held!.resolve()
        await release!.promise
        isReleased = true
      }
      await route.fulfill({ response })
    })
    // The poll that waits already is not held.
    const asksAgain = page.waitForRequest(/\/changes\?/)
    await page.keyboard.press('p')
    await asksAgain
    await page.keyboard.type('150')
    await page.keyboard.press('Enter')
    await held!.promise
    await page.locator('.clerk-log [data-state=stored]').nth(1).waitFor()
    await page.keyboard.press('z')
    await page.locator('.clerk-log [data-state=stored]').nth(2).waitFor()
    release!.resolve()
    await applied!.promise
    assert.equal(await page.getByRole('region', { name: 'Lot 2 stands ready' }).count(), 1)
    assert.equal(await page.locator('.stand .badge').count(), 0)
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
})
