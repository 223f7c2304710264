import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, before, describe, test } from 'node:test'
import { Catalogue, type ItemId } from '@auction-catalogue/client'
import type { Page } from 'playwright-core'
import { picture } from '../../../test/support/pictures.ts'
import { findLots, findSession, openStage, skip, timed, type Lot, type Stage } from './support.ts'

type Image = { id: string; external_reference: string; processing: boolean; processing_failure: object | null }

describe('preparing a sale', { skip }, () => {
  let stage: Stage
  let session: string
  let lots: Lot[]
  let folder: string
  before(async () => {
    stage = await openStage()
    session = await findSession(stage, 'veiling-114-online')
    lots = await findLots(stage, session)
    folder = await mkdtemp(path.join(tmpdir(), 'window-pictures-'))
  })
  after(async () => {
    await stage?.close()
    if (folder) await rm(folder, { recursive: true })
  })

  const createItem = (reference: string) =>
    stage.call<{ id: string }>('/items', 'POST', { external_reference: reference, title: `Stuk ${reference}` })
  const listImages = (item: string) => stage.call<Image[]>(`/items/${item}/images?limit=100`)
  const listGallery = async (item: string) => {
    const references = new Map((await listImages(item)).map((image) => [image.id, image.external_reference]))
    return (await stage.call<{ images: string[] }>(`/items/${item}`)).images.map((id) => references.get(id))
  }
  const openItem = async (item: string) => {
    const opened = await stage.open()
    await opened.page.waitForSelector('.lot-card')
    await opened.page.goto(`${stage.origin}/#/items/${item}`)
    await opened.page.waitForSelector('.drop')
    return opened
  }
  const upload = async (page: Page, files: Record<string, Buffer | string>) => {
    for (const [name, content] of Object.entries(files)) await writeFile(path.join(folder, name), content)
    await page.setInputFiles(
      '.desk input[type=file]',
      Object.keys(files).map((name) => path.join(folder, name)),
    )
  }
  /** Waits until the interface says what is expected. */
  const settle = async <T>(read: () => Promise<T>, expected: T) => {
    // The first start makes the renditions of the whole demo house.
    const deadline = Date.now() + 120_000
    for (;;) {
      const now = await read()
      try {
        assert.deepEqual(now, expected)
        return
      } catch (error) {
        if (Date.now() > deadline) throw error
        await new Promise((resolve) => setTimeout(resolve, 100))
      }
    }
  }

  test('many pictures are uploaded at once in the order of their names; a page is refused in words', async () => {
    const item = await createItem('uploads')
    const { page, context } = await openItem(item.id)
    await upload(page, {
      'V-10.jpg': await picture('#123456'),
      'V-2.jpg': await picture('#654321'),
      'page.jpg': '<!doctype html><script>document.title="owned"</script>',
    })
    await page.waitForSelector('.uploads >> text=This is no picture that the service takes')
    await page.waitForSelector('.desk .tile >> text=V-10')
    await settle(() => listGallery(item.id), ['V-2', 'V-10'])
    await page.locator('.gallery > .frame img').waitFor({ timeout: 120_000 })
    await upload(page, { 'V-2.jpg': await picture('#000000') })
    await page.waitForSelector('.uploads >> text=There is a picture with this file name already.')
    assert.notEqual(await page.title(), 'owned')
    await context.close()
  })

  test('a picture that is dropped beside its place does not replace the page', async () => {
    const item = await createItem('beside')
    const { page, context } = await openItem(item.id)
    const file = path.join(folder, 'beside.jpg')
    await writeFile(file, await picture('#121212'))
    const session = await context.newCDPSession(page)
    const { x, y } = (await page.getByRole('heading', { level: 1 }).boundingBox())!
    const data = { items: [], files: [file], dragOperationsMask: 1 }
    for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
      await session.send('Input.dispatchDragEvent', { type, x: x + 5, y: y + 5, data })
    await page.waitForTimeout(500)
    assert.equal(page.url(), `${stage.origin}/#/items/${item.id}`)
    assert.equal(context.pages().length, 1)
    await context.close()
  })

  test('pictures are put in order by keyboard, by button and by reference, and one of them leads', async () => {
    const item = await createItem('order')
    const { page, context } = await openItem(item.id)
    await upload(page, {
      'a-1.jpg': await picture('#111111'),
      'a-2.jpg': await picture('#222222'),
      'a-3.jpg': await picture('#333333'),
    })
    await page.waitForSelector('.desk .tile >> text=a-3')
    await settle(() => listGallery(item.id), ['a-1', 'a-2', 'a-3'])
    await page.click('[aria-label="Move back: a-1"]')
    await settle(() => listGallery(item.id), ['a-2', 'a-1', 'a-3'])
    await page.locator('[aria-label="Move forward: a-1"]').focus()
    await page.keyboard.press('Enter')
    await settle(() => listGallery(item.id), ['a-1', 'a-2', 'a-3'])
    // The handle of the component library: Enter lifts, Tab leads to the places, Enter puts down.
    await page.locator('[aria-label="Move a-1"]').focus()
    await page.keyboard.press('Enter')
    for (let places = 0; places < 3; places++) await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await settle(async () => (await listGallery(item.id))[0] !== 'a-1', true)
    await page.click('text=Sort by reference')
    await settle(() => listGallery(item.id), ['a-1', 'a-2', 'a-3'])
    await page.locator('.tile', { hasText: 'a-2' }).getByText('Make lead').click()
    await page.locator('.tile', { hasText: 'a-2' }).getByText('Lead photograph').waitFor()
    await context.close()
  })

  test('a picture whose processing failed says so, is processed again when it is mended, and is deleted after asking', async () => {
    const item = await createItem('failing')
    const { page, context } = await openItem(item.id)
    const good = await picture('#abcdef')
    await upload(page, { 'f-1.jpg': good })
    await settle(async () => (await listImages(item.id)).map(({ processing }) => processing), [false])
    const original = await stage.findUpload(good)
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
    await settle(() => listImages(item.id), [])
    await page.waitForSelector('text=No pictures yet.')
    await context.close()
  })

  test('pictures that failed are found among many lots, private ones and those of lots with a photograph too', async () => {
    const lots = Array.from({ length: 70 }, () => ({}))
    const key = await stage.createSale('zoek', 'Zoekplaatje', { ...timed, published: false }, lots)
    const catalogue = new Catalogue({ url: stage.origin, key })
    const { data } = await catalogue.lots.list({ limit: 100 }).page()
    const breakPicture = async (item: ItemId, isPublic: boolean, colour: string) => {
      const good = await picture(colour)
      const file = new Blob([new Uint8Array(good)])
      const { id } = await catalogue.images.upload(item, { file, external_reference: colour, public: isPublic })
      await catalogue.images.settled(item, id)
      await writeFile(await stage.findUpload(good), 'no picture')
      await catalogue.images.reprocess(item, id)
      // Four more attempts follow, which nobody has to wait for.
      while ((await catalogue.images.get(item, id)).processing_failure === null)
        await new Promise((resolve) => setTimeout(resolve, 200))
    }
    await breakPicture(data[69]!.item, false, '#a1b2c3')
    await breakPicture(data[68]!.item, true, '#c3b2a1')
    const { page, context } = await stage.open(`${stage.origin}/#key=${key}`)
    await page.click('text=Zoekplaatje')
    await page.waitForSelector('.lot-card')
    // What is asked for is looked for: a photograph that is on show may have failed when it was processed again.
    await page.locator('.chips').getByText('Failed').click()
    await page.locator('.chips').getByText('Failed 2', { exact: true }).waitFor()
    for (const name of ['Kavel 69', 'Kavel 70']) await page.waitForSelector(`.lot-card >> text=${name}`)
    await page.click('.tabs >> text=Pictures')
    for (const name of ['69 Kavel 69', '70 Kavel 70']) {
      const entry = page.locator('.attention > ul > li', { hasText: name })
      await entry.getByText('could not make renditions').waitFor()
    }
    await context.close()
  })

  test('lots are switched on after a rehearsal that says what is refused and why', async () => {
    const [first] = lots
    await stage.load([
      { type: 'house', slug: 'terbraeck' },
      { type: 'item', ref: 'numberless', external_reference: 'numberless', title: 'Zonder nummer' },
      { type: 'lot', session, item: 'numberless', lot_number: null, active: false },
    ])
    const { page, context } = await stage.open()
    await page.waitForSelector('.lot-card')
    await page.goto(`${stage.origin}/#/sessions/${session}`)
    await page.click('.chips >> text=Off')
    await page.click('text=/^Select all/')
    await page.click('.switching >> text=Switch on')
    await page.waitForSelector('dialog >> text=1 lot is refused:')
    await page.waitForSelector('dialog .refusals >> text=Zonder nummer')
    const before = await findLots(stage, session)
    assert.ok(before.some((lot) => lot.closes_at === null))
    await page.click('dialog >> text=/^Switch \\d+ on$/')
    await page.waitForSelector('dialog >> text=The schedule is up to date.')
    await page.click('dialog >> text=See the schedule')
    await page.waitForSelector('.plot svg .coming')
    const after = await findLots(stage, session)
    assert.deepEqual(
      after.filter((lot) => lot.closes_at === null).map(({ title }) => title),
      ['Zonder nummer'],
    )
    assert.equal(after[0]!.id, first!.id)
    await context.close()
  })

  test('a lot of a published session is switched off and on before it opens, and it is said that everybody sees it', async () => {
    const key = await stage.createSale('gezien', 'Morgen', { ...timed, published: true }, [{}, {}])
    const { page, context } = await stage.open(`${stage.origin}/#key=${key}`)
    await page.click('text=Morgen')
    for (const [word, off] of Object.entries({ off: 1, on: 0 })) {
      await page.locator('.lot-card .tick').first().click()
      await page.click(`.switching >> text=Switch ${word}`)
      await page.waitForSelector('dialog >> text=everybody sees the change at once')
      await page.click(`dialog >> text=Switch 1 ${word}`)
      await page.waitForSelector('dialog >> text=The schedule is up to date.')
      await page.click('dialog >> text=Close')
      await page.waitForFunction((n) => document.querySelectorAll('.lot-card[data-off=true]').length === n, off)
    }
    await context.close()
  })

  test('lots are selected by keyboard, one or a range', async () => {
    const key = await stage.createSale('toetsen', 'Met de hand', { ...timed, published: false }, [{}, {}, {}])
    const { page, context } = await stage.open(`${stage.origin}/#key=${key}`)
    await page.click('text=Met de hand')
    await page.waitForSelector('.lot-card .tick')
    await page.keyboard.press('ArrowDown')
    await page.waitForFunction(() => document.activeElement?.closest('.lot-card'))
    await page.keyboard.press('Space')
    await page.getByText('1 selected').waitFor()
    await page.keyboard.press('End')
    await page.keyboard.press('Shift+Space')
    await page.getByText('3 selected').waitFor()
    await page.keyboard.press('x')
    await page.getByText('2 selected').waitFor()
    await page.keyboard.press('Shift+X')
    await page.getByText('3 selected').waitFor()
    await context.close()
  })

  test('the current lot stays that when the lots before it go', async () => {
    const lots = [{ active: true }, { active: true }, { active: true }]
    const key = await stage.createSale('volgt', 'Blijft staan', { ...timed, published: false }, lots)
    const [first] = (await new Catalogue({ url: stage.origin, key }).lots.list().page()).data
    const { page, context } = await stage.open(`${stage.origin}/#key=${key}`)
    await page.click('text=Blijft staan')
    await page.click('.chips >> text=On')
    await page.waitForURL(/only=active/)
    await page.keyboard.press('End')
    await page.waitForFunction(() => document.activeElement?.closest('.lot-card[data-index="2"]'))
    await fetch(`${stage.origin}/api/v2/lots/${first!.id}`, {
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

  test('a key that must guard its writes switches lots and deletes pictures too', async () => {
    await stage.createSale('streng', 'Behoedzaam', { ...timed, published: false }, [{ active: false }])
    const { key } = await stage.run('keys', 'create', '--house', 'streng', '--all', '--require-if-match')
    const catalogue = new Catalogue({ url: stage.origin, key: key! })
    const [lot] = (await catalogue.lots.list().page()).data
    const file = new Blob([new Uint8Array(await picture('#998877'))])
    await catalogue.images.upload(lot!.item, { file, external_reference: 's-1' })
    const { page, context } = await stage.open(`${stage.origin}/#key=${key}`)
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

  test('an estimate is in the currency of the house, also where the item has none yet', async () => {
    const key = await stage.createSale(
      'pond',
      'Ponden',
      { ...timed, published: false },
      [{ estimate: { low: { amount: 100_50, currency: 'GBP' } } }, {}],
      'GBP',
    )
    const catalogue = new Catalogue({ url: stage.origin, key })
    const [first, lot] = (await catalogue.lots.list().page()).data
    const { page, context } = await stage.open(`${stage.origin}/#key=${key}`)
    await page.waitForSelector('text=Ponden')
    await page.goto(`${stage.origin}/#/items/${lot!.item}`)
    await page.click('text=Change texts and estimate')
    await page.getByLabel('From').fill('250')
    await page.getByText('Save', { exact: true }).click()
    await page.waitForSelector('.relations >> text=£250')
    // A stored amount with pence does not keep the rest from being changed.
    await page.goto(`${stage.origin}/#/items/${first!.item}`)
    await page.click('text=Change texts and estimate')
    await page.getByLabel('To', { exact: true }).fill('500')
    await page.getByText('Save', { exact: true }).click()
    await page.waitForSelector('.relations >> text=£500')
    await context.close()
  })

  test('a text that somebody else changed meanwhile is shown beside mine, and never overwritten', async () => {
    const { id } = await stage.call<{ id: string }>('/items', 'POST', {
      external_reference: 'stale',
      title: 'Kom',
      description: 'Rood',
    })
    const { page, context } = await openItem(id)
    await page.click('text=Change texts and estimate')
    await page.getByLabel('Description').fill('Blauw')
    await stage.call(`/items/${id}`, 'PATCH', { condition: 'Gaaf' })
    await page.getByText('Save', { exact: true }).click()
    await page.waitForSelector('.texts dd >> text=Blauw')
    assert.equal((await stage.call<{ condition: string }>(`/items/${id}`)).condition, 'Gaaf')

    await page.click('text=Change texts and estimate')
    await page.getByLabel('Description').fill('Groen')
    await page.reload()
    await page.waitForSelector('.editor')
    assert.equal(await page.getByLabel('Description').inputValue(), 'Groen')
    await stage.call(`/items/${id}`, 'PATCH', { description: 'Geel' })
    await page.waitForSelector('.conflict >> text=Geel')
    assert.ok(await page.getByText('Save', { exact: true }).isDisabled())
    await page.click('text=Keep mine')
    await page.getByText('Save', { exact: true }).click()
    await page.waitForSelector('.texts dd >> text=Groen')
    assert.equal((await stage.call<{ description: string }>(`/items/${id}`)).description, 'Groen')
    await context.close()
  })

  test('an estimate is changed in whole amounts; what is none is refused before it is sent', async () => {
    const { id } = await createItem('estimate')
    const { page, context } = await openItem(id)
    await page.click('text=Change texts and estimate')
    await page.getByLabel('From').fill('100,50')
    await page.getByText('Save', { exact: true }).click()
    await page.waitForSelector('text=Enter a whole amount')
    await page.getByLabel('From').fill('1 200')
    await page.getByLabel('To', { exact: true }).fill('1800')
    await page.getByText('Save', { exact: true }).click()
    await page.waitForSelector('.relations >> text=€1,200')
    const { estimate } = await stage.call<{ estimate: object }>(`/items/${id}`)
    assert.deepEqual(estimate, {
      low: { amount: 120_000, currency: 'EUR' },
      high: { amount: 180_000, currency: 'EUR' },
    })
    await context.close()
  })

  test('nothing on any page was refused by the policy or threw an error', () => {
    assert.deepEqual(stage.complaints, [])
  })
})
