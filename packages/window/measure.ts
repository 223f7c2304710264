// Measures the window in Chromium, on a service of its own: npx node packages/window/measure.ts. The heap during so many
// minutes of a busy sale: npx node packages/window/measure.ts heap 10. Over a slow line: npx node packages/window/measure.ts slow
import { loadavg } from 'node:os'
import type { Page } from 'playwright-core'
import { findSession, live, openOwnStage, settlePictures, timed, type Lot } from './test/support.ts'

const rounds = 5
const median = (values: number[]) => values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)]!
const print = (name: string, value: string) => process.stdout.write(`${name.padEnd(58)} ${value}\n`)

const stage = await openOwnStage()

async function observe(page: Page) {
  await page.addInitScript(() => {
    const seen = { shift: 0, slowest: 0, paint: 0 }
    Object.assign(globalThis, { seen })
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) seen.shift += (entry as PerformanceEntry & { value: number }).value
    }).observe({ type: 'layout-shift', buffered: true })
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) seen.slowest = Math.max(seen.slowest, entry.duration)
    }).observe({ type: 'event', buffered: true, durationThreshold: 16 } as PerformanceObserverInit)
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) seen.paint = entry.startTime
    }).observe({ type: 'largest-contentful-paint', buffered: true })
  })
}
function readSeen(page: Page) {
  return page.evaluate(
    () => (globalThis as unknown as { seen: { shift: number; slowest: number; paint: number } }).seen,
  )
}

/** The bytes that the page and its files took over the line. */
const readSize = (page: Page) =>
  page.evaluate(() => {
    const entries = performance.getEntries().filter(({ entryType }) => ['navigation', 'resource'].includes(entryType))
    return (entries as PerformanceResourceTiming[])
      .filter(({ name, entryType }) => entryType === 'navigation' || name.includes('/assets/'))
      .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0)
  })

async function measureFirstView() {
  const walls: number[] = []
  const paints: number[] = []
  const shifts: number[] = []
  const sizes: number[] = []
  for (let round = 0; round < rounds; round++) {
    // Each round has a new browser, with an empty cache.
    const { page, context } = await stage.open('about:blank')
    await observe(page)
    await page.goto(stage.window)
    await page.waitForFunction(() =>
      [...document.querySelectorAll<HTMLImageElement>('.lot-card img')].some((image) => image.naturalWidth > 0),
    )
    walls.push(await page.evaluate(() => performance.now()))
    sizes.push(await readSize(page))
    await page.waitForTimeout(2_000)
    const { shift, paint } = await readSeen(page)
    shifts.push(shift)
    paints.push(paint)
    await context.close()
  }
  print('first photograph on the wall, cold cache (median of 5)', `${Math.round(median(walls))} ms`)
  print('largest contentful paint, cold cache (median of 5)', `${Math.round(median(paints))} ms`)
  print('files of the window until then, compressed (median of 5)', `${(median(sizes) / 1000).toFixed(1)} KB`)
  print('layout shift, the largest of 5', Math.max(...shifts).toFixed(4))
}

async function measureManyLots() {
  const count = 5_000
  const lots = Array.from({ length: count }, (_, index) => ({ title: `Kavel met een titel ${index}` }))
  const key = await stage.createSale('groot', 'Vijfduizend kavels', { ...live, published: true }, lots)
  const { page, context } = await stage.open('about:blank')
  await observe(page)
  await page.goto(`${stage.origin}/#key=${key}`)
  await page.waitForSelector('.lot-card')
  const begun = performance.now()
  await page.waitForSelector('text="5,000 lots"', { timeout: 120_000 })
  print('all 5,000 lots loaded', `${((performance.now() - begun) / 1000).toFixed(1)} s`)
  await page.waitForTimeout(500)
  await page.evaluate(() => ((globalThis as unknown as { seen: { slowest: number } }).seen.slowest = 0))
  await page.locator('#search').pressSequentially('titel 49', { delay: 60 })
  await page.waitForTimeout(600)
  await page.fill('#search', '')
  await page.locator('.lot-card a').first().focus()
  for (const pressed of ['End', 'ArrowUp', 'Home', 'ArrowDown', 'PageDown']) {
    await page.keyboard.press(pressed)
    await page.waitForTimeout(250)
  }
  await page.click('.chips >> text=On')
  await page.waitForTimeout(400)
  print('slowest interaction with 5,000 lots', `${Math.round((await readSeen(page)).slowest)} ms`)
  const frames = await page.evaluate(async () => {
    const times: number[] = []
    let last = performance.now()
    for (let frame = 0; frame < 120; frame++) {
      scrollBy(0, 400)
      const now = await new Promise<number>((resolve) => requestAnimationFrame(resolve))
      times.push(now - last)
      last = now
    }
    return times.toSorted((one, other) => one - other)
  })
  print(
    'a frame while scrolling 5,000 lots, median / 95 %',
    `${frames[60]!.toFixed(0)} / ${frames[114]!.toFixed(0)} ms`,
  )
  await context.close()
}

