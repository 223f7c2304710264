// Opens each page that lists the lots of a session of 10,000 with a key of staff, in Chromium: npx node packages/window/measure-lots.ts
// With the names of pages, only those.
import { loadavg } from 'node:os'
import type { CDPSession, Page } from 'playwright-core'
import { catalogueRecords } from '../../bench/lib/data.ts'
import { findSession, live, openOwnStage, timed } from './test/support.ts'

const count = 10_000
const stage = await openOwnStage()

/** A house whose one session has all lots of the catalogue of the measurements. Returns a key of staff and the session. */
async function loadSale(slug: string, terms: object, lot: (index: number) => object, hasImages = true) {
  function* lines() {
    let index = 0
    for (const record of catalogueRecords(slug, count)) {
      const { type, ref } = record
      if ((type === 'auction' && ref !== 'auction-0') || (type === 'session' && ref !== 'session-0')) continue
      if (type === 'image' && !hasImages) continue
      if (type === 'auction') yield { ...record, published: true }
      else if (type === 'session') {
        const { timed: _timed, kind: _kind, opens_at: _opens, published: _published, ...rest } = record
        yield { ...rest, ...terms }
      } else if (type === 'lot') {
        const { closes_at: _closes, scheduled_closes_at: _scheduled, ...rest } = record
        yield { ...rest, session: 'session-0', lot_number: index + 1, active: true, ...lot(index++) }
      } else yield record
    }
  }
  await stage.load(lines() as Iterable<never>)
  const key = await stage.issueKey(slug, { staff: 'Anna' })
  return { key, session: await findSession(stage, 'session-0', key) }
}

const inMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString()

type Seen = { first: number | null; all: number | null; tasks: number[] }

/** Notes in the page when the first lot is there, when all are, and the tasks that keep the page from answering. */
async function observe(page: Page, first: string) {
  await page.addInitScript((first) => {
    const seen: Seen = { first: null, all: null, tasks: [] }
    Object.assign(globalThis, { seen })
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) seen.tasks.push(Math.round(duration))
    }).observe({ type: 'longtask', buffered: true })
    const look = () => {
      const text = document.body?.textContent ?? ''
      if (document.querySelector(first)) {
        seen.first ??= performance.now()
        if (!/lots loaded|Loading/.test(text)) seen.all ??= performance.now()
        else seen.all = null
      }
      setTimeout(look, 20)
    }
    look()
  }, first)
}

/** Counts the requests to the interfaces, without those that wait for changes, and their bytes over the line. */
function listen(debugging: CDPSession) {
  const sent = new Map<string, string>()
  const totals = { requests: 0, lots: 0, bytes: 0 }
  debugging.on('Network.requestWillBeSent', ({ requestId, request }) => {
    const { pathname } = new URL(request.url)
    if (!/^\/(staff\/v1|api\/v2)\b/.test(pathname) || pathname.endsWith('/changes')) return
    sent.set(requestId, pathname)
    totals.requests++
    if (pathname.endsWith('/lots') || pathname.endsWith('/lots/search')) totals.lots++
  })
  debugging.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    if (sent.has(requestId)) totals.bytes += encodedDataLength
  })
  return totals
}

