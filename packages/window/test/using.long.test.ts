import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { picture } from '../../../test/support/pictures.ts'
import { openDesk } from './desk.ts'
import { findLots, findSession, live, openStage, settlePictures, skip, timed } from './support.ts'

describe('using the window', { skip }, async () => {
  const desk = await openDesk(await openStage())
  const key = await desk.createSale('huis', 'Een zaal', { ...timed, published: false }, [
    { title: 'Musée imaginaire' },
    { title: 'כד עתיק' },
    {},
    {},
    {},
  ])
  const session = await findSession(desk, 's', key)
  const lots = await desk.call<{ id: string; item: string }[]>(`/lots?session=${session}`, 'GET', undefined, key)
  const open = (path: string, options?: Parameters<typeof desk.open>[1]) => openWith(key, path, options)
  async function openWith(own: string, path: string, options?: Parameters<typeof desk.open>[1]) {
    const opened = await desk.open(`${desk.origin}/#key=${own}`, options)
    await opened.page.waitForFunction(() => !location.hash.includes('now'))
    await opened.page.goto(`${desk.origin}/#${path}`)
    return opened
  }
  const isFocused = (page: Page, selector: string) =>
    page.waitForFunction((wanted) => document.activeElement?.matches(wanted), selector)
  const createItem = async (reference: string, fields = {}) =>
    await desk.call<{ id: string }>(
      '/items',
      'POST',
      { external_reference: reference, title: `Stuk ${reference}`, ...fields },
      key,
    )
  const openEditor = async (page: Page) => {
    await page.getByRole('button', { name: 'Change texts and estimate' }).click()
    await page.waitForSelector('.editor')
  }

  test('a lot opens with the focus on its heading, and Escape leads back to its card', async () => {
    const { page, context } = await open(`/sessions/${session}`)
    await page.locator('.lot-card a').nth(2).click()
    await isFocused(page, 'article.lot h1')
    await page.keyboard.press('ArrowRight')
    await page.waitForURL(new RegExp(lots[3]!.id))
    await isFocused(page, 'article.lot h1')
    await page.keyboard.press('Escape')
    await isFocused(page, `.lot-card a[href*="${lots[3]!.id}"]`)
    await page.keyboard.press('ArrowRight')
    await isFocused(page, `.lot-card a[href*="${lots[4]!.id}"]`)
    await context.close()
  })

  test('a save is confirmed, and the focus goes from the editor to the button that opens it', async () => {
    const { id } = await createItem('saved')
    const { page, context } = await open(`/items/${id}`)
    await openEditor(page)
    await page.getByLabel('Description').fill('Blauw')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.locator('.texts [role=status]', { hasText: 'Saved.' }).waitFor()
    await isFocused(page, '.texts .heading button')
    await page.keyboard.press('Enter')
    await page.waitForSelector('.editor')
    assert.equal(await page.getByText('Saved.').count(), 0)
    await page.getByRole('button', { name: 'Close the editor' }).click()
    await isFocused(page, '.texts .heading button')
    await context.close()
  })

  test('a choice between two versions leaves the focus in the field', async () => {
    const { id } = await createItem('chosen', { description: 'Rood' })
    const { page, context } = await open(`/items/${id}`)
    for (const choice of ['Take theirs', 'Keep mine']) {
      await openEditor(page)
      await page.getByLabel('Description').fill(`Groen, ${choice}`)
      await desk.call(`/items/${id}`, 'PATCH', { description: `Geel, ${choice}` }, key)
      await page.getByRole('button', { name: choice }).click()
      await isFocused(page, '[name="nl.description"]')
      await page.locator('.editor .actions button[type=button]').click()
    }
    await context.close()
  })

  test('switching keeps the focus: in the question, in its answer, and in the bar afterwards', async () => {
    const { page, context } = await open(`/sessions/${session}`)
    await page.locator('.lot-card .tick').first().click()
    await page.click('.switching >> text=Switch off')
    const apply = page.getByRole('button', { name: 'Switch 1 off' })
    await apply.waitFor()
    await isFocused(page, 'dialog *')
    await apply.click()
    await page.waitForSelector('dialog >> text=The schedule is up to date.')
    await isFocused(page, 'dialog *')
    await page.keyboard.press('Escape')
    await page.locator('dialog').waitFor({ state: 'detached' })
    await isFocused(page, '.switching button')
    await context.close()
  })

  test('after an interrupted switch the page says what was done and what was not, and keeps the selection', async () => {
    const own = await desk.createSale('stopt', 'Halverwege', { ...timed, published: false }, [
      { active: false },
      { active: false },
      { active: false },
    ])
    const id = await findSession(desk, 's', own)
    const [lot] = await desk.call<{ id: string }[]>(`/lots?session=${id}`, 'GET', undefined, own)
    const { page, context } = await openWith(own, `/sessions/${id}`)
    await page.click('text=/^Select all/')
    await page.click('.switching >> text=Switch on')
    const apply = page.getByRole('button', { name: 'Switch 3 on' })
    await apply.waitFor()
    await isFocused(page, 'dialog, dialog *')
    const going = Promise.withResolvers<void>()
    await page.route(`**/sessions/${id}/lots`, async (route) => {
      await going.promise
      await route.continue()
    })
    // The service then refuses the request, and nothing is sent again after Escape.
    await desk.run('lots', 'archive', lot!.id, '--yes')
    await apply.click()
    await page.getByText('Switching…').waitFor()
    await isFocused(page, 'dialog, dialog *')
    await page.keyboard.press('Escape')
    going.resolve()
    await page.locator('.switching [role=status]', { hasText: 'Stopped: 0 lots switched, 3 not.' }).waitFor()
    await page.getByText('2 selected').waitFor()
    await isFocused(page, '.switching button')
    await context.close()
  })

  test('Enter on a button of a picture does what the button says, selects nothing, and keeps the focus', async () => {
    const { id } = await createItem('tiles')
    const { page, context } = await open(`/items/${id}`)
    await page.waitForSelector('.drop')
    await desk.upload(page, { 't-1.jpg': await picture('#112233'), 't-2.jpg': await picture('#332211') })
    await page.waitForSelector('.desk .tile >> text=t-2')
    const press = async (name: string) => {
      await page.getByRole('button', { name, exact: true }).focus()
      await page.keyboard.press('Enter')
    }
    await press('Move back: t-1')
    const listGallery = async () =>
      (await desk.call<{ images: string[] }>(`/items/${id}`, 'GET', undefined, key)).images.length
    await desk.settle(listGallery, 2)
    await page.locator('.desk [role=gridcell]').last().getByText('t-1', { exact: true }).waitFor()
    await isFocused(page, '[aria-label="Move back: t-1"]')
    const countSelected = () => page.locator('.desk [role=row][aria-selected=true]').count()
    assert.equal(await countSelected(), 0)
    await press('Make lead: t-1')
    await page.locator('.tile', { hasText: 't-1' }).getByText('Lead photograph').waitFor()
    await isFocused(page, '[aria-label="Make lead: t-1"]')
    assert.equal(await countSelected(), 0)
    await context.close()
  })

  test('a title keeps to one line, is never empty, and other refusals name the field', async () => {
    const { id } = await createItem('title')
    const { page, context } = await open(`/items/${id}`)
    await openEditor(page)
    const title = page.getByLabel('Title')
    await title.fill('Een kan')
    await title.press('End')
    await title.press('Enter')
    await page.locator('h1', { hasText: 'Een kan' }).waitFor()
    assert.equal((await desk.call<{ title: string }>(`/items/${id}`, 'GET', undefined, key)).title, 'Een kan')
    await openEditor(page)
    await title.fill('')
    await page.getByLabel('From').fill('100')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByRole('alert').getByText('The item needs a title').waitFor()
    await isFocused(page, '[name="nl.title"][aria-invalid=true]')
    await title.fill('Een kan')
    await page.getByLabel('From').fill('1,5')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await isFocused(page, '[name=low][aria-invalid=true]')
    const error = await page.getByLabel('From').getAttribute('aria-describedby')
    assert.equal(await page.locator(`#${error}`).textContent(), 'Enter a whole amount, without cents.')
    assert.equal(await page.locator('[aria-invalid=true]').count(), 1)
    await context.close()
  })

  test('an item that was loaded with only a title shows it, and has fields for its texts', async () => {
    const { page, context } = await open(`/items/${lots[2]!.item}`)
    await page.locator('.texts dd', { hasText: 'Kavel 3' }).waitFor()
    await openEditor(page)
    assert.equal(await page.getByLabel('Title').inputValue(), 'Kavel 3')
    await page.getByLabel('Description').fill('Van eikenhout')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.locator('.texts dd', { hasText: 'Van eikenhout' }).waitFor()
    const { title } = await desk.call<{ title: string }>(`/items/${lots[2]!.item}`, 'GET', undefined, key)
    assert.equal(title, 'Kavel 3')
    await context.close()
  })

  test('texts are drawn in the direction of their script, and the search ignores accents', async () => {
    const { page, context } = await open(`/items/${lots[1]!.item}`)
    const hebrew = page.locator('article.lot h1')
    await hebrew.waitFor()
    const directionOf = (element: typeof hebrew) => element.evaluate((each) => getComputedStyle(each).direction)
    assert.equal(await directionOf(hebrew), 'rtl')
    await openEditor(page)
    assert.equal(await directionOf(page.locator('[name="nl.title"]')), 'rtl')
    await page.goto(`${desk.origin}/#/sessions/${session}`)
    await page.fill('#search', 'musee')
    await page.waitForFunction(() => document.querySelectorAll('.lot-card').length === 1)
    assert.equal(await page.locator('.lot-card .title').textContent(), 'Musée imaginaire')
    await context.close()
  })

  test('buttons and groups have names of their own', async () => {
    const { page, context } = await open(`/sessions/${session}`)
    await page.getByRole('group', { name: 'Filters' }).waitFor()
    await page.getByRole('button', { name: 'Settings' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Close: Settings' }).click()
    await isFocused(page, '.bar button')
    const { id } = await createItem('names')
    await page.goto(`${desk.origin}/#/items/${id}`)
    await page.waitForSelector('.drop')
    await desk.upload(page, { 'page.jpg': '<!doctype html>' })
    await page.getByRole('button', { name: 'Close: page.jpg' }).click()
    await context.close()
  })

  test('the tab says that a session does not exist', async () => {
    const { page, context } = await open('/sessions/ses_00000000-0000-4000-8000-000000000000')
    await page.waitForSelector('.problem')
    await page.waitForFunction(() => document.title === 'There is nothing here.')
    await context.close()
  })

  test('a lot that has closed says so', async () => {
    const past = { ...live, published: true, live: { closes_at: '2026-02-01T10:00:00Z' } }
    const own = await desk.createSale('gesloten', 'Gisteren', past, [{}])
    const id = await findSession(desk, 's', own)
    const [lot] = await desk.call<{ id: string }[]>(`/lots?session=${id}`, 'GET', undefined, own)
    const { page, context } = await openWith(own, `/sessions/${id}/lots/${lot!.id}`)
    await page.locator('.bidding', { hasText: 'Closed 1 Feb 2026' }).waitFor()
    await context.close()
  })

  test('the strip of a running sale has the lead photographs', async () => {
    type Pictured = { closes_at: string; item: { id: string; images: { id: string; url: string | null }[] } }
    const running = await findSession(desk, 'veiling-113-online')
    await settlePictures(desk, running)
    const all = await desk.call<Pictured[]>(`/lots?session=${running}&limit=100&expand[]=item.images`)
    const next = all
      .filter(({ closes_at }) => Date.parse(closes_at) > Date.now())
      .toSorted((one, other) => Date.parse(one.closes_at) - Date.parse(other.closes_at))
    const { item } = next.slice(0, 6).find((lot) => lot.item.images.length > 1)!
    const ids = item.images.map(({ id }) => id)
    await desk.call(`/items/${item.id}/gallery`, 'PATCH', { images: ids, featured: ids[1] })
    const { page, context } = await desk.open()
    await page.waitForSelector('.lot-card')
    await page.goto(`${desk.origin}/#/`)
    await page.locator(`.strip img[src="${item.images[1]!.url}"]`).waitFor()
    await context.close()
  })

  test('a key that may only read lots sees number, bid and time of a lot, and asks for nothing else', async () => {
    const own = await desk.issueKey('terbraeck', { granted: ['lots.read'] })
    const running = await findSession(desk, 'veiling-113-online')
    const lot = (await findLots(desk, running)).find(({ current_bid }) => current_bid !== null)!
    const { page, context } = await desk.open(`${desk.origin}/#key=${own}`)
    await page.waitForSelector('.problem')
    await page.goto(`${desk.origin}/#/sessions/${running}/lots/${lot.id}`)
    const bidding = page.locator('.bidding')
    await bidding.waitFor()
    // Loaded anew, the page has no question of the first page under way.
    const refused: string[] = []
    await page.goto('about:blank')
    page.on('response', (reply) => reply.status() === 403 && refused.push(reply.url()))
    await page.goto(`${desk.origin}/#/sessions/${running}/lots/${lot.id}`)
    await bidding.getByText(`Lot ${lot.lot_number}`, { exact: true }).waitFor()
    await bidding.getByText(`€${(lot.current_bid!.amount / 100).toLocaleString('en-GB')}`, { exact: true }).waitFor()
    assert.match((await bidding.textContent())!, /Closes|Closed/)
    assert.deepEqual(refused, [])
    await context.close()
  })

  test('a page that a key may not see names the missing permission once, and leads to another key', async () => {
    const own = await desk.issueKey('terbraeck', { granted: ['lots.read'] })
    const { page, context } = await desk.open(`${desk.origin}/#key=${own}`)
    const problem = page.locator('.problem')
    await problem.waitFor()
    assert.equal(
      await problem.evaluate((each) => each.textContent),
      'This key may not see this.It lacks the permission auctions.read.Sign in with another key',
    )
    await problem.getByRole('button').click()
    await page.fill('#key', desk.key)
    await page.click('button[type=submit]')
    await page.waitForSelector('.lot-card')
    await context.close()
  })

  test('no page in German is wider than a phone, and every page has the link to the sales at 320 pixels', async () => {
    const { page, context } = await open('/', { locale: 'de-DE', viewport: { width: 390, height: 800 } })
    const pages = {
      '/': '.sessions',
      [`/sessions/${session}`]: '.wall',
      [`/sessions/${session}/schedule`]: '.schedule',
      [`/items/${lots[0]!.item}`]: 'article .desk',
    }
    for (const [path, shown] of Object.entries(pages)) {
      await page.goto(`${desk.origin}/#${path}`)
      await page.waitForSelector(shown)
      assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 390, path)
    }
    await page.setViewportSize({ width: 320, height: 640 })
    await page.waitForFunction(() => document.documentElement.scrollWidth === 320)
    await page.getByRole('link', { name: 'Auktionen', exact: true }).click()
    await page.waitForURL(`${desk.origin}/#/`)
    await context.close()
  })

  test('the buttons of the editor never cover the field with the focus', async () => {
    const { page, context } = await open(`/items/${lots[1]!.item}`, { viewport: { width: 1280, height: 720 } })
    await openEditor(page)
    await page.locator('.editor input, .editor textarea').first().focus()
    const covered: string[] = []
    for (let fields = await page.locator('.editor textarea').count(); fields >= 0; fields--) {
      await page.keyboard.press('Tab')
      const name = await page.evaluate(() => {
        const field = document.activeElement!
        const bar = document.querySelector('.sticky')!.getBoundingClientRect()
        const place = field.getBoundingClientRect()
        return field.closest('.sticky') === null && place.bottom > bar.top
          ? (field.getAttribute('name') ?? 'another')
          : null
      })
      if (name !== null) covered.push(name)
    }
    assert.deepEqual(covered, [])
    await context.close()
  })

  test('in forced colours the chosen filter and the present view differ from the others', async () => {
    const { page, context } = await open(`/sessions/${session}`, { forcedColors: 'active' })
    await page.waitForSelector('.lot-card')
    const coloursOf = (selector: string) =>
      page.locator(selector).evaluateAll((all) =>
        all.map((each) => {
          const { backgroundColor, borderBottomColor } = getComputedStyle(each)
          return `${backgroundColor} ${borderBottomColor}`
        }),
      )
    for (const group of ['.chips button', '.tabs a']) {
      const [chosen, ...others] = await coloursOf(group)
      assert.ok(others.length > 0 && !others.includes(chosen!), `${group}: ${chosen}, ${others.join()}`)
    }
    await context.close()
  })
})
