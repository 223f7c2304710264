import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Route } from 'playwright-core'
import { cardOf, findLots, findSession, intercept, live, openSharedStage, skip, timed, type Lot } from './support.ts'

describe('requests that the service fails', { skip }, async () => {
  const stage = await openSharedStage()

  const request = '0197b0a2-0000-7000-8000-000000000001'
  const failAs = (code: string) => (route: Route) =>
    route.fulfill({
      status: 500,
      contentType: 'application/problem+json',
      headers: { 'request-id': request },
      body: JSON.stringify({ type: `/problems/${code}`, title: code, status: 500, detail: 'A fault in English.' }),
    })
  const fault = `The service has a fault. Request ${request}`

  test('pictures that could not be listed are reported with the failed request, and listed again', async () => {
    const key = await stage.createSale('blind', 'Niet gezien', { ...live, published: true }, [{}, {}, {}])
    const { page, context } = await stage.open('about:blank')
    const letThrough = await intercept(page, '**/api/v2/images?*', failAs('internal-error'))
    await page.goto(`${stage.origin}/#key=${key}`)
    await page.waitForSelector('.lot-card')
    const words = `The pictures could not be looked at. Trying again… ${fault}`
    await page.getByText(words).waitFor()
    await page.click('.tabs >> text=Pictures')
    await page.locator('.attention').getByText(words).waitFor()
    assert.equal(await page.getByText('No pictures yet').count(), 0)
    letThrough()
    await page.locator('.attention li', { hasText: 'Kavel 2' }).getByText('No pictures yet').waitFor()
    assert.equal(await page.getByText(fault).count(), 0)
    await context.close()
  })

  test('a related record that cannot be shown is reported with its request, and hides nothing else', async () => {
    const { page, context } = await stage.open()
    await page.waitForSelector('.lot-card')
    await page.route('**/api/v2/sellers/*', failAs('integrity-unavailable'))
    await page.locator('.lot-card a').first().click()
    const words = `The service cannot show this record truthfully. Request ${request}`
    await page.locator('.relations').getByText(words).waitFor()
    await page.locator('.relations').getByText('Makers').waitFor()
    await context.close()
  })

  test('the page reports lots that are missing after the first ones, and loads them on request', async () => {
    const lots = Array.from({ length: 130 }, () => ({}))
    const key = await stage.createSale('tekort', 'Halverwege', { ...live, published: true }, lots)
    const { page, context } = await stage.open('about:blank')
    const letThrough = await intercept(page, '**/api/v2/lots?*cursor=*', failAs('internal-error'))
    await page.goto(`${stage.origin}/#key=${key}`)
    await page.getByText(fault).waitFor()
    await page.waitForSelector('.lot-card')
    await page.getByText('100 of 130 lots loaded').waitFor()
    // The service has counted all of them.
    for (const words of ['All 130', 'On 130', 'Without photograph 130'])
      await page.locator('.chips').getByText(words, { exact: true }).waitFor()
    letThrough()
    await page.getByText('Try again').click()
    await page.getByText('130 lots', { exact: true }).waitFor()
    assert.equal(await page.getByText(fault).count(), 0)
    await context.close()
  })

  test('lots that change and disappear while the later ones load are not shown as they were', async () => {
    const lots = Array.from({ length: 130 }, () => ({}))
    const session = { ...live, opens_at: '2035-01-01T10:00:00Z', published: true }
    await stage.createSale('traag', 'Traag', session, lots)
    const key = await stage.issueKey('traag', { staff: 'Anna' })
    const id = await findSession(stage, 's', key)
    const { page, context } = await stage.open('about:blank')
    const [asked, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    await page.route('**/staff/v1/lots?*limit=1000*', async (route) => {
      asked.resolve()
      await release.promise
      await route.continue()
    })
    await page.goto(`${stage.origin}/#key=${key}`)
    await page.goto(`${stage.origin}/#/sessions/${id}`)
    await asked.promise
    const [first, second, third] = await findLots(stage, id, key)
    const change = (lot: Lot, body: object) => stage.call(`/../../staff/v1/lots/${lot.id}`, 'PATCH', body, key)
    await change(first!, { notice: 'Haarscheur' })
    await change(second!, { archived: true })
    // From a page that was read to one that was not.
    await change(third!, { lot_number: 500 })
    const shows = async () => {
      await cardOf(page, first!.id).getByText('Haarscheur').waitFor()
      await cardOf(page, second!.id).waitFor({ state: 'detached' })
    }
    await shows()
    release.resolve()
    await page.getByText('129 lots', { exact: true }).waitFor()
    await shows()
    await page.goto(`${stage.origin}/#/sessions/${id}/list`)
    const numbers = page.locator('table.list tbody tr td:first-child')
    await numbers.nth(128).waitFor()
    const wanted = Array.from({ length: 130 }, (_, index) => index + 1).filter((number) => number !== 2 && number !== 3)
    assert.deepEqual((await numbers.allTextContents()).map(Number), [...wanted, 500])
    await context.close()
  })

  test('the page reports that changes cannot be followed, until they can', async () => {
    const { page, context } = await stage.open('about:blank')
    const letThrough = await intercept(page, '**/api/v2/changes?*', failAs('internal-error'))
    await page.goto(stage.window)
    await page.locator('.trouble').getByText(`What you see may be out of date. Trying again… ${fault}`).waitFor()
    letThrough()
    await page.waitForSelector('.trouble[data-shown=false]', { state: 'attached' })
    await context.close()
  })

  test('a refusal is in the chosen language; a reason that the window does not know is in English, and marked', async () => {
    const soon = { ...timed, opens_at: new Date(Date.now() + 280_000).toISOString(), published: true }
    const open = async (slug: string, sale: object, lot: object) => {
      const key = await stage.createSale(slug, slug, sale, [{ active: false, lot }])
      const { page, context } = await stage.open(`${stage.origin}/#key=${key}`, { locale: 'nl-NL' })
      await page.locator('.sessions').getByText(slug).click()
      await page.locator('.lot-card .tick').click()
      return { page, context }
    }
    const draft = { ...timed, published: false }
    const numberless = await open('nummerloos', draft, { lot_number: null })
    await numberless.page.click('.switching >> text=Aanzetten')
    await numberless.page.locator('.refusals').getByText('zonder nummer kan niet').waitFor()
    assert.equal(await numberless.page.locator('dialog [lang=en]').count(), 0)
    await numberless.context.close()

    const { page, context } = await open('straks', soon, {})
    await page.click('.switching >> text=Aanzetten')
    await page.locator('dialog').getByText('De zitting opent over minder dan vijf minuten of is geopend.').waitFor()
    assert.equal(await page.locator('dialog [lang=en]').count(), 0)
    await page.keyboard.press('Escape')
    const problem = {
      type: '/problems/lot-not-changeable',
      title: 'No',
      status: 409,
      detail: 'It rains.',
      reason: 'rain',
    }
    await page.route('**/lots?dry_run=true', (route) =>
      route.fulfill({ status: 409, contentType: 'application/problem+json', body: JSON.stringify(problem) }),
    )
    await page.click('.switching >> text=Aanzetten')
    await page.locator('dialog').getByText('De kavel kan niet meer worden aan- of uitgezet.').waitFor()
    assert.equal((await page.locator('dialog [lang=en]').textContent())!.trim(), 'It rains.')
    await context.close()
  })
})
