import type { Page } from 'playwright-core'
import { findLots, findSession, live, type Lot, type Stage } from './support.ts'

/** The result of a lot in short: `sold 15000`. */
export const short = ({ result }: Lot) => (result ? `${result.state} ${result.amount?.amount ?? ''}`.trim() : null)

/** Waits until a lot stands ready and a price can be typed: keys before that are for no lot. */
export async function waitForDesk(page: Page): Promise<void> {
  await page.waitForSelector('.stand')
  await page.waitForSelector('#price:focus')
}

/** A live session of `count` lots that has opened, and a page with its desk. `lot`: fields of each lot. */
export async function openClerkDesk(
  stage: Stage,
  slug: string,
  count: number,
  options?: Parameters<Stage['open']>[1],
  lot = {},
) {
  const estimate = { low: { amount: 10_000, currency: 'EUR' }, high: { amount: 20_000, currency: 'EUR' } }
  const lots = Array.from({ length: count }, () => ({ estimate, lot }))
  await stage.createSale(slug, `Zaal ${slug}`, { ...live, published: true }, lots)
  const createKey = (name: string) => stage.issueKey(slug, { staff: name })
  const key = await createKey('Anna')
  const session = await findSession(stage, 's', key)
  const openPage = async (own: string) => {
    const opened = await stage.open(`${stage.origin}/#key=${own}`, options)
    await opened.page.waitForURL(new RegExp(session))
    await opened.page.goto(`${stage.origin}/#/sessions/${session}/desk`)
    await waitForDesk(opened.page)
    return opened
  }
  const readLots = () => findLots(stage, session, key)
  return { ...(await openPage(key)), key, session, createKey, openPage, readLots }
}
