import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { findSession, openSharedStage, settle, skip, timed } from './support.ts'

const count = 10_000

describe('a sale of 10,000 lots, for staff', { skip }, async () => {
  const stage = await openSharedStage()
  // The last ones have more lines than the first.
  const lots = Array.from({ length: count }, (_, index) => ({
    active: false,
    ...(index >= count / 2 && { title: `Kavel ${index + 1} ${'met een lange titel '.repeat(8)}` }),
  }))
  await stage.createSale('tienduizend', 'Tienduizend kavels', { ...timed, published: false }, lots)
  const key = await stage.issueKey('tienduizend', { staff: 'Anna' })
  const session = await findSession(stage, 's', key)

  /** A page of the session, signed in, whose lots are not asked for yet: `load` asks for them. */
  async function open(path: string) {
    const { page, context } = await stage.open(`${stage.origin}/#key=${key}`)
    // The sign-in leads to the sales.
    await page.waitForSelector('.sessions .count')
    await page.goto(`${stage.origin}/#/sessions/${session}${path}`)
    return { page, context, load: () => page.reload() }
  }
  const isLoaded = (page: Page, drawn: string) =>
    page.waitForFunction(
      (drawn) => document.querySelector(drawn) && !/lots loaded|Loading/.test(document.body.textContent),
      drawn,
    )

  /** Waits until all rows near the view are drawn, and says whether a field is in it. */
  const isInView = (page: Page, label: string) =>
    page.waitForFunction((label) => {
      const seen = (element: Element) => {
        const { top, bottom } = element.getBoundingClientRect()
        return bottom > 0 && top < innerHeight
      }
      const field = document.querySelector(`[aria-label="${label}"]`)
      return field && seen(field) && ![...document.querySelectorAll('[data-from]')].some(seen)
    }, label)

  test('each page takes at most 20 requests to load, and draws the lots near the view', async () => {
    const pages = {
      '': '.lot-card',
      '/list': '.list tbody tr',
      '/schedule': '.plot svg',
      '/pictures': '.attention li',
      '/prepare': '.results tbody tr',
      '/desk': '.board',
      '/results': '.results tbody tr',
    }
    for (const [path, drawn] of Object.entries(pages)) {
      const { page, context, load } = await open(path)
      // One that is repeated later counts once, however long the page takes.
      const asked = new Set<string>()
      page.on('framenavigated', () => asked.clear())
      page.on('request', (request) => {
        const { pathname } = new URL(request.url())
        // A request that waits for changes is always there.
        if (/^\/(api\/v2|staff\/v1)\b/.test(pathname) && !pathname.endsWith('/changes')) asked.add(request.url())
      })
      await load()
      await isLoaded(page, drawn)
      assert.ok(asked.size <= 20, [path, ...asked].join('\n'))
      const rows = await page.locator('tr, li').count()
      assert.ok(rows < 1_000, `${path} draws ${rows}`)
      await context.close()
    }
  })

  test('the journal and what is missing are shown from the first lots, while the others are read', async () => {
    const [lot] = await stage.call<{ id: string }[]>(`/lots?session=${session}&lot_number=2`, 'GET', undefined, key)
    await fetch(`${stage.origin}/staff/v1/lots/${lot!.id}`, {
      method: 'PATCH',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ starting_bid: { amount: 5_500, currency: 'EUR' } }),
    })
    const { page, context, load } = await open('/journal')
    const wanted = Promise.withResolvers<void>()
    await page.route(/\/staff\/v1\/lots\?.*number_/, async (route) => {
      await wanted.promise
      await route.continue()
    })
    await load()
    await page.getByText('100 of 10,000 lots loaded').waitFor()
    await page.getByRole('row').filter({ hasText: '€55' }).waitFor()
    await page.goto(`${stage.origin}/#/prepare`)
    await page.getByText('100 of 10,000 lots loaded').waitFor()
    await page.getByText('100 lots without estimate').waitFor()
    wanted.resolve()
    await page.getByText('10,000 lots without estimate').waitFor()
    await context.close()
  })

  test('the last lot is a key away, and what is typed for the first one stays', async () => {
    const { page, context } = await open('/prepare')
    await isLoaded(page, '.results tbody tr')
    const first = page.getByLabel('Starting bid of lot 1', { exact: true })
    await first.fill('not a price')
    await first.blur()
    await page.getByRole('alert').filter({ hasText: /./ }).waitFor()
    await page.evaluate(() => (document.activeElement as HTMLElement).blur())
    await page.keyboard.press('End')
    await page.getByLabel(`Starting bid of lot ${count}`).waitFor()
    const last = page.getByRole('row').filter({ has: page.getByLabel(`Starting bid of lot ${count}`) })
    assert.equal(await last.getAttribute('aria-rowindex'), String(count + 1))
    await isInView(page, `Starting bid of lot ${count}`)
    // Asked for twice, the end still lets go of the reader.
    await page.keyboard.press('End')
    const drawn = await page.locator('.results tbody tr').count()
    await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight / 2))
    await page.waitForFunction((drawn) => document.querySelectorAll('.results tbody tr').length > drawn + 100, drawn)
    assert.ok(await page.evaluate(() => scrollY < document.documentElement.scrollHeight * 0.7))
    await page.keyboard.press('Home')
    assert.equal(await first.inputValue(), 'not a price')
    await context.close()
  })

  test('all lots are drawn for the search of the browser', async () => {
    const { page, context } = await open('/list')
    await isLoaded(page, '.list tbody tr')
    await page.keyboard.press('Control+f')
    await page.waitForFunction((count) => document.querySelectorAll('.list tbody tr').length === count, count)
    await context.close()
  })

  test('the place in the list stays when the page becomes narrow, and wide again', async () => {
    const { page, context } = await open('/prepare')
    await isLoaded(page, '.results tbody tr')
    await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight / 3))
    await page.waitForFunction(() => document.querySelectorAll('.results tr').length > 400)
    const label = await page.evaluate(
      () =>
        [...document.querySelectorAll('input.bid[aria-label]')].find((field) => field.getBoundingClientRect().top > 0)!
          .ariaLabel!,
    )
    await isInView(page, label)
    for (const width of [390, 1280]) {
      await page.setViewportSize({ width, height: 720 })
      await page.waitForFunction((width) => innerWidth === width, width)
      await isInView(page, label)
    }
    await context.close()
  })

  test('what another person stores while the lots load is shown, though the page with the lot is older', async () => {
    const [lot] = await stage.call<{ id: string }[]>(`/lots?session=${session}&lot_number=9900`, 'GET', undefined, key)
    const { page, context, load } = await open(`/prepare?lot=${lot!.id}`)
    const stored = Promise.withResolvers<void>()
    const read = Promise.withResolvers<void>()
    await page.route(/\/staff\/v1\/lots\?.*number_from=9/, async (route) => {
      const response = await route.fetch()
      read.resolve()
      await stored.promise
      await route.fulfill({ response })
    })
    await load()
    await read.promise
    const reply = await fetch(`${stage.origin}/staff/v1/lots/${lot!.id}`, {
      method: 'PATCH',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ starting_bid: { amount: 7_700, currency: 'EUR' } }),
    })
    assert.equal(reply.status, 200)
    stored.resolve()
    await isLoaded(page, '.results tbody tr')
    // The address names the lot, so it is drawn although it is far away.
    const bid = page.getByLabel('Starting bid of lot 9900', { exact: true })
    await bid.waitFor()
    await page.waitForFunction((input) => (input as HTMLInputElement).value === '77', await bid.elementHandle())
    await context.close()
  })

  test('what is typed in a row stays, and is stored, though its new number leads it out of the view', async () => {
    const { page, context } = await open('/prepare')
    await isLoaded(page, '.results tbody tr')
    const bidOf = (number: number) => page.getByLabel(`Starting bid of lot ${number}`, { exact: true })
    const typed = Promise.withResolvers<void>()
    await page.route(/\/staff\/v1\/lots\/lot_/, async (route) => {
      if (route.request().method() === 'PATCH') await typed.promise
      await route.continue()
    })
    const row = page.getByRole('row').filter({ has: bidOf(31) })
    await row.locator('input.lot-number').fill('20000')
    await bidOf(31).fill('65')
    typed.resolve()
    await bidOf(20_000).waitFor()
    assert.equal(await bidOf(20_000).inputValue(), '65')
    // The focus goes along, and the view with it.
    await isInView(page, 'Starting bid of lot 20000')
    assert.equal(await page.evaluate(() => document.activeElement!.ariaLabel), 'Starting bid of lot 20000')
    await page.keyboard.press('Tab')
    const readBids = async () => {
      const path = `/lots?session=${session}&lot_number=20000`
      const found = await stage.call<{ starting_bid: { amount: number } | null }[]>(path, 'GET', undefined, key)
      return found.map(({ starting_bid: bid }) => bid?.amount)
    }
    await settle(readBids, [6_500])
    await context.close()
  })
})
