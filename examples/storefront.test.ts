import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { readFile, symlink, writeFile } from 'node:fs/promises'
import http from 'node:http'
import { stripTypeScriptTypes } from 'node:module'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { chromium } from 'playwright-core'
import { Catalogue, type SessionId } from '@auction-catalogue/client'
import { printFound } from './storefront/pages.ts'
import { checkout, copyDemo, findPort, runCommand, startProcess, stopProcess } from '../test/support/process.ts'

const folder = await copyDemo()
const settings = { DATA_DIR: folder.dataDir, PORT: String(await findPort()), RATE_LIMIT_PER_MINUTE: '0' }
let service = await startProcess(settings, '--demo', '--json')
const { url, key } = JSON.parse(service.printed) as { url: string; key: string }
const words = ['--house', 'terbraeck', '--permissions', 'auctions.read,lots.read', '--json']
const shop = JSON.parse((await runCommand(settings, 'keys', 'create', ...words)).stdout) as { key: string }
const catalogue = new Catalogue({ url, key })

// The command of the document, on a machine whose own Node reads no TypeScript.
const guide = await readFile(path.join(checkout, 'docs/storefront.md'), 'utf8')
const [, command] = /^CATALOGUE_KEY=ack_… (.+server\.ts) http\S+ 8080$/m.exec(guide)!
const old = path.join(folder.dataDir, 'node')
await writeFile(old, '#!/bin/sh\nexit 9\n', { mode: 0o755 })

