import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { openClerkDesk, short } from './clerks.ts'
import { cardOf, live, openSharedStage, settle, skip } from './support.ts'

const count = 450

describe('a sale whose lots still load', { skip }, async () => {
  const stage = await openSharedStage()

  /** A desk that loads again, and gets the first page of lots only, until `release` is called. */
  async function openHalf(slug: string) {
    // Loaded lots need not have a time of change.
    const desk = await openClerkDesk(stage, slug, count, undefined, { updated_at: null })
    const { page } = desk
    const press = async (...keys: string[]) => {
      for (const key of keys) await page.keyboard.press(key)
    }
    const ready = (lot: number) => page.getByRole('region', { name: `Lot ${lot} stands ready` }).waitFor()
    const stored = (entries: number) =>
      page
        .locator('.clerk-log [data-state=stored]')
        .nth(entries - 1)
        .waitFor()
    const total = (words: string) => page.locator('.sale-head').getByText(words, { exact: true }).waitFor()
    await press('1', '1', '0', 'Enter')
    await stored(1)
    const gate = Promise.withResolvers<void>()
    await page.route('**/staff/v1/lots?*limit=1000*', async (route) => {
      await gate.promise
      await route.continue()
    })
    await page.reload()
    await ready(2)
    await page.locator('.sale-head').getByText('100 of 450 lots loaded').waitFor()
    await total('€110')
    const release = async () => {
      gate.resolve()
      await page.locator('.sale-head').getByText('lots loaded').waitFor({ state: 'detached' })
    }
    return { ...desk, press, ready, stored, total, release }
  }

  test('what is recorded meanwhile stays in the head, on the wall and for the correction', async () => {
    const { page, context, session, readLots, press, ready, stored, total, release } = await openHalf('half')
    await press('1', '2', '0', 'Enter')
    await ready(3)
    await press('1', '1', '0', 'Enter')
    await stored(2)
    await total('€340')
    await release()
    await total('€340')
    await press('g', '2', 'Enter')
    await ready(2)
    await page.locator('.stand').getByText('Sold €120').waitFor()
    await press('1', '5', '0', 'Enter')
    await page.getByRole('alert').getByText('has a result already').waitFor()
    await press('Enter')
    await stored(3)
    await total('€370')
    await press('z')
    await stored(4)
    await total('€220')
    const lots = await readLots()
    assert.deepEqual(lots.slice(0, 4).map(short), ['sold 11000', null, 'sold 11000', null])
    await page.getByRole('link', { name: 'Wall' }).click()
    await page.getByText('450 lots', { exact: true }).waitFor()
    await cardOf(page, lots[2]!.id).getByText('Sold', { exact: true }).waitFor()
    await page.goto(`${stage.origin}/#/sessions/${session}/results`)
    await total('€220')
    await context.close()
  })

  test('the desk asks before it goes to a lot that it has not seen, and never goes to one by itself', async () => {
    const { page, context, readLots, press, ready, stored, release } = await openHalf('ongezien')
    const problem = page.getByRole('dialog').getByRole('alert')
    await press('g', '3', '0', '0', 'Enter')
    await problem.getByText('Lot 300 is not loaded yet.').waitFor()
    // The answer may be on its way.
    const again = async () => {
      await press('Enter')
      return (await page.getByRole('dialog').count()) === 0 ? '' : await problem.textContent()
    }
    await press('Control+A', '9', '9', '9')
    await settle(again, 'There is no such lot.')
    await press('Control+A', '3', '0', '0')
    await settle(again, '')
    await ready(300)
    await press('1', '5', '0', 'Enter')
    await stored(1)
    await page.locator('p.stand-text', { hasText: 'of 450 lots loaded' }).waitFor()
    await release()
    await ready(301)
    await press('g', '2', 'Enter')
    await ready(2)
    const lots = await readLots()
    assert.equal(lots.length, 100)
    await context.close()
  })

  test('staff read thousands of lots by ranges of numbers, with those after a gap and those without a number', async () => {
    const most = 2_300
    const numberOf = (index: number) => (index < 1_500 ? index + 1 : index < most - 3 ? index + 5_001 : null)
    const lots = Array.from({ length: most }, (_, index) => ({ lot: { lot_number: numberOf(index) } }))
    await stage.createSale('duizenden', 'Duizenden kavels', { ...live, published: true }, lots)
    const key = await stage.issueKey('duizenden', { staff: 'Anna' })
    const { page, context } = await stage.open('about:blank')
    const asked: string[] = []
    page.on('request', (request) => asked.push(request.url()))
    await page.goto(`${stage.origin}/#key=${key}`)
    await page.getByText('2,300 lots', { exact: true }).waitFor()
    const ranges = asked.flatMap((url) => {
      const { pathname, searchParams } = new URL(url)
      return pathname === '/staff/v1/lots' && searchParams.get('limit') === '1000'
        ? [[searchParams.get('number_from'), searchParams.get('number_to')]]
        : []
    })
    assert.deepEqual(new Set(ranges.map(String)), new Set([',1000', '1001,2000', '2001,']))
    await context.close()
  })
})
