import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { findSession, live, openSharedStage, settle, skip, timed } from './support.ts'

describe('the layout of the pages', { skip }, async () => {
  const stage = await openSharedStage()
  const phone = { width: 390, height: 844 }

  /** A house with one session, and a page of its staff. */
  async function open(slug: string, session: object, currency: string, locale: string, viewport = phone) {
    const estimates = [12_000, 1_200_000].map((low) => ({
      low: { amount: low * 100, currency },
      high: { amount: low * 150, currency },
    }))
    const lots = estimates.map((estimate) => ({ estimate }))
    await stage.createSale(slug, `Zitting ${slug}`, session, lots, currency)
    const key = await stage.issueKey(slug, { staff: 'Anna' })
    const opened = await stage.open(`${stage.origin}/#key=${key}`, { locale, viewport })
    return { ...opened, session: await findSession(stage, 's', key) }
  }

  test('the estimate of a lot is whole on its card, in each language, currency and width', async () => {
    for (const [locale, currency] of Object.entries({ nl: 'EUR', en: 'GBP', 'de-CH': 'CHF', fr: 'EUR' })) {
      const { page, context, session } = await open(`richtprijs-${locale}`, timed, currency, locale)
      await page.waitForSelector('.sessions .count')
      await page.goto(`${stage.origin}/#/sessions/${session}`)
      for (const width of [390, 1280, 2560]) {
        await page.setViewportSize({ width, height: 844 })
        // The cards have been laid out for this width.
        await page.waitForFunction(() => {
          const [wall, card] = ['.wall', '.lot-card'].map((each) => document.querySelector(each)?.clientWidth ?? 0)
          const columns = Math.round(wall! / card!)
          return columns > 1 && card! * columns > wall! * 0.75
        })
        const cut = await page.locator('.lot-card .bid .quiet > :last-child').evaluateAll((all) =>
          all
            .filter((each) => {
              const [own, card] = [each, each.closest('.lot-card')!].map((of) => of.getBoundingClientRect())
              const line = each.parentElement!.getBoundingClientRect()
              return own!.right > card!.right + 1 || own!.bottom > line.bottom + 1 || own!.top < line.top - 1
            })
            .map((each) => each.textContent),
        )
        assert.deepEqual(cut, [], `${locale} ${width}`)
      }
      await context.close()
    }
  })

  test('each page of staff has one toolbar, below its heading, and nothing to press in the heading', async () => {
    const { page, context, session } = await open('werkbalk', { ...timed, published: false }, 'EUR', 'en')
    await page.waitForSelector('.sessions .count')
    const paths = ['', 'prepare', 'prepare/items?offered=all', 'after', 'after/sheets']
    const views = ['', '/list', '/pictures', '/prepare', '/desk', '/results', '/journal', '/prints']
    for (const path of [...paths, ...views.map((view) => `sessions/${session}${view}`)]) {
      await page.goto(`${stage.origin}/#/${path}`)
      await page.reload()
      const look = () =>
        page.evaluate(() => {
          const bars = document.querySelectorAll('.toolbar')
          const [heading, bar] = [document.querySelector('h1'), bars[0]].map((each) => each?.getBoundingClientRect())
          return {
            bars: bars.length,
            isBelow: !!heading && !!bar && heading.bottom <= bar.top,
            pressed: document.querySelectorAll('.heading :is(a, button), h1 :is(a, button)').length,
          }
        })
      await settle(look, { bars: 1, isBelow: true, pressed: 0 })
    }
    await context.close()
  })

  test('the price field of the clerk is in the first view of a phone, in each language', async () => {
    const { page, context, session } = await open('prijsveld', { ...live, published: true }, 'EUR', 'nl')
    await page.waitForURL(new RegExp(session))
    for (const locale of ['nl', 'de', 'fr', 'en']) {
      await page.evaluate((language) => localStorage.setItem('settings', JSON.stringify({ language })), locale)
      await page.goto(`${stage.origin}/#/sessions/${session}/desk`)
      await page.reload()
      await page.waitForSelector('#price:focus')
      await page.waitForSelector(`html[lang=${locale}]`)
      const bottom = await page
        .locator('#price')
        .evaluate((field) => field.getBoundingClientRect().bottom + window.scrollY)
      assert.ok(bottom <= phone.height, `${locale} ${bottom}`)
    }
    await context.close()
  })
})
