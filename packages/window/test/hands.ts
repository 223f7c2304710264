import type { Locator, Page } from 'playwright-core'

/** A person at a page. */
export type Hands = ReturnType<typeof createHands>

/**
 * A person who works with a pointer, or with the keyboard alone, and counts clicks and keys. Everything is found by the
 * roles and names of the accessibility tree. A field is typed anew; a choice counts as two clicks.
 */
export function createHands(page: Page, { hasPointer }: { hasPointer: boolean }) {
  const done = { clicks: 0, keys: 0 }
  const press = async (...keys: string[]) => {
    for (const key of keys) await page.keyboard.press(key)
    done.keys += keys.length
  }
  const type = async (text: string) => {
    await page.keyboard.type(text)
    done.keys += text.length
  }
  /** Brings the focus there. The pointer does so with a click, which also presses a button. */
  const reach = async (wanted: Locator) => {
    await wanted.first().waitFor()
    if (hasPointer) {
      done.clicks++
      return wanted.first().click()
    }
    for (let pressed = 0; pressed < 400; pressed++) {
      if (await wanted.evaluateAll((found) => found.includes(document.activeElement as HTMLElement))) return
      await press('Tab')
    }
    throw new Error(`Tab does not reach ${String(wanted)}`)
  }
  /** Presses a button, or follows a link. */
  const use = async (wanted: Locator, key = 'Enter') => {
    await reach(wanted)
    if (!hasPointer) await press(key)
  }
  const fill = async (wanted: Locator, text: string) => {
    const isTime = /^\d{4}-\d\d-\d\dT/.test(text)
    if (isTime && hasPointer) {
      done.clicks++
      done.keys += 12
      return wanted.fill(text)
    }
    await reach(wanted)
    if (!isTime) {
      await press('Control+A')
      return type(text)
    }
    // The field has parts. Whether the day or the month is first depends on the browser: the tasks have them the same.
    const [, year, day, clock] = /^(\d{4})-\d\d-(\d\d)T(.{5})$/.exec(text)!
    await type(`${day!}${day!}${year!}`)
    await press('ArrowRight')
    await type(`${clock!.replace(':', '')}AM`)
  }
  const choose = async (wanted: Locator, option: string) => {
    if (hasPointer) {
      done.clicks += 2
      await wanted.selectOption({ label: option })
    } else {
      await reach(wanted)
      await type(option)
    }
  }
  /** Gives files to a button that asks for them. */
  const give = async (wanted: Locator, ...files: string[]) => {
    const chooser = page.waitForEvent('filechooser')
    await use(wanted)
    await (await chooser).setFiles(files)
  }
  return { page, done, press, type, use, fill, choose, give }
}

/** Opens a step of staff, types its fields, rehearses it unless it is done at once, reads what is said, and does it. Its dialog stays. */
export async function take(
  { page, use, fill }: Hands,
  opener: string | RegExp,
  name: string,
  said: string | RegExp,
  fields: Record<string, string> = {},
): Promise<void> {
  const dialog = page.getByRole('dialog')
  await use(page.getByRole('button', { name: opener }))
  for (const [label, text] of Object.entries(fields)) await fill(dialog.getByLabel(label), text)
  const isDirect = (await dialog.locator('[type=submit]').textContent()) !== 'Check first'
  if (!isDirect) {
    await use(dialog.getByRole('button', { name: 'Check first' }))
    await dialog.getByText(said).first().waitFor()
  }
  await use(dialog.getByRole('button', { name, exact: true }))
  if (isDirect) await dialog.getByText(said).first().waitFor()
  await dialog.getByRole('button', { name: /^Close/ }).waitFor()
}

/** Like `take`, and closes the dialog. */
export async function takeAndClose(
  hands: Hands,
  ...step: Parameters<typeof take> extends [Hands, ...infer Rest] ? Rest : never
) {
  const { page, use } = hands
  await take(hands, ...step)
  await use(page.getByRole('dialog').getByRole('button', { name: /^Close/ }))
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  // The focus is on the page again, not lost.
  await page.waitForFunction(() => document.activeElement !== document.body)
}
