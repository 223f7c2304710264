import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { describe, test } from 'node:test'
import { parse } from 'csv-parse/sync'
import { runCommand } from '../../../test/support/process.ts'
import { askStaff } from './preparing.ts'
import {
  cardOf,
  countMarks,
  findLots,
  findSession,
  live,
  openRunningSale,
  openSignedIn,
  settle,
  skip,
  timed,
} from './support.ts'

describe('viewing a sale', { skip }, async () => {
  const { stage, session, lots } = await openRunningSale()
  const wall = () => `${stage.origin}/#/sessions/${session}`
  const openAt = (path: string) => openSignedIn(stage, `${stage.origin}/#/${path}`)

  test('the printed address signs in, shows the running sale, and leaves no key in the address or in cookies', async () => {
    assert.equal(stage.window, `${stage.origin}/#key=${stage.key}`)
    const asked: string[] = []
    const { page, context } = await stage.open('about:blank')
    page.on('request', (request) => asked.push(`${request.url()} ${request.headers()['referer'] ?? ''}`))
    await page.goto(stage.window)
    await page.waitForSelector('.lot-card')
    assert.equal(page.url(), wall())
    assert.equal(await page.locator('h1').textContent(), 'Kunst en antiek (online)')
    assert.deepEqual(await context.cookies(), [])
    assert.ok(asked.every((line) => !line.includes(stage.key)))
    assert.ok(asked.every((line) => line.startsWith(stage.origin) || line.startsWith('data:')))
    assert.ok(!(await page.evaluate(() => JSON.stringify(localStorage))).includes(stage.key))
    await page.goBack()
    assert.ok(!page.url().includes(stage.key))
    await context.close()
  })

  test('the sign-in page asks for a key, refuses a wrong one in words, and accepts a valid one', async () => {
    const { page, context } = await stage.open(stage.origin)
    await page.fill('#key', 'ack_wrong')
    await page.click('button[type=submit]')
    await page.waitForSelector('text=does not accept this key')
    await page.fill('#key', stage.key)
    await page.click('button[type=submit]')
    await page.waitForSelector('text=Running now')
    await context.close()
  })

  test('the wall is searched and filtered, and the address has the search and the filter', async () => {
    const { page, context } = await stage.open()
    await page.waitForSelector('.lot-card')
    await page.keyboard.press('Tab')
    await page.fill('#search', 'delfts')
    await page.waitForFunction(() => document.querySelectorAll('.lot-card').length < 8)
    assert.match((await page.locator('.lot-card .title').first().textContent())!, /Delfts/i)
    await page.waitForURL(/q=delfts/)
    await page.fill('#search', '')
    await page.click('.chips >> text=Extended')
    await page.waitForURL(/only=extended/)
    await page.reload()
    await page.waitForSelector('.chips [aria-pressed=true] >> text=Extended')
    await context.close()
  })

  test('the wall and a search are saved as CSV, as the command lists them', async () => {
    const { page, context } = await stage.open()
    const save = async () => {
      const [download] = await Promise.all([page.waitForEvent('download'), page.click('text=Save as CSV')])
      return await readFile(await download.path(), 'utf8')
    }
    const words = ['lots', 'list', '--house', 'terbraeck', '--session', session, '--csv']
    const listed = await runCommand({ DATA_DIR: stage.dataDir }, ...words)
    const parsed = (text: string) => parse<Record<string, string>>(text, { bom: true, columns: true })
    assert.deepEqual(parsed(await save()), parsed(listed.stdout))
    const answered = page.waitForResponse((response) => response.url().includes('/lots/search?'))
    await page.fill('#search', 'delfts')
    const { data } = (await (await answered).json()) as { data: object[] }
    await page.waitForFunction((count) => document.querySelectorAll('.lot-card').length === count, data.length)
    assert.equal(parsed(await save()).length, await page.locator('.lot-card').count())
    await context.close()
  })

  test('Escape leads from a lot back to the wall with its filter and its place', async () => {
    const { page, context } = await stage.open(undefined, { viewport: { width: 800, height: 600 } })
    await page.click('.chips >> text=On')
    await page.waitForURL(/only=active/)
    await page.keyboard.press('End')
    await page.waitForFunction((id) => document.activeElement?.getAttribute('href')?.includes(id), lots.at(-1)!.id)
    await page.waitForFunction(() => scrollY > 400)
    await page.keyboard.press('Enter')
    await page.waitForSelector('article.lot h1')
    await page.keyboard.press('ArrowLeft')
    await page.waitForURL(new RegExp(lots.at(-2)!.id))
    await page.keyboard.press('Escape')
    await page.waitForURL(/only=active/)
    await page.waitForFunction(() => scrollY > 400)
    await context.close()
  })

  test('a key without permissions sees only what it may, is offered no other actions, and sends nothing that is refused', async () => {
    const key = await stage.issueKey('terbraeck', { granted: ['auctions.read', 'lots.read'] })
    const { page, context } = await stage.open('about:blank')
    const refused: string[] = []
    page.on('console', (message) => message.type() === 'error' && refused.push(message.text()))
    page.on('request', (request) => request.method() !== 'GET' && refused.push(request.url()))
    await page.goto(`${stage.origin}/#key=${key}`)
    await page.locator('.lot-card a').first().click()
    await page.waitForSelector('article.lot .relations')
    await page.waitForSelector('text=This key may not see this.')
    assert.equal(await page.locator('.desk').or(page.getByText('Change texts')).count(), 0)
    assert.deepEqual(refused, [])
    const none = await stage.issueKey('terbraeck', { granted: ['categories.read'] })
    const blind = await stage.open(`${stage.origin}/#key=${none}`)
    await blind.page.waitForSelector('text=This key may not see this.')
    await context.close()
    await blind.context.close()
  })

  test('markup in titles and texts is text, and the policy blocks injected scripts', async () => {
    const evil = `<img src=x onerror="document.title='owned'"><script>document.title='owned'</script>`
    const texts = { title: evil, description: evil, translations: [{ locale: 'en', title: evil }] }
    const key = await stage.createSale('opmaak', 'Opmaak', { ...live, published: true }, [texts])
    const [lot] = await stage.call<{ item: string }[]>('/lots', 'GET', undefined, key)
    const { page, context } = await stage.open(`${stage.origin}/#key=${key}`)
    await page.waitForSelector('.lot-card')
    await page.goto(`${stage.origin}/#/items/${lot!.item}`)
    await page.waitForSelector('article.lot h1')
    assert.equal(await page.locator('article.lot h1').textContent(), evil)
    // Trusted types refuse a text as a script before its source is checked. An import has no such type.
    const directives = ['connect-src', 'frame-src', 'script-src-elem', 'style-src-elem', 'require-trusted-types-for']
    const broken = await page.evaluate(async (expected) => {
      const tries = {
        inline: () =>
          document.head.append(Object.assign(document.createElement('style'), { textContent: 'body{display:none}' })),
        markup: () => (document.body.innerHTML = '<b>x</b>'),
        evaluated: () => Reflect.construct(Function, ['return 1']),
        foreign: () => fetch('http://127.0.0.1:1/'),
        frame: () =>
          document.body.append(Object.assign(document.createElement('iframe'), { src: 'http://127.0.0.1:1/' })),
        script: () =>
          document.body.append(
            Object.assign(document.createElement('script'), { src: 'data:text/javascript,document.title="owned"' }),
          ),
      }
      const module = `data:text/javascript,document.title='owned'`
      const imported = () => import(/* @vite-ignore */ module)
      const refused = new Set<string>()
      // The events come later, in any order.
      const allRefused = new Promise<void>((resolve) =>
        document.addEventListener('securitypolicyviolation', (event) => {
          refused.add(event.effectiveDirective)
          if (expected.every((each) => refused.has(each))) resolve()
        }),
      )
      for (const attempt of [...Object.values(tries), imported] as (() => unknown)[]) {
        try {
          await attempt()
        } catch {
          // Refused: the event or the exception says so.
        }
      }
      await allRefused
      return { title: document.title, shown: getComputedStyle(document.body).display }
    }, directives)
    assert.notEqual(broken.title, 'owned')
    assert.equal(broken.shown, 'block')
    stage.complaints.length = 0
    await context.close()
  })

  test('a session that is left and opened again while its lots load has them all', async () => {
    const terms = { ...live, published: true }
    const key = await stage.createSale(
      'halverwege',
      'Halverwege',
      terms,
      Array.from({ length: 250 }, () => ({})),
    )
    const { page, context } = await stage.open('about:blank')
    const left = Promise.withResolvers<void>()
    await page.route(/\/lots\?.*cursor/, async (route) => {
      await left.promise
      await route.continue().catch(() => undefined)
    })
    const second = page.waitForRequest(/\/lots\?.*cursor/)
    await page.goto(`${stage.origin}/#key=${key}`)
    await second
    await page.goto(`${stage.origin}/#/`)
    const running = page.locator('.running', { hasText: 'Halverwege' })
    await running.waitFor()
    left.resolve()
    await running.click()
    await page.getByRole('button', { name: 'Save as CSV' }).waitFor()
    await context.close()
  })

  test('a bid is pushed to all open pages, which need no further request', async () => {
    const terms = { ...timed, opens_at: '2026-01-01T10:00:00Z', customer_bidding_enabled: true, published: true }
    const closes_at = new Date(Date.now() + 3_600_000).toISOString()
    const closing = { lot: { closes_at, scheduled_closes_at: closes_at } }
    const key = await stage.createSale('duw', 'Doorgegeven', terms, [closing, closing])
    const [lot] = await stage.call<{ id: string }[]>('/lots', 'GET', undefined, key)
    const [one, other] = [await stage.open('about:blank'), await stage.open('about:blank')]
    const asked = [one, other].map(({ page }) => {
      const requests: string[] = []
      page.on('request', (request) => {
        if (/\/lots|\/changes/.test(request.url())) requests.push(request.headers()['prefer'] ?? request.url())
      })
      return requests
    })
    for (const { page } of [one, other]) {
      await page.goto(`${stage.origin}/#key=${key}`)
      await cardOf(page, lot!.id).waitFor()
    }
    // Each page has read its lots again as it began to follow, and waits for a change. The service answers such a
    // request after 30 seconds at the latest.
    const isFollowing = (requests: string[]) =>
      requests.filter((each) => each.includes('/lots?')).length > 1 && requests.at(-1) === 'wait=30'
    await settle(() => asked.every(isFollowing), true)
    const before = asked.map((requests) => requests.length)
    const bid = { amount: { amount: 123_400, currency: 'EUR' } }
    await askStaff(stage, await stage.issueKey('duw', { staff: 'Anna' }), 'POST', `/lots/${lot!.id}/bids`, bid)
    for (const { page } of [one, other]) await cardOf(page, lot!.id).getByText('€1,234', { exact: true }).waitFor()
    // The later requests only wait for the next change: the answer to the waiting request brought the bid.
    for (const [index, requests] of asked.entries())
      assert.deepEqual(
        [...new Set(requests.slice(before[index]))].filter((each) => each !== 'wait=30'),
        [],
      )
    for (const { context } of [one, other]) await context.close()
  })

  test('the schedule plots every lot, draws extensions and predicts those of a draft', async () => {
    const { page, context } = await openAt(`sessions/${session}/schedule`)
    await page.waitForSelector('.plot svg .now')
    assert.equal(await countMarks(page), lots.length)
    assert.ok((await page.locator('.plot .extension').count()) > 0)
    const draft = await findSession(stage, 'veiling-114-online')
    await page.goto(`${stage.origin}/#/sessions/${draft}/schedule`)
    await page.waitForSelector('text=A draft')
    const { timed } = await stage.call<{
      timed: { first_closes_at: string; interval_seconds: number; group_size: number }
    }>(`/sessions/${draft}`)
    const all = await findLots(stage, draft)
    const groups = Math.ceil(all.filter((lot) => lot.lot_number !== null).length / timed.group_size)
    const last = Date.parse(timed.first_closes_at) + (groups - 1) * timed.interval_seconds * 1000
    const words = new Intl.DateTimeFormat('en-GB', {
      timeZone: 'Europe/Amsterdam',
      dateStyle: 'medium',
      timeStyle: 'medium',
    }).format(last)
    await page.waitForSelector(`.facts-list >> text=${words}`)
    await context.close()
  })
})
