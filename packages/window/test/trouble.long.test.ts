import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { describe, test } from 'node:test'
import { Catalogue, type ItemId } from '@auction-catalogue/client'
import type { Page, Request, Route } from 'playwright-core'
import { picture } from '../../../test/support/pictures.ts'
import { runCommand } from '../../../test/support/process.ts'
import { findSession, intercept, live, openStage, settle, skip, type Stage } from './support.ts'

describe('trouble', { skip }, async () => {
  const stage = await openStage({ RATE_LIMIT_PER_MINUTE: '600' })

  const createKey = () =>
    stage.run('keys', 'create', '--house', 'terbraeck', '--all') as Promise<{ key: string; id: string }>
  /** A page on the wall that has loaded all its parts. It asks for them at once, and each asks for what it needs. */
  const openWhole = async () => {
    const opened = await stage.open('about:blank')
    const { page } = opened
    const parts = new Set<Request>()
    page.on('request', (request) => request.url().includes('/assets/') && parts.add(request))
    page.on('requestfinished', (request) => parts.delete(request))
    const rest = page.waitForResponse(/assets\/lot-[\w-]{8}\.js/)
    await page.goto(stage.window)
    await page.waitForSelector('.lot-card')
    await rest
    await settle(() => parts.size, 0)
    return opened
  }
  const createItem = (reference: string) =>
    stage.call<{ id: string }>('/items', 'POST', { external_reference: reference, title: `Stuk ${reference}` })
  const readItem = (id: string) => stage.call<{ description: string | null; images: string[] }>(`/items/${id}`)
  /** A page at an item, with a key of its own. */
  const openItem = async (id: string, origin = stage.origin, options?: Parameters<Stage['open']>[1]) => {
    const { key, id: keyId } = await createKey()
    const { page, context } = await stage.open(`${origin}/#key=${key}`, options)
    await page.waitForSelector('.lot-card')
    await page.goto(`${origin}/#/items/${id}`)
    await page.waitForSelector('.drop')
    return { page, context, key, keyId }
  }
  const type = async (page: Page, text: string) => {
    await page.click('text=Change texts and estimate')
    await page.getByLabel('Description').fill(text)
  }
  const save = (page: Page) => page.getByText('Save', { exact: true }).click()
  const saved = (page: Page, text: string) => page.waitForSelector(`.texts dd >> text=${text}`, { timeout: 90_000 })

  test('an outage of the service is reported, and the page recovers by itself', async () => {
    const { page, context } = await openWhole()
    await context.setOffline(true)
    await page.waitForSelector('.trouble >> text=You are offline')
    await context.setOffline(false)
    await page.waitForSelector('.trouble[data-shown=false]', { state: 'attached' })
    await stage.stopService()
    await page.waitForSelector('.trouble >> text=does not answer')
    await page.locator('.lot-card a').first().click()
    await page.waitForSelector('article.lot h1')
    await stage.startService()
    await page.waitForSelector('.trouble[data-shown=false]', { state: 'attached' })
    await page.waitForSelector('.relations >> text=V113')
    await context.close()
  })

  test('text typed during a save is kept, and the next save stores it', async () => {
    const { id } = await createItem('meanwhile')
    const { page, context } = await openItem(id)
    await type(page, 'Eerst')
    await context.setOffline(true)
    await save(page)
    await page.getByLabel('Condition').fill('Daarna')
    await page.getByLabel('Description').fill('Eerst en nog meer')
    await context.setOffline(false)
    await page.waitForFunction(() => document.querySelector('.editor button[type=submit]:not([disabled])'))
    assert.equal((await readItem(id)).description, 'Eerst')
    await save(page)
    await saved(page, 'Eerst en nog meer')
    await saved(page, 'Daarna')
    await context.close()
  })

  test('photographs that fail to load are reported as missing, and load later by themselves', async () => {
    const { page, context } = await stage.open('about:blank')
    const letThrough = await intercept(page, '**/media/**', (route) => route.abort())
    await page.goto(stage.window)
    await page.locator('.lot-card').first().getByText('Photograph cannot be loaded').waitFor()
    letThrough()
    await page.locator('.lot-card').first().locator('img').waitFor()
    await context.close()
  })

  test('after foreign pages instead of answers the tab is still signed in and recovers', async () => {
    for (const status of [401, 403, 404]) {
      const { page, context } = await stage.open()
      await page.waitForSelector('.lot-card')
      const letThrough = await intercept(page, '**/api/v2/**', (route) =>
        route.fulfill({ status, contentType: 'text/html', body: '<h1>Welcome to the hotel</h1>' }),
      )
      await page.reload()
      await page.waitForSelector('.trouble >> text=does not answer')
      letThrough()
      await page.waitForSelector('.lot-card')
      await page.waitForSelector('.trouble[data-shown=false]', { state: 'attached' })
      await context.close()
    }
  })

  test('moves that waited for the network do not overwrite a gallery that another client changed meanwhile', async () => {
    const { id } = await createItem('moved')
    const { key } = await createKey()
    const catalogue = new Catalogue({ url: stage.origin, key })
    const add = async (external_reference: string) => {
      const file = new Blob([new Uint8Array(await picture('#456789'))])
      return await catalogue.images.upload(id as ItemId, { file, external_reference })
    }
    for (const name of ['m-1', 'm-2', 'm-3']) await add(name)
    const { page, context } = await openItem(id)
    const move = (name: string) => page.click(`[aria-label="Move back: ${name}"]`)
    await page.waitForSelector('.desk .tile >> text=m-3')
    const begun = (await readItem(id)).images
    await move('m-1')
    await page.click('[aria-label="Move back: m-1"]')
    const ordered = [begun[1], begun[2], begun[0]]
    await settle(async () => (await readItem(id)).images, ordered)
    await context.setOffline(true)
    await move('m-2')
    await move('m-2')
    await add('m-4')
    const now = (await readItem(id)).images
    await context.setOffline(false)
    await page.getByText('The gallery has changed since you opened it').waitFor()
    await page.waitForSelector('.desk .tile >> text=m-4')
    // Moves are sent in their order: with the next one, no earlier one is left.
    await move('m-1')
    await settle(async () => (await readItem(id)).images, [now[0], now[1], now[3], now[2]])
    await context.close()
  })

  test('a revoked key leads to the sign-in page, and a new one back to the same page with its unsaved text', async () => {
    const { id } = await createItem('revoked')
    const { page, context, keyId } = await openItem(id)
    await type(page, 'Nog niet bewaard')
    // The key is refused while it waits for changes. A save at this moment could still be in time.
    await stage.run('keys', 'revoke', keyId)
    await page.waitForSelector('text=The key is no longer accepted')
    await page.fill('#key', stage.key)
    await page.click('button[type=submit]')
    await page.waitForSelector('.editor')
    assert.equal(await page.getByLabel('Description').inputValue(), 'Nog niet bewaard')
    await save(page)
    await saved(page, 'Nog niet bewaard')
    await context.close()
  })

  test('signing out removes unsaved text from the tab, whose next user may be another person', async () => {
    const { id } = await createItem('left')
    const { page, context } = await openItem(id)
    await type(page, 'Niet voor anderen')
    await page.getByRole('button', { name: 'Settings' }).click()
    await page.click('text=Sign out')
    await page.waitForSelector('#key')
    assert.doesNotMatch(
      await page.evaluate(() => JSON.stringify(Object.entries(sessionStorage))),
      /Niet voor anderen|ack_/,
    )
    await page.fill('#key', stage.key)
    await page.click('button[type=submit]')
    await page.getByText('Change texts and estimate').click()
    assert.equal(await page.getByLabel('Description').inputValue(), '')
    await context.close()
  })

  test('an item that cannot be shown is reported with the request, and hides no other lot', async () => {
    const twice = [
      { locale: 'nl', title: 'Stuk 5' },
      { locale: 'nl', title: 'Anders 5' },
    ]
    const lots = Array.from({ length: 12 }, (_, index) => (index === 5 ? { translations: twice } : {}))
    const key = await stage.createSale('stuk', 'Met een gebrek', { ...live, published: true }, lots)
    const { page, context } = await stage.open(`${stage.origin}/#key=${key}`)
    await page.click('text=Met een gebrek')
    await page.waitForSelector('.problem')
    assert.match((await page.locator('.problem').textContent())!, /cannot show a lot .* \(request [0-9a-f-]{36}\)/)
    assert.equal(await page.locator('.lot-card').count(), 11)
    const { stdout } = await runCommand({ DATA_DIR: stage.dataDir }, 'doctor', '--house', 'stuk', '--json')
    const [defect] = (JSON.parse(stdout) as { type: string; record: string }[]).filter(({ type }) => type === 'item')
    await page.goto(`${stage.origin}/#/items/${defect!.record}`)
    await page.waitForSelector('.problem >> text=cannot show this item truthfully')
    await page.waitForSelector('.problem >> text=Request')
    await page.waitForSelector('.bar')
    await context.close()
  })

  test('a used-up rate limit is waited for and not shown: what is typed is saved when the next minute begins', async () => {
    const { id } = await createItem('limited')
    const { page, context, key } = await openItem(id)
    await type(page, 'Geduldig')
    const ask = () => fetch(`${stage.origin}/api/v2`, { headers: { authorization: `Bearer ${key}` } })
    await page.evaluate(() => {
      const counted = Object.assign(globalThis, { troubles: 0 })
      const line = document.querySelector<HTMLElement>('.trouble')!
      const count = () => void (counted.troubles += line.dataset['shown'] === 'true' ? 1 : 0)
      new MutationObserver(count).observe(line, { attributes: true, childList: true, characterData: true })
    })
    // The minute must not end before the save is refused.
    const isSpent = ({ status, headers }: Response) => status === 429 && Number(headers.get('retry-after')) > 30
    while (!isSpent(await ask()));
    await save(page)
    await saved(page, 'Geduldig')
    assert.equal(await page.evaluate(() => (globalThis as { troubles?: number }).troubles), 0)
    await context.close()
  })

  test('a slow network is reported, and its answers are shown', async () => {
    const session = await findSession(stage, 'veiling-114-online')
    const { page, context } = await stage.open()
    await page.waitForSelector('.lot-card')
    const released = Promise.withResolvers<void>()
    await page.route('**/api/v2/lots?*', async (route) => {
      await released.promise
      await route.continue()
    })
    await page.goto(`${stage.origin}/#/sessions/${session}`)
    await page.waitForSelector('.trouble >> text=is slow')
    released.resolve()
    await page.waitForSelector('.lot-card')
    await page.waitForSelector('.trouble[data-shown=false]', { state: 'attached' })
    await context.close()
  })

  test('a save and an upload whose answers are lost are repeated under the same key, and done once', async () => {
    const { id } = await createItem('lost')
    const { page, context } = await openItem(id)
    const sent: Request[] = []
    const lost = new Set<string>()
    const loseFirst = (method: string) => async (route: Route) => {
      if (route.request().method() !== method || lost.has(method)) return route.continue()
      lost.add(method)
      await route.fetch()
      return route.abort()
    }
    await page.route(`**/items/${id}?*`, loseFirst('PATCH'))
    page.on('request', (request) => request.method() === 'PATCH' && sent.push(request))
    await type(page, 'Eenmaal')
    await save(page)
    await saved(page, 'Eenmaal')
    const names = sent.map((request) => request.headers()['idempotency-key'])
    assert.ok(names[0] !== undefined)
    assert.deepEqual(names, [names[0], names[0]])

    await page.route(`**/items/${id}/images`, loseFirst('POST'))
    const folder = await mkdtemp(path.join(tmpdir(), 'window-lost-'))
    await writeFile(path.join(folder, 'l-1.jpg'), await picture('#445566'))
    await page.setInputFiles('.desk input[type=file]', path.join(folder, 'l-1.jpg'))
    await page.waitForSelector('.uploads [data-state=arrived]')
    assert.equal((await stage.call<object[]>(`/items/${id}/images`)).length, 1)
    await rm(folder, { recursive: true })
    await context.close()
  })

  test('uploads to an item go on while the user views another one', async () => {
    const { id } = await createItem('leaving')
    const { page, context } = await openItem(id)
    const left = Promise.withResolvers<void>()
    await page.route(`**/items/${id}/images`, async (route) => {
      await left.promise
      await route.continue()
    })
    const folder = await mkdtemp(path.join(tmpdir(), 'window-leaving-'))
    const files = ['w-1.jpg', 'w-2.jpg'].map((name) => path.join(folder, name))
    for (const [index, file] of files.entries()) await writeFile(file, await picture(`#00${index}0ff`))
    await page.setInputFiles('.desk input[type=file]', files)
    await page.click('.brand')
    await page.waitForSelector('text=Running now')
    left.resolve()
    await settle(async () => (await stage.call<object[]>(`/items/${id}/images`)).length, 2)
    await rm(folder, { recursive: true })
    await context.close()
  })

  /** Serves a browser the pages of an older version until `upgrade` is called. Then the old files are gone. */
  async function openOld(address: string) {
    const { page, context } = await stage.open('about:blank')
    let isUpgraded = false
    let isGone = true
    await context.route(`${stage.origin}/`, async (route) => {
      if (isUpgraded && route.request().isNavigationRequest()) isGone = false
      if (isUpgraded) return route.continue()
      const reply = await route.fetch()
      const body = (await reply.text()).replace(/assets\/index-[\w-]+\.js/, 'assets/index-old.js')
      return route.fulfill({ response: reply, body })
    })
    await context.route('**/assets/index-old.js', async (route) => {
      const html = await (await fetch(stage.origin, { headers: { accept: 'text/html' } })).text()
      const [name] = /assets\/index-[\w-]+\.js/.exec(html)!
      await route.fulfill({ response: await route.fetch({ url: `${stage.origin}/${name}` }) })
    })
    await context.route('**/assets/desk-*.js', (route) => (isGone ? route.fulfill({ status: 404 }) : route.continue()))
    await page.goto(address)
    return { page, context, upgrade: () => (isUpgraded = true) }
  }

  test('a tab from before an upgrade reloads when a part is gone, and keeps its unsaved text', async () => {
    const { id } = await createItem('old')
    const { key } = await createKey()
    const { page, context, upgrade } = await openOld(`${stage.origin}/#key=${key}`)
    await page.waitForSelector('.lot-card')
    await page.goto(`${stage.origin}/#/items/${id}`)
    await type(page, 'Uit een oude tijd')
    const reloaded = page.waitForEvent('load')
    upgrade()
    await reloaded
    await page.waitForSelector('.editor')
    assert.equal(await page.getByLabel('Description').inputValue(), 'Uit een oude tijd')
    await page.waitForSelector('.drop')
    await save(page)
    await saved(page, 'Uit een oude tijd')
    await context.close()
  })

  test('a tab with all its parts reports the new version, and goes on', async () => {
    const { page, context } = await openWhole()
    await stage.stopService()
    await page.waitForSelector('.trouble >> text=does not answer')
    // The page of the upgraded service names another program.
    const letThrough = await intercept(context, `${stage.origin}/`, async (route) => {
      const reply = await route.fetch().catch(() => undefined)
      if (reply === undefined) return route.abort()
      const body = (await reply.text()).replace(/index-[\w-]+\.js/, 'index-new.js')
      return route.fulfill({ response: reply, body })
    })
    await stage.startService()
    await page.getByText('There is a new version').waitFor()
    await page.locator('.lot-card a').first().click()
    await page.waitForSelector('article.lot h1')
    letThrough()
    await page.click('.trouble button')
    await page.waitForSelector('article.lot h1')
    await page.waitForSelector('.trouble[data-shown=false]', { state: 'attached' })
    await context.close()
  })

  test('a page without TLS writes and uploads too', async () => {
    const { id } = await createItem('plain')
    const { page, context } = await openItem(id, stage.origin.replace('127.0.0.1', 'window.test'))
    assert.equal(await page.evaluate(() => isSecureContext), false)
    await type(page, 'Zonder slot')
    await save(page)
    await saved(page, 'Zonder slot')
    const folder = await mkdtemp(path.join(tmpdir(), 'window-plain-'))
    await writeFile(path.join(folder, 'p-1.jpg'), await picture('#778899'))
    await page.setInputFiles('.desk input[type=file]', path.join(folder, 'p-1.jpg'))
    await page.waitForSelector('.uploads [data-state=arrived]')
    await rm(folder, { recursive: true })
    assert.equal((await readItem(id)).description, 'Zonder slot')
    await context.close()
  })
})
