import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { openRunningSale, skip } from './support.ts'

describe('viewing a sale by keyboard and in other time zones', { skip }, async () => {
  const { stage, session, lots } = await openRunningSale()
  const wall = () => `${stage.origin}/#/sessions/${session}`

  test('the keys of the wall work before the first click, and do not act in fields and dialogs', async () => {
    const { page, context } = await stage.open()
    await page.waitForSelector('.lot-card')
    const focused = (id: string) =>
      page.waitForFunction((id) => document.activeElement?.getAttribute('href')?.includes(id), id)
    await page.keyboard.press('/')
    await page.waitForFunction(() => document.activeElement?.id === 'search')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.type('a/b')
    assert.equal(await page.inputValue('#search'), 'a/b')
    await page.fill('#search', '')
    await page.waitForURL(wall())
    await page.evaluate(() => (document.activeElement as HTMLElement).blur())
    await page.waitForSelector('.lot-card')
    await page.keyboard.press('ArrowDown')
    await focused(lots[0]!.id)
    await page.keyboard.press('ArrowRight')
    await focused(lots[1]!.id)
    await page.reload()
    await page.waitForSelector('.lot-card')
    await page.keyboard.press('Enter')
    await page.waitForURL(new RegExp(lots[0]!.id))
    await page.waitForSelector('article.lot h1')
    await page.keyboard.press('Escape')
    await page.waitForURL(wall())
    await page.click('text=Settings')
    await page.getByLabel('Keys of one character').uncheck()
    await page.click('dialog h2')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Escape')
    await page.waitForSelector('dialog', { state: 'detached' })
    assert.equal(page.url(), wall())
    await page.keyboard.press('/')
    assert.equal(await page.evaluate(() => document.activeElement?.id), '')
    await context.close()
  })

  test('the head names the house, and times are in its time zone until another is chosen', async () => {
    const last = Math.max(...lots.map(({ closes_at }) => Date.parse(closes_at)))
    const closes = (timeZone: string) =>
      new Intl.DateTimeFormat('en-GB', {
        timeZone,
        day: 'numeric',
        month: 'short',
        year: 'numeric',
        hour: '2-digit',
        minute: '2-digit',
        timeZoneName: 'short',
      }).format(last)
    const { page, context } = await stage.open(undefined, { timezoneId: 'Pacific/Auckland' })
    const shown = (timeZone: string) => page.locator('.facts').getByText(closes(timeZone)).waitFor()
    await shown('Europe/Amsterdam')
    assert.equal(await page.locator('.brand').textContent(), 'Veilinghuis Terbraeck')
    const choose = async (option: { label: string }) => {
      await page.getByRole('button', { name: 'Settings' }).click()
      await page.getByLabel('Time zone').selectOption(option)
      await page.keyboard.press('Escape')
    }
    await choose({ label: 'Asia/Tokyo' })
    await shown('Asia/Tokyo')
    await page.reload()
    await shown('Asia/Tokyo')
    await choose({ label: 'As the house: Europe/Amsterdam' })
    await shown('Europe/Amsterdam')
    await context.close()
  })
})