/** The wall of 5,000 lots for a key of staff over a slow line, and the requests that it takes. */
async function measureSlowLine() {
  const latency = 500
  const lots = Array.from({ length: 5_000 }, (_, index) => ({ title: `Kavel met een titel ${index}` }))
  await stage.createSale('ver', 'Vijfduizend kavels', { ...live, published: true }, lots)
  const key = await stage.issueKey('ver', { staff: 'Anna' })
  const session = await findSession(stage, 's', key)
  const { page, context } = await stage.open(`${stage.origin}/#key=${key}`)
  await page.waitForSelector('text="5,000 lots"', { timeout: 120_000 })
  const debugging = await context.newCDPSession(page)
  await debugging.send('Network.enable')
  const speed = { offline: false, latency, downloadThroughput: -1, uploadThroughput: -1 }
  await debugging.send('Network.emulateNetworkConditions', speed)
  for (const path of ['', '/desk']) {
    let requests = 0
    page.on('request', (request) => {
      if (new URL(request.url()).pathname.endsWith('/v1/lots') || request.url().includes('/v2/lots?')) requests++
    })
    await page.goto(`${stage.origin}/#/sessions/${session}${path}`)
    const begun = performance.now()
    await page.reload()
    await page.waitForSelector(path === '' ? '.lot-card' : '.stand')
    const first = performance.now() - begun
    await page.waitForSelector(path === '' ? 'text="5,000 lots"' : '.sale-head dd >> text=5,000', { timeout: 120_000 })
    const seconds = [first, performance.now() - begun].map((time) => (time / 1000).toFixed(1)).join(' / ')
    print(`5,000 lots${path} at ${latency} ms: first / all`, `${seconds} s, ${requests} requests of lots`)
    page.removeAllListeners('request')
  }
  await context.close()
}

const bidsEachSecond = 5

/** The heap of a wall and of a board, after a collection each minute, while bids come in. */
async function measureHeap(minutes: number) {
  const closes_at = new Date(Date.now() + (minutes + 60) * 60_000).toISOString()
  const lots = Array.from({ length: 100 }, () => ({ lot: { closes_at, scheduled_closes_at: closes_at } }))
  const terms = { ...timed, opens_at: '2026-01-01T10:00:00Z', published: true, customer_bidding_enabled: true }
  await stage.createSale('druk', 'Een drukke veiling', terms, lots)
  const key = await stage.issueKey('druk', { staff: 'Anna' })
  const session = await findSession(stage, 's', key)
  const open = async (path: string, ready: string) => {
    const { page, context } = await stage.open(`${stage.origin}/#key=${key}`)
    await page.waitForSelector('.lot-card')
    await page.goto(`${stage.origin}/#/sessions/${session}${path}`)
    await page.waitForSelector(ready)
    const debugging = await context.newCDPSession(page)
    return async () => {
      await debugging.send('HeapProfiler.collectGarbage')
      return (await debugging.send('Runtime.getHeapUsage')).usedSize
    }
  }
  const readers = [await open('', '.lot-card'), await open('/desk', '.board-lot')]
  const ids = (await stage.call<Lot[]>(`/lots?session=${session}&limit=100`, 'GET', undefined, key)).map(({ id }) => id)
  const begun = performance.now()
  let placed = 0
  const placeBids = async (until: number) => {
    while (performance.now() < until) {
      const amount = { amount: 1_000 * (1 + Math.floor(placed / ids.length)), currency: 'EUR' }
      const reply = await fetch(`${stage.origin}/staff/v1/lots/${ids[placed % ids.length]!}/bids`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ amount }),
      })
      if (!reply.ok) throw new Error(await reply.text())
      placed++
      await new Promise((resolve) => setTimeout(resolve, begun + (placed * 1_000) / bidsEachSecond - performance.now()))
    }
  }
  for (let minute = 0; minute <= minutes; minute++) {
    await placeBids(begun + minute * 60_000)
    const [wall, board] = await Promise.all(readers.map((read) => read()))
    const printSize = (bytes: number) => `${(bytes / 1_000_000).toFixed(1)} MB`
    print(`heap after ${minute} minutes and ${placed} bids, wall / board`, `${printSize(wall!)} / ${printSize(board!)}`)
  }
}

try {
  const [what, minutes = '10'] = process.argv.slice(2)
  if (what === 'heap') await measureHeap(Number(minutes))
  else if (what === 'slow') await measureSlowLine()
  else {
    await settlePictures(stage, await findSession(stage, 'veiling-113-online'))
    await measureFirstView()
    await measureManyLots()
  }
  print('load average', loadavg()[0]!.toFixed(1))
} finally {
  await stage.close()
}
