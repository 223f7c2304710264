import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { openStage, settle, skip } from './support.ts'

describe('the window without a network', { skip }, async () => {
  const stage = await openStage()

  const allow = { serviceWorkers: 'allow' } as const
  const waitForWorker = (page: Page) => page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined))
  /** The page in the cache of the service worker; null if there is none. */
  const readKept = (page: Page) =>
    page.evaluate(async () => (await (await (await caches.open('window')).match('/'))?.text()) ?? null)

  test('a page opened again without a network or a service says so, keeps unsaved text, and recovers by itself', async () => {
    const body = { external_reference: 'offline', title: 'Stuk' }
    const { id } = await stage.call<{ id: string }>('/items', 'POST', body)
    const { page, context } = await stage.open(undefined, allow)
    await page.waitForSelector('.lot-card')
    await page.goto(`${stage.origin}/#/items/${id}`)
    await waitForWorker(page)
    await page.click('text=Change texts and estimate')
    await page.getByLabel('Description').fill('Zonder net getypt')
    await context.setOffline(true)
    await page.waitForSelector('.trouble >> text=You are offline')
    await page.reload()
    // Chromium 150 tells a page that is opened while it emulates this that there is a network.
    await page.waitForSelector('.trouble >> text=/You are offline|does not answer/')
    await context.setOffline(false)
    await page.waitForSelector('.trouble[data-shown=false]', { state: 'attached' })
    assert.equal(await page.getByLabel('Description').inputValue(), 'Zonder net getypt')
    await stage.stopService()
    await page.reload()
    await page.waitForSelector('.trouble >> text=does not answer')
    await stage.startService()
    await page.waitForSelector('.editor')
    assert.equal(await page.getByLabel('Description').inputValue(), 'Zonder net getypt')
    const kept = await page.evaluate(async () => {
      const cache = await caches.open('window')
      return (await cache.keys()).map(({ url }) => new URL(url).pathname)
    })
    assert.ok(kept.length > 5 && kept.every((path) => path === '/' || path.startsWith('/assets/')), kept.join())
    await page.getByText('Save', { exact: true }).click()
    await page.waitForSelector('.texts dd >> text=Zonder net getypt')
    await context.close()
  })

  /** A captive portal: it passes requests on to the service, or answers them with the result of `change`. */
  async function openPortal() {
    const portal = { change: (_path: string, _isNavigation: boolean, body: Buffer): Buffer | string => body }
    const server = createServer((request, response) => {
      const answer = async () => {
        const { authorization, accept = '*/*' } = request.headers
        const headers = { accept, ...(authorization && { authorization }) }
        const reply = await fetch(`${stage.origin}${request.url}`, { method: request.method!, headers })
        const body = Buffer.from(await reply.arrayBuffer())
        const isNavigation = request.headers['sec-fetch-mode'] === 'navigate'
        const names = ['content-type', 'content-security-policy', 'cache-control']
        response.writeHead(
          reply.status,
          names.map((name) => [name, reply.headers.get(name) ?? '']),
        )
        response.end(portal.change(request.url!, isNavigation, body))
      }
      answer().catch(() => response.destroy())
    })
    await new Promise<void>((resolve) => server.unref().listen(0, '127.0.0.1', resolve))
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    return { portal, origin, close: () => (server.closeAllConnections(), server.close()) }
  }

  test("the page of a captive portal is not cached, and the window's own page is cached once it loads", async () => {
    const { portal, origin, close } = await openPortal()
    const asked: string[] = []
    portal.change = (path, isNavigation, body) =>
      path === '/' && !isNavigation ? (asked.push(path), '<h1>Welcome to the hotel</h1>') : body
    const { page, context } = await stage.open(`${origin}/#key=${stage.key}`, allow)
    await page.waitForSelector('.lot-card')
    await settle(() => asked.length > 0, true)
    await page.waitForFunction(async () => {
      const registration = await navigator.serviceWorker.getRegistration()
      return !registration?.installing
    })
    assert.equal(await readKept(page), null)
    asked.length = 0
    await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
    // It is requested again, since that page says nothing of the window.
    await settle(() => asked.length > 1, true)
    assert.equal(await page.getByText('There is a new version').count(), 0)
    portal.change = (_path, _isNavigation, body) => body
    await page.reload()
    await waitForWorker(page)
    assert.match((await readKept(page))!, /src="\/assets\/index-/)
    await context.close()
    close()
  })

  test('a newer version of the window replaces the cached one', async () => {
    const { portal, origin, close } = await openPortal()
    const { page, context } = await stage.open(`${origin}/#key=${stage.key}`, allow)
    await page.waitForSelector('.lot-card')
    await waitForWorker(page)
    const first = (await readKept(page))!
    const second = first.replace('Auction catalogue …', 'A newer catalogue …')
    const [before, after] = [first, second].map((text) => hash('sha256', text, 'base64'))
    portal.change = (path, _isNavigation, body) =>
      path === '/' ? second : path === '/offline.js' ? body.toString().replace(before!, after!) : body
    await page.reload()
    await page.waitForFunction(
      async (wanted) => (await (await (await caches.open('window')).match('/'))?.text()) === wanted,
      second,
    )
    await context.close()
    close()
  })
})