/** Starts a storefront of the service at an address. */
async function startStorefront(url: string) {
  const child = spawn('/bin/sh', ['-c', `exec ${command} ${url} 0`], {
    cwd: checkout,
    env: { PATH: `${folder.dataDir}:${process.env.PATH}`, CATALOGUE_KEY: shop.key, TZ: 'Asia/Tokyo' },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  let printed = ''
  for await (const piece of child.stdout.iterator({ destroyOnReturn: false }))
    if ((printed += String(piece)).endsWith('\n')) break
  assert.equal(child.exitCode, null, 'the storefront has ended')
  return { child, origin: printed.trim() }
}

const { child: storefront, origin } = await startStorefront(url)
after(async () => {
  if (storefront.exitCode === null) storefront.kill('SIGKILL')
  await service.stop()
  await folder.remove()
})

async function get(path: string, etag?: string) {
  const headers = etag === undefined ? {} : { 'if-none-match': etag }
  const reply = await fetch(origin + path, { headers })
  return { status: reply.status, etag: reply.headers.get('etag')!, text: await reply.text() }
}

/** Requests a page until it is as expected. */
async function until(path: string, isRight: (page: Awaited<ReturnType<typeof get>>) => boolean) {
  for (;;) {
    const page = await get(path)
    if (isRight(page)) return page
    await sleep(100)
  }
}

/** The sale that opened last, whose lots have photographs. */
const findRunning = async () => [...(await get('/')).text.matchAll(/\/sales\/(ses_[\w-]+)/g)].at(-1)![1] as SessionId

test('the storefront shows only the published sales, with their photographs', async () => {
  const home = await get('/')
  assert.equal(home.status, 200)
  for await (const session of catalogue.sessions.list({ expand: ['auction'] })) {
    const isPublic = session.published && session.auction.published
    assert.equal(home.text.includes(session.id), isPublic, session.id)
    assert.equal((await get(`/sales/${session.id}`)).status, isPublic ? 200 : 404)
  }
  const page = await until(`/sales/${await findRunning()}`, ({ text }) => text.includes('<img'))
  const [, picture] = /<img [^>]*? src="([^"]+)"/.exec(page.text)!
  const reply = await fetch(picture!)
  assert.match(reply.headers.get('content-type')!, /^image\//)
  await reply.body?.cancel()
  assert.equal((await get('/nowhere')).status, 404)
})

/** The schema.org data of a page, by their types. */
const dataOf = (text: string) =>
  Object.fromEntries(
    [...text.matchAll(/<script type="application\/ld\+json">(.*?)<\/script>/g)].map(([, each]) => {
      const data = JSON.parse(each!) as Record<string, unknown>
      return [data['@type'], data]
    }),
  )

const lotsOn = (text: string) => [...text.matchAll(/href="(\/lots\/lot_[^"]+)"/g)].map(([, path]) => path!)

test('a photograph has its sources, its size and its text, in the list and on the page of its lot', async () => {
  const sale = await findRunning()
  const [lot] = (await catalogue.lots.list({ session: sale, active: true, expand: ['item.images'] }).page()).data
  const { item } = lot!
  await catalogue.images.update(item.id, item.images[0]!.id, { alt: 'Een <vaas> & meer' })
  const image = (await catalogue.items.get(item.id, { expand: ['images'] })).images[0]!
  const sources = image.sources.map(({ url, width }) => `${url} ${width}w`).join(', ')
  for (const path of [`/sales/${sale}`, `/lots/${lot!.id}`]) {
    const { text } = await until(path, (page) => page.text.includes('alt="Een &lt;vaas&gt; &amp; meer"'))
    const [tag] = /<img alt="Een [^>]*>/.exec(text)!
    assert.ok(sources !== '' && tag.includes(`srcset="${sources}"`), tag)
    assert.ok(tag.includes(`width="${image.width}"`) && tag.includes(`height="${image.height}"`), tag)
    assert.match(tag, /style="background:rgb\(\d+ \d+ \d+\)"/)
    assert.doesNotMatch(text, /<img(?![^>]* width="\d+" height="\d+")/)
    assert.ok(text.includes(`<link rel="canonical" href="${origin}${path}">`))
    assert.match(text, /<meta property="og:title" content="[^"]+">/)
    assert.ok(text.includes(`<meta property="og:image" content="${image.url}">`))
    assert.match(text, /<meta name="description" content="[^"]+">/)
  }
})

const chromiumPath = '/usr/bin/chromium'
const skip = !existsSync(chromiumPath) && 'no Chromium is installed (apt-get install chromium)'

test('a photograph of a lot is magnified by wheel, pinch, keys and in full screen', { skip }, async (t) => {
  const browser = await chromium.launch({ executablePath: chromiumPath, args: ['--no-sandbox'], timeout: 0 })
  t.after(() => browser.close())
  const page = await browser.newPage({ hasTouch: true, viewport: { width: 900, height: 700 } })
  page.setDefaultTimeout(0)
  const [path] = lotsOn((await get(`/sales/${await findRunning()}`)).text)
  await page.goto(origin + path)
  const link = page.locator('a.photograph').first()
  const shown = "new DOMMatrix(document.querySelector('.near img').style.transform).a"
  const isScaled = (condition: string) => page.waitForFunction(`${shown} ${condition}`)
  await link.click()
  await page.waitForSelector('.magnifier[open]')
  assert.equal(await page.locator('.near img').getAttribute('src'), await link.getAttribute('href'))
  await isScaled('=== 1')
  await page.keyboard.press('+')
  await isScaled('=== 1.5')
  await page.keyboard.press('0')
  await isScaled('=== 1')
  await page.mouse.move(200, 200)
  await page.mouse.wheel(0, -500)
  // The whole turn, of which no part is left for later.
  await isScaled('> 2.7')
  await page.getByRole('button', { name: 'Whole picture' }).click()
  await isScaled('=== 1')
  const touch = await page.context().newCDPSession(page)
  for (const [type, ...xs] of [
    ['touchStart', 280, 320],
    ['touchMove', 240, 360],
    ['touchMove', 200, 400],
    ['touchEnd'],
  ] as const)
    await touch.send('Input.dispatchTouchEvent', { type, touchPoints: xs.map((x, id) => ({ x, y: 300, id })) })
  await isScaled('> 4')
  await page.keyboard.press('f')
  await page.waitForFunction('document.fullscreenElement !== null')
  await page.getByRole('button', { name: 'Full screen' }).click()
  await page.waitForFunction('document.fullscreenElement === null')
  await page.keyboard.press('Escape')
  await page.waitForSelector('.magnifier', { state: 'hidden' })
})

test('a sale is an Event, and each lot with a price a Product, with what Google requires of them', async () => {
  const sale = await findRunning()
  const { text } = await get(`/sales/${sale}`)
  const event = dataOf(text)['Event']!
  const [session, first] = await Promise.all([
    catalogue.sessions.get(sale),
    catalogue.lots.list({ session: sale, active: true, expand: ['item.images'] }).page(),
  ])
  const url = `${origin}/sales/${sale}`
  assert.deepEqual(
    [event['@context'], event['name'], event['startDate'], event['location'], event['image']],
    [
      'https://schema.org',
      session.title,
      session.opens_at,
      { '@type': 'VirtualLocation', url },
      first.data[0]!.item.images[0]!.url,
    ],
  )
  const prices: (string | undefined)[] = []
  for await (const lot of catalogue.lots.list({ session: sale, active: true, expand: ['item.images'] })) {
    const product = dataOf((await get(`/lots/${lot.id}`)).text)['Product']
    const amount = lot.result?.amount ?? lot.current_bid ?? lot.starting_bid
    prices.push(amount ? (amount.amount / 100).toFixed(2) : undefined)
    if (!amount) {
      assert.equal(product, undefined)
      continue
    }
    const offer = product!['offers'] as Record<string, string>
    assert.deepEqual([product!['name'], product!['url']], [lot.title, `${origin}/lots/${lot.id}`])
    assert.deepEqual(
      product!['image'],
      lot.item.images.length === 0 ? undefined : lot.item.images.map(({ sources }) => sources.at(-1)!.url),
    )
    assert.deepEqual(
      [offer['@type'], offer['price'], offer['priceCurrency']],
      ['Offer', prices.at(-1), amount.currency],
    )
    assert.match(offer['availability']!, /^https:\/\/schema\.org\/(InStock|OutOfStock|SoldOut|Discontinued)$/)
  }
  assert.ok(prices.some((price) => price !== undefined))
})

test('a lot is shown while it is active and its sale is published', async () => {
  const [, sale] = /\/sales\/(ses_[\w-]+)/.exec((await get('/')).text)!
  const [path] = lotsOn((await get(`/sales/${sale}`)).text)
  assert.equal((await get(path!)).status, 200)
  await runCommand(settings, 'sessions', 'unpublish', sale!)
  assert.equal((await get(path!)).status, 404)
  await runCommand(settings, 'sessions', 'publish', sale!)
  assert.equal((await get(path!)).status, 200)
  for await (const { id } of catalogue.lots.list({ active: false })) {
    assert.equal((await get(`/lots/${id}`)).status, 404)
    break
  }
})

test('search engines find the sales and their lots, and no page of a search', async () => {
  const robots = await get('/robots.txt')
  assert.equal(robots.text, `User-agent: *\nDisallow: /search\nSitemap: ${origin}/sitemap.xml\n`)
  const placesOf = async (path: string) =>
    [...(await get(path)).text.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, place]) => place!.slice(origin.length))
  const sales = [...(await get('/')).text.matchAll(/href="(\/sales\/[^"]+)"/g)].map(([, place]) => place!)
  assert.ok(sales.length > 0)
  const [ofSales, ...ofLots] = await placesOf('/sitemap.xml')
  assert.deepEqual(await placesOf(ofSales!), ['/', ...sales])
  assert.equal(ofLots.length, sales.length)
  for (const [at, sitemap] of ofLots.entries()) {
    const lots = await placesOf(sitemap)
    const shown = lotsOn((await get(sales[at]!)).text)
    assert.deepEqual(lots.slice(0, shown.length), shown)
  }
  assert.match((await get('/search?q=vaas')).text, /<meta name="robots" content="noindex">/)
})

