import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { picture } from '../../../test/support/pictures.ts'
import { openDesk } from './desk.ts'
import { findLots, findSession, live, openSharedHouse, skip, timed } from './support.ts'

describe('preparing a sale', { skip }, async () => {
  const desk = await openDesk(await openSharedHouse('werk', 'Aan het werk', { ...live, published: true }, [{}]))

  test('many pictures are uploaded at once in the order of their names; a page is refused in words', async () => {
    const item = await desk.createItem('uploads')
    const { page, context } = await desk.openItem(item.id)
    await desk.upload(page, {
      'V-10.jpg': await picture('#123456'),
      'V-2.jpg': await picture('#654321'),
      'page.jpg': '<!doctype html><script>document.title="owned"</script>',
    })
    await page.waitForSelector('.uploads >> text=This is no picture that the service takes')
    await page.waitForSelector('.desk .tile >> text=V-10')
    await desk.settle(() => desk.listGallery(item.id), ['V-2', 'V-10'])
    await page.locator('.gallery .large img').waitFor({ timeout: 120_000 })
    await desk.upload(page, { 'V-2.jpg': await picture('#000000') })
    await page.waitForSelector('.uploads >> text=There is one with this reference or file name already.')
    assert.notEqual(await page.title(), 'owned')
    await context.close()
  })

  test('pictures are ordered by keyboard, by button and by reference, and one of them leads', async () => {
    const item = await desk.createItem('order')
    const { page, context } = await desk.openItem(item.id)
    await desk.upload(page, {
      'a-1.jpg': await picture('#111111'),
      'a-2.jpg': await picture('#222222'),
      'a-3.jpg': await picture('#333333'),
    })
    await page.waitForSelector('.desk .tile >> text=a-3')
    await desk.settle(() => desk.listGallery(item.id), ['a-1', 'a-2', 'a-3'])
    await page.click('[aria-label="Move back: a-1"]')
    await desk.settle(() => desk.listGallery(item.id), ['a-2', 'a-1', 'a-3'])
    await page.locator('[aria-label="Move forward: a-1"]').focus()
    await page.keyboard.press('Enter')
    await desk.settle(() => desk.listGallery(item.id), ['a-1', 'a-2', 'a-3'])
    // The handle of the component library: Enter lifts, Tab leads to the places, Enter puts down.
    await page.locator('[aria-label="Move a-1"]').focus()
    await page.keyboard.press('Enter')
    for (let places = 0; places < 3; places++) await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await desk.settle(async () => (await desk.listGallery(item.id))[0] !== 'a-1', true)
    await page.click('text=Sort by reference')
    await desk.settle(() => desk.listGallery(item.id), ['a-1', 'a-2', 'a-3'])
    await page.locator('.tile', { hasText: 'a-2' }).getByText('Make lead').click()
    await page.locator('.tile', { hasText: 'a-2' }).getByText('Lead photograph').waitFor()
    await context.close()
  })

  test('lots are switched on after a rehearsal, which reports each refusal with its reason', async () => {
    const key = await desk.createSale('schakelen', 'Aan of uit', { ...timed, published: false }, [
      { active: false },
      { active: false },
      { active: false, title: 'Zonder nummer', lot: { lot_number: null } },
    ])
    const session = await findSession(desk, 's', key)
    const { page, context } = await desk.open(`${desk.origin}/#key=${key}`)
    await page.click('text=Aan of uit')
    await page.click('.chips >> text=Off')
    await page.click('text=/^Select all/')
    const sent: string[] = []
    page.on('request', (request) => {
      const { pathname, search } = new URL(request.url())
      if (request.method() !== 'GET' && pathname.endsWith(`/${session}/lots`))
        sent.push(`${request.method()} ${search.slice(1)}`)
    })
    await page.click('.switching >> text=Switch on')
    await page.waitForSelector('dialog >> text=1 lot is refused:')
    // The refused lot refuses all, so the others are rehearsed without it.
    assert.deepEqual(sent, ['PATCH dry_run=true', 'PATCH dry_run=true'])
    await page.waitForSelector('dialog .refusals >> text=Zonder nummer')
    const before = await findLots(desk, session, key)
    assert.ok(before.every((lot) => lot.closes_at === null))
    await page.click('dialog >> text=/^Switch \\d+ on$/')
    await page.waitForSelector('dialog >> text=The schedule is up to date.')
    assert.deepEqual(sent.slice(2), ['PATCH '])
    await page.click('dialog >> text=See the schedule')
    await page.waitForSelector('.plot svg .coming')
    const after = await findLots(desk, session, key)
    assert.deepEqual(
      after.filter((lot) => lot.closes_at === null).map(({ title }) => title),
      ['Zonder nummer'],
    )
    assert.equal(after[0]!.id, before[0]!.id)
    await context.close()
  })

  test('lots are selected by keyboard, one or a range', async () => {
    const key = await desk.createSale('toetsen', 'Met de hand', { ...timed, published: false }, [{}, {}, {}])
    const { page, context } = await desk.open(`${desk.origin}/#key=${key}`)
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

  test('a text that another client changed meanwhile is shown beside the typed one, and never overwritten', async () => {
    const { id } = await desk.call<{ id: string }>('/items', 'POST', {
      external_reference: 'stale',
      title: 'Kom',
      description: 'Rood',
    })
    const { page, context } = await desk.openItem(id)
    await page.click('text=Change texts and estimate')
    await page.getByLabel('Description').fill('Blauw')
    await desk.call(`/items/${id}`, 'PATCH', { condition: 'Gaaf' })
    await page.getByText('Save', { exact: true }).click()
    await page.waitForSelector('.texts dd >> text=Blauw')
    assert.equal((await desk.call<{ condition: string }>(`/items/${id}`)).condition, 'Gaaf')

    await page.click('text=Change texts and estimate')
    await page.getByLabel('Description').fill('Groen')
    await page.reload()
    await page.waitForSelector('.editor')
    assert.equal(await page.getByLabel('Description').inputValue(), 'Groen')
    await desk.call(`/items/${id}`, 'PATCH', { description: 'Geel' })
    await page.waitForSelector('.conflict >> text=Geel')
    assert.ok(await page.getByText('Save', { exact: true }).isDisabled())
    await page.click('text=Keep mine')
    await page.getByText('Save', { exact: true }).click()
    await page.waitForSelector('.texts dd >> text=Groen')
    assert.equal((await desk.call<{ description: string }>(`/items/${id}`)).description, 'Groen')
    await context.close()
  })

  test('an estimate takes whole amounts; any other text is refused before it is sent', async () => {
    const { id } = await desk.createItem('estimate')
    const { page, context } = await desk.openItem(id)
    await page.click('text=Change texts and estimate')
    await page.getByLabel('From').fill('100,50')
    await page.getByText('Save', { exact: true }).click()
    await page.waitForSelector('text=Enter a whole amount')
    await page.getByLabel('From').fill('1 200')
    await page.getByLabel('To', { exact: true }).fill('1800')
    await page.getByText('Save', { exact: true }).click()
    await page.waitForSelector('.relations >> text=€1,200')
    const { estimate } = await desk.call<{ estimate: object }>(`/items/${id}`)
    assert.deepEqual(estimate, {
      low: { amount: 120_000, currency: 'EUR' },
      high: { amount: 180_000, currency: 'EUR' },
    })
    await context.close()
  })
})
