import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, test } from 'node:test'
import { picture } from '../../../test/support/pictures.ts'
import { catalogueObjects } from './cataloguing-tasks.ts'
import { createHands } from './hands.ts'
import { askStaff, openHouse } from './preparing.ts'
import { findBarriers, openSharedStage, settle, skip } from './support.ts'

type Item = {
  id: string
  external_reference: string
  title: string
  estimate: { low?: { amount: number }; high?: { amount: number } } | null
  images: string[]
  translations: Record<string, { title?: string; condition?: string; weight?: string }>
  seller: string | null
  consignment: string | null
  categories: string[]
  makers: string[]
  delivery_class: string | null
}
const english = [{ title: 'Klok', translations: { en: { title: 'Clock' } } }] as never

describe('the desk of the cataloguer', { skip }, async () => {
  const stage = await openSharedStage()
  const photograph = path.join(stage.dataDir, 'lepel.jpg')
  await writeFile(photograph, await picture('#99aabb', 600, 450))

  test('objects of one consignment are catalogued by keyboard, each with at most twelve keys beside its texts', async () => {
    const { page, context, read } = await openHouse(stage, 'lepels', english, '/prepare')
    await page.getByRole('link', { name: 'Catalogue an item' }).press('Enter')
    await page.locator('[name="en.title"]').waitFor()
    assert.deepEqual(await findBarriers(page), [])
    const keys = await catalogueObjects(createHands(page, { hasPointer: false }), 3, photograph)
    assert.ok(Math.max(...keys) <= 12, keys.join())
    const isInView = () =>
      page.locator(':focus').evaluate((field) => {
        const { top, bottom } = field.getBoundingClientRect()
        return top >= 0 && bottom <= innerHeight
      })
    await settle(isInView, true)
    assert.deepEqual(await findBarriers(page), [])
    const items = await read<Item[]>('/items?limit=100')
    const [made] = await read<Item[]>('/items?external_reference=2036-9-2')
    assert.equal(items.length, 4)
    assert.equal(made!.translations['en']!.title, 'Silver spoon 2')
    assert.equal(made!.translations['nl']!.condition, 'Gaaf.')
    assert.deepEqual([made!.estimate!.low!.amount, made!.estimate!.high!.amount], [10_000, 15_000])
    assert.equal(made!.categories.length, 1)
    assert.ok(made!.seller !== null && made!.consignment !== null)
    await settle(async () => (await read<Item[]>('/items?external_reference=2036-9-3'))[0]!.images.length, 1)
    await context.close()
  })

  test('all that can be set of an item is changed, and what another person changed meanwhile is not overwritten', async () => {
    const { page, context, key, read } = await openHouse(
      stage,
      'wijzig',
      [{ title: 'Klok' }],
      '/prepare/items?offered=all',
    )
    const [{ id }] = (await read<Item[]>('/items')) as [Item]
    await askStaff(stage, key, 'POST', '/makers', { name: 'Breguet & Fils' })
    await askStaff(stage, key, 'POST', '/makers', { name: 'Jan Breugel' })
    await page.getByRole('link', { name: 'Klok' }).click()
    await page.getByRole('link', { name: 'The item as clients see it' }).click()
    await page.getByRole('link', { name: 'Edit', exact: true }).click()
    const field = (name: string) => page.locator(`[name="${name}"]`)
    const options = page.getByRole('listbox').getByRole('option')
    await field('makers').fill('bré')
    await options.filter({ hasText: 'Jan Breugel' }).waitFor()
    assert.deepEqual(
      (await options.allTextContents()).map((text) => text.trim()),
      ['Breguet & Fils', 'Jan Breugel', 'Make “bré”'],
    )
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Remove Breguet & Fils' }).waitFor()
    await field('delivery_class').fill('Ophalen')
    await page.keyboard.press('Enter')
    assert.equal(await options.filter({ hasText: 'Enter makes it.' }).count(), 1)
    await page.keyboard.press('Enter')
    await options.first().waitFor({ state: 'hidden' })
    await field('low').fill('150')
    await field('nl.title').fill('Reisklok')
    await field('nl.weight').fill('2 kg')
    // Another person changes another value, then the same one.
    const change = (body: object) => stage.call(`/items/${id}`, 'PATCH', body, key)
    await change({ condition: 'Gaaf' })
    await page.keyboard.press('Control+Enter')
    await page.getByText('Saved.').waitFor()
    const [saved] = (await read<Item[]>('/items')) as [Item]
    const texts = saved.translations['nl']!
    assert.deepEqual([saved.title, texts.condition, texts.weight], ['Reisklok', 'Gaaf', '2 kg'])
    assert.equal(saved.estimate!.low!.amount, 15_000)
    assert.deepEqual([saved.makers.length, saved.delivery_class === null], [1, false])

    await field('nl.title').fill('Tafelklok')
    await change({ title: 'Schouwklok' })
    await page.keyboard.press('Control+Enter')
    await page.getByText('Theirs: Schouwklok').waitFor()
    assert.equal((await read<Item[]>('/items'))[0]!.title, 'Schouwklok')
    assert.deepEqual(await findBarriers(page), [])
    await page.getByRole('button', { name: 'Keep mine' }).click()
    await page.keyboard.press('Control+Enter')
    await page.getByRole('heading', { name: 'Tafelklok' }).waitFor()
    assert.equal((await read<Item[]>('/items'))[0]!.title, 'Tafelklok')
    await context.close()
  })

  test('a copy has all but the reference and the pictures, and the next one has the same', async () => {
    const { page, context, key, go, read } = await openHouse(stage, 'paar', [], '/prepare')
    await askStaff(stage, key, 'POST', '/consignments', { number: 'P 7' })
    const [consignment] = await read<{ id: string }[]>('/consignments')
    const translations = { en: { title: 'Candlestick', description: 'One of a pair' } }
    const made = { external_reference: 'P 7-1', title: 'Kandelaar', consignment: consignment!.id, translations }
    await stage.call('/items', 'POST', made, key)
    await go('/prepare/items')
    await page.getByRole('link', { name: 'Kandelaar', exact: true }).click()
    await page.getByRole('link', { name: 'Duplicate', exact: true }).click()
    await page.getByRole('heading', { name: 'Copy of P 7-1' }).waitFor()
    await page.locator('[name="nl.condition"]').fill('Een deuk')
    await go('/prepare/items')
    await page.getByRole('link', { name: 'Duplicate P 7-1' }).click()
    await page.getByRole('heading', { name: 'Copy of P 7-1' }).waitFor()
    await page.reload()
    for (const reference of ['P 7-2', 'P 7-3']) {
      await page.locator(`[name=reference][value="${reference}"]`).waitFor()
      await page.keyboard.press('Control+Enter')
      await page.getByText(`${reference} is made.`).waitFor()
    }
    const [last] = await read<Item[]>('/items?external_reference=P%207-3')
    const { en, nl } = last!.translations
    assert.deepEqual([last!.title, en!.title, nl!.condition], ['Kandelaar', 'Candlestick', 'Een deuk'])
    assert.equal(last!.consignment, consignment!.id)
    await context.close()
  })

  test('consignments that take items are offered with their sellers, and what is none of them is refused', async () => {
    const { page, context, key, go, read } = await openHouse(stage, 'inbreng', [], '/')
    await askStaff(stage, key, 'POST', '/sellers', { seller_number: 7, profile_name: 'De Wit' })
    const [seller] = await read<{ id: string }[]>('/sellers')
    await askStaff(stage, key, 'POST', '/consignments', { number: '2036-1', seller: seller!.id })
    await askStaff(stage, key, 'POST', '/consignments', { number: '2036-0', locked: true })
    await go('/catalogue')
    await page.getByRole('combobox', { name: 'Consignment' }).fill('2036')
    const options = page.getByRole('listbox').getByRole('option')
    await settle(
      async () => (await options.allTextContents()).map((text) => text.trim()),
      ['2036-1 De Wit', 'Make “2036”'],
    )
    await page.locator('[name="nl.title"]').fill('Kom')
    await page.keyboard.press('Control+Enter')
    await page.locator('[name=consignment][aria-invalid=true]:focus').waitFor()
    await page.getByRole('alert').getByText('“2036” is not chosen yet').waitFor()
    assert.deepEqual(await read<Item[]>('/items'), [])
    await context.close()
  })

  test('amounts are read in the notation of the language, and one that cannot be read is refused at its field', async () => {
    const { page, context, read } = await openHouse(stage, 'bedrag', [], '/catalogue', { locale: 'nl-NL' })
    const low = page.locator('[name=low]')
    for (const [index, [text, stored]] of [
      ['1.200', 120_000],
      ['1500,-', 150_000],
      ['€ 1.200', 120_000],
    ].entries()) {
      const reference = `B-${index}`
      await page.locator('[name=reference]').fill(reference)
      await page.locator('[name="nl.title"]').fill('Vaas')
      for (const wrong of ['1,200', '12,50', '1k']) {
        await low.fill(wrong)
        await page.keyboard.press('Control+Enter')
        await page.locator('[name=low][aria-invalid=true]:focus').waitFor()
      }
      await low.fill(String(text))
      await page.keyboard.press('Control+Enter')
      await page.getByText(`${reference} is gemaakt.`).waitFor()
      const [made] = await read<Item[]>(`/items?external_reference=${reference}`)
      assert.equal(made!.estimate!.low!.amount, stored)
    }
    await context.close()
  })

  test('what was typed is discarded at the second press only', async () => {
    const { page, context } = await openHouse(stage, 'weggooien', english, '/prepare')
    await page.getByRole('link', { name: 'Catalogue an item' }).click()
    const title = page.locator('[name="en.title"]')
    await title.fill('Silver spoon')
    await page.getByRole('button', { name: 'Discard my changes' }).click()
    assert.equal(await title.inputValue(), 'Silver spoon')
    await page.getByRole('button', { name: 'Press again to discard' }).click()
    await settle(() => title.inputValue(), '')
    await context.close()
  })

  test('a reference that was taken meanwhile is proposed anew, and saved only after another answer', async () => {
    const { page, context, key, read } = await openHouse(stage, 'bezet', [], '/prepare')
    await askStaff(stage, key, 'POST', '/consignments', { number: '2036-3' })
    await page.getByRole('link', { name: 'Catalogue an item' }).click()
    await page.getByRole('combobox', { name: 'Consignment' }).fill('2036-3')
    await page.getByRole('listbox').getByRole('option', { name: '2036-3', exact: true }).waitFor()
    await page.keyboard.press('Tab')
    const proposed = (reference: string) => page.locator(`[name=reference][value="${reference}"]`).waitFor()
    await proposed('2036-3-1')
    await stage.call('/items', 'POST', { external_reference: '2036-3-1', title: 'Kom' }, key)
    await page.locator('[name="nl.title"]').fill('Vaas')
    const file = { name: 'vaas.jpg', mimeType: 'image/jpeg', buffer: await picture('#aa9966', 600, 450) }
    await page.locator('.drop [type=file]').first().setInputFiles(file)
    // The pictures that wait are still there after another page.
    await page.getByRole('link', { name: 'Sales' }).click()
    await page.getByRole('link', { name: 'Prepare' }).first().click()
    await page.getByRole('link', { name: 'Catalogue an item' }).click()
    await page.getByText('1 picture is sent').waitFor()
    await page.keyboard.press('Control+Enter')
    await page.getByRole('alert').getByText('2036-3-2 is proposed').waitFor()
    await proposed('2036-3-2')
    assert.equal((await read<Item[]>('/items')).length, 1)
    await page.keyboard.press('Control+Enter')
    await page.getByText('2036-3-2 is made.').waitFor()
    await proposed('2036-3-3')
    // The newest first.
    const titles = (await read<Item[]>('/items')).map(({ external_reference, title }) => [external_reference, title])
    assert.deepEqual(titles, [
      ['2036-3-2', 'Vaas'],
      ['2036-3-1', 'Kom'],
    ])
    await context.close()
  })

  test('what was typed stays on the device, by house, past a revoked key, until it is saved or the person signs out', async () => {
    const { page, context } = await openHouse(stage, 'toestel', [], '/catalogue')
    await openHouse(stage, 'ander-toestel', [], '/').then((opened) => opened.context.close())
    const title = page.locator('[name="nl.title"]')
    await title.fill('Een half getypte titel')
    const keys = (await stage.run('keys', 'list', '--house', 'toestel')) as unknown as { id: string }[]
    for (const { id } of keys) await stage.run('keys', 'revoke', id)
    await page.getByLabel('Your key').waitFor()
    await page.close()

    const signIn = async (house: string) => {
      const tab = await context.newPage()
      await tab.goto(`${stage.origin}/#key=${await stage.issueKey(house, { staff: 'Bram' })}`)
      await tab.waitForSelector('.sessions .count')
      await tab.goto(`${stage.origin}/#/catalogue`)
      return { tab, found: tab.locator('[name="nl.title"]') }
    }
    const other = await signIn('ander-toestel')
    assert.equal(await other.found.inputValue(), '')
    const same = await signIn('toestel')
    assert.equal(await same.found.inputValue(), 'Een half getypte titel')
    await same.tab.getByText('This device keeps what was typed').waitFor()
    await same.tab.getByRole('button', { name: 'Settings' }).click()
    await same.tab.getByRole('button', { name: 'Sign out' }).click()
    await same.tab.getByLabel('Your key').waitFor()
    assert.ok(!(await same.tab.evaluate(() => JSON.stringify(localStorage))).includes('getypte'))
    await context.close()
  })
})