test('a lot with a result shows it', async () => {
  const shown = { sold: 'Sold', unsold: 'Unsold', withdrawn: 'Withdrawn' }
  const pages = new Map<string, string>()
  const seen = new Set<string>()
  for await (const { title, lot_number, session, result } of catalogue.lots.list({ expand: ['session'] })) {
    if (!result || !session.published || seen.has(result.state)) continue
    pages.set(session.id, pages.get(session.id) ?? (await get(`/sales/${session.id}`)).text)
    const [, entry] = pages.get(session.id)!.split(`<h2><span>${lot_number}</span>`)
    if (entry === undefined) continue
    seen.add(result.state)
    assert.ok(entry.split('</li>')[0]!.endsWith(`<p>${shown[result.state]}</p>`), title)
  }
  assert.equal(seen.size, 3)
})

test('times are in the time zone of the house, and prices have the decimals that they need', async () => {
  const session = await catalogue.sessions.get((await get('/')).text.match(/ses_[\w-]+/)![0] as SessionId)
  const style = { dateStyle: 'full', timeStyle: 'short', timeZone: 'Europe/Amsterdam' } as const
  const time = new Intl.DateTimeFormat('en', style).format(new Date(session.opens_at!))
  assert.ok((await get('/')).text.includes(time), time)
  assert.ok((await get(`/sales/${session.id}`)).text.includes(time), time)
  const lot = { session: { finished: false }, item: { images: [] }, title: 'Vaas', closes_at: null }
  const priced = (amount: number, currency: string) =>
    printFound(
      new URLSearchParams('q=vaas'),
      {
        data: [{ ...lot, current_bid: { amount, currency } }],
        facets: { session: [], maker: [] },
        corrected: {},
      } as never,
      { origin: '', name: '', zone: null },
    )
  assert.match(priced(45050, 'EUR'), /Bid €450\.50</)
  assert.match(priced(45000, 'EUR'), /Bid €450</)
  assert.match(priced(45000, 'JPY'), /Bid ¥45,000</)
})

