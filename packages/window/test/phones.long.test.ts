import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { findLots, findSession, openSharedStage, skip, timed } from './support.ts'

describe('the work of staff on a phone', { skip }, async () => {
  const stage = await openSharedStage()
  const open = (key: string, locale: string, width = 320) =>
    stage.open(`${stage.origin}/#key=${key}`, { locale, viewport: { width, height: 700 } })
  const widthOf = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth)

  test('the client view fits a phone in each language, with the way to the sales and the whole name of the house', async () => {
    await stage.createSale('veilinghuis-toonstra', 'Klokken', { ...timed, published: true }, [{}, { active: false }])
    const key = await stage.issueKey('veilinghuis-toonstra', { staff: 'Anna' })
    for (const locale of ['en', 'nl', 'de', 'fr'])
      for (const width of [320, 390]) {
        const { page, context } = await open(key, locale, width)
        await page.waitForSelector('.bar [aria-pressed]')
        assert.equal(await widthOf(page), width, locale)
        for (const link of await page.locator('.bar nav a').all()) {
          const box = await link.boundingBox()
          assert.ok(box && box.width > 20 && box.x + box.width <= width, locale)
        }
        const name = page.getByRole('link', { name: 'veilinghuis-toonstra' })
        assert.ok(await name.evaluate((link) => link.scrollWidth <= link.clientWidth), `${locale} ${width}`)
        await context.close()
      }
  })

  test('the board, the results and the history fit a phone in each language', async () => {
    const terms = { ...timed, opens_at: '2026-01-01T10:00:00Z', published: true }
    const lots = [-10, 60].map((minutes) => {
      const closes_at = new Date(Date.now() + minutes * 60_000).toISOString()
      return { lot: { closes_at, scheduled_closes_at: closes_at } }
    })
    await stage.createSale('telefoon', 'Online', terms, lots)
    const key = await stage.issueKey('telefoon', { staff: 'Anna' })
    const session = await findSession(stage, 's', key)
    const [lot] = await findLots(stage, session, key)
    for (const [locale, words] of Object.entries({ nl: 'Zonder uitslag', de: 'Ohne Ergebnis', fr: 'Sans résultat' })) {
      const { page, context } = await open(key, locale, 390)
      await page.waitForURL(new RegExp(session))
      for (const path of ['desk', 'results', 'journal', `lots/${lot!.id}/history`]) {
        await page.goto(`${stage.origin}/#/sessions/${session}/${path}`)
        await page.waitForSelector('.board, .results, .panel table')
        assert.equal(await widthOf(page), 390, `${locale} ${path}`)
        if (path === 'desk' || path === 'results') await page.getByText(words).first().waitFor()
      }
      await context.close()
    }
  })

  test('the preparation and the results of all sales fit a narrow phone in each language', async () => {
    await stage.createSale('smal', 'Zitting smal', { ...timed, published: false }, [{}, {}])
    const key = await stage.issueKey('smal', { staff: 'Anna' })
    const session = await findSession(stage, 's', key)
    for (const [locale, words] of Object.entries({ nl: 'Nieuwe veiling', de: 'Neue Auktion', fr: 'Nouvelle vente' })) {
      const { page, context } = await open(key, locale)
      await page.waitForSelector('.sessions .count')
      for (const [path, drawn] of [
        ['prepare', '.sessions details'],
        ['prepare/items?offered=all', '.results tbody td'],
        [`sessions/${session}/prepare`, '.results tbody td'],
        ['after', '.outcomes li'],
      ] as const) {
        await page.goto(`${stage.origin}/#/${path}`)
        await page.waitForSelector(drawn)
        assert.equal(await widthOf(page), 320, `${locale} ${path}`)
        if (path === 'prepare') await page.getByText(words).waitFor()
      }
      await context.close()
    }
  })
})
