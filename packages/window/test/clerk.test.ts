import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { openClerkDesk, short, waitForDesk } from './clerks.ts'
import { openSharedStage, skip } from './support.ts'

describe('the desk of the clerk', { skip }, async () => {
  const stage = await openSharedStage()

  const openDesk = (slug: string, count: number) => openClerkDesk(stage, slug, count)

  test('a sale is recorded by keyboard: sold, passed, withdrawn after a question, referred, together, taken back', async () => {
    const { page, context, session, readLots } = await openDesk('zaal', 9)
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
    // A price and Enter, typed for the next lot, answer no.
    await press('w', '4', '5', 'Enter')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await ready(3)
    await press('w')
    await press('Shift+Tab')
    await page.keyboard.type('broken at the viewing')
    await press('Enter')
    await ready(4)
    await press('r')
    await ready(5)
    await press('c')
    await press('2', 'Enter')
    await page.getByText('That lot was not sold').waitFor()
    await press('Backspace', '1', 'Enter')
    await ready(6)
    await press('1', '6', '0', 'Enter')
    await ready(7)
    await press('z')
    await ready(6)
    await page.getByText('Lot 6 has no result, and is held.').waitFor()
    await press('g')
    // The number is typed at once.
    await page.keyboard.type('9')
    await press('Enter')
    await ready(9)
    await press('2', '0', '0', 'Enter')
    await ready(6)
    await page.waitForFunction(() => document.querySelectorAll('.clerk-log [data-state=stored]').length === 8)
    await page.reload()
    await ready(6)
    assert.equal(await page.locator('.clerk-log [data-state=stored]').count(), 8)
    assert.equal(await page.locator('.clerk-log del').innerText(), 'Sold €160')
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
    await page.getByText('Only held lots are left.').waitFor()
    await press('1', '1', '0', 'Enter')
    await page.getByText('Every lot has a result.').first().waitFor()
    await page.goto(`${stage.origin}/#/sessions/${session}/lots/${lots[2]!.id}/history`)
    await page.getByRole('row', { name: /Withdrawn.*broken at the viewing/ }).waitFor()
    await context.close()
  })

  test('a price that is off the increments, far from the estimate or of a decided lot needs a second Enter', async () => {
    const { page, context, readLots } = await openDesk('twijfel', 3)
    const enter = async (digits: string) => {
      await page.keyboard.type(digits)
      await page.keyboard.press('Enter')
    }
    await enter('40')
    await page.getByRole('alert').getByText('under half the low estimate').waitFor()
    // What is typed after a doubt replaces the doubted price.
    await enter('1001')
    await page.getByRole('alert').getByText('over five times the high estimate').waitFor()
    await page.locator('.price output').getByText('€1,001').waitFor()
    assert.deepEqual((await readLots()).map(short), [null, null, null])
    await page.keyboard.press('Enter')
    await page.getByRole('region', { name: 'Lot 2 stands ready' }).waitFor()
    await page.locator('.clerk-log [data-state=stored]').waitFor()
    await page.keyboard.press('g')
    await page.keyboard.type('1')
    await page.keyboard.press('Enter')
    await enter('150')
    await page.getByRole('alert').getByText('has a result already').waitFor()
    await page.keyboard.press('Enter')
    await page.locator('.clerk-log [data-state=stored]').nth(1).waitFor()
    assert.deepEqual((await readLots()).map(short), ['sold 15000', null, null])
    await context.close()
  })

  test('a price is read in the notation of the language; what it cannot be is refused, and no letter drops it silently', async () => {
    const { page, context, readLots } = await openDesk('notatie', 4)
    const refuse = async (text: string) => {
      await page.keyboard.type(text)
      await page.keyboard.press('Enter')
      await page.getByRole('status').getByText('Write an amount such as').waitFor()
      await page.keyboard.press('Escape')
      await page.getByRole('status').getByText('Write an amount such as').waitFor({ state: 'detached' })
    }
    for (const text of ['12,50', '1.200', '1k', '-5', '$150', '0']) await refuse(text)
    assert.deepEqual((await readLots()).map(short), [null, null, null, null])
    await page.keyboard.type('€150.50')
    await page.keyboard.press('Enter')
    await page.getByRole('region', { name: 'Lot 2 stands ready' }).waitFor()
    for (const letter of ['p', 'r']) {
      await page.keyboard.type('150')
      await page.keyboard.press(letter)
      await page.getByRole('alert').getByText('A price is typed.').waitFor()
      await page.keyboard.press('Escape')
    }
    await page.keyboard.type('1,000')
    await page.keyboard.press('p')
    await page.getByRole('alert').getByText('A price is typed.').waitFor()
    await page.keyboard.press('p')
    await page.getByRole('region', { name: 'Lot 3 stands ready' }).waitFor()
    await page.keyboard.type('1,000')
    await page.keyboard.press('Enter')
    await page.getByRole('region', { name: 'Lot 4 stands ready' }).waitFor()
    await page.waitForFunction(() => document.querySelectorAll('.clerk-log [data-state=stored]').length === 3)
    assert.deepEqual((await readLots()).map(short), ['sold 15050', 'unsold', 'sold 100000', null])
    await context.close()
  })

  test('the reason of a withdrawal is kept through a reload, and dropped at the second Escape only', async () => {
    const { page, context } = await openDesk('reden', 2)
    const reason = page.getByRole('dialog').getByLabel('Reason')
    await page.keyboard.press('w')
    await page.keyboard.press('Shift+Tab')
    await page.keyboard.type('broken at the viewing')
    await page.reload()
    await waitForDesk(page)
    await page.keyboard.press('w')
    assert.equal(await reason.inputValue(), 'broken at the viewing')
    // A key that is held down is one press.
    await page.keyboard.down('Escape')
    await page.keyboard.down('Escape')
    await page.keyboard.up('Escape')
    await page.getByRole('dialog').getByText('Escape again drops what you typed.').waitFor()
    assert.equal(await reason.inputValue(), 'broken at the viewing')
    await page.keyboard.press('Escape')
    await reason.waitFor({ state: 'detached' })
    await page.keyboard.press('w')
    assert.equal(await reason.inputValue(), '')
    // Nothing was typed in the question. The price behind it stays.
    await page.keyboard.press('Escape')
    await reason.waitFor({ state: 'detached' })
    await page.keyboard.type('150')
    await page.keyboard.press('w')
    await reason.waitFor()
    await page.keyboard.down('Escape')
    await page.keyboard.down('Escape')
    await page.keyboard.up('Escape')
    await reason.waitFor({ state: 'detached' })
    assert.equal(await page.locator('#price').inputValue(), '150')
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

  test('a lot that another clerk holds or releases is shown so as it happens, and the journal is not read', async () => {
    const { page, context, openPage, createKey } = await openDesk('aanhouden', 3)
    const other = await openPage(await createKey('Bram'))
    const asked: string[] = []
    page.on('request', (request) => asked.push(request.url()))
    const held = page.locator('.sale-head dl > div', { hasText: /^Held/ }).locator('dd')
    await page.getByRole('region', { name: 'Lot 1 stands ready' }).waitFor()
    await other.page.keyboard.press('r')
    await page.getByRole('region', { name: 'Lot 2 stands ready' }).waitFor()
    await held.getByText('1', { exact: true }).waitFor()
    await other.page.keyboard.press('z')
    await held.getByText('0', { exact: true }).waitFor()
    await page.getByRole('region', { name: 'Lot 1 stands ready' }).waitFor()
    assert.deepEqual(
      asked.filter((url) => url.includes('/journal')),
      [],
    )
    await context.close()
    await other.context.close()
  })

  test('a key without staff sees no desk, and the desk is loaded with its first use', async () => {
    const { page, context, session, key } = await openDesk('zonder', 1)
    const asked: string[] = []
    const reader = await stage.issueKey('zonder')
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
})
