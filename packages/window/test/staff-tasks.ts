import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { picture } from '../../../test/support/pictures.ts'
import { take, takeAndClose, type Hands } from './hands.ts'
import { findLots, findSession, live, timed, type Stage } from './support.ts'

const eur = (units: number) => ({ amount: units * 100, currency: 'EUR' })
const estimate = (units: number) => ({ low: eur(units), high: eur(2 * units) })
const inMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString()

/**
 * A house with a heap of items and a key of Anna. The second item lacks its photograph, the third its description, the
 * fourth its translation, the fifth its estimate.
 */
export async function loadHeap(stage: Stage, slug: string, count: number): Promise<string> {
  await writeFile(path.join(stage.dataDir, `${slug}.jpg`), await picture('#775533', 600, 450))
  await stage.load([
    { type: 'house', slug, name: slug, default_locale: 'nl', currency: 'EUR' },
    { type: 'increment_strategy', name: 'Standaard', steps: [{ from: eur(0), increment: eur(5) }] },
    { type: 'auction', external_reference: 'W', title: 'Winterveiling', published: true },
    ...Array.from({ length: count }, (_, index) => index + 1).flatMap((place) => [
      {
        type: 'item',
        ref: `i${place}`,
        external_reference: `H-${place}`,
        title: `Stuk ${place}`,
        ...(place !== 3 && { description: 'Met een klein gebrek.' }),
        ...(place !== 4 && { translations: { en: { title: `Piece ${place}` } } }),
        ...(place !== 5 && { estimate: estimate(100 + 10 * place) }),
      },
      ...(place === 2 ? [] : [{ type: 'image', item: `i${place}`, file: `${slug}.jpg`, public: true }]),
    ]),
  ])
  return stage.issueKey(slug, { staff: 'Anna' })
}

/** A house with an online sale of five lots that runs. The first has closed. */
export async function loadOnlineSale(stage: Stage, slug: string): Promise<{ key: string; session: string }> {
  const lots = [-5, 60, 90, 120, 150].map((minutes) => {
    const closes_at = inMinutes(minutes)
    return { lot: { closes_at, scheduled_closes_at: closes_at, starting_bid: eur(100) }, estimate: estimate(150) }
  })
  const terms = { ...timed, opens_at: '2026-01-01T10:00:00Z', published: true, customer_bidding_enabled: true }
  await stage.createSale(slug, `Zitting ${slug}`, terms, lots)
  const key = await stage.issueKey(slug, { staff: 'Anna' })
  return { key, session: await findSession(stage, 's', key) }
}

/** A house with a saleroom session that has opened. */
export async function loadSaleroom(stage: Stage, slug: string, count: number) {
  const lots = Array.from({ length: count }, () => ({ estimate: estimate(100) }))
  await stage.createSale(slug, `Zitting ${slug}`, { ...live, published: true }, lots)
  const key = await stage.issueKey(slug, { staff: 'Anna' })
  return { key, session: await findSession(stage, 's', key) }
}

/** From the sales to a session with all items of the heap as lots. */
export async function makeSession(hands: Hands, count: number): Promise<void> {
  const { page, use } = hands
  const dialog = page.getByRole('dialog')
  await use(page.getByRole('link', { name: 'Prepare', exact: true }))
  const terms = { 'Title of the session': 'Avond', Opens: '2036-01-01T10:00', 'The first lot': '2036-02-02T10:00' }
  await take(hands, 'New session in Winterveiling', 'Make', 'Avond', terms)
  await use(dialog.getByRole('link', { name: 'Prepare' }))
  await use(page.getByRole('link', { name: 'Add lots' }))
  await use(page.getByRole('button', { name: `Select all ${count}` }))
  await take(hands, /^Add to a sale/, 'Add', `${count} lots would be added`)
  await use(dialog.getByRole('link', { name: 'Prepare' }))
  await page.getByRole('row', { name: `H-${count} ` }).waitFor()
}

/** On the page of the preparation: order, numbers, times with the schedule before and after, starting bids. */
export async function orderLots(hands: Hands): Promise<void> {
  const { page, use, choose, fill, type, press } = hands
  await choose(page.getByLabel('Sort by'), 'Estimate')
  await use(page.getByRole('button', { name: /^Move .* down$/ }).first())
  await takeAndClose(hands, 'Number the lots', 'Number', /lots get other numbers/)
  await takeAndClose(hands, 'Title, times and premium', 'Change', 'Lot 2', { 'Seconds between them': '120' })
  await fill(page.getByLabel('Starting bid of lot 1', { exact: true }), '60')
  await press('Enter')
  await type('70')
  await press('Enter')
  await takeAndClose(hands, 'Starting bids from estimates', 'Store', /get a starting bid/, { 'Per cent': '50' })
  await use(page.getByRole('link', { name: 'Schedule' }))
  await page.locator('.plot svg').waitFor()
}

