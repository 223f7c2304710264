import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { closeAfterwards } from './closing.ts'
import { cardOf, countMarks, findLots, findSession, openRunningSale, openSignedIn, skip } from './support.ts'

describe('the times of a sale', { skip }, async () => {
  const { stage, session, lots } = await openRunningSale()
  closeAfterwards(stage)
  const openAt = (path: string) => openSignedIn(stage, `${stage.origin}/#/${path}`)

  test('a bid is pushed to all open pages, which need no further request', async () => {
    const [one, other] = [await stage.open('about:blank'), await stage.open('about:blank')]
    const lot = lots.find(({ closes_at }) => Date.parse(closes_at) - Date.now() > 60_000)!
    const asked = [one, other].map(({ page }) => {
      const requests: string[] = []
      page.on('request', (request) => {
        if (/\/lots|\/changes/.test(request.url())) requests.push(request.headers()['prefer'] ?? request.url())
      })
      return requests
    })
    for (const { page } of [one, other]) {
      await page.goto(stage.window)
      await cardOf(page, lot.id).waitFor()
    }
    // Each page waits for a change. The service answers such a request after 30 seconds at the latest.
    while (!asked.every((requests) => requests.at(-1) === 'wait=30')) await one.page.waitForTimeout(100)
    const before = asked.map((requests) => requests.length)
    const amount = (lot.current_bid?.amount ?? 100_000) + 123_400
    await stage.run('bids', 'place', '--lot', lot.id, '--amount-minor', String(amount))
    const shown = `€${(amount / 100).toLocaleString('en-GB')}`
    for (const { page } of [one, other]) await cardOf(page, lot.id).getByText(shown, { exact: true }).waitFor()
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

  test('no page broke the content policy or threw an error', () => {
    assert.deepEqual(stage.complaints, [])
  })
})
