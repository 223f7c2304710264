import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { findSession, openRunningSale, skip, timed, type Lot } from './support.ts'

describe('the addresses of the window', { skip }, async () => {
  const { stage, session, lots } = await openRunningSale()
  const wall = () => `${stage.origin}/#/sessions/${session}`

  test('the number of lots is exact for any session, and follows additions', async () => {
    const lots = Array.from({ length: 230 }, () => ({}))
    const key = await stage.createSale('veel', 'Veel kavels', { ...timed, published: false }, lots)
    const { page, context } = await stage.open(`${stage.origin}/#key=${key}`)
    const count = page.locator('.sessions a', { hasText: 'Veel kavels' }).locator('.count')
    await count.getByText('230 lots', { exact: true }).waitFor()
    const id = await findSession(stage, 's', key)
    await stage.load([
      { type: 'house', slug: 'veel' },
      { type: 'item', ref: 'one-more', external_reference: 'one-more', title: 'Nog een' },
      { type: 'lot', session: id, item: 'one-more', lot_number: 231, active: false },
    ])
    await count.getByText('231 lots', { exact: true }).waitFor()
    await context.close()
  })

  test('arrow keys move between lots, Enter opens one, Escape leads back', async () => {
    const { page, context } = await stage.open()
    await page.locator('.lot-card a').first().focus()
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('End')
    await page.waitForFunction((id) => document.activeElement?.getAttribute('href')?.includes(id), lots.at(-1)!.id)
    await page.keyboard.press('Enter')
    await page.waitForURL(new RegExp(lots.at(-1)!.id))
    await page.waitForSelector('article.lot h1')
    await page.keyboard.press('Escape')
    await page.waitForURL(wall())
    await context.close()
  })

  test('a page that the user opens while the first one loads stays', async () => {
    const { page, context } = await stage.open('about:blank')
    const [auctions, program] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    await page.route('**/api/v2/auctions?*', async (route) => {
      await auctions.promise
      await route.continue()
    })
    await page.route('**/assets/item-*.js', async (route) => {
      await program.promise
      await route.continue()
    })
    const [{ item, title }] = lots as [Lot]
    await page.goto(stage.window)
    await page.getByText('Loading…').waitFor()
    await page.goto(`${stage.origin}/#/items/${item}`)
    const answered = page.waitForResponse('**/api/v2/auctions?*')
    auctions.resolve()
    await (await answered).finished()
    program.resolve()
    await page.getByRole('heading', { name: title, exact: true }).waitFor()
    assert.equal(page.url(), `${stage.origin}/#/items/${item}`)
    await context.close()
  })

  test('addresses that the router takes for the same lead on alike', async () => {
    const { page, context } = await stage.open()
    await page.waitForSelector('.lot-card')
    const other = await findSession(stage, 'veiling-114-online')
    const { id } = lots[0]!
    for (const [address, target] of [
      ['NOW', wall()],
      ['n%6Fw', wall()],
      [`Sessions/${other}/LOTS/${id}`, `${wall()}/lots/${id}`],
      [`sessions/foo%20bar/lots/${id}`, `${wall()}/lots/${id}`],
    ] as const) {
      await page.goto(`${stage.origin}/#/`)
      await page.getByRole('heading', { name: 'Sales' }).waitFor()
      await page.goto(`${stage.origin}/#/${address}`)
      await page.waitForURL(target)
    }
    await context.close()
  })

  test('a page that the user left while it loaded leads on when they come back to it', async () => {
    const { page, context } = await stage.open('about:blank')
    const [auctions, program] = await Promise.all(
      ['**/api/v2/auctions?*', '**/assets/sales-*.js'].map(async (address) => {
        const held = Promise.withResolvers<void>()
        await page.route(address, async (route) => {
          await held.promise
          await route.continue()
        })
        return held
      }),
    )
    await page.goto(stage.window)
    await page.getByText('Loading…').waitFor()
    await page.goto(`${stage.origin}/#/`)
    const answered = page.waitForResponse('**/api/v2/auctions?*')
    auctions!.resolve()
    await (await answered).finished()
    await page.goBack()
    program!.resolve()
    await page.waitForURL(wall())
    await context.close()
  })

  test('the id of another house is answered like one that does not exist', async () => {
    await stage.load([{ type: 'house', slug: 'elders', name: 'Elders', default_locale: 'nl', currency: 'EUR' }])
    const key = await stage.issueKey('elders')
    for (const path of [
      `sessions/${session}`,
      `sessions/${session}/lots/${lots[0]!.id}`,
      `items/${lots[0]!.item}`,
      'nowhere',
    ]) {
      const { page, context } = await stage.open(`${stage.origin}/#key=${key}`)
      await page.waitForSelector('text=There are no sales yet.')
      await page.goto(`${stage.origin}/#/${path}`)
      await page.waitForSelector('text=There is nothing here.')
      assert.ok(!(await page.textContent('body'))!.includes(lots[0]!.title))
      await context.close()
    }
  })

  test("an address with an invalid search, or with another session than its lot's, still shows its page", async () => {
    const { page, context } = await stage.open()
    await page.waitForSelector('.lot-card')
    const other = await findSession(stage, 'veiling-114-online')
    for (const search of ['q={"a":1}', 'q=true', 'q=[2]', 'only={"a":1}', 'only=__proto__']) {
      await page.goto('about:blank')
      await page.goto(`${wall()}?${search}`)
      await page.waitForSelector('.lot-card')
    }
    const [{ id, title }] = lots as [Lot]
    await page.goto(`${stage.origin}/#/sessions/${other}/lots/${id}`)
    await page.waitForURL(`${wall()}/lots/${id}`)
    await page.getByRole('heading', { name: title, exact: true }).waitFor()
    await context.close()
  })
})
