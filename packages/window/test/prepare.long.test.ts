import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { askStaff, openHouse, take, takeAndClose, type Session } from './preparing.ts'
import { intercept, openSharedStage, settle, skip } from './support.ts'

describe('the preparation of a sale by several persons', { skip }, async () => {
  const stage = await openSharedStage()

  test('a term that another person changed under the open dialog stays, unless it was typed too', async () => {
    const { page, context, key, session, read } = await openHouse(stage, 'tegelijk', [{}], '/sessions/SESSION/prepare')
    await page.getByRole('button', { name: 'Title, times and premium' }).click()
    await page.getByRole('dialog').getByLabel('Seconds between them').fill('120')
    const theirs = { opens_at: '2036-01-01T08:00:00Z', title: 'Ochtend' }
    await askStaff(stage, key, 'PATCH', `/sessions/${session}`, theirs)
    await take(page, 'Change', 'Before')
    const { title, opens_at, timed: terms } = await read<Session>(`/sessions/${session}`)
    assert.deepEqual([title, opens_at, terms.interval_seconds], ['Ochtend', '2036-01-01T08:00:00.000Z', 120])
    await context.close()
  })

  test('terms that another person changed after the rehearsal are not overwritten before they are rehearsed again', async () => {
    const { page, context, key, session, read } = await openHouse(stage, 'tussen', [{}], '/sessions/SESSION/prepare')
    await page.getByRole('button', { name: 'Title, times and premium' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Seconds between them').fill('120')
    await dialog.getByRole('button', { name: 'Check first' }).click()
    await dialog.getByText('This would happen:').waitFor()
    await askStaff(stage, key, 'PATCH', `/sessions/${session}`, { timed: { interval_seconds: 90 } })
    await dialog.getByRole('button', { name: 'Change', exact: true }).click()
    await dialog.getByRole('alert').getByText('It has changed since you opened it.').waitFor()
    assert.equal((await read<Session>(`/sessions/${session}`)).timed.interval_seconds, 90)
    await take(page, 'Change', 'Before')
    assert.equal((await read<Session>(`/sessions/${session}`)).timed.interval_seconds, 120)
    await context.close()
  })

  test('a session or an auction that another person changed after the rehearsal is rehearsed again before it is published', async () => {
    const { page, context, key, session } = await openHouse(stage, 'nogmaals', [{}], '/sessions/SESSION/prepare')
    const isPublished = async () => (await stage.call(`/sessions/${session}`, 'GET', undefined, key))['published']
    await page.getByRole('button', { name: 'Publish' }).click()
    await page.getByRole('button', { name: 'Check first' }).click()
    await page.getByText('The public sees the session.').waitFor()
    await askStaff(stage, key, 'PATCH', `/sessions/${session}`, { title: 'Middag' })
    await page.getByRole('dialog').getByRole('button', { name: 'Publish' }).click()
    await page.getByRole('alert').getByText('It has changed since you opened it.').waitFor()
    assert.equal(await isPublished(), false)
    await takeAndClose(page, 'Publish', 'The public sees the session.')
    assert.equal(await isPublished(), true)
    await page.goto(`${stage.origin}/#/prepare`)
    // The page before has such a button too.
    await page.getByRole('button', { name: 'New sale' }).waitFor()
    await page
      .getByRole('button', { name: /^Take back/ })
      .first()
      .click()
    await page.getByRole('button', { name: 'Check first' }).click()
    await page.getByRole('dialog').getByText('This would happen:').waitFor()
    const { auction } = await stage.call<{ auction: string }>(`/sessions/${session}`, 'GET', undefined, key)
    await askStaff(stage, key, 'PATCH', `/auctions/${auction}`, { published: false })
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /^Take back/ })
      .click()
    await page.getByRole('alert').getByText('It has changed since you opened it.').waitFor()
    await context.close()
  })

  test('more items of other lots than the service names at once are all left out, and the others are added', async () => {
    const inLots = Array.from({ length: 130 }, () => ({}))
    const { page, context, key, go, read, session } = await openHouse(stage, 'overvol', inLots, '/prepare')
    await stage.call('/items', 'POST', { external_reference: 'Z-1', title: 'Nog in geen kavel' }, key)
    await go(`/prepare/items?session=${session}&offered=all`)
    await page.getByRole('button', { name: 'Select all 100' }).waitFor()
    await page.getByRole('button', { name: 'More items' }).click()
    await page.getByRole('button', { name: 'Select all 131' }).click()
    await page.getByRole('button', { name: /^Add to a sale/ }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Check first' }).click()
    await dialog.getByText('1 lot would be added, number 131.').waitFor()
    await dialog.getByText('130 items are left out:').waitFor()
    await dialog.getByRole('link', { name: 's/130' }).waitFor()
    assert.equal(await dialog.getByRole('link').count(), 130)
    await dialog.getByRole('button', { name: 'Add', exact: true }).click()
    await dialog.getByText('1 lot is added').waitFor()
    assert.equal((await read<object[]>(`/lots?session=${session}&lot_number=131`)).length, 1)
    await context.close()
  })

  test('a list that cannot be read again says so, and keeps the open dialog with what was typed', async () => {
    const { page, context, key, session, read } = await openHouse(stage, 'blijft', [{}], '/prepare')
    await page.getByRole('button', { name: 'New sale' }).click()
    const title = page.getByRole('dialog').getByLabel('Title of the sale')
    await title.fill('Najaar')
    const type = `${stage.origin}/problems/integrity-unavailable`
    const problem = { type, title: 'Damaged', status: 500, detail: 'Damaged.' }
    await page.route(/\/api\/v2\/auctions\?/, (route) =>
      route.fulfill({ status: 500, contentType: 'application/problem+json', body: JSON.stringify(problem) }),
    )
    const { auction } = await read<{ auction: string }>(`/sessions/${session}`)
    await askStaff(stage, key, 'PATCH', `/auctions/${auction}`, { published: false })
    await page.getByText('Its record is damaged').waitFor({ state: 'attached' })
    assert.equal(await title.inputValue(), 'Najaar')
    await context.close()
  })

  test('an order that another person stored while one was made is not overwritten unasked', async () => {
    const { page, context, key, session, read } = await openHouse(
      stage,
      'eerst',
      [{}, {}, {}],
      '/sessions/SESSION/prepare',
    )
    type Lot = { id: string; lot_number: number }
    const readIds = async () => (await read<Lot[]>(`/lots?session=${session}`)).map(({ id }) => id)
    const [first, second, third] = (await readIds()) as [string, string, string]
    const isRead = page.waitForResponse((reply) => reply.url().endsWith(`/sessions/${session}`))
    await page.getByRole('button', { name: 'Move Kavel 3 up' }).press('Alt+Home')
    await isRead
    await askStaff(stage, key, 'PATCH', `/sessions/${session}/order`, { lots: [second, first, third], from: 1 })
    await page.getByRole('button', { name: 'Number the lots' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Check first' }).click()
    await dialog.getByRole('alert').getByText('It has changed since you opened it.').waitFor()
    assert.deepEqual(await readIds(), [second, first, third])
    await take(page, 'Number', '3 → 1')
    assert.deepEqual(await readIds(), [third, first, second])
    await context.close()
  })

  test('a text that is selected beyond the edge of a dialog leaves it open; a second click beside drops what was typed', async () => {
    const { page, context } = await openHouse(stage, 'rand', [], '/prepare')
    await page.getByRole('button', { name: 'New sale' }).click()
    const field = (await page.getByRole('dialog').getByLabel('Reference').boundingBox())!
    await page.mouse.move(field.x + 10, field.y + 10)
    await page.mouse.down()
    await page.mouse.move(5, 5)
    await page.mouse.up()
    await page.getByRole('dialog').getByLabel('Reference').fill('2036-1')
    await page.mouse.click(5, 5)
    await page.getByRole('alert').getByText('Escape again drops what you typed.').waitFor()
    await page.mouse.click(5, 5)
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await context.close()
  })

  test('an order that another person stored after the rehearsal is not overwritten', async () => {
    const { page, context, key, session, read } = await openHouse(
      stage,
      'twee',
      [{}, {}, {}],
      '/sessions/SESSION/prepare',
    )
    type Lot = { id: string; lot_number: number; title: string }
    const readLots = () => read<Lot[]>(`/lots?session=${session}&limit=100`)
    await page.getByRole('button', { name: 'Move Kavel 3 up' }).press('Alt+Home')
    await page.getByRole('button', { name: 'Number the lots' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Check first' }).click()
    await dialog.getByRole('listitem').filter({ hasText: '3 → 1' }).waitFor()
    const theirs = (await readLots()).map(({ id }) => id).toReversed()
    await askStaff(stage, key, 'PATCH', `/sessions/${session}/order`, { lots: theirs, from: 1 })
    await dialog.getByRole('button', { name: 'Number', exact: true }).click()
    await dialog.getByRole('alert').getByText(/./).waitFor()
    assert.deepEqual(
      (await readLots()).map(({ id }) => id),
      theirs,
    )
    await context.close()
  })

  test('a starting bid that comes from another person while one is typed is shown, not overwritten', async () => {
    const eur = (amount: number) => ({ amount, currency: 'EUR' })
    const { page, context, key, session, read } = await openHouse(stage, 'typt', [{}, {}], '/sessions/SESSION/prepare')
    type Lot = { id: string; lot_number: number; starting_bid: { amount: number } | null }
    const readLots = () => read<Lot[]>(`/lots?session=${session}&limit=100`)
    const [first, second] = (await readLots()) as [Lot, Lot]
    const field = (lot: number) => page.getByLabel(`Starting bid of lot ${lot}`)
    await field(1).fill('200')
    await askStaff(stage, key, 'PATCH', `/lots/${first.id}`, { starting_bid: eur(9_900) })
    await askStaff(stage, key, 'PATCH', `/lots/${second.id}`, { starting_bid: eur(7_700) })
    await page.waitForFunction(() => document.querySelectorAll<HTMLInputElement>('td input.bid')[1]!.value === '77')
    await page.keyboard.press('Enter')
    await page.getByRole('alert').getByText('Another person stored 99 meanwhile').waitFor()
    assert.equal((await readLots())[0]!.starting_bid!.amount, 9_900)
    assert.equal(await field(1).inputValue(), '99')
    await field(1).fill('200')
    await field(1).press('Enter')
    await page
      .getByRole('row', { name: /Kavel 1/ })
      .getByText('stored', { exact: true })
      .waitFor()
    assert.equal((await readLots())[0]!.starting_bid!.amount, 20_000)
    await context.close()
  })

  test('lots and items that another person added or archived unseen are told in words, and such items are left out', async () => {
    const { page, context, key, session, go, read } = await openHouse(stage, 'onopgemerkt', [{}, {}], '/prepare')
    const make = async (reference: string) => {
      const body = { external_reference: reference, title: reference }
      return (await stage.call<{ id: string }>('/items', 'POST', body, key)).id
    }
    const [own, theirs] = [await make('Z-1'), await make('Z-2')]
    await intercept(page, '**/api/v2/changes*', (route) => route.abort())
    await go('/sessions/SESSION/prepare')
    // The page reads its lots when it opens, and again before it would follow them.
    let readings = 0
    page.on('response', (response) => (readings += Number(/v[12]\/lots\?/.test(response.url()))))
    await page.reload()
    const alert = page.getByRole('dialog').getByRole('alert')
    const rehearse = () => page.getByRole('dialog').getByRole('button', { name: 'Check first' }).click()
    await page.getByRole('button', { name: 'Move Kavel 2 up' }).waitFor()
    await settle(() => readings >= 2, true)
    await askStaff(stage, key, 'POST', `/sessions/${session}/lots`, { lots: [{ item: await make('Z-3') }] })
    await page.getByRole('button', { name: 'Move Kavel 2 up' }).click()
    await page.getByRole('button', { name: 'Number the lots' }).click()
    await rehearse()
    await alert.getByText('A lot of the session is missing here').waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
    const lots = await read<{ id: string; lot_number: number }[]>(`/lots?session=${session}`)
    const gone = lots.find(({ lot_number }) => lot_number === 2)!
    await askStaff(stage, key, 'PATCH', `/lots/${gone.id}`, { archived: true })
    await page.getByRole('button', { name: 'Number the lots' }).click()
    await rehearse()
    await alert.getByText('The lot is not in this session any more.').waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('link', { name: 'Add lots' }).click()
    for (const reference of ['Z-1', 'Z-2']) await page.getByRole('checkbox', { name: `Select ${reference}` }).check()
    await askStaff(stage, key, 'PATCH', `/items/${theirs}`, { archived: true })
    await page.getByRole('button', { name: /^Add to a sale/ }).click()
    await rehearse()
    await page.getByRole('dialog').getByRole('listitem').filter({ hasText: 'Z-2' }).getByText('is archived').waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Add', exact: true }).click()
    await page.getByRole('dialog').getByText('1 lot is added').waitFor()
    const added = await read<{ item: string }[]>(`/lots?session=${session}`)
    assert.ok(added.some(({ item }) => item === own))
    await context.close()
  })

  test('starting bids of more lots than one request takes are stored by several', async () => {
    const estimate = { low: { amount: 30_000, currency: 'EUR' } }
    const lots = Array.from({ length: 5_001 }, () => ({ estimate }))
    const { page, context } = await openHouse(stage, 'inzet-velen', lots, '/sessions/SESSION/prepare')
    const changes: boolean[] = []
    page.on('requestfinished', (request) => {
      if (request.method() === 'PATCH') changes.push(request.url().endsWith('dry_run=true'))
    })
    await page.getByRole('button', { name: 'Starting bids from estimates' }).click()
    await take(page, 'Store', '5,001 lots get a starting bid:', { 'Per cent of the low estimate': '50' })
    await page.getByRole('dialog').getByText('5,001 lots get a starting bid:').waitFor()
    assert.deepEqual(changes, [true, true, false, false])
    await context.close()
  })
})
