import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import path from 'node:path'
import { after } from 'node:test'
import { chromium, type Browser, type BrowserContext, type Page, type Route } from 'playwright-core'
import { closeInTheEnd } from '../../../test/support/ending.ts'
import { globalSetup, globalTeardown } from '../../../test/support/global-setup.ts'
import { openInside } from '../../../test/support/inside.ts'
import { copyDemo, findPort, runCommand, startProcess } from '../../../test/support/process.ts'
import { askFor } from '../../../test/support/shared-fixtures.ts'

const executablePath = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(existsSync)

/** Why tests in a browser cannot run here; false if they can. */
export const skip = executablePath === undefined && 'no Chromium is installed (apt-get install chromium)'

/** A lot of a loaded sale, with fields of its item; `lot` are fields of its own. */
type SaleLot = {
  active?: boolean
  lot?: object
  title?: string
  description?: string
  translations?: object[]
  estimate?: object
}

/** Sessions of both kinds that have not opened, or not closed, for as long as tests run. */
export const timed = {
  kind: 'timed',
  opens_at: '2036-01-01T10:00:00Z',
  timed: { first_closes_at: '2036-01-02T10:00:00Z', group_size: 1, interval_seconds: 60 },
}
export const live = { kind: 'live', opens_at: '2026-01-01T10:00:00Z', live: { closes_at: '2036-01-01T10:00:00Z' } }

/** The demo house as a running service, and a browser to view it. */
export type Stage = ReturnType<typeof createStage>

/** What `serve --demo --json` prints, and the folder of its data. */
type Running = { dataDir: string; key: string; window: string; staff: { key: string; window: string } }

// A process has one browser, and one way into the service that test files share.
let browser: Promise<Browser> | undefined
let shared: ReturnType<typeof openShared> | undefined

const openChromium = () =>
  (browser ??= chromium.launch({
    executablePath: executablePath!,
    // Another host than this machine: a page from it without TLS is not trusted.
    args: ['--no-sandbox', '--disable-gpu', '--host-resolver-rules=MAP window.test 127.0.0.1'],
  }))
closeInTheEnd(async () => (await browser)?.close())

/** Starts a service of its own with the demo house. */
async function startService(settings: Record<string, string>, complaints: string[]) {
  const { dataDir, remove } = await copyDemo()
  const own = { DATA_DIR: dataDir, PORT: String(await findPort()), RATE_LIMIT_PER_MINUTE: '0', ...settings }
  const start = () => startProcess(own, '--demo', '--json')
  let service: Awaited<ReturnType<typeof start>> | undefined = await start()
  const stop = async () => {
    await service?.stop()
    service = undefined
  }
  const running = { ...(JSON.parse(service.printed) as Omit<Running, 'dataDir'>), dataDir }
  const inside = await openInside({ DATA_DIR: dataDir })
  return {
    ...createStage(running, inside, await openChromium(), complaints),
    stopService: stop,
    startService: async () => void (service = await start()),
    async close() {
      await inside.close()
      await stop()
      await remove()
    },
  }
}

/** The complaints of the pages of a suite, which fails if there are any: called before the suite waits for anything. */
function hearComplaints(): string[] {
  const complaints: string[] = []
  after(() => assert.deepEqual(complaints, [], 'a page threw an error, or broke the content policy'))
  return complaints
}

/** Starts a service of its own with the demo house for a suite, which fails if a page complains. */
export async function openStage(settings: Record<string, string> = {}) {
  const complaints = hearComplaints()
  const stage = await startService(settings, complaints)
  closeInTheEnd(() => stage.close())
  return stage
}

async function openShared() {
  const running = JSON.parse(await askFor('service')) as Running
  const inside = await openInside({ DATA_DIR: running.dataDir })
  closeInTheEnd(inside.close)
  return { running, inside }
}

/**
 * The service that test files share, for a suite, which fails if a page complains. Its demo house is only read: a file
 * makes houses of its own (`createSale`), with names that no other file uses.
 */
export async function openSharedStage() {
  const complaints = hearComplaints()
  const { running, inside } = await (shared ??= openShared())
  return createStage(running, inside, await openChromium(), complaints)
}

