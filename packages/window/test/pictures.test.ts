import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { picture } from '../../../test/support/pictures.ts'
import { openDesk } from './desk.ts'
import { findBarriers, findLots, findSession, live, openSharedHouse, settle, skip } from './support.ts'

type Shown = { id: string; alt: string | null; alt_translations: object; sources: { url: string; width: number }[] }

describe('looking closely at pictures', { skip }, async () => {
  const desk = await openDesk(await openSharedHouse('nabij', 'Van nabij', { ...live, published: true }, [{}]))
  const session = await findSession(desk, 's')
  const item = { id: (await findLots(desk, session))[0]!.item }
  const form = new FormData()
  form.set('external_reference', 'nabij-1')
  form.set('file', new Blob([new Uint8Array(await picture('#a07040', 3000, 2000))]), 'a.jpg')
  const headers = { authorization: `Bearer ${desk.key}` }
  const sent = await fetch(`${desk.origin}/api/v2/items/${item.id}/images`, { method: 'POST', headers, body: form })
  assert.equal(sent.status, 201)
  const read = async () => (await desk.call<Shown[]>(`/items/${item.id}/images`))[0]!
  await desk.settle(async () => (await read()).sources.map(({ width }) => width), [480, 960, 1600, 2560])
  const image = await read()
  const large = image.sources.at(-1)!.url
  const view = (page: Page) =>
    page.locator('.near > div').evaluate((node) => {
      const { a, e, f } = new DOMMatrix(getComputedStyle(node).transform)
      return { scale: a, x: e, y: f }
    })

  test('a photograph has its sources, its size and its text, and the page does not shift', async () => {
    await desk.call(`/items/${item.id}/images/${image.id}`, 'PATCH', { alt: 'Goudbruin vlak' })
    const { page, context } = await desk.open()
    await page.waitForSelector('.lot-card')
    await page.evaluate(() => {
      const shifts: PerformanceEntry[] = ((globalThis as never as { shifts: PerformanceEntry[] }).shifts = [])
      new PerformanceObserver((list) => shifts.push(...list.getEntries())).observe({ type: 'layout-shift' })
    })
    await page.goto(`${desk.origin}/#/items/${item.id}`)
    const shown = page.locator('.large img')
    await shown.waitFor()
    assert.equal(await shown.getAttribute('alt'), 'Goudbruin vlak')
    assert.equal(await shown.getAttribute('lang'), 'nl')
    assert.deepEqual([await shown.getAttribute('width'), await shown.getAttribute('height')], ['3000', '2000'])
    const written = image.sources.map(({ url, width }) => `${url} ${width}w`).join(', ')
    assert.equal(await shown.getAttribute('srcset'), written)
    await page.waitForFunction(() => document.querySelector<HTMLImageElement>('.large img')?.complete)
    assert.deepEqual(await page.locator('img:not([width]), img:not([height])').count(), 0)
    // What stood on the wall, whose pictures may still be drawn, has no node any more.
    const moved = await page.evaluate(() =>
      (globalThis as never as { shifts: { value: number; sources: { node: Node | null }[] }[] }).shifts
        .filter(({ value, sources }) => value > 0.05 && sources.some(({ node }) => node !== null))
        .map(({ value }) => value),
    )
    assert.deepEqual(moved, [])
    await context.close()
  })

  test('until a photograph is there, its placeholder is', async () => {
    const { page, context } = await desk.open()
    await page.waitForSelector('.lot-card')
    let release = () => {}
    const held = new Promise<void>((resolve) => (release = resolve))
    const names = image.sources.map(({ url }) => url)
    await page.route(
      (url) => names.includes(url.href),
      async (route) => {
        await held
        await route.continue()
      },
    )
    await page.goto(`${desk.origin}/#/items/${item.id}`)
    const placeholder = page.locator('.large canvas.placeholder')
    await placeholder.waitFor()
    const colour = await placeholder.evaluate((canvas: HTMLCanvasElement) =>
      [...canvas.getContext('2d')!.getImageData(8, 8, 1, 1).data].map((part) => Math.round(part / 32)),
    )
    assert.deepEqual(colour, [5, 4, 2, 8])
    release()
    await placeholder.waitFor({ state: 'detached' })
    await context.close()
  })

  test('wheel, keys and buttons magnify; only then is the widest source loaded', async () => {
    const { page, context } = await desk.open(undefined, { viewport: { width: 900, height: 700 } })
    const loaded: string[] = []
    page.on('request', (request) => loaded.push(request.url()))
    await page.waitForSelector('.lot-card')
    await page.goto(`${desk.origin}/#/items/${item.id}`)
    await page.waitForFunction(() => document.querySelector<HTMLImageElement>('.large img')?.complete)
    assert.ok(!loaded.includes(large))
    await page.getByRole('button', { name: 'Magnify' }).click()
    await page.waitForFunction((url) => {
      const shown = document.querySelector<HTMLImageElement>('.near img')
      return shown?.complete && shown.currentSrc === url
    }, large)
    assert.ok(loaded.includes(large))
    assert.deepEqual(await findBarriers(page), [])
    await page.keyboard.press('+')
    assert.equal((await view(page)).scale, 1.5)
    await page.keyboard.press('ArrowRight')
    assert.equal((await view(page)).x, -80)
    await page.keyboard.press('-')
    assert.deepEqual(await view(page), { scale: 1, x: 0, y: 0 })
    await page.mouse.move(200, 200)
    await page.mouse.wheel(0, -500)
    // The turn of the wheel may come in parts.
    await page.waitForFunction(() => document.querySelector('output')?.textContent === '272 %')
    const turned = await view(page)
    assert.ok(turned.scale > 1 && turned.x > 0, 'the point below the pointer stays')
    await page.keyboard.press('0')
    assert.deepEqual(await view(page), { scale: 1, x: 0, y: 0 })
    await page.getByRole('button', { name: 'Enlarge' }).click()
    assert.equal((await view(page)).scale, 1.5)
    for (let times = 0; times < 20; times++) await page.keyboard.press('+')
    assert.equal((await view(page)).scale, 8)
    await page.getByRole('button', { name: 'Whole picture' }).click()
    assert.deepEqual(await view(page), { scale: 1, x: 0, y: 0 })
    await page.getByRole('button', { name: 'Full screen' }).click()
    await page.waitForFunction(() => document.fullscreenElement !== null)
    await page.getByRole('button', { name: 'Full screen' }).click()
    await page.waitForFunction(() => document.fullscreenElement === null)
    await page.keyboard.press('Escape')
    await page.waitForSelector('.magnifier', { state: 'detached' })
    assert.ok(page.url().endsWith(item.id))
    await page.waitForFunction(() => document.activeElement?.textContent === 'Magnify')
    await context.close()
  })

  test('two fingers magnify, and one moves', async () => {
    const { page, context } = await desk.open(undefined, { hasTouch: true, viewport: { width: 600, height: 800 } })
    await page.waitForSelector('.lot-card')
    await page.goto(`${desk.origin}/#/items/${item.id}`)
    await page.getByRole('button', { name: 'Magnify' }).click()
    await page.waitForSelector('.near img')
    const touch = await context.newCDPSession(page)
    const send = (type: 'touchStart' | 'touchMove' | 'touchEnd', ...xs: number[]) =>
      touch.send('Input.dispatchTouchEvent', { type, touchPoints: xs.map((x, id) => ({ x, y: 300, id })) })
    await send('touchStart', 280, 320)
    await send('touchMove', 240, 360)
    await send('touchMove', 200, 400)
    await send('touchEnd')
    // Moves are drawn later than the touch is answered.
    await settle(async () => Math.round((await view(page)).scale), 5)
    const pinched = await view(page)
    await send('touchStart', 300)
    await send('touchMove', 340)
    await send('touchEnd')
    await settle(async () => (await view(page)).x > pinched.x, true)
    await context.close()
  })

  test('the desk describes a picture in each language, says where it is missing, and overwrites nothing unseen', async () => {
    await desk.call(`/items/${item.id}/images/${image.id}`, 'PATCH', { alt: null })
    const { page, context } = await desk.openItem(item.id)
    const tile = page.locator('.desk .tile', { hasText: 'nabij-1' })
    await tile.getByText('Without description').waitFor()
    await tile.getByText('More').click()
    await tile.getByRole('button', { name: 'Describe: nabij-1' }).click()
    assert.deepEqual(await findBarriers(page), [])
    await page.getByRole('textbox', { name: 'Dutch' }).fill('Een goudbruin vlak')
    await page.getByLabel('Add a language').selectOption('en')
    await page.getByRole('textbox', { name: 'English' }).fill('A golden brown plane')
    // Neither Escape nor a reload drops what was typed.
    await page.keyboard.press('Escape')
    await page.reload()
    await tile.getByText('More').click()
    await tile.getByRole('button', { name: 'Describe: nabij-1' }).click()
    assert.equal(await page.getByRole('textbox', { name: 'English' }).inputValue(), 'A golden brown plane')
    await desk.call(`/items/${item.id}/images/${image.id}`, 'PATCH', { alt: 'Van een ander' })
    await page.locator('dialog').getByText('Save').click()
    await page.locator('dialog').getByText('Van een ander').waitFor()
    assert.equal((await read()).alt, 'Van een ander')
    await page.locator('dialog').getByText('Save').click()
    await page.waitForSelector('dialog', { state: 'detached' })
    assert.deepEqual((await read()).alt_translations, { nl: 'Een goudbruin vlak', en: 'A golden brown plane' })
    await tile.getByText('Without description').waitFor({ state: 'detached' })
    await context.close()
  })

  test('the pictures of a sale without a description are listed, and leave the list when they have one', async () => {
    await desk.call(`/items/${item.id}/images/${image.id}`, 'PATCH', { alt: null })
    const { page, context } = await desk.open()
    await page.waitForSelector('.lot-card')
    await page.goto(`${desk.origin}/#/sessions/${session}/pictures`)
    // Until the list is loaded, the wall is shown, with a filter of the same name.
    await page.waitForSelector('.attention')
    await page.getByRole('button', { name: 'Pictures without description' }).click()
    await page.getByRole('region', { name: 'Pictures without description' }).waitFor()
    const describe = page.locator('.attention .tile button')
    await describe.first().waitFor()
    const count = await describe.count()
    await describe.first().click()
    await page.getByRole('textbox', { name: 'Dutch' }).fill('Beschreven')
    await page.locator('dialog').getByText('Save').click()
    await page.waitForFunction((before) => document.querySelectorAll('.attention .tile button').length < before, count)
    assert.deepEqual(await findBarriers(page), [])
    await context.close()
  })
})
