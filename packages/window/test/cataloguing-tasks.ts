import type { Hands } from './hands.ts'

/**
 * From the desk of the cataloguer: a new consignment with its seller and a category, then so many objects, each with texts
 * in two languages, an estimate and a photograph. Returns the keys of each object, without those of its texts.
 */
export async function catalogueObjects(hands: Hands, count: number, photograph: string): Promise<number[]> {
  const { page, press, type, done } = hands
  // Playwright catches file choosers only while it listens, and begins late on a busy machine.
  page.on('filechooser', () => undefined)
  const field = (name: string) => page.locator(`[name="${name}"]:focus`)
  const make = async (name: string, text: string) => {
    await field(name).waitFor()
    await type(text)
    await page
      .getByRole('listbox')
      .getByRole('option', { name: `Make “${text}”` })
      .waitFor()
    await press('Enter', 'Enter')
    await page.getByRole('listbox').getByRole('option').first().waitFor({ state: 'hidden' })
  }
  await make('consignment', '2036-9')
  await page.getByLabel('Seller of the consignment').waitFor()
  await press('Tab')
  await make('consignment_seller', 'Erven Van Dam')
  await make('categories', 'Zilver')
  await page.locator('[name=reference]').and(page.locator('[value="2036-9-1"]')).waitFor()
  await page.locator('[name="nl.title"]').focus()
  const keys: number[] = []
  for (let number = 1; number <= count; number++) {
    await field('nl.title').waitFor()
    const before = done.keys
    let letters = 0
    const write = async (text: string) => {
      await type(text)
      letters += text.length
    }
    const next = async (text: string) => {
      await press('Tab')
      await write(text)
    }
    await write(`Zilveren lepel ${number}`)
    await next(`Silver spoon ${number}`)
    await next('Met parelrand, gemerkt.')
    await next('With a beaded edge, marked.')
    await next('100')
    await next('150')
    await next('Gaaf.')
    await next('Fine.')
    const chooser = page.waitForEvent('filechooser')
    await press('Alt+p')
    await (await chooser).setFiles([photograph])
    await page.getByText('1 picture is sent').waitFor()
    await press('Control+Enter')
    await page.getByText(`2036-9-${number} is made.`).waitFor()
    keys.push(done.keys - before - letters)
  }
  return keys
}
