import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { closeAfterwards } from './closing.ts'
import { findBarriers, findSession, live, openStage, skip } from './support.ts'

type Lot = {
  id: string
  lot_number: number
  result: { state: string; amount: { amount: number } | null; with: string | null } | null
}

describe('the desk of the clerk', { skip }, async () => {
  const stage = await openStage()
  closeAfterwards(stage)

  /** A live session of `count` lots that has opened, and a page with its desk. */
  async function openDesk(slug: string, count: number, options?: Parameters<typeof stage.open>[1]) {
    const estimate = { low: { amount: 10_000, currency: 'EUR' }, high: { amount: 20_000, currency: 'EUR' } }
    const lots = Array.from({ length: count }, () => ({ estimate }))
    await stage.createSale(slug, `Zaal ${slug}`, { ...live, published: true }, lots)
    const createKey = async (name: string) =>
      (await stage.run('keys', 'create', '--house', slug, '--all', '--staff', '--name', name))['key']!
    const key = await createKey('Anna')
    const session = await findSession(stage, 's', key)
    const openPage = async (own: string) => {
      const opened = await stage.open(`${stage.origin}/#key=${own}`, options)
      await opened.page.waitForURL(new RegExp(session))
      await opened.page.goto(`${stage.origin}/#/sessions/${session}/desk`)
      await opened.page.waitForSelector('#price:focus')
      return opened
    }
    const readLots = async () =>
      (await stage.call<Lot[]>(`/lots?session=${session}&limit=100`, 'GET', undefined, key)).toSorted(
        (one, other) => one.lot_number - other.lot_number,
      )
    return { ...(await openPage(key)), key, session, createKey, openPage, readLots }
  }
  const short = ({ result }: Lot) => (result ? `${result.state} ${result.amount?.amount ?? ''}`.trim() : null)

  test('a sale is recorded by keyboard: sold, passed, withdrawn after a question, referred, together, taken back', async () => {
    const { page, context, readLots } = await openDesk('zaal', 9)
    const ready = (lot: number) => page.getByRole('region', { name: `Lot ${lot} stands ready` }).waitFor()
    const press = async (...keys: string[]) => {
      for (const key of keys) await page.keyboard.press(key)
    }
    await ready(1)
    await press('1', '5', '0', 'Enter')
    await ready(2)
    await press('p')
    await ready(3)
    await press('w')
    await page.getByRole('dialog', { name: 'Withdraw lot 3?' }).waitFor()
    await press('Escape')
    await ready(3)
    await press('w')
    await page.getByRole('button', { name: 'Withdraw', exact: true }).last().press('Enter')
    await ready(4)
    await press('r')
    await ready(5)
    await press('c')
    await page.getByLabel('Number of the lot').fill('2')
    await press('Enter')
    await page.getByText('That lot was not sold').waitFor()
    await page.getByLabel('Number of the lot').fill('1')
    await press('Enter')
    await ready(6)
    await press('1', '6', '0', 'Enter')
    await ready(7)
    await press('z')
    await ready(6)
    await press('g')
    await page.getByLabel('Number of the lot').fill('9')
    await press('Enter')
    await ready(9)
    await press('2', '0', '0', 'Enter')
    await ready(6)
    await page.waitForFunction(() => document.querySelectorAll('.clerk-log [data-state=stored]').length === 8)
    const lots = await readLots()
    assert.deepEqual(lots.map(short), [
      'sold 15000',
      'unsold',
      'withdrawn',
      null,
      'sold',
      null,
      null,
      null,
      'sold 20000',
    ])
    assert.equal(lots[4]!.result!.with, lots[0]!.id)
    // What was referred comes last.
    for (const next of [7, 8, 4]) {
      await press('p')
      await ready(next)
    }
    await press('1', '1', '0', 'Enter')
    await page.getByText('Every lot has a result.').first().waitFor()
    await context.close()
  })

  test('a price that is off the increments, far from the estimate or of a decided lot needs a second Enter', async () => {
    const { page, context, readLots } = await openDesk('twijfel', 3)
    const enter = async (digits: string) => {
      await page.locator('#price').fill(digits)
      await page.keyboard.press('Enter')
    }
    await enter('40')
    await page.getByRole('alert').getByText('under half the low estimate').waitFor()
    await enter('1001')
    await page.getByRole('alert').getByText('over five times the high estimate').waitFor()
    assert.deepEqual((await readLots()).map(short), [null, null, null])
    await page.keyboard.press('Enter')
    await page.getByRole('region', { name: 'Lot 2 stands ready' }).waitFor()
    await page.locator('.clerk-log [data-state=stored]').waitFor()
    await page.keyboard.press('g')
    await page.getByLabel('Number of the lot').fill('1')
    await page.keyboard.press('Enter')
    await enter('150')
    await page.getByRole('alert').getByText('has a result already').waitFor()
    await page.keyboard.press('Enter')
    await page.locator('.clerk-log [data-state=stored]').nth(1).waitFor()
    assert.deepEqual((await readLots()).map(short), ['sold 15000', null, null])
    await context.close()
  })

  test('without a network decisions are kept, also through a reload, and sent in order', async () => {
    const { page, context, readLots, session } = await openDesk('stil', 4)
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

  test('a lot that another clerk decided meanwhile is shown, and not overwritten', async () => {
    const { page, context, openPage, createKey, readLots } = await openDesk('twee', 3)
    const other = await openPage(await createKey('Bram'))
    await context.setOffline(true)
    await page.keyboard.type('150')
    await page.keyboard.press('Enter')
    await other.page.keyboard.type('170')
    await other.page.keyboard.press('Enter')
    await other.page.locator('.clerk-log [data-state=stored]').waitFor()
    await context.setOffline(false)
    await page.locator('[data-state=overtaken]', { hasText: 'another clerk recorded Sold €170' }).waitFor()
    assert.deepEqual((await readLots()).map(short), ['sold 17000', null, null])
    // The lot that stands ready elsewhere is decided here.
    await page.getByRole('region', { name: 'Lot 2 stands ready' }).waitFor()
    await other.page.getByRole('region', { name: 'Lot 2 stands ready' }).waitFor()
    await page.keyboard.press('p')
    await other.page.getByText('Lot 2 was decided elsewhere: Unsold.').waitFor()
    await other.page.getByRole('region', { name: 'Lot 3 stands ready' }).waitFor()
    await context.close()
    await other.context.close()
  })

  test('a key without staff sees no desk, and the desk is loaded with its first use', async () => {
    const { page, context, session, key } = await openDesk('zonder', 1)
    const asked: string[] = []
    const { key: reader } = await stage.run('keys', 'create', '--house', 'zonder', '--all')
    const plain = await stage.open('about:blank')
    plain.page.on('request', (request) => asked.push(request.url()))
    await plain.page.goto(`${stage.origin}/#key=${reader}`)
    await plain.page.waitForSelector('.lot-card')
    assert.equal(await plain.page.getByRole('link', { name: 'Desk' }).count(), 0)
    await plain.page.goto(`${stage.origin}/#/sessions/${session}/desk`)
    await plain.page.waitForSelector('text=This key may not see this.')
    assert.ok(
      asked.every((url) => !url.includes('/staff/v1')),
      asked.join(),
    )
    await plain.context.close()
    const staff = await stage.open(`${stage.origin}/#key=${key}`)
    await staff.page.getByRole('link', { name: 'Desk' }).click()
    await staff.page.waitForSelector('#price:focus')
    await staff.context.close()
    await context.close()
    assert.ok(page.isClosed())
  })

  test('the desk speaks Dutch, German and French, and fits a phone', async () => {
    const { session, key, context } = await openDesk('talen', 1)
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
