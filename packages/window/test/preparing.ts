import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { findSession, timed, type Stage } from './support.ts'

export type Session = {
  id: string
  title: string
  opens_at: string
  published: boolean
  settings: { buyer_premium_percentage: string }
  timed: { first_closes_at: string; group_size: number; interval_seconds: number }
}

/** A house with a draft of so many lots, and a page of staff at a path. */
export async function openHouse(
  stage: Stage,
  slug: string,
  lots: Parameters<Stage['createSale']>[3],
  path: string,
  options?: object,
) {
  await stage.createSale(slug, `Zitting ${slug}`, { ...timed, published: false }, lots)
  const key = await stage.issueKey(slug, { staff: 'Anna' })
  const session = await findSession(stage, 's', key)
  const opened = await stage.open(`${stage.origin}/#key=${key}`, options)
  await opened.page.waitForSelector('.sessions .count')
  const go = (to: string) => opened.page.goto(`${stage.origin}/#${to.replace('SESSION', session)}`)
  await go(path)
  const read = <T>(at: string) => stage.call<T>(at, 'GET', undefined, key)
  return { ...opened, key, session, go, read }
}

/** Fills the fields of the open dialog, rehearses unless it is done at once, reads what is said, and does it. */
export async function take(page: Page, name: string, said: string | RegExp, fields: Record<string, string> = {}) {
  const dialog = page.getByRole('dialog')
  for (const [label, text] of Object.entries(fields)) await dialog.getByLabel(label).fill(text)
  const isDirect = (await dialog.locator('[type=submit]').textContent()) !== 'Check first'
  if (!isDirect) {
    await dialog.getByRole('button', { name: 'Check first' }).click()
    await dialog.getByText('This would happen:').waitFor()
    await dialog.getByText(said).first().waitFor()
  }
  await dialog.getByRole('button', { name, exact: true }).click()
  if (isDirect) await dialog.getByText(said).first().waitFor()
  await dialog.getByRole('button', { name: /^Close/ }).waitFor()
}
/** Closes the open dialog. */
export const close = async (page: Page) => {
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Close/ })
    .click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
}

/** The same, and closes the dialog. */
export async function takeAndClose(...asked: Parameters<typeof take>): Promise<void> {
  await take(...asked)
  await close(asked[0])
}

/** Another person's request of staff. */
export async function askStaff(stage: Stage, key: string, method: string, path: string, body?: object) {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const reply = await fetch(`${stage.origin}/staff/v1${path}`, {
    method,
    headers: body ? headers : { authorization: headers.authorization },
    ...(body && { body: JSON.stringify(body) }),
  })
  assert.ok(reply.ok, await reply.text())
}