/** Finds over all sessions what lots lack, mends it, publishes the session and lets customers bid. */
export async function mendLots(hands: Hands, photograph: string): Promise<void> {
  const { page, use, fill, choose, give, press } = hands
  const mend = async (lack: string, work: () => Promise<void>) => {
    await use(page.getByText(`1 lot without ${lack}`))
    await use(page.getByRole('listitem').getByRole('link', { name: /Stuk/ }))
    await work()
  }
  const edit = async (work: () => Promise<void>) => {
    await use(page.getByRole('link', { name: 'Edit', exact: true }))
    await work()
    await use(page.getByRole('button', { name: 'Save', exact: true }))
    await page.getByText('Saved.').waitFor()
    await page.goBack()
    await page.getByRole('link', { name: 'Edit', exact: true }).waitFor()
    await press('Escape')
  }
  await use(page.getByRole('link', { name: 'Sales', exact: true }))
  await use(page.getByRole('link', { name: 'Prepare', exact: true }))
  await mend('photograph', async () => {
    await give(page.getByRole('button', { name: 'Choose pictures' }), photograph)
    await page.locator('.gallery img').first().waitFor()
    await press('Escape')
  })
  const field = (name: string) => page.locator(`[name="${name}"]`)
  await mend('description', () => edit(() => fill(field('nl.description'), 'Gaaf.')))
  await mend('translation', () =>
    edit(async () => {
      await choose(page.getByLabel('Add a language'), 'English')
      await fill(field('en.title'), 'Piece')
    }),
  )
  await mend('estimate', () => edit(() => fill(field('low'), '200')))
  await mend('starting bid', async () => {
    await page.waitForFunction(() => document.activeElement?.matches('input.bid'))
    await hands.type('100')
    await press('Enter')
  })
  await takeAndClose(hands, 'Switch all lots on', 'Switch on', 'would be switched on')
  await takeAndClose(hands, 'Publish', 'Publish', 'The public sees the session.')
  await takeAndClose(hands, 'Enable bidding', 'Enable bidding', 'Customers can bid')
}

/** From the wall of an online sale: a phone bid, a withdrawal, a delay, and the withdrawn lot opened again. */
export async function watchSale(hands: Hands): Promise<void> {
  const { page, use } = hands
  await use(page.getByRole('link', { name: 'Desk' }))
  await takeAndClose(hands, 'Bid on lot 2', 'Bid', 'Lot 2: highest bid €120', { Amount: '120' })
  await takeAndClose(hands, 'Withdraw lot 3', 'Withdraw', 'Lot 3: Withdrawn.')
  await takeAndClose(hands, 'Delay all closes', 'Delay', 'lots close later', { Minutes: '10', Reason: 'no power' })
  await takeAndClose(hands, 'Reopen lot 3', 'Reopen', 'takes bids until', { Reason: 'the seller agrees' })
}

/** Sends a bid on the second lot that is too low. */
export async function refuseBid(stage: Stage, { key, session }: { key: string; session: string }): Promise<void> {
  const [, second] = await findLots(stage, session, key)
  await fetch(`${stage.origin}/staff/v1/lots/${second!.id}/bids`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ amount: eur(1) }),
  })
}

/**
 * From the wall of a saleroom session: ten lots by keyboard, with each letter, and the end of the session. Returns the
 * seconds for a lot that is simply sold.
 */
export async function recordSession(hands: Hands): Promise<number> {
  const { page, use, type, press } = hands
  const ready = (lot: number) => page.getByRole('region', { name: `Lot ${lot} stands ready` }).waitFor()
  const sellWithFour = async () => {
    await press('c')
    await type('4')
    await press('Enter')
    await ready(9)
  }
  await use(page.getByRole('link', { name: 'Desk' }))
  await ready(1)
  const begun = performance.now()
  for (const lot of [1, 2, 3, 4]) {
    await ready(lot)
    await type('150')
    await press('Enter')
  }
  await ready(5)
  const seconds = (performance.now() - begun) / 4_000
  await press('p')
  await ready(6)
  await press('w')
  await use(page.getByRole('dialog').getByRole('button', { name: 'Withdraw' }))
  await ready(7)
  await press('r')
  await ready(8)
  await sellWithFour()
  await press('z')
  await ready(8)
  await sellWithFour()
  await press('g')
  await type('10')
  await press('Enter')
  await ready(10)
  await type('120')
  await press('Enter')
  await ready(9)
  await type('90')
  await press('Enter')
  // The referred lot comes again at the end.
  await ready(7)
  await press('p')
  await page.getByText('Every lot has a result.').first().waitFor()
  await page.waitForFunction(() => document.querySelectorAll('.clerk-log [data-state=waiting]').length === 0)
  await takeAndClose(hands, 'Finish the session', 'Finish', 'The session is finished.')
  return seconds
}

/** From any page: finds a lot, and reads who bid and who changed what, also the bid that was refused. */
export async function answerComplaint(hands: Hands, title: string): Promise<void> {
  const { page, use, fill } = hands
  await fill(page.getByLabel('Search all sales'), title)
  await use(page.getByRole('link', { name: new RegExp(title) }))
  await use(page.getByRole('link', { name: 'Bids and journal' }))
  await page
    .getByRole('region', { name: 'Journal' })
    .getByRole('row', { name: /Anna Bid refused/ })
    .waitFor()
}