async function measure(name: string, key: string, path: string, first: string) {
  const { page, context } = await stage.open(`${stage.origin}/#key=${key}`)
  await page.waitForSelector('.lot-card, .auction, .sessions')
  const keyed = await page.evaluate(() => sessionStorage.getItem('key'))
  await page.goto('about:blank')
  const fresh = await context.newPage()
  await page.close()
  const debugging = await context.newCDPSession(fresh)
  await debugging.send('Network.enable')
  await debugging.send('Performance.enable', { timeDomain: 'threadTicks' })
  const totals = listen(debugging)
  await fresh.addInitScript((key) => sessionStorage.setItem('key', key!), keyed)
  await observe(fresh, first)
  await fresh.goto(`${stage.origin}/#/${path}`)
  await fresh.waitForFunction(() => (globalThis as unknown as { seen: Seen }).seen.all !== null, undefined, {
    timeout: 180_000,
  })
  const loading = await fresh.evaluate(() => structuredClone((globalThis as unknown as { seen: Seen }).seen))
  const { requests, lots, bytes } = totals
  const { metrics } = await debugging.send('Performance.getMetrics')
  const work = metrics.find((each) => each.name === 'TaskDuration')!.value
  // Until the page is quiet: rows are drawn after they are loaded.
  const quiet = await fresh.evaluate(async () => {
    for (let last = -1, since = performance.now(); ;) {
      const drawn = document.querySelectorAll('*').length
      if (drawn !== last) [last, since] = [drawn, performance.now()]
      if (performance.now() - since > 1_500) return { nodes: drawn, at: since }
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
  })
  const tasks = await fresh.evaluate(() => (globalThis as unknown as { seen: Seen }).seen.tasks)
  const frames = await fresh.evaluate(async () => {
    const scrolled = document.querySelector('.scrolls')
    const times: number[] = []
    let last = performance.now()
    for (let frame = 0; frame < 120; frame++) {
      scrollBy(0, 400)
      scrolled?.scrollBy(0, 400)
      const now = await new Promise<number>((resolve) => requestAnimationFrame(resolve))
      times.push(now - last)
      last = now
    }
    return times.toSorted((one, other) => one - other)
  })
  await debugging.send('HeapProfiler.collectGarbage')
  const heap = (await debugging.send('Runtime.getHeapUsage')).usedSize
  const long = tasks.filter((duration) => duration > 200)
  const seconds = (milliseconds: number) => (milliseconds / 1000).toFixed(2)
  process.stdout.write(
    `${name.padEnd(12)} first ${seconds(loading.first!)} all ${seconds(loading.all!)} quiet ${seconds(quiet.at)} s, processor ${work.toFixed(2)} s` +
      ` | ${requests} requests, ${lots} of lots, ${(bytes / 1e6).toFixed(2)} MB` +
      ` | tasks > 200 ms: ${long.length}, longest ${Math.max(0, ...tasks)} ms` +
      ` | frame ${frames[60]!.toFixed(0)}/${frames[114]!.toFixed(0)} ms | heap ${(heap / 1e6).toFixed(0)} MB, ${quiet.nodes} nodes` +
      ` | load ${loadavg()[0]!.toFixed(1)}\n`,
  )
  await context.close()
}

try {
  const wanted = process.argv.slice(2)
  const published = { published: true, customer_bidding_enabled: true }
  const results = (index: number) =>
    index < 5_000
      ? {
          current_bid: { amount: 10_000, currency: 'EUR' },
          result:
            index % 3 === 0 ? { state: 'unsold' } : { state: 'sold', amount: { amount: 10_000, currency: 'EUR' } },
        }
      : {}
  const sales = {
    saleroom: () =>
      loadSale('zaal', { ...live, ...published }, (index) => ({
        closes_at: inMinutes(600 + index),
        ...results(index),
      })),
    online: () =>
      loadSale('online', { ...timed, opens_at: '2026-01-01T10:00:00Z', ...published }, (index) => ({
        closes_at: inMinutes(60 + index),
        scheduled_closes_at: inMinutes(60 + index),
      })),
    draft: () =>
      loadSale('ontwerp', { ...timed, published: false }, () => ({
        starting_bid: null,
        current_bid: null,
        active: false,
      })),
    bare: () => loadSale('kaal', { ...timed, published: false }, () => ({ active: false }), false),
  }
  const pages: [name: string, sale: keyof typeof sales, path: string, first: string][] = [
    ['wall', 'saleroom', '', '.lot-card'],
    ['list', 'saleroom', '/list', '.list tbody tr'],
    ['clerk', 'saleroom', '/desk', '.stand'],
    ['results', 'saleroom', '/results', '.results tbody tr'],
    ['journal', 'saleroom', '/journal', '.panel, table'],
    ['prints', 'saleroom', '/prints', '.sheet, .paper, table'],
    ['after', 'saleroom', 'after', '.outcomes li'],
    ['board', 'online', '/desk', '.board-lot'],
    ['schedule', 'online', '/schedule', '.plot svg'],
    ['draft wall', 'draft', '', '.lot-card'],
    ['prepare', 'draft', '/prepare', '.results tbody tr'],
    ['pictures', 'bare', '/pictures', '.attention li'],
    ['lacks', 'draft', 'prepare', '.sessions details'],
  ]
  const made: Partial<Record<string, { key: string; session: string }>> = {}
  for (const [name, sale, path, first] of pages) {
    if (wanted.length > 0 && !wanted.includes(name)) continue
    const { key, session } = (made[sale] ??= await sales[sale]())
    await measure(name, key, path === 'after' || path === 'prepare' ? path : `sessions/${session}${path}`, first).catch(
      (error: unknown) => process.stdout.write(`${name}: ${String(error).slice(0, 300)}\n`),
    )
  }
} finally {
  await stage.close()
}
