import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { chromium, type BrowserContext, type Page } from 'playwright-core'
import { createDataDir, findPort, runCommand, startProcess } from '../../../test/support/process.ts'

const executablePath = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(existsSync)

/** Why tests in a browser cannot run here; false where they can. */
export const skip = executablePath === undefined && 'no Chromium is installed (apt-get install chromium)'

/** The demo house as a service that runs, and a browser to look at it. */
export type Stage = Awaited<ReturnType<typeof openStage>>

/** Starts the service with the demo house, and Chromium. */
export async function openStage(settings: Record<string, string> = {}) {
  const folder = await createDataDir()
  const port = String(await findPort())
  const own = { DATA_DIR: folder.dataDir, PORT: port, RATE_LIMIT_PER_MINUTE: '0', ...settings }
  let service = await startProcess(own, '--demo', '--json')
  let isRunning = true
  const { key, window } = JSON.parse(service.printed) as { key: string; window: string }
  const origin = `http://127.0.0.1:${port}`
  const browser = await chromium.launch({
    executablePath: executablePath!,
    // A host that is not this machine: what comes from it without TLS is not trusted.
    args: ['--no-sandbox', '--host-resolver-rules=MAP window.test 127.0.0.1'],
  })
  const complaints: string[] = []

  const run = async (...words: string[]) => {
    const { code, stdout, stderr } = await runCommand({ DATA_DIR: folder.dataDir }, ...words, '--json')
    if (code !== 0) throw new Error(stderr)
    return JSON.parse(stdout) as Record<string, string>
  }
  return {
    origin,
    key,
    window,
    dataDir: folder.dataDir,
    /** What pages complained of: errors, and refusals by the policy. */
    complaints,
    run,
    /** A request to the interface; `data` of its answer. */
    async call<T = Record<string, unknown>>(path: string, method = 'GET', body?: unknown): Promise<T> {
      const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
      const reply = await fetch(`${origin}/api/v2${path}`, {
        method,
        headers: body === undefined ? { authorization: headers.authorization } : headers,
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
      const answer = (await reply.json()) as { data: T }
      if (!reply.ok) throw new Error(JSON.stringify(answer))
      return answer.data
    },
    /** Loads lines of the load format. */
    async load(lines: object[]) {
      const directory = await mkdtemp(path.join(tmpdir(), 'window-load-'))
      const file = path.join(directory, 'lines.ndjson')
      await writeFile(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
      try {
        return await run('load', file)
      } finally {
        await rm(directory, { recursive: true })
      }
    },
    /** A page in a browser of its own, signed in unless `address` says otherwise. */
    async open(
      address = `${origin}/#key=${key}`,
      options: Parameters<typeof browser.newContext>[0] = {},
    ): Promise<{ page: Page; context: BrowserContext }> {
      const context = await browser.newContext({ locale: 'en-GB', timezoneId: 'Europe/Amsterdam', ...options })
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
    async stopService() {
      isRunning = false
      await service.stop()
    },
    async startService() {
      service = await startProcess(own, '--demo', '--json')
      isRunning = true
    },
    async close() {
      await browser.close()
      if (isRunning) await service.stop()
      await folder.remove()
    },
  }
}

/** The id of the session with this reference. */
export const findSession = async (stage: Stage, reference: string) =>
  (await stage.call<{ id: string }[]>(`/sessions?external_reference=${reference}`))[0]!.id

export type Lot = {
  id: string
  lot_number: number
  title: string
  item: string
  closes_at: string
  current_bid: { amount: number } | null
}

/** The lots of a session by number. */
export const findLots = (stage: Stage, session: string) => stage.call<Lot[]>(`/lots?session=${session}&limit=100`)

/** Waits until the photographs of a session are there: the first start makes the renditions of the whole demo house. */
export async function settlePictures(stage: Stage, session: string): Promise<void> {
  type Pictured = { item: { images: { url: string | null }[] } }
  for (;;) {
    const lots = await stage.call<Pictured[]>(`/lots?session=${session}&limit=100&expand[]=item.images`)
    if (lots.every(({ item }) => item.images.every(({ url }) => url !== null))) return
    await new Promise((resolve) => setTimeout(resolve, 500))
  }
}

const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** What axe finds on a page. It runs in a world of its own, where the page's policy does not hold. */
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