/** The same, signed in at a house of the suite's own, made by `createSale`. */
export async function openSharedHouse(slug: string, title: string, session: object, lots: SaleLot[]) {
  const complaints = hearComplaints()
  const { running, inside } = await (shared ??= openShared())
  const chromium = await openChromium()
  const stage = createStage(running, inside, chromium, complaints)
  const key = await stage.createSale(slug, title, session, lots)
  return createStage({ ...running, key, window: `${stage.origin}/#key=${key}` }, inside, chromium, complaints)
}

function createStage(
  { dataDir, key, window, staff }: Running,
  inside: Awaited<ReturnType<typeof openInside>>,
  browser: Browser,
  complaints: string[],
) {
  const { origin } = new URL(window)
  const run = async (...words: string[]) => {
    const { code, stdout, stderr } = await runCommand({ DATA_DIR: dataDir }, ...words, '--json')
    if (code !== 0) throw new Error(stderr)
    return JSON.parse(stdout) as Record<string, string>
  }
  return {
    origin,
    key,
    window,
    staff,
    dataDir,
    /** The complaints of pages: errors, and violations of the policy. */
    complaints,
    run,
    /** A request to the interface; `data` of its answer. A busy machine makes the service refuse some: they are repeated. */
    async call<T = Record<string, unknown>>(path: string, method = 'GET', body?: unknown, own = key): Promise<T> {
      const headers = { authorization: `Bearer ${own}`, 'content-type': 'application/json' }
      const send = () =>
        fetch(`${origin}/api/v2${path}`, {
          method,
          headers: body === undefined ? { authorization: headers.authorization } : headers,
          ...(body !== undefined && { body: JSON.stringify(body) }),
        })
      let reply = await send()
      while (reply.status === 503) reply = await send()
      const answer = (await reply.json()) as { data: T }
      if (!reply.ok) throw new Error(JSON.stringify(answer))
      return answer.data
    },
    /** Loads lines of the load format. */
    load: inside.load,
    /** Issues a key of a house. */
    issueKey: inside.issueKey,
    /**
     * Loads a house with one session of this title. Its lots are numbered from 1. Returns a key with all permissions.
     */
    async createSale(slug: string, title: string, session: object, lots: SaleLot[], currency = 'EUR'): Promise<string> {
      await inside.load([
        { type: 'house', slug, name: slug, default_locale: 'nl', currency },
        { type: 'auction', ref: 'a', external_reference: 'a', title: slug, published: true },
        { type: 'session', ref: 's', auction: 'a', external_reference: 's', titles: { nl: title }, ...session },
        ...lots.flatMap(({ active = true, lot, ...item }, index) => [
          { type: 'item', ref: `i${index}`, external_reference: `i${index}`, title: `Kavel ${index + 1}`, ...item },
          { type: 'lot', session: 's', item: `i${index}`, lot_number: index + 1, active, ...lot },
        ]),
      ])
      return inside.issueKey(slug)
    },
    /** The stored file with these bytes, which is the upload of a picture. */
    async findUpload(bytes: Buffer): Promise<string> {
      const media = path.join(dataDir, 'media')
      const entries = await readdir(media, { recursive: true, withFileTypes: true })
      const files = entries.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name))
      const contents = await Promise.all(files.map((file) => readFile(file)))
      return files[contents.findIndex((each) => each.equals(bytes))]!
    },
    /** A page in a browser of its own, signed in unless `address` has another key or none. */
    async open(
      address = `${origin}/#key=${key}`,
      options: Parameters<typeof browser.newContext>[0] = {},
    ): Promise<{ page: Page; context: BrowserContext }> {
      // A test cannot intercept the requests of a service worker.
      const usual = { locale: 'en-GB', timezoneId: 'Europe/Amsterdam', serviceWorkers: 'block' } as const
      const context = await browser.newContext({ ...usual, ...options })
      context.setDefaultTimeout(60_000)
      const page = await context.newPage()
      page.on('pageerror', (error) => complaints.push(error.message))
      page.on('console', (message) => {
        const text = message.text()
        if (/Content Security Policy|Trusted Type/i.test(text)) complaints.push(text)
      })
      await page.goto(address)
      return { page, context }
    },
  }
}