test('an unchanged page is answered with 304, and the search finds what was written before it', async () => {
  const [, sale] = /\/sales\/(ses_[\w-]+)/.exec((await get('/')).text)!
  const session = sale as SessionId
  const { data } = await catalogue.lots.list({ session, active: true, expand: ['item'] }).page()
  const path = `/search?q=${encodeURIComponent('"ZEPPELIN <éclat>"')}`
  const before = await get(path)
  assert.match(before.text, /<p>0 lots<\/p>/)
  assert.match(before.text, /ZEPPELIN &lt;éclat&gt;/)
  assert.deepEqual(await get(path, before.etag), { status: 304, etag: before.etag, text: '' })

  const { item } = data[0]!
  await catalogue.items.update(item.id, { title: 'Zeppelin & eclat' })
  const found = await get(path, before.etag)
  assert.match(found.text, /<p>1 lot<\/p>/)
  assert.match(found.text, /Zeppelin &amp; eclat/)
  await runCommand(settings, 'sessions', 'unpublish', session)
  assert.match((await get(path)).text, /<p>0 lots<\/p>/)
  await runCommand(settings, 'sessions', 'publish', session)
  await catalogue.items.update(item.id, { title: item.title })
})

test('a search says what it corrected, and is narrowed to a sale and back', async () => {
  const linksOf = (text: string) =>
    [...text.matchAll(/<a href="(\/search\?[^"]*)"( aria-current="true")?>[^<]+<\/a> (\d+)/g)].map(
      ([, path, chosen, count]) => ({ path: path!.replaceAll('&amp;', '&'), isChosen: chosen !== undefined, count }),
    )
  assert.match((await get('/search?q=kandelaer')).text, /No lot has “kandelaer”: these have “kandela.+”\./)
  const all = await get('/search')
  const [first] = linksOf(all.text)
  const narrowed = await get(first!.path)
  assert.ok(narrowed.text.includes(`<p>${first!.count} lots</p>`))
  assert.deepEqual(
    linksOf(narrowed.text).flatMap(({ path, isChosen }) => (isChosen ? [path] : [])),
    ['/search?'],
  )
  const next = /rel="next" href="([^"]+)"/.exec(all.text)![1]!.replaceAll('&amp;', '&')
  assert.equal((await get(next)).status, 200)
  assert.equal((await get('/search?q=%3F')).status, 400)
  assert.equal((await get('/search?after=nothing')).status, 404)
})

