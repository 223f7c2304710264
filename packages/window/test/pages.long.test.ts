import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { picture } from '../../../test/support/pictures.ts'
import { findBarriers, findLots, findSession, openStage, skip, timed } from './support.ts'

describe('every page', { skip }, async () => {
  const stage = await openStage()
  const session = await findSession(stage, 'veiling-113-online')
  const draft = await findSession(stage, 'veiling-114-online')
  const lots = await findLots(stage, session)
  const folder = await mkdtemp(path.join(tmpdir(), 'window-pages-'))
  await writeFile(path.join(folder, 'good.jpg'), await picture('#224466'))
  await writeFile(path.join(folder, 'page.jpg'), '<!doctype html>')
  after(() => rm(folder, { recursive: true }))

  /** Opens all pages and dialogs, and calls `look` with the name of each. */
  async function visit(page: Page, look: (name: string) => Promise<void>): Promise<void> {
    const { id } = await stage.call<{ id: string }>('/items', 'POST', {
      external_reference: crypto.randomUUID(),
      title: 'Een stuk met een lange titel, die over meer dan één regel loopt',
    })
    await page.waitForSelector('#key')
    await look('sign-in')
    await page.fill('#key', stage.key)
    await page.click('button[type=submit]')
    await page.waitForSelector('text=Running now')
    const close = async () => {
      await page.keyboard.press('Escape')
      await page.waitForSelector('dialog', { state: 'detached' })
    }
    const go = async (address: string, ready: string) => {
      await page.goto(`${stage.origin}/#/${address}`)
      await page.waitForSelector(ready)
    }
    await go('', '.sessions .count')
    await look('sales')
    await go('pictures', '.attention')
    await look('pictures of the house')
    await go(`sessions/${session}`, '.lot-card img')
    await look('wall')
    await go(`sessions/${session}/schedule`, '.plot svg')
    await look('schedule')
    await go(`sessions/${draft}/schedule`, 'text=A draft')
    await look('schedule of a draft')
    await go(`sessions/${session}/pictures`, '.attention')
    await look('pictures')
    await go(`sessions/${session}/lots/${lots[0]!.id}`, '.desk .tile')
    await look('lot')
    await page.locator('.desk .tile').first().getByText('More').click()
    await page.locator('.desk .tile').first().getByText('Delete').click()
    await page.waitForSelector('dialog')
    await look('deletion')
    await close()
    // The page before has a place for files too.
    await go(`items/${id}`, '.desk:not(:has(.tile)) .drop')
    await page.setInputFiles(
      '.desk input[type=file]',
      ['good.jpg', 'page.jpg'].map((name) => path.join(folder, name)),
    )
    await page.waitForSelector('.uploads .refusal').catch(async (error: Error) => {
      throw new Error(`${error.message}\n${await page.locator('.desk').innerHTML()}`)
    })
    await look('item with uploads')
    await page.click('text=Change texts and estimate')
    await page.waitForSelector('.editor')
    await look('editor')
    await go(`sessions/${draft}`, '.tick')
    await page.locator('.lot-card .tick').first().click()
    await look('draft with a selection')
    await page.click('.switching >> text=Switch o')
    await page.waitForSelector('dialog .actions .primary, dialog .refusals, dialog >> text=Nothing would change')
    await look('rehearsal')
    await close()
    await page.click('text=Settings')
    await page.waitForSelector('dialog')
    await look('settings')
    await close()
    await go('nowhere', '.problem')
    await look('nothing')
  }

  const findExcess = async (page: Page) => {
    const elements = page.locator('html, dialog')
    const [excess = 0] = (
      await elements.evaluateAll((all) => all.map((each) => each.scrollWidth - each.clientWidth))
    ).filter((pixels) => pixels > 0)
    return excess > 0 ? [`${excess} pixels too wide`] : []
  }

  for (const [name, options] of Object.entries({
    'at 320 pixels': { viewport: { width: 320, height: 640 } },
    'at 1,280 pixels in the dark': { viewport: { width: 1280, height: 800 }, colorScheme: 'dark' as const },
  })) {
    test(`axe finds no barrier, and no page scrolls sideways, ${name}`, async () => {
      const { page, context } = await stage.open(stage.origin, options)
      const found: Record<string, string[]> = {}
      await visit(page, async (name) => {
        const barriers = [...(await findBarriers(page)), ...(await findExcess(page))]
        const cut = await page
          .locator('.lot-card .bid')
          .evaluateAll((all) =>
            all.filter((each) => each.scrollWidth > each.clientWidth).map((each) => each.textContent),
          )
        barriers.push(...cut.map((text) => `cut off: ${text}`))
        if (barriers.length > 0) found[name] = barriers
      })
      assert.deepEqual(found, {})
      await context.close()
    })
  }

  test('a word without an end makes no page and no dialog wider, at 320 pixels', async () => {
    const word = 'Vuurverguldbronzenkandelaber'.repeat(9)
    const key = await stage.createSale('lang', word, { ...timed, published: false }, [{ active: false, title: word }])
    const { page, context } = await stage.open(stage.origin, { viewport: { width: 320, height: 640 } })
    const found: Record<string, string[]> = {}
    const look = async (name: string) => {
      const excess = await findExcess(page)
      if (excess.length > 0) found[name] = excess
    }
    await page.fill('#key', key)
    await page.click('button[type=submit]')
    await page.waitForSelector('.sessions .count')
    await look('sales')
    await page.click('.sessions a')
    await page.locator('.lot-card .tick').click()
    await look('wall')
    await page.click('.switching >> text=Switch on')
    await page.waitForSelector('dialog .actions .primary')
    await look('rehearsal')
    await page.keyboard.press('Escape')
    await page.getByRole('link', { name: 'Schedule' }).click()
    await page.waitForSelector('.plot svg')
    await look('schedule')
    await page.getByRole('link', { name: 'Pictures' }).click()
    await page.waitForSelector('.attention li')
    await look('pictures')
    await page.click('.attention h3 a')
    await page.waitForSelector('.drop')
    await look('lot')
    await page.click('text=Change texts and estimate')
    await look('editor')
    assert.deepEqual(found, {})
    await context.close()
  })

  test('each page fits a wall of 3,840 pixels and uses its width', async () => {
    const { page, context } = await stage.open(stage.origin, { viewport: { width: 3840, height: 2160 } })
    const found: Record<string, string[]> = {}
    await visit(page, async (name) => {
      const excess = await findExcess(page)
      if (excess.length > 0) found[name] = excess
      if (name === 'wall') {
        const edges = await page
          .locator('.lot-card')
          .evaluateAll((cards) => cards.map((card) => card.getBoundingClientRect().right))
        assert.ok(Math.max(...edges) > 3_600, `the lots end at ${Math.max(...edges)} pixels`)
      }
    })
    assert.deepEqual(found, {})
    await context.close()
  })

  test('the page has four languages, with the money and times of each', async () => {
    const { settings } = await stage.call<{ settings: { buyer_premium_percentage: string } }>(`/sessions/${session}`)
    for (const [locale, words] of Object.entries({ 'nl-NL': 'Tijdschema', 'de-DE': 'Zeitplan', 'fr-FR': 'Horaire' })) {
      const { page, context } = await stage.open(undefined, { locale })
      await page.waitForSelector(`.tabs >> text=${words}`)
      const percent = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 4 })
      const premium = percent.format(Number(settings.buyer_premium_percentage) / 100)
      await page.waitForSelector(`.facts >> text=${premium}`)
      assert.equal(await page.getAttribute('html', 'lang'), locale.slice(0, 2))
      await context.close()
    }
  })
})