/** A stage for a program that runs alone: it makes what test files share, and removes it in the end. */
export async function openOwnStage() {
  await globalSetup()
  try {
    const stage = await startService({}, [])
    const close = async () => {
      await (await browser)?.close()
      await stage.close()
      await globalTeardown()
    }
    return { ...stage, close }
  } catch (error) {
    await globalTeardown()
    throw error
  }
}

/** The shared stage, and the demo house's running sale with its lots, for tests that only read them. */
export async function openRunningSale() {
  const stage = await openSharedStage()
  const session = await findSession(stage, 'veiling-113-online')
  return { stage, session, lots: await findLots(stage, session) }
}

/** A page of its own at an address, signed in on the wall before. */
export async function openSignedIn(stage: Stage, address: string, options?: Parameters<Stage['open']>[1]) {
  const opened = await stage.open(undefined, options)
  await opened.page.waitForSelector('.lot-card')
  await opened.page.goto(address)
  return opened
}

/** The id of the session with this reference. */
export const findSession = async (stage: Stage, reference: string, key = stage.key) =>
  (await stage.call<{ id: string }[]>(`/sessions?external_reference=${reference}`, 'GET', undefined, key))[0]!.id

export type Lot = {
  id: string
  lot_number: number
  title: string
  item: string
  active: boolean
  closes_at: string
  starting_bid: { amount: number } | null
  current_bid: { amount: number } | null
  result: { state: string; amount: { amount: number } | null; with: string | null; after_sale: boolean } | null
}

/** The lots of a session by number. */
export const findLots = (stage: Stage, session: string, key = stage.key) =>
  stage.call<Lot[]>(`/lots?session=${session}&limit=100`, 'GET', undefined, key)

/** Waits until the photographs of a session are there: the first start makes the renditions of the whole demo house. */
export async function settlePictures(stage: Stage, session: string): Promise<void> {
  type Pictured = { item: { images: { url: string | null }[] } }
  for (;;) {
    const lots = await stage.call<Pictured[]>(`/lots?session=${session}&limit=100&expand[]=item.images`)
    if (lots.every(({ item }) => item.images.every(({ url }) => url !== null))) return
    await new Promise((resolve) => setTimeout(resolve, 500))
  }
}

/** Reads until the answer is as expected. */
export async function settle<T>(read: () => T | Promise<T>, expected: T): Promise<void> {
  // The first start makes the renditions of the whole demo house.
  const deadline = Date.now() + 120_000
  for (;;) {
    const now = await read()
    try {
      assert.deepEqual(now, expected)
      return
    } catch (error) {
      if (Date.now() > deadline) throw error
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
  }
}

/**
 * Answers the requests to an address in place of the service, until the function it returns is called. The route itself
 * stays: a request that Chromium sends while a route is taken away may never be answered.
 */
export async function intercept(
  page: Page | BrowserContext,
  address: string | RegExp,
  answer: (route: Route) => Promise<void>,
): Promise<() => void> {
  let isOn = true
  await page.route(address, (route) => (isOn ? answer(route) : route.fallback()))
  return () => void (isOn = false)
}

/** The card of a lot on the wall. */
export const cardOf = (page: Page, id: string) => page.locator('.lot-card', { has: page.locator(`a[href*="${id}"]`) })

/** The number of lots in the plot of a schedule. */
export const countMarks = (page: Page) =>
  page.locator('.plot .past, .plot .coming').evaluateAll(
    (paths) =>
      paths
        .map((path) => path.getAttribute('d') ?? '')
        .join('')
        .split('M').length - 1,
  )

const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** The findings of axe on a page. It runs in a world of its own, in which the page's policy does not apply. */
export async function findBarriers(page: Page): Promise<string[]> {
  const session = await page.context().newCDPSession(page)
  const { frameTree } = await session.send('Page.getFrameTree')
  const { executionContextId: contextId } = await session.send('Page.createIsolatedWorld', {
    frameId: frameTree.frame.id,
  })
  const evaluate = (expression: string) =>
    session.send('Runtime.evaluate', { expression, contextId, awaitPromise: true, returnByValue: true })
  await evaluate(axe)
  const { result } = await evaluate(
    `axe.run({ runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] })
      .then(({ violations }) => violations.flatMap((each) => each.nodes.map((node) => each.id + ' ' + node.target + ' ' + node.failureSummary)))`,
  )
  return result.value as string[]
}
