import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Route } from 'playwright-core'
import { openClerkDesk, short } from './clerks.ts'
import { intercept, openSharedStage, settle, skip } from './support.ts'

describe('the desk of a clerk beside other people, and under careless hands', { skip }, async () => {
  const stage = await openSharedStage()

  async function openDesk(slug: string, count: number) {
    const desk = await openClerkDesk(stage, `zorg-${slug}`, count)
    const { page, readLots, createKey } = desk
    const bram = await createKey('Bram')
    /** Bram sells a lot at this price, in whole units. */
    const sellElsewhere = async (number: number, price: number) => {
      const lot = (await readLots())[number - 1]!
      const result = { state: 'sold', amount: { amount: price * 100, currency: 'EUR' } }
      await stage.call(`/../../staff/v1/lots/${lot.id}`, 'PATCH', { result }, bram)
    }
    const ready = (lot: number) => page.getByRole('region', { name: `Lot ${lot} stands ready` }).waitFor()
    const press = async (...keys: string[]) => {
      for (const key of keys) await page.keyboard.press(key)
    }
    const goTo = async (lot: number) => {
      await press('g', String(lot), 'Enter')
      await ready(lot)
    }
    const stored = (count: number) =>
      page
        .locator('.clerk-log [data-state=stored]')
        .nth(count - 1)
        .waitFor()
    const results = async () => (await readLots()).map(short)
    /** Opens the desk with another key, and waits until no decision waits. */
    const goOn = async () => {
      await page.getByRole('link', { name: 'Desk' }).click()
      await page.waitForSelector('#price:focus')
      await page.waitForFunction(() => !/"waiting"/.test(sessionStorage.getItem('decisions') ?? ''))
    }
    return { ...desk, bram, sellElsewhere, ready, press, goTo, stored, results, goOn }
  }

  test('a question stays with its lot, and overwrites nothing that another clerk recorded meanwhile', async () => {
    const { page, context, sellElsewhere, ready, press, goTo, results } = await openDesk('vraag', 4)
    await ready(1)
    await press('w')
    await sellElsewhere(1, 170)
    await ready(2)
    await page.getByRole('dialog', { name: 'Withdraw lot 1?' }).waitFor()
    await press('Shift+Tab')
    await page.keyboard.type('broken')
    await press('Enter')
    await page.locator('[data-state=overtaken]', { hasText: 'another clerk recorded Sold €170' }).waitFor()
    await press('c')
    await page.getByRole('dialog', { name: /lot 2/i }).waitFor()
    await sellElsewhere(2, 180)
    await ready(3)
    await page.keyboard.type('1')
    await press('Enter')
    await page.locator('[data-state=overtaken]').nth(1).waitFor()
    await goTo(3)
    await press('w')
    await sellElsewhere(3, 190)
    await press('Shift+Tab')
    await page.keyboard.type('broken')
    await press('Enter')
    await page.locator('[data-state=overtaken]').nth(2).waitFor()
    assert.deepEqual(await results(), ['sold 17000', 'sold 18000', 'sold 19000', null])
    await context.close()
  })

  test('a second Enter answers only the doubts that were said, and each change of a result is doubted', async () => {
    const { page, context, sellElsewhere, ready, press, goTo, stored, results } = await openDesk('tweede', 2)
    await goTo(1)
    await press('4', '0', 'Enter')
    await page.getByRole('alert').getByText('under half the low estimate').waitFor()
    await sellElsewhere(1, 170)
    await page.getByText('Sold €170').first().waitFor()
    await press('Enter')
    await page.getByRole('alert').getByText('has a result already').waitFor()
    assert.deepEqual(await results(), ['sold 17000', null])
    await press('Escape')
    await ready(1)
    await press('w')
    await page.getByRole('dialog').getByText('has a result already').waitFor()
    await press('Escape')
    await goTo(2)
    await press('1', '5', '0', 'Enter')
    await stored(1)
    await goTo(2)
    await press('c')
    await page.getByRole('dialog').getByText('has a result already').waitFor()
    await press('Escape')
    assert.deepEqual(await results(), ['sold 17000', 'sold 15000'])
    await context.close()
  })

  test('a key that is held down is one press, and points and commas are refused', async () => {
    const { page, context, ready, press, stored, results } = await openDesk('vast', 4)
    for (let times = 0; times < 5; times++) await page.keyboard.down('p')
    await page.keyboard.up('p')
    await ready(2)
    await press('4', '0')
    for (let times = 0; times < 5; times++) await page.keyboard.down('Enter')
    await page.keyboard.up('Enter')
    await page.getByRole('alert').getByText('under half the low estimate').waitFor()
    // It replaces the doubted price.
    await page.keyboard.type('150,50')
    await press('Enter')
    await page.getByRole('status').getByText('Write an amount such as').waitFor()
    await press('Escape')
    await page.keyboard.type('150')
    await press('Enter')
    await stored(2)
    await ready(3)
    await page.getByRole('button', { name: /^Passed/ }).dblclick({ delay: 50 })
    await stored(3)
    await ready(4)
    assert.equal(await page.locator('.clerk-log [data-state]').count(), 3)
    assert.deepEqual(await results(), ['unsold', 'sold 15000', 'unsold', null])
    await context.close()
  })

  test('after a decision that was not stored, the one before it is taken back only at a second press', async () => {
    const { page, context, sellElsewhere, ready, press, results } = await openDesk('niet-opgeslagen', 3)
    await press('1', '5', '0', 'Enter')
    await ready(2)
    await press('w')
    await sellElsewhere(2, 170)
    await ready(3)
    await press('Shift+Tab')
    await page.keyboard.type('broken')
    await press('Enter')
    await page.locator('[data-state=overtaken]').waitFor()
    await press('z')
    await page.getByText('The last decision was not stored.').waitFor()
    assert.deepEqual(await results(), ['sold 15000', 'sold 17000', null])
    await press('z')
    await settle(results, [null, 'sold 17000', null])
    await context.close()
  })

  test('a reason for which a decision was not stored is still said after a reload', async () => {
    const { page, context, press, results } = await openDesk('geweigerd', 2)
    await intercept(page, '**/staff/v1/lots/*', (route) => {
      const problem = { type: 'https://x/problems/conflict', title: 'Conflict', status: 409, reason: 'finished' }
      if (route.request().method() !== 'PATCH') return route.continue()
      return route.fulfill({ status: 409, contentType: 'application/problem+json', body: JSON.stringify(problem) })
    })
    await press('p')
    const row = page.locator('.clerk-log [data-state=refused]')
    await row.getByText('The session is finished.').waitFor()
    await page.reload()
    await row.getByText('The session is finished.').waitFor()
    assert.deepEqual(await results(), [null, null])
    await context.close()
  })

  test('past a take-back that came too late, the decision before it is taken back', async () => {
    const { page, context, sellElsewhere, ready, press, stored, results } = await openDesk('te-laat', 3)
    await press('1', '5', '0', 'Enter')
    await ready(2)
    await press('1', '6', '0', 'Enter')
    await stored(2)
    // What this page follows of other people does not arrive.
    await context.route('**/changes*', () => undefined)
    await sellElsewhere(2, 170)
    await press('z')
    await page.locator('[data-state=overtaken]').waitFor()
    await press('z')
    await page.getByText('The last decision was not stored.').waitFor()
    await press('z')
    await settle(results, [null, 'sold 17000', null])
    await context.close()
  })

  test('past a result that another lot depends on, the decision before it is taken back', async () => {
    const { page, context, readLots, bram, ready, press, stored, results } = await openDesk('hangt-vast', 4)
    await press('1', '5', '0', 'Enter')
    await ready(2)
    await press('1', '6', '0', 'Enter')
    await stored(2)
    const [, second, third] = await readLots()
    const result = { state: 'sold', with: second!.id }
    await stage.call(`/../../staff/v1/lots/${third!.id}`, 'PATCH', { result }, bram)
    await press('z')
    await page.locator('.clerk-log [data-state=refused]').waitFor()
    await press('z')
    await page.getByText('The last decision was not stored.').waitFor()
    await press('z')
    await settle(results, [null, 'sold 16000', 'sold', null])
    await context.close()
  })

  test('each take-back reaches the decision before it, past one that was corrected', async () => {
    const { context, ready, press, goTo, stored, results } = await openDesk('terug', 3)
    await press('1', '5', '0', 'Enter')
    await ready(2)
    await press('1', '6', '0', 'Enter')
    await ready(3)
    await goTo(2)
    await press('1', '7', '0', 'Enter', 'Enter')
    await stored(3)
    await press('z')
    await ready(2)
    await stored(4)
    await press('z')
    await ready(1)
    await stored(5)
    assert.deepEqual(await results(), [null, null, null])
    await context.close()
  })

  test('what waits is dropped by signing out and by the key of another person, and never recorded as theirs', async () => {
    const { page, context, press, results, bram, createKey, goOn } = await openDesk('ander', 3)
    for (const leave of ['sign out', 'link']) {
      const letThrough = await intercept(page, /\/lots\/lot_/, (route) => route.abort())
      await press('1', '5', '0', 'Enter')
      await page.getByText('1 decision waits to be sent.').waitFor()
      if (leave === 'sign out') {
        await page.getByRole('button', { name: 'Settings' }).click()
        await page.getByRole('button', { name: 'Sign out' }).click()
        await page.getByRole('button', { name: 'Sign in' }).waitFor()
      }
      const other = leave === 'link' ? await createKey('Carla') : bram
      await page.goto(`${page.url().split('#')[0]}#key=${other}`)
      if (leave === 'link') await page.getByRole('button', { name: 'Change', exact: true }).click()
      letThrough()
      await goOn()
      assert.deepEqual(await results(), [null, null, null])
    }
    await context.close()
  })

  test('what waits when a key ends is sent with the new key of the same person only', async () => {
    const { page, context, press, results, createKey, goOn } = await openDesk('eind', 2)
    for (const [person, after] of [
      ['Bram', null],
      ['Anna', 'sold 15000'],
    ] as const) {
      const end = (route: Route) => route.fulfill({ status: 401, body: '{}' })
      const letThrough = await intercept(page, /\/lots\/lot_/, end)
      await press('1', '5', '0', 'Enter')
      await page.getByRole('button', { name: 'Sign in' }).waitFor()
      letThrough()
      await page.goto(`${page.url().split('#')[0]}#key=${await createKey(person)}`)
      await goOn()
      assert.deepEqual(await results(), [after, null])
      if (after !== null) continue
      // Anna comes again.
      await page.goto(`${page.url().split('#')[0]}#key=${await createKey('Anna')}`)
      await page.getByRole('button', { name: 'Change', exact: true }).click()
      await page.getByRole('link', { name: 'Desk' }).click()
      await page.waitForSelector('#price:focus')
    }
    await context.close()
  })

  test('what waits is sent on every page, and a finished session still says what was not stored', async () => {
    const { page, context, press, ready, session, key, sellElsewhere, results } = await openDesk('klaar', 2)
    await context.setOffline(true)
    await press('1', '5', '0', 'Enter')
    await ready(2)
    await sellElsewhere(1, 170)
    const body = { finished: true, allow_without_result: true }
    await stage.call(`/../../staff/v1/sessions/${session}`, 'PATCH', body, key)
    await context.setOffline(false)
    await page.getByText('The session is finished').waitFor()
    await page.locator('[data-state=overtaken], [data-state=refused]').first().waitFor()
    assert.deepEqual(await results(), ['sold 17000', null])
    await context.close()
    const other = await openDesk('elders', 2)
    other.page.on('dialog', (dialog) => void dialog.accept())
    const letThrough = await intercept(other.page, '**/staff/v1/lots/*', (route) =>
      route.request().method() === 'PATCH' ? route.abort() : route.continue(),
    )
    await other.press('p')
    await other.page.getByText('1 decision waits to be sent.').waitFor()
    await other.page.getByRole('link', { name: 'Wall' }).click()
    await other.page.waitForSelector('.lot-card')
    await other.page.reload()
    await other.page.waitForSelector('.lot-card')
    letThrough()
    await settle(other.results, ['unsold', null])
    await other.context.close()
  })
})
