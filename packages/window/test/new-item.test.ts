import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { askStaff, openHouse } from './preparing.ts'
import { findBarriers, openSharedStage, skip } from './support.ts'

describe('the form of a new item', { skip }, async () => {
  const stage = await openSharedStage()
  const formOf = (page: Page) => page.getByRole('form', { name: 'New item' })
  const focused = (page: Page) => page.evaluate(() => document.activeElement!.textContent)

  test('a copy leaves out what other languages have of a text that was changed, and says so', async () => {
    const { page, context, key, read } = await openHouse(stage, 'kopie', [], '/prepare/items')
    const translations = {
      en: { title: 'Vase', description: 'Blue', condition: 'A castle' },
      fr: { title: 'Vase bleu' },
    }
    await stage.call(
      '/items',
      'POST',
      { external_reference: 'V-1', title: 'Vaas', description: 'Blauw', translations },
      key,
    )
    await page.reload()
    await page.getByRole('button', { name: 'Duplicate V-1' }).click()
    const form = formOf(page)
    await form.getByText('The texts in English and French are copied too.').waitFor()
    await form.getByLabel('Title', { exact: true }).fill('Kom')
    await form.getByText(/^Title: .*English and French.* not copied/).waitFor()
    await form.getByText('The texts in English are copied too.').waitFor()
    assert.deepEqual(await findBarriers(page), [])
    await form.getByLabel('Reference').fill('V-2')
    await page.keyboard.press('Enter')
    await form.getByText('V-2 is made.').waitFor()
    type Texts = Record<string, { title?: string; description?: string; condition?: string } | undefined>
    const [made] = await read<{ translations: Texts }[]>('/items?external_reference=V-2')
    const { en, fr } = made!.translations
    assert.deepEqual([en?.title ?? null, en?.description, en?.condition], [null, 'Blue', 'A castle'])
    assert.equal(fr?.title ?? null, null)
    await context.close()
  })

  test('amounts are read in the notation of the language, and one that cannot be read is refused at its field', async () => {
    const { page, context, read } = await openHouse(stage, 'bedrag', [], '/prepare/items', { locale: 'nl-NL' })
    await page.getByRole('button', { name: 'Nieuw stuk' }).click()
    const form = page.getByRole('form')
    const low = form.locator('[name=low]')
    const amounts = [
      ['1.200', 120_000],
      ['1500,-', 150_000],
      ['€ 1.200', 120_000],
    ] as const
    for (const [index, [text, stored]] of amounts.entries()) {
      const reference = `B-${index}`
      await form.locator('[name=reference]').focus()
      await page.keyboard.type(reference)
      await form.locator('[name=title]').focus()
      await page.keyboard.type('Vaas')
      for (const wrong of ['1,200', '12,50', '1k']) {
        await low.focus()
        await page.keyboard.press('Control+A')
        await page.keyboard.type(wrong)
        await page.keyboard.press('Enter')
        await form.locator('[name=low][aria-invalid=true]:focus').waitFor()
        assert.match((await form.getByRole('alert').textContent())!, /^Van: /)
      }
      await page.keyboard.press('Control+A')
      await page.keyboard.type(text)
      await page.keyboard.press('Enter')
      await form.getByText(reference).waitFor()
      const [made] = await read<{ estimate: { low: { amount: number } } }[]>(`/items?external_reference=${reference}`)
      assert.equal(made!.estimate.low.amount, stored)
    }
    await context.close()
  })

  test('Tab reaches the button that makes the item first, and typed text is dropped only after a question', async () => {
    const { page, context } = await openHouse(stage, 'vraag', [{ title: 'Klok' }], '/prepare/items?offered=all')
    await page.getByRole('button', { name: 'New item' }).click()
    const form = formOf(page)
    const title = form.getByLabel('Title', { exact: true })
    await form.getByLabel('Description').focus()
    await page.keyboard.press('Tab')
    assert.equal(await focused(page), 'Make the item')
    await title.fill('Stoel')
    const question = page.getByRole('dialog')
    const stay = async () => {
      await question.waitFor()
      assert.equal(await focused(page), 'Cancel')
      await page.keyboard.press('Enter')
      await question.waitFor({ state: 'detached' })
      assert.equal(await title.inputValue(), 'Stoel')
    }
    await form.getByRole('button', { name: 'Close' }).click()
    await stay()
    await page.getByRole('button', { name: 'Duplicate i0' }).click()
    await stay()
    await page.getByRole('link', { name: 'Sales' }).click()
    await stay()
    await page.getByRole('button', { name: 'Duplicate i0' }).click()
    await question.getByRole('button', { name: 'Discard my changes' }).click()
    await page.getByRole('heading', { name: 'Copy of i0' }).waitFor()
    assert.equal(await title.inputValue(), 'Klok')
    await form.getByRole('button', { name: 'Close' }).click()
    await form.waitFor({ state: 'detached' })
    await context.close()
  })

  test('a page of staff says that it loads until its texts are there', async () => {
    const { page, context } = await openHouse(stage, 'wacht', [], '/')
    let release = () => undefined as void
    const held = new Promise<void>((resolve) => (release = resolve))
    await page.route(/assets\/en-/, async (route) => {
      await held
      await route.continue()
    })
    await page.goto(`${stage.origin}/#/prepare/items`)
    await page.reload()
    await page.getByText('Loading…').waitFor()
    release()
    await page.getByRole('heading', { name: 'Items' }).waitFor()
    await context.close()
  })

  test('the consignments that take items are offered with the names of their sellers', async () => {
    const { page, context, key, read } = await openHouse(stage, 'inbreng', [], '/prepare/items')
    await askStaff(stage, key, 'POST', '/sellers', { seller_number: 7, profile_name: 'De Wit' })
    const [seller] = await read<{ id: string }[]>('/sellers')
    await askStaff(stage, key, 'POST', '/consignments', { number: '2036-1', seller: seller!.id })
    await askStaff(stage, key, 'POST', '/consignments', { number: '2036-0', locked: true })
    await page.getByRole('button', { name: 'New item' }).click()
    const field = formOf(page).getByLabel('Number of the consignment')
    const choices = page.locator('#consignments option')
    await choices.first().waitFor({ state: 'attached' })
    assert.equal(await field.getAttribute('list'), 'consignments')
    const offered = await choices.evaluateAll((all) =>
      (all as HTMLOptionElement[]).map(({ value, label }) => [value, label]),
    )
    assert.deepEqual(offered, [['2036-1', '2036-1 · De Wit']])
    await context.close()
  })
})
