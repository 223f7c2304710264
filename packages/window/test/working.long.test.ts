import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, test } from 'node:test'
import { Catalogue, type ItemId } from '@auction-catalogue/client'
import { picture } from '../../../test/support/pictures.ts'
import { openDesk } from './desk.ts'
import { openStage, settle, skip, timed } from './support.ts'

describe('unusual pictures and lots', { skip }, async () => {
  const desk = await openDesk(await openStage())

  test('a picture dropped beside its place does not replace the page', async () => {
    const item = await desk.createItem('beside')
    const { page, context } = await desk.openItem(item.id)
    const file = path.join(desk.folder, 'beside.jpg')
    await writeFile(file, await picture('#121212'))
    const session = await context.newCDPSession(page)
    const { x, y } = (await page.getByRole('heading', { level: 1 }).boundingBox())!
    const data = { items: [], files: [file], dragOperationsMask: 1 }
    // The browser drops nothing where the page refuses it.
    const refused = page.evaluate(
      () =>
        new Promise((resolve) =>
          addEventListener('dragover', (event) => resolve([event.defaultPrevented, event.dataTransfer!.dropEffect])),
        ),
    )
    for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
      await session.send('Input.dispatchDragEvent', { type, x: x + 5, y: y + 5, data })
    assert.deepEqual(await refused, [true, 'none'])
    assert.equal(page.url(), `${desk.origin}/#/items/${item.id}`)
    assert.equal(context.pages().length, 1)
    await context.close()
  })

  test('a failed picture says so, can be processed again once its cause is gone, and is deleted after a question', async () => {
    const item = await desk.createItem('failing')
    const { page, context } = await desk.openItem(item.id)
    const good = await picture('#abcdef')
    await desk.upload(page, { 'f-1.jpg': good })
    await desk.settle(async () => (await desk.listImages(item.id)).map(({ processing }) => processing), [false])
    const original = await desk.findUpload(good)
    await writeFile(original, 'no picture')
    const tile = page.locator('.desk .tile')
    await tile.getByText('More').click()
    await tile.getByText('Process again').click()
    await tile.getByText('Failed', { exact: true }).waitFor()
    await tile.getByText('could not make renditions').waitFor()
    await writeFile(original, good)
    await tile.getByText('Failed', { exact: true }).waitFor({ state: 'detached', timeout: 60_000 })
    await tile.getByText('Delete').click()
    await page.locator('dialog button.danger').click()
    await desk.settle(() => desk.listImages(item.id), [])
    await page.waitForSelector('text=No pictures yet.')
    await context.close()
  })

  test('a picture that fails is at once among the failed ones of the wall, of its session and of the house', async () => {
    const lots = Array.from({ length: 70 }, () => ({}))
    const key = await desk.createSale('defect', 'Zoekplaatje', { ...timed, published: false }, lots)
    const catalogue = new Catalogue({ url: desk.origin, key })
    const { data } = await catalogue.lots.list({ limit: 100 }).page()
    const breakPicture = async (item: ItemId, isPublic: boolean, colour: string) => {
      const good = await picture(colour)
      const file = new Blob([new Uint8Array(good)])
      const { id } = await catalogue.images.upload(item, { file, external_reference: colour, public: isPublic })
      await catalogue.images.settled(item, id)
      await writeFile(await desk.findUpload(good), 'no picture')
      await catalogue.images.reprocess(item, id)
      // The other four attempts are not worth the wait.
      await settle(async () => (await catalogue.images.get(item, id)).processing_failure !== null, true)
    }
    const { page, context } = await desk.open(`${desk.origin}/#key=${key}`)
    await page.click('text=Zoekplaatje')
    await page.getByText('70 lots', { exact: true }).waitFor()
    const asked: string[] = []
    page.on('request', (request) => /images/.test(new URL(request.url()).pathname) && asked.push(request.url()))
    // Private pictures fail too, and so do those of lots with a photograph, when they are processed again.
    await breakPicture(data[69]!.item, false, '#a1b2c3')
    await breakPicture(data[68]!.item, true, '#c3b2a1')
    await page.locator('.chips').getByText('Failed 2', { exact: true }).click()
    for (const name of ['Kavel 69', 'Kavel 70']) await page.waitForSelector(`.lot-card >> text=${name}`)
    await page.click('.tabs >> text=Pictures')
    for (const name of ['69 Kavel 69', '70 Kavel 70']) {
      const entry = page.locator('.attention > ul > li', { hasText: name })
      await entry.getByText('could not make renditions').waitFor()
    }
    await page.click('.brand')
    await page.locator('main').getByRole('link', { name: 'Pictures' }).click()
    const all = page.getByRole('region', { name: 'Failed' })
    for (const name of ['#a1b2c3', '#c3b2a1']) await all.locator('.tile', { hasText: name }).waitFor()
    assert.ok(asked.every((url) => url.startsWith(`${desk.origin}/api/v2/images?`)) && asked.length < 6, asked.join())
    await all.locator('.tile', { hasText: '#c3b2a1' }).getByText('To the item').click()
    await page.locator('.desk .tile').getByText('could not make renditions').waitFor()
    await context.close()
  })

  test('a lot of a published session is switched off and on before it opens, after a warning', async () => {
    const key = await desk.createSale('gezien', 'Morgen', { ...timed, published: true }, [{}, {}])
    const { page, context } = await desk.open(`${desk.origin}/#key=${key}`)
    await page.click('text=Morgen')
    for (const [word, off] of Object.entries({ off: 1, on: 0 })) {
      await page.locator('.lot-card .tick').first().click()
      await page.click(`.switching >> text=Switch ${word}`)
      await page.waitForSelector('dialog >> text=the public sees the change at once')
      await page.click(`dialog >> text=Switch 1 ${word}`)
      await page.waitForSelector('dialog >> text=The schedule is up to date.')
      await page.click('dialog >> text=Close')
      await page.waitForFunction((n) => document.querySelectorAll('.lot-card[data-off=true]').length === n, off)
    }
    await context.close()
  })

  test('the current lot stays current when the lots before it disappear', async () => {
    const lots = [{ active: true }, { active: true }, { active: true }]
    const key = await desk.createSale('volgt', 'Blijft staan', { ...timed, published: false }, lots)
    const [first] = (await new Catalogue({ url: desk.origin, key }).lots.list().page()).data
    const { page, context } = await desk.open(`${desk.origin}/#key=${key}`)
    await page.click('text=Blijft staan')
    await page.click('.chips >> text=On')
    await page.waitForURL(/only=active/)
    await page.keyboard.press('End')
    await page.waitForFunction(() => document.activeElement?.closest('.lot-card[data-index="2"]'))
    await fetch(`${desk.origin}/api/v2/lots/${first!.id}`, {
      method: 'PATCH',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: '{"active":false}',
    })
    await page.waitForFunction(() => document.querySelectorAll('.lot-card').length === 2)
    await page.keyboard.press('x')
    await page.getByText('1 selected').waitFor()
    assert.ok(await page.locator('.lot-card').nth(1).getByRole('checkbox').isChecked())
    await context.close()
  })

  test('a key that requires If-Match switches lots and deletes pictures too', async () => {
    await desk.createSale('streng', 'Behoedzaam', { ...timed, published: false }, [{ active: false }])
    const key = await desk.issueKey('streng', { require_if_match: true })
    const catalogue = new Catalogue({ url: desk.origin, key })
    const [lot] = (await catalogue.lots.list().page()).data
    const file = new Blob([new Uint8Array(await picture('#998877'))])
    await catalogue.images.upload(lot!.item, { file, external_reference: 's-1' })
    const { page, context } = await desk.open(`${desk.origin}/#key=${key}`)
    await page.click('text=Behoedzaam')
    await page.locator('.lot-card .tick').click()
    await page.click('.switching >> text=Switch on')
    await page.click('dialog >> text=Switch 1 on')
    await page.waitForSelector('dialog >> text=The schedule is up to date.')
    await page.click('dialog >> text=Close')
    await page.click('.lot-card a')
    await page.locator('.desk .tile').getByText('More').click()
    await page.locator('.desk .tile').getByText('Delete').click()
    await page.locator('dialog button.danger').click()
    await page.waitForSelector('text=No pictures yet.')
    await context.close()
  })

  test('an estimate is in the currency of the house, which has no other amount yet', async () => {
    const openItem = async (slug: string, fields: object) => {
      const key = await desk.createSale(slug, slug, { ...timed, published: false }, [fields], 'GBP')
      const [item] = await desk.call<{ id: string }[]>('/items', 'GET', undefined, key)
      const { page, context } = await desk.open(`${desk.origin}/#key=${key}`)
      await page.waitForSelector('.sessions .count')
      await page.goto(`${desk.origin}/#/items/${item!.id}`)
      await page.click('text=Change texts and estimate')
      return { page, context }
    }
    const pounds = await openItem('pond', {})
    await pounds.page.getByLabel('From').fill('250')
    await pounds.page.getByText('Save', { exact: true }).click()
    await pounds.page.waitForSelector('.relations >> text=£250')
    await pounds.context.close()
    // A stored amount with pence does not prevent other changes.
    const pence = await openItem('penny', { estimate: { low: { amount: 100_50, currency: 'GBP' } } })
    await pence.page.getByLabel('To', { exact: true }).fill('500')
    await pence.page.getByText('Save', { exact: true }).click()
    await pence.page.waitForSelector('.relations >> text=£100.50 – 500')
    await pence.context.close()
  })
})
