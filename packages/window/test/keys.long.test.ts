import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { picture } from '../../../test/support/pictures.ts'
import { findBarriers, findSession, openStage, settle, skip } from './support.ts'

describe('keys in links', { skip }, async () => {
  const stage = await openStage()
  await stage.load([
    { type: 'house', slug: 'anders', name: 'Anders', default_locale: 'nl', currency: 'EUR' },
    { type: 'auction', ref: 'a', external_reference: 'a', title: 'Meubelen van elders', published: true },
  ])
  const otherKey = await stage.issueKey('anders')

  const link = (key: string) => `${stage.origin}/#key=${key}`
  const keptKey = (page: Page) => page.evaluate(() => sessionStorage.getItem('key'))
  /** Opens an address as a new page of the same tab. */
  const openAnew = async (page: Page, address: string) => {
    await page.goto('about:blank')
    await page.goto(address)
  }
  const openSignedIn = async () => {
    const opened = await stage.open()
    await opened.page.waitForSelector('.lot-card')
    return opened
  }
  const openNewItem = async (page: Page, reference: string) => {
    const body = { external_reference: reference, title: `Stuk ${reference}` }
    const { id } = await stage.call<{ id: string }>('/items', 'POST', body)
    await page.goto(`${stage.origin}/#/items/${id}`)
    return id
  }

  test('a link opened in a tab that shows the window signs in, and no address keeps its key', async () => {
    const { page, context } = await stage.open(`${stage.origin}/#/`)
    await page.waitForSelector('#key')
    await page.goto(stage.window)
    await page.waitForSelector('.lot-card')
    const session = await findSession(stage, 'veiling-113-online')
    assert.equal(page.url(), `${stage.origin}/#/sessions/${session}`)
    assert.equal(await keptKey(page), stage.key)
    for (const go of [() => page.goBack(), () => page.goForward()]) {
      await go()
      assert.ok(!page.url().includes('key='), page.url())
    }
    await context.close()
  })

  test('a malformed key leads to the sign-in page, which says so, and is not stored', async () => {
    const { page, context } = await stage.open('about:blank')
    for (const open of [openAnew, (to: Page, address: string) => to.goto(address)])
      for (const key of ['%', '%E2%82%AC', '', 'ack_', 'ack_a%20b', '<b>', `ack_${'a'.repeat(50_000)}`]) {
        await open(page, link(key))
        // The tab may say so of the key before.
        await page.waitForURL((url) => !url.hash.includes('key='))
        await page.waitForSelector('.sign-in >> text=The link has no key')
        assert.equal(await keptKey(page), null)
      }
    await context.close()
  })

  test('an unknown key from a link is not stored', async () => {
    const { page, context } = await stage.open(link('ack_unknown'))
    await page.waitForSelector('.sign-in >> text=does not accept this key')
    assert.equal(await keptKey(page), null)
    await page.goto(link('ack_unknown-too'))
    await page.waitForSelector('.sign-in >> text=does not accept this key')
    await page.fill('#key', stage.key)
    await page.click('button[type=submit]')
    await page.waitForSelector('.lot-card')
    await page.reload()
    await page.waitForSelector('.lot-card')
    await context.close()
  })

  test('a key without any permission to read is stored too', async () => {
    const key = await stage.issueKey('anders', { granted: ['lots.write'] })
    const { page, context } = await stage.open(link(key))
    await page.waitForSelector('text=This key may not see this')
    assert.equal(await keptKey(page), key)
    await context.close()
  })

  test('a link with another key asks first, names the house of each key, and changes nothing by itself', async () => {
    const { page, context } = await openSignedIn()
    const id = await openNewItem(page, 'k')
    await page.click('text=Change texts and estimate')
    await page.getByLabel('Description').fill('Halverwege')
    await page.goto(link(otherKey))
    const dialog = page.getByRole('dialog')
    for (const name of ['Veilinghuis Terbraeck', 'Anders']) await dialog.getByText(name, { exact: true }).waitFor()
    const said = (await dialog.textContent())!
    assert.ok(
      [stage.key.slice(-4), otherKey.slice(-4)].every((each) => said.includes(each)),
      said,
    )
    assert.ok(!said.includes(otherKey) && !said.includes(stage.key))
    assert.deepEqual(await findBarriers(page), [])
    assert.equal(page.url(), `${stage.origin}/#/items/${id}`)
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    assert.equal(await page.getByLabel('Description').inputValue(), 'Halverwege')
    assert.equal(await keptKey(page), stage.key)

    await openAnew(page, link(otherKey))
    await page.getByText('Stay here').click()
    await page.waitForSelector('.lot-card')
    assert.equal(await keptKey(page), stage.key)
    await context.close()
  })

  test('after a refused change of house the wall is where it was', async () => {
    const { page, context } = await openSignedIn()
    await page.evaluate(async () => {
      const scrolled = new Promise((resolve) => addEventListener('scroll', resolve, { once: true }))
      scrollTo(0, 400)
      await scrolled
    })
    await page.goto(link(otherKey))
    await page.getByText('Stay here').click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.waitForFunction(() => scrollY === 400)
    await context.close()
  })

  test('after the change the page shows the other house and nothing of the first', async () => {
    const { page, context } = await openSignedIn()
    await page.goto(link(otherKey))
    await page.getByRole('button', { name: 'Change', exact: true }).click()
    await page.waitForSelector('h2 >> text=Meubelen van elders')
    assert.equal(await page.locator('section.auction').count(), 1)
    assert.equal(await page.locator('.lot-card').count(), 0)
    assert.equal(page.url(), `${stage.origin}/#/`)
    assert.equal(await keptKey(page), otherKey)
    await page.reload()
    await page.waitForSelector('h2 >> text=Meubelen van elders')
    await context.close()
  })

  test('the question is in each language', async () => {
    const questions = {
      nl: 'Naar een ander huis gaan?',
      de: 'Zu einem anderen Haus wechseln?',
      fr: 'Passer à une autre',
    }
    for (const [locale, question] of Object.entries(questions)) {
      const { page, context } = await stage.open(undefined, { locale })
      await page.waitForSelector('.lot-card')
      await page.goto(link(otherKey))
      await page.getByRole('dialog').getByText(question).waitFor()
      await context.close()
    }
  })

  test('a link with a malformed or unknown key says so, and does not sign out', async () => {
    const { page, context } = await openSignedIn()
    for (const [key, words] of Object.entries({ '%': 'has no key', ack_unknown: 'does not accept this key' })) {
      await page.goto(link(key))
      await page.getByRole('dialog').getByText(words).waitFor()
      assert.equal(await page.getByRole('button', { name: 'Change', exact: true }).count(), 0)
      await page.getByRole('button', { name: 'Close' }).click()
      assert.equal(await keptKey(page), stage.key)
    }
    await page.goto(stage.window)
    await page.waitForSelector('.lot-card')
    assert.equal(await page.getByRole('dialog').count(), 0)
    await context.close()
  })

  test('queued pictures go to the house for which they were added', async () => {
    const { page, context } = await openSignedIn()
    const id = await openNewItem(page, 'w')
    await page.waitForSelector('.drop')
    const answer = Promise.withResolvers<void>()
    await page.route(`**/items/${id}/images`, async (route) => {
      if (route.request().method() === 'POST') await answer.promise
      await route.continue()
    })
    const folder = await mkdtemp(path.join(tmpdir(), 'window-keys-'))
    const files = ['w-1.jpg', 'w-2.jpg'].map((name) => path.join(folder, name))
    for (const [index, file] of files.entries()) await writeFile(file, await picture(`#0${index}20f0`))
    await page.setInputFiles('.desk input[type=file]', files)
    await page.goto(link(otherKey))
    await page.getByRole('button', { name: 'Change', exact: true }).click()
    await page.waitForSelector('h2 >> text=Meubelen van elders')
    answer.resolve()
    await settle(async () => (await stage.call<object[]>(`/items/${id}/images`)).length, 2)
    await rm(folder, { recursive: true })
    await context.close()
  })
})