test('an address that is none is not found, and the storefront goes on', async () => {
  for (const path of ['//', '///[', '*']) {
    const request = http.request(origin, { path })
    const [reply] = (await once(request.end(), 'response')) as [http.IncomingMessage]
    assert.equal(reply.resume().statusCode, 404, path)
  }
  assert.equal((await get('/')).status, 200)
})

test('the page of a static site reads the published sales with the Node that npm runs on', async () => {
  const [, page] = /```astro\n---\n(.+?)\n---\n/s.exec(guide)!
  const print =
    'console.log((await getStaticPaths()).map(({ params, props }) => `${params.id} ${props.lots.length}`).join())'
  const program = stripTypeScriptTypes(page!).replace(/^const .+ = Astro\.props$/m, print)
  await writeFile(path.join(folder.dataDir, 'static.mjs'), program)
  await symlink(path.join(checkout, 'node_modules'), path.join(folder.dataDir, 'node_modules'))
  const node = process.env['npm_node_execpath'] ?? process.execPath
  const env = { ...process.env, CATALOGUE_URL: url, CATALOGUE_KEY: shop.key }
  const { stdout } = await promisify(execFile)(node, [path.join(folder.dataDir, 'static.mjs')], { env })
  const expected = []
  for await (const session of catalogue.sessions.list({ published: true, expand: ['auction'] })) {
    if (!session.auction.published) continue
    let count = 0
    for await (const _ of catalogue.lots.list({ session: session.id, active: true })) count++
    expected.push(`${session.id} ${count}`)
  }
  assert.ok(expected.length > 0)
  assert.equal(stdout.trim(), expected.join())
})

test('a page waits neither for a service that asks for an hour nor for one that is silent', async () => {
  const root = await (await fetch(url, { headers: { authorization: `Bearer ${shop.key}` } })).text()
  let isSilent = false
  const troubled = http.createServer(({ url: asked }, response) => {
    if (asked === '/api/v2') response.end(root)
    else if (!isSilent) response.writeHead(503, { 'retry-after': '3600' }).end()
  })
  await once(troubled.listen(0, '127.0.0.1'), 'listening')
  const { child, origin } = await startStorefront(`http://127.0.0.1:${(troubled.address() as AddressInfo).port}`)
  try {
    for (isSilent of [false, true]) {
      const pages = ['/', '/search?q=vaas', '/sales/ses_1']
      const replies = await Promise.all(
        pages.map((page) => fetch(origin + page, { signal: AbortSignal.timeout(60_000) })),
      )
      assert.deepEqual(
        replies.map(({ status }) => status),
        pages.map(() => 503),
      )
    }
  } finally {
    child.kill('SIGKILL')
    troubled.close().closeAllConnections()
  }
})

test('the storefront reports an outage of the catalogue, recovers by itself, and ends on a signal', async () => {
  const [, sale] = /\/sales\/(ses_[\w-]+)/.exec((await get('/')).text)!
  await service.stop()
  assert.equal((await get(`/sales/${sale}`)).status, 503)
  service = await startProcess(settings)
  await until(`/sales/${sale}`, ({ status }) => status === 200)
  await runCommand(settings, 'sessions', 'unpublish', sale!)
  assert.equal((await get(`/sales/${sale}`)).status, 404)
  assert.equal(await stopProcess(storefront), 0)
})
