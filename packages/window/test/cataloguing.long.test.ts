import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Permission } from '../src/api/house.ts'
import { askStaff, openHouse } from './preparing.ts'
import { findBarriers, openSharedStage, settle, skip } from './support.ts'

describe('the desk of the cataloguer, for other keys and on other screens', { skip }, async () => {
  const stage = await openSharedStage()
  const all: Permission[] = ['auctions.read', 'lots.read', 'lots.write', 'categories.read', 'seller_profiles.read']

  async function openWith(granted: Permission[], isStaff = true) {
    const key = await stage.issueKey('rechten', { granted, ...(isStaff && { staff: 'Cor' }) })
    const opened = await stage.open(`${stage.origin}/#key=${key}`)
    await opened.page.waitForSelector('.sessions .count')
    await opened.page.goto(`${stage.origin}/#/catalogue`)
    return opened
  }

  test('a field that the key may not set says why, and a key without a permission of the desk sees no desk', async () => {
    await openHouse(stage, 'rechten', [], '/').then(({ context }) => context.close())
    const { page, context } = await openWith(['auctions.read', 'lots.read', 'lots.write'])
    await page.getByText('Your key lacks the permission seller_profiles.read.').waitFor()
    await page.getByText('Your key lacks the permission categories.read.').waitFor()
    assert.equal(await page.getByRole('combobox', { name: /Consignment|Seller|Categories/ }).count(), 0)
    assert.deepEqual(await findBarriers(page), [])
    await page.getByLabel('Reference').fill('R-1')
    await page.locator('[name="nl.title"]').fill('Vaas')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByRole('heading', { name: 'Vaas' }).waitFor()
    await context.close()
    for (const [granted, isStaff, lack] of [
      [all, false, 'staff'],
      [['auctions.read', 'lots.read'], true, 'lots.write'],
    ] as [Permission[], boolean, string][]) {
      const opened = await openWith(granted, isStaff)
      await opened.page.getByText(`It lacks the permission ${lack}.`).waitFor()
      assert.equal(await opened.page.getByRole('form').count(), 0)
      await opened.context.close()
    }
  })

  test('the items lead a key that may not write to the item as clients see it', async () => {
    await openHouse(stage, 'alleen-lezen', [{ title: 'Klok' }], '/').then(({ context }) => context.close())
    const key = await stage.issueKey('alleen-lezen', { granted: ['auctions.read', 'lots.read'], staff: 'Cor' })
    const { page, context } = await stage.open(`${stage.origin}/#key=${key}`)
    await page.waitForSelector('.sessions .count')
    await page.goto(`${stage.origin}/#/prepare/items?offered=all`)
    await page.getByRole('link', { name: 'Klok' }).waitFor()
    assert.equal(await page.getByRole('link', { name: 'Catalogue an item' }).count(), 0)
    await page.getByRole('link', { name: 'Klok' }).click()
    await page.waitForURL(/#\/items\//)
    await page.getByRole('heading', { name: 'Klok' }).waitFor()
    await context.close()
  })

  test('an item saved without a connection is said to be kept, and is stored once the connection is back', async () => {
    const { page, context, read } = await openHouse(stage, 'zonder-net', [], '/catalogue')
    await page.getByLabel('Reference').fill('N-1')
    await page.locator('[name="nl.title"]').fill('Vaas')
    await page.getByText('Not saved yet.').waitFor()
    await context.setOffline(true)
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('is saved once the connection is back').waitFor()
    assert.equal(await page.getByText('Not saved yet.').count(), 0)
    await context.setOffline(false)
    await page.getByRole('heading', { name: 'Vaas' }).waitFor()
    assert.equal((await read<object[]>('/items?external_reference=N-1')).length, 1)
    await context.close()
  })

  test('an item has the seller of its consignment, not that of one that was chosen before', async () => {
    const { page, context, key, read } = await openHouse(stage, 'eigenaar', [], '/prepare')
    await askStaff(stage, key, 'POST', '/sellers', { seller_number: 7, profile_name: 'De Wit' })
    const [seller] = await read<{ id: string }[]>('/sellers')
    await askStaff(stage, key, 'POST', '/consignments', { number: 'W 1', seller: seller!.id })
    await askStaff(stage, key, 'POST', '/consignments', { number: 'Z 1' })
    await page.getByRole('link', { name: 'Catalogue an item' }).click()
    const choose = async (name: string, text: string, option: string) => {
      await page.getByRole('combobox', { name, exact: true }).fill(text)
      await page.getByRole('listbox').getByRole('option', { name: option }).waitFor()
      await page.keyboard.press('Enter')
    }
    await choose('Consignment', 'wit', 'W 1 De Wit')
    await page.locator('.given').getByText('De Wit').waitFor()
    await choose('Consignment', 'Z 1', 'Z 1')
    await page.getByRole('combobox', { name: 'Seller of the consignment' }).waitFor()
    await page.locator('[name=reference][value="Z 1-1"]').waitFor()
    await page.locator('[name="nl.title"]').fill('Kom')
    await page.keyboard.press('Control+Enter')
    await page.getByText('Z 1-1 is made.').waitFor()
    const [made] = await read<{ seller: string | null }[]>('/items')
    assert.equal(made!.seller, null)
    // Its items would get another owner.
    await choose('Seller of the consignment', '7', 'De Wit 7')
    await page.getByRole('alert').getByText('It is in use.').waitFor()
    await context.close()
  })

  test('a reference that is typed while the next one is looked up stays', async () => {
    const { page, context, key, go } = await openHouse(stage, 'eigen', [], '/')
    await askStaff(stage, key, 'POST', '/consignments', { number: '2036-9' })
    await go('/catalogue')
    const reference = page.getByLabel('Reference')
    let release = () => {}
    const released = new Promise<void>((resolve) => (release = resolve))
    await page.route(/\/items\?.*external_reference=/, async (route) => {
      await released
      await route.continue()
    })
    await page.getByRole('combobox', { name: 'Consignment' }).fill('2036-9')
    await page.getByRole('listbox').getByRole('option', { name: '2036-9', exact: true }).waitFor()
    await page.keyboard.press('Enter')
    await reference.pressSequentially('EIGEN-1')
    const looked = page.waitForResponse(/external_reference=/)
    release()
    await (await looked).finished()
    await page.locator('[name="nl.title"]').fill('Eigen')
    assert.equal(await reference.inputValue(), 'EIGEN-1')
    await page.keyboard.press('Control+Enter')
    await page.getByText('EIGEN-1 is made.').waitFor()
    await context.close()
  })

  for (const [width, locale, scheme] of [
    [320, 'nl-NL', 'light'],
    [390, 'de-DE', 'dark'],
    [640, 'fr-FR', 'light'],
    [2560, 'en-GB', 'dark'],
  ] as const)
    test(`nothing is cut off at ${width} pixels in ${locale}, and axe finds nothing`, async () => {
      const look = {
        viewport: { width, height: 800 },
        locale,
        colorScheme: scheme,
        hasTouch: true,
        isMobile: width < 500,
      }
      const lots = [{ title: 'Klok', translations: [{ locale: 'en', title: 'Clock' }] }]
      const { page, context } = await openHouse(stage, `breed-${width}`, lots, '/catalogue', look)
      await page.locator('[name="en.title"]').waitFor()
      await page.locator('[name=makers]').fill('Een onbekende meester uit Zuid-Nederland')
      await page.getByRole('listbox').getByRole('option').waitFor()
      await page
        .locator('.drop [type=file]')
        .first()
        .setInputFiles({
          name: 'geen-foto.jpg',
          mimeType: 'image/jpeg',
          buffer: Buffer.from('no picture'),
        })
      await page.locator('.waiting li').waitFor()
      await settle(() => page.evaluate(() => document.documentElement.scrollWidth), width)
      assert.equal(await page.locator('.drop [capture=environment]').count(), 1)
      assert.ok(await page.locator('.camera button').isVisible())
      assert.deepEqual(await findBarriers(page), [])
      await context.close()
    })
})
