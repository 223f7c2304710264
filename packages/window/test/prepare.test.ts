import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { askStaff, close, openHouse, take, takeAndClose, type Session } from './preparing.ts'
import { findBarriers, findSession, intercept, openSharedStage, settle, skip, timed } from './support.ts'

describe('the preparation of a sale', { skip }, async () => {
  const stage = await openSharedStage()

  test('an auction and a session are made, each with one press, with times on the clock of the house', async () => {
    const { page, context, key, read } = await openHouse(stage, 'nieuw', [], '/')
    const eur = (amount: number) => ({ amount, currency: 'EUR' })
    await askStaff(stage, key, 'POST', '/increment_strategies', {
      name: 'Standaard',
      steps: [{ from: eur(0), increment: eur(500) }],
    })
    await page.getByRole('link', { name: 'Prepare' }).click()
    await page.getByRole('button', { name: 'New sale' }).click()
    await takeAndClose(page, 'Make', 'Winterveiling', { 'Title of the sale': 'Winterveiling', Reference: '2036-1' })
    await page.getByRole('button', { name: 'New session in Winterveiling' }).click()
    const dialog = page.getByRole('dialog')
    assert.equal(await dialog.getByLabel('Reference').inputValue(), '2036-1/A')
    await dialog.getByLabel('Reference').fill('s')
    await dialog.getByLabel('Title').fill('Avond')
    await dialog.getByLabel('Opens').fill('2036-07-01T10:00')
    await dialog.getByLabel('The first lot closes').fill('2036-07-02T19:00')
    await dialog.getByRole('button', { name: 'Make', exact: true }).click()
    await dialog.getByRole('alert').getByText('has this reference').waitFor()
    await take(page, 'Make', 'Avond', { Reference: '2036-1/A', 'Lots that close together': '2', premium: '22,5' })
    await dialog.getByRole('link', { name: 'Prepare' }).click()
    await page.getByRole('heading', { name: 'Avond' }).waitFor()
    const [session] = await read<Session[]>('/sessions?external_reference=2036-1%2FA')
    const { opens_at, published, settings, timed: terms } = session!
    assert.deepEqual(
      [opens_at, published, settings.buyer_premium_percentage, terms.first_closes_at, terms.group_size],
      ['2036-07-01T08:00:00.000Z', false, '22.5', '2036-07-02T17:00:00.000Z', 2],
    )
    await context.close()
  })

  test('a field that must be filled in has a star, and its refusal is in the language of the window', async () => {
    const { page, context } = await openHouse(stage, 'leer', [], '/prepare', { locale: 'de-DE' })
    const dialog = page.getByRole('dialog')
    await page.getByRole('button', { name: 'Neue Auktion' }).click()
    const star = (name: string) =>
      dialog.getByLabel(name).evaluate((field) => getComputedStyle(field.closest('label')!, '::after').content)
    for (const name of ['Titel der Auktion', 'Referenz']) assert.match(await star(name), /^"\*"/)
    await dialog.getByLabel('Titel der Auktion').fill('Winter')
    await dialog.getByRole('button', { name: 'Anlegen' }).click()
    await dialog.getByRole('alert').getByText('Füllen Sie „Referenz“ aus.').waitFor()
    await page.keyboard.type('2036-7')
    assert.equal(await dialog.getByLabel('Referenz').inputValue(), '2036-7')
    assert.deepEqual(await findBarriers(page), [])
    await page.keyboard.press('Enter')
    await dialog.getByRole('status').getByText('Das ist geschehen:').waitFor()
    await dialog.getByText('Die Auktion „Winter“ ist ein Entwurf.').waitFor()
    await dialog.getByRole('button', { name: 'Schließen' }).click()
    await page.getByRole('button', { name: 'Neue Sitzung' }).first().click()
    await dialog.getByLabel('Titel der Sitzung').fill('Abend')
    await dialog.getByLabel('Öffnet').fill('2036-07-01T10:00')
    await dialog.getByLabel('Das erste Los schließt').fill('2036-07-02T19:00')
    await dialog.getByLabel('Sekunden dazwischen').fill('-5')
    await dialog.getByRole('button', { name: 'Anlegen' }).click()
    await dialog.getByRole('alert').getByText('„Sekunden dazwischen“ hat die falsche Form.').waitFor()
    await context.close()
  })

  test('a dialog of several fields asks before one key drops what was typed', async () => {
    const { page, context } = await openHouse(stage, 'getypt', [], '/prepare')
    const dialog = page.getByRole('dialog')
    const open = () => page.getByRole('button', { name: 'New sale' }).click()
    await open()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await open()
    await dialog.getByLabel('Reference').fill('2036-9')
    await dialog.getByLabel('Title of the sale').fill('Winter')
    await page.keyboard.press('Escape')
    await dialog.getByRole('alert').getByText('Escape again drops what you typed.').waitFor()
    await page.keyboard.press('End')
    await page.keyboard.type('veiling')
    assert.equal(await dialog.getByLabel('Title of the sale').inputValue(), 'Winterveiling')
    assert.equal(await dialog.getByRole('alert').textContent(), '')
    await page.mouse.click(2, 2)
    await dialog.getByRole('alert').getByText('Escape again').waitFor()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await context.close()
  })

  test('times change after the schedule before and after was shown; only what was typed is sent', async () => {
    const { page, context, session, read } = await openHouse(stage, 'tijden', [{}, {}], '/sessions/SESSION/prepare')
    const button = page.getByRole('button', { name: 'Title, times and premium' })
    await button.click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Check first' }).click()
    await dialog.getByRole('alert').getByText('Nothing was changed').waitFor()
    await dialog.getByLabel('Opens').fill('2036-01-05T11:00')
    await dialog.getByRole('button', { name: 'Check first' }).click()
    await dialog.getByRole('alert').getByText(/./).waitFor()
    await dialog.getByLabel('Opens').fill('2036-01-01T11:00')
    await dialog.getByLabel('The first lot closes').fill('2036-01-02T20:00')
    await dialog.getByLabel('Seconds between them').fill('120')
    await dialog.getByRole('button', { name: 'Check first' }).click()
    const row = dialog.getByRole('row', { name: /^Lot 2/ })
    assert.match((await row.textContent())!, /2 Jan 2036, 11:01:00.*2 Jan 2036, 20:02:00/)
    assert.deepEqual(await findBarriers(page), [])
    await dialog.getByRole('button', { name: 'Change', exact: true }).click()
    await close(page)
    await page.waitForFunction(() => document.activeElement?.textContent === 'Title, times and premium')
    const { timed: terms, title } = await read<Session>(`/sessions/${session}`)
    assert.deepEqual(
      [title, terms.first_closes_at, terms.interval_seconds],
      ['Zitting tijden', '2036-01-02T19:00:00.000Z', 120],
    )
    const lots = await read<{ closes_at: string }[]>(`/lots?session=${session}`)
    assert.deepEqual(lots.map(({ closes_at }) => closes_at).toSorted(), [
      '2036-01-02T19:00:00.000Z',
      '2036-01-02T19:02:00.000Z',
    ])
    await context.close()
  })

  test('chosen items become lots in the order of their references, and those of other lots are left out unless offered again', async () => {
    const { page, context, key, session, go, read } = await openHouse(
      stage,
      'hoop',
      [{ title: 'Al in een kavel' }],
      '/prepare',
    )
    const eur = (amount: number) => ({ amount, currency: 'EUR' })
    for (const [reference, low] of [
      ['Z-10', 90_000],
      ['Z-2', 10_000],
    ] as const)
      await stage.call(
        '/items',
        'POST',
        { external_reference: reference, title: reference, estimate: { low: eur(low) } },
        key,
      )
    await go('/sessions/SESSION/prepare')
    await page.getByRole('link', { name: 'Add lots' }).click()
    await page.getByRole('checkbox', { name: 'Select Z-2' }).waitFor()
    assert.equal(await page.getByRole('checkbox').count(), 2)
    await page.getByRole('combobox', { name: /^Missing/ }).selectOption('image')
    await page.getByRole('combobox', { name: /^In a sale/ }).selectOption('all')
    await page.getByRole('button', { name: 'Select all 3' }).click()
    const add = async () => {
      await page.getByRole('button', { name: /^Add to a sale/ }).click()
      return page.getByRole('dialog')
    }
    const dialog = await add()
    await page.getByRole('dialog', { name: 'to Zitting hoop · hoop' }).waitFor()
    await dialog.getByLabel('Starting bid').fill('50')
    await dialog.getByRole('button', { name: 'Check first' }).click()
    await dialog.getByText('2 lots would be added, numbers 2 to 3.').waitFor()
    await dialog.getByText('Al in een kavel').waitFor()
    await dialog.getByText('It is in lot s/1.').waitFor()
    const itsLot = (await dialog.getByRole('link', { name: 's/1' }).getAttribute('href'))!
    assert.match(itsLot, new RegExp(`/sessions/${session}/lots/lot_`))
    assert.deepEqual(await findBarriers(page), [])
    const readLots = async () =>
      (
        await read<{ lot_number: number; title: string; active: boolean; starting_bid: { amount: number } | null }[]>(
          `/lots?session=${session}`,
        )
      )
        .toSorted((one, other) => one.lot_number - other.lot_number)
        .map(({ title, starting_bid }) => [title, starting_bid?.amount ?? null])
    assert.equal((await readLots()).length, 1)
    await dialog.getByRole('button', { name: 'Add', exact: true }).click()
    await dialog.getByText('2 lots are added').waitFor()
    await close(page)
    await page.getByRole('checkbox', { name: 'Select i0' }).check()
    await add()
    await dialog.getByLabel('Even if sold before').check()
    await take(page, 'Add', '1 lot would be added, number 4.')
    assert.deepEqual(await readLots(), [
      ['Al in een kavel', null],
      ['Z-2', 5_000],
      ['Z-10', 45_000],
      ['Al in een kavel', null],
    ])
    await context.close()
  })

  test('a dialog that was opened before the sessions were read offers them once they are', async () => {
    const { page, context, read, session, key } = await openHouse(stage, 'later-gelezen', [], '/')
    await stage.call('/items', 'POST', { external_reference: 'L-1', title: 'Lamp' }, key)
    const held = Promise.withResolvers<void>()
    await intercept(page, /\/api\/v2\/auctions\?/, async (route) => held.promise.then(() => route.fallback()))
    await page.goto(`${stage.origin}/#/prepare/items`)
    await page.reload()
    await page.getByRole('checkbox', { name: 'Select L-1' }).check()
    await page.getByRole('button', { name: /^Add to a sale/ }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Session').waitFor()
    held.resolve()
    await dialog.getByLabel('Session').selectOption({ label: 'Zitting later-gelezen · later-gelezen' })
    await take(page, 'Add', '1 lot would be added, number 1.')
    assert.equal((await read<object[]>(`/lots?session=${session}`)).length, 1)
    await context.close()
  })

  test('lots are ordered by keyboard and numbered after old and new numbers were shown, unless the numbers are fixed', async () => {
    const { page, context, session, read } = await openHouse(stage, 'orde', [{}, {}, {}], '/sessions/SESSION/prepare')
    const titles = async () =>
      (await read<{ lot_number: number; title: string }[]>(`/lots?session=${session}`))
        .toSorted((one, other) => one.lot_number - other.lot_number)
        .map(({ lot_number, title }) => `${lot_number} ${title}`)
    await page.getByRole('button', { name: 'Move Kavel 3 up' }).focus()
    await page.keyboard.press('Alt+Home')
    await page.getByText('Kavel 3: place 1 of 3.').waitFor()
    await page.waitForFunction(() => document.activeElement?.getAttribute('aria-label') === 'Move Kavel 3 up')
    await page.getByRole('button', { name: 'Move Kavel 1 down' }).press('Enter')
    await page.getByText('Kavel 1: place 3 of 3.').waitFor()
    await page.getByLabel('Number from').fill('11')
    await page.getByRole('button', { name: 'Number the lots' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Check first' }).click()
    await dialog.getByRole('listitem').filter({ hasText: '3 → 11' }).waitFor()
    assert.equal((await titles())[0], '1 Kavel 1')
    await dialog.getByRole('button', { name: 'Number', exact: true }).click()
    await dialog.getByText('3 lots have other numbers.').waitFor()
    await close(page)
    assert.deepEqual(await titles(), ['11 Kavel 3', '12 Kavel 2', '13 Kavel 1'])
    await page.getByRole('button', { name: 'Keep these numbers' }).click()
    await takeAndClose(page, 'Keep these numbers', 'The numbers are fixed')
    await page.getByRole('button', { name: 'Let the numbers change again' }).waitFor()
    assert.deepEqual(await findBarriers(page), [])
    await page.getByLabel('Sort by').selectOption('reference')
    await page.getByRole('button', { name: 'Number the lots' }).click()
    await dialog.getByRole('button', { name: 'Check first' }).click()
    await dialog.getByRole('alert').getByText('The numbers are fixed.').waitFor()
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('button', { name: 'Let the numbers change again' }).click()
    await takeAndClose(page, 'Let the numbers change again', 'can change again')
    assert.deepEqual(await titles(), ['11 Kavel 3', '12 Kavel 2', '13 Kavel 1'])
    await context.close()
  })

  test('a number is typed in its row, one that another lot has is refused, and a lot is removed from the sale', async () => {
    const { page, context, read, session } = await openHouse(
      stage,
      'getypte-nummers',
      [{}, {}, {}],
      '/sessions/SESSION/prepare',
    )
    type Numbered = { lot_number: number; title: string }
    const numbers = async () =>
      (await read<Numbered[]>(`/lots?session=${session}`)).map(({ lot_number, title }) => `${lot_number} ${title}`)
    const field = (lot: number) => page.getByRole('textbox', { name: `Number of Kavel ${lot}`, exact: true })
    await field(3).fill('10')
    await field(3).press('Enter')
    await settle(numbers, ['1 Kavel 1', '2 Kavel 2', '10 Kavel 3'])
    await field(1).fill('2')
    await field(1).press('Enter')
    await page.getByRole('alert').getByText('Another lot has the number.').waitFor()
    await field(1).fill('een')
    await field(1).press('Tab')
    await page.getByRole('alert').getByText('Enter a whole number, from 1 on.').waitFor()
    assert.deepEqual(await numbers(), ['1 Kavel 1', '2 Kavel 2', '10 Kavel 3'])
    assert.deepEqual(await findBarriers(page), [])
    await page.getByRole('button', { name: 'Remove from the sale: Remove Kavel 2' }).click()
    await takeAndClose(page, 'Remove from the sale', 'The lot is removed.')
    await field(2).waitFor({ state: 'detached' })
    assert.deepEqual(await numbers(), ['1 Kavel 1', '10 Kavel 3'])
    await context.close()
  })

  test('numbers that were loaded as fixed and lots that were loaded as held are shown so, as is what another person changes', async () => {
    const terms = { ...timed, published: false, numbers_fixed: true }
    await stage.createSale('vast', 'Vaste nummers', terms, [{ lot: { held: true } }, {}])
    const key = await stage.issueKey('vast', { staff: 'Anna' })
    const session = await findSession(stage, 's', key)
    const { page, context } = await stage.open(`${stage.origin}/#key=${key}`)
    await page.waitForSelector('.sessions .count')
    await page.goto(`${stage.origin}/#/sessions/${session}/prepare`)
    await page.getByText('The numbers are fixed. To renumber').waitFor()
    await askStaff(stage, key, 'PATCH', `/sessions/${session}`, { numbers_fixed: false })
    await page.getByRole('button', { name: 'Keep these numbers' }).waitFor()
    await page.goto(`${stage.origin}/#/sessions/${session}/desk`)
    await page.getByRole('region', { name: 'Held' }).getByText('Kavel 1').waitFor()
    await context.close()
  })

  test('starting bids are typed row by row or come from estimates; one of another person is shown, not overwritten', async () => {
    const eur = (amount: number) => ({ amount, currency: 'EUR' })
    const { page, context, session, key, read } = await openHouse(
      stage,
      'inzet',
      [{}, { active: false }, { estimate: { low: eur(30_000) } }],
      '/sessions/SESSION/prepare',
    )
    type Lot = { id: string; lot_number: number; active: boolean; starting_bid: { amount: number } | null }
    const readLots = () => read<Lot[]>(`/lots?session=${session}&limit=100`)
    const field = (lot: number) => page.getByLabel(`Starting bid of lot ${lot}`)
    await field(1).fill('1,5')
    await page.keyboard.press('Enter')
    await page.getByRole('alert').getByText('Write an amount such as').waitFor()
    assert.equal(await field(1).getAttribute('aria-invalid'), 'true')
    await field(1).fill('150')
    await page.keyboard.press('Enter')
    await page.waitForFunction(() => document.activeElement?.getAttribute('aria-label') === 'Starting bid of lot 2')
    await page
      .getByRole('row', { name: /Kavel 1/ })
      .getByText('stored')
      .waitFor()
    await page.getByRole('button', { name: 'Starting bids from estimates' }).click()
    await takeAndClose(page, 'Store', '€150', { 'Per cent of the low estimate': '50' })
    assert.deepEqual(
      (await readLots()).map((lot) => lot.starting_bid?.amount ?? null),
      [15_000, null, 15_000],
    )
    // The page does not learn of the other bid before it stores its own.
    const letThrough = await intercept(page, '**/api/v2/changes*', (route) => route.abort())
    // It reads its lots when it opens, and again before it would follow them.
    let readings = 0
    page.on('response', (response) => (readings += Number(/v[12]\/lots\?/.test(response.url()))))
    await page.reload()
    await field(1).waitFor()
    await settle(() => readings >= 2, true)
    await askStaff(stage, key, 'PATCH', `/lots/${(await readLots())[0]!.id}`, { starting_bid: eur(9_900) })
    await field(1).fill('200')
    await page.keyboard.press('Enter')
    await page.getByRole('alert').getByText('Another person stored 99 meanwhile').waitFor()
    assert.equal((await readLots())[0]!.starting_bid!.amount, 9_900)
    letThrough()
    await page.getByRole('button', { name: 'Switch all lots on' }).click()
    await takeAndClose(page, 'Switch on', '1 lot would be switched on: it takes part in the sale.')
    await page.getByRole('button', { name: 'Publish' }).click()
    await takeAndClose(page, 'Publish', 'The public sees the session.')
    await page.getByRole('button', { name: 'Enable bidding' }).click()
    await takeAndClose(page, 'Enable bidding', 'Lot 2 has no starting bid')
    assert.ok((await readLots()).every(({ active }) => active))
    await context.close()
  })

  test('starting bids of many lots are stored by one request, and one of another person stays', async () => {
    const eur = (amount: number) => ({ amount, currency: 'EUR' })
    const lots = Array.from({ length: 30 }, () => ({ estimate: { low: eur(30_000) } }))
    const { page, context, session, key, read } = await openHouse(stage, 'inzetten', lots, '/sessions/SESSION/prepare')
    type Lot = { id: string; lot_number: number; starting_bid: { amount: number } | null }
    const readLots = () => read<Lot[]>(`/lots?session=${session}&limit=100`)
    const changes: string[] = []
    page.on('request', (request) => {
      if (request.method() === 'PATCH') changes.push(request.url())
    })
    await page.getByRole('button', { name: 'Starting bids from estimates' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Per cent of the low estimate').fill('50')
    await dialog.getByRole('button', { name: 'Check first' }).click()
    await dialog.getByText('30 lots get a starting bid:').waitFor()
    await askStaff(stage, key, 'PATCH', `/lots/${(await readLots())[0]!.id}`, { starting_bid: eur(9_900) })
    await dialog.getByRole('button', { name: 'Store', exact: true }).click()
    await dialog.getByText('29 lots get a starting bid:').waitFor()
    const path = `${stage.origin}/staff/v1/sessions/${session}/lots`
    assert.deepEqual(changes, [`${path}?dry_run=true`, path])
    const bids = (await readLots()).map(({ starting_bid }) => starting_bid?.amount)
    assert.deepEqual(bids, [9_900, ...Array.from({ length: 29 }, () => 15_000)])
    await context.close()
  })

  test('what lots lack is listed for each session, and each line leads to where it is mended', async () => {
    const text = (title: string) => [{ locale: 'en', title }]
    const { page, context } = await openHouse(
      stage,
      'gemis',
      [{ translations: text('One') }, { lot: { starting_bid: { amount: 10_000, currency: 'EUR' } } }],
      '/prepare',
    )
    const open = (name: string) => page.getByText(name, { exact: true }).click()
    await page.getByText('2 lots without photograph').waitFor()
    await open('1 lot without translation')
    await page.getByRole('link', { name: '2 Kavel 2' }).filter({ visible: true }).waitFor()
    assert.deepEqual(await findBarriers(page), [])
    await open('1 lot without translation')
    await open('1 lot without starting bid')
    await page.getByRole('link', { name: '1 Kavel 1' }).click()
    await page.waitForFunction(() => document.activeElement?.getAttribute('aria-label') === 'Starting bid of lot 1')
    await page.goBack()
    await open('2 lots without description')
    await page.getByRole('link', { name: '2 Kavel 2' }).click()
    await page.getByRole('link', { name: 'Edit', exact: true }).waitFor()
    await context.close()
  })

  test('a session of a draft auction says what the public would not see, and is published with its auction at once', async () => {
    const off = { lot: { active: false } }
    const { page, context, key, read, go, session } = await openHouse(stage, 'beide', [off, off], '/')
    const { auction } = await read<{ auction: string }>(`/sessions/${session}`)
    await askStaff(stage, key, 'PATCH', `/auctions/${auction}`, { published: false })
    await go('/sessions/SESSION/prepare')
    await page.reload()
    await page.getByText('is a draft: the public does not see this session.').waitFor()
    const dialog = page.getByRole('dialog')
    await page.getByRole('button', { name: 'Publish', exact: true }).click()
    await dialog.getByLabel('Publish the sale “beide” too').uncheck()
    await page.keyboard.press('Enter')
    await dialog.getByText('stays a draft: the public does not see the session.').waitFor()
    assert.equal(await dialog.getByText('The public sees the session.').count(), 0)
    await dialog.getByLabel('Publish the sale “beide” too').check()
    await dialog.getByRole('button', { name: 'Check first' }).click()
    await dialog.getByText('The public sees the session.').waitFor()
    await dialog.getByText('All 2 lots are off.').waitFor()
    await dialog.getByText('2 lots without photograph').waitFor()
    await dialog.getByRole('button', { name: 'Publish', exact: true }).click()
    await dialog.getByRole('button', { name: /^Close/ }).waitFor()
    const published = await Promise.all(
      [`/sessions/${session}`, `/auctions/${auction}`].map(async (path) => (await read<Session>(path)).published),
    )
    assert.deepEqual(published, [true, true])
    await context.close()
  })

  test('what is typed is kept through a reload and a revoked key: a dialog, an order without numbers', async () => {
    const { page, context, go } = await openHouse(stage, 'bewaard', [{}, {}, {}], '/prepare')
    const dialog = page.getByRole('dialog')
    const open = () => page.getByRole('button', { name: 'New session in' }).first().click()
    const assertKept = async () => {
      await open()
      assert.equal(await dialog.getByLabel('Title').inputValue(), 'Ochtend')
      assert.equal(await dialog.getByLabel('Online bidding closes').inputValue(), '2036-07-02T19:00')
    }
    await open()
    await dialog.getByLabel('Kind').selectOption('live')
    await dialog.getByLabel('Title').fill('Ochtend')
    await dialog.getByLabel('Online bidding closes').fill('2036-07-02T19:00')
    const keys = (await stage.run('keys', 'list', '--house', 'bewaard')) as unknown as { id: string }[]
    for (const { id } of keys) await stage.run('keys', 'revoke', id)
    await page.getByLabel('Your key').waitFor()
    await page.getByLabel('Your key').fill(await stage.issueKey('bewaard', { staff: 'Bram' }))
    await page.keyboard.press('Enter')
    await assertKept()
    await page.reload()
    await assertKept()
    await page.keyboard.press('Escape')
    await dialog.getByRole('alert').getByText('Escape again drops what you typed.').waitFor()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'New session in' }).first().click()
    assert.equal(await dialog.getByLabel('Title').inputValue(), '')
    await page.keyboard.press('Escape')

    await go('/sessions/SESSION/prepare')
    await page
      .getByRole('button', { name: /^Move .* down/ })
      .first()
      .click()
    const rows = page.getByRole('region', { name: 'Order and numbers' }).locator('tbody tr')
    const first = await rows.first().textContent()
    await page.reload()
    await page.getByRole('button', { name: 'Discard the new order' }).waitFor()
    assert.equal(await rows.first().textContent(), first)
    await context.close()
  })

  test('publishing waits for the lots that still load, and says that they are off', async () => {
    const { page, context, go } = await openHouse(
      stage,
      'laadt',
      Array.from({ length: 150 }, () => ({ active: false })),
      '/',
    )
    const gate = Promise.withResolvers<void>()
    await page.route('**/staff/v1/lots?*limit=1000*', async (route) => {
      await gate.promise
      await route.continue()
    })
    await go('/sessions/SESSION/prepare')
    await page.getByText('100 of 150 lots loaded').waitFor()
    await page.getByRole('button', { name: 'Publish', exact: true }).click()
    await page.keyboard.press('Enter')
    gate.resolve()
    await page.getByRole('dialog').getByText('All 150 lots are off.').waitFor()
    await context.close()
  })

  test('a tab whose storage is full takes what is typed', async () => {
    const { page, context, go } = await openHouse(stage, 'vol', [{}, {}], '/prepare')
    await page.evaluate(() => {
      const most = 5 * 1024 * 1024
      for (let size = most; size >= 1; size = Math.floor(size / 2))
        try {
          sessionStorage.setItem(`filler ${size}`, 'x'.repeat(size))
        } catch {}
    })
    const errors: Error[] = []
    page.on('pageerror', (error) => errors.push(error))
    await go('/sessions/SESSION/prepare')
    await page
      .getByRole('button', { name: /^Move .* down/ })
      .first()
      .click()
    await page.getByRole('button', { name: 'Discard the new order' }).waitFor()
    assert.deepEqual(errors, [])
    await context.close()
  })

  test('what is typed in one house is not shown in another of the same name, and is there again in the first', async () => {
    const keys: string[] = []
    for (const slug of ['zwaan-noord', 'zwaan-zuid']) {
      await stage.load([{ type: 'house', slug, name: 'De Zwaan', default_locale: 'nl', currency: 'EUR' }])
      keys.push(await stage.issueKey(slug, { staff: 'Anna' }))
    }
    const { page, context } = await stage.open(`${stage.origin}/#key=${keys[0]}`)
    const title = page.getByRole('dialog').getByLabel('Title of the sale')
    const open = async () => {
      await page.getByRole('link', { name: 'Prepare', exact: true }).click()
      await page.getByRole('button', { name: 'New sale' }).click()
    }
    const change = async (key: string) => {
      await page.keyboard.press('Escape')
      await page.goto(`${stage.origin}/#key=${key}`)
      await page.getByRole('dialog').getByRole('button', { name: 'Change' }).click()
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      await open()
    }
    await open()
    await title.fill('Een geheim')
    await page.reload()
    await change(keys[1]!)
    assert.equal(await title.inputValue(), '')
    await change(keys[0]!)
    assert.equal(await title.inputValue(), 'Een geheim')
    await context.close()
  })

  test('a session that was typed and is no choice any more leaves the other choices free', async () => {
    const { page, context, session, key, read } = await openHouse(stage, 'keuze', [{}], '/prepare/items?offered=all')
    const { auction } = await read<{ auction: string }>(`/sessions/${session}`)
    const eur = (amount: number) => ({ amount, currency: 'EUR' })
    const steps = [{ from: eur(0), increment: eur(500) }]
    await askStaff(stage, key, 'POST', '/increment_strategies', { name: 'Standaard', steps })
    const [strategy] = await read<{ id: string }[]>('/increment_strategies')
    const terms = { opens_at: timed.opens_at, timed: timed.timed, increment_strategy: strategy!.id }
    const made = await stage.call<{ id: string }>(
      '/sessions',
      'POST',
      { auction, external_reference: 's2', title: 'Avond', ...terms },
      key,
    )
    await page.reload()
    const open = async () => {
      await page.getByLabel('Select i0').check()
      await page.getByRole('button', { name: /^Add to a sale/ }).click()
    }
    await open()
    const choice = page.getByRole('dialog').getByLabel('Session')
    await choice.selectOption(made.id)
    await askStaff(stage, key, 'DELETE', `/sessions/${made.id}`)
    await page.reload()
    await open()
    await choice.locator('option').first().waitFor({ state: 'attached' })
    await choice.selectOption(session)
    await page
      .getByRole('dialog')
      .getByLabel(/per cent/)
      .focus()
    await page.keyboard.type('5')
    assert.equal(await choice.inputValue(), session)
    await context.close()
  })

  test('a session that opens in the past by a typing error is warned of, corrected, emptied and deleted', async () => {
    const { page, context, key, read, go } = await openHouse(stage, 'verleden', [], '/prepare')
    const eur = (amount: number) => ({ amount, currency: 'EUR' })
    const steps = [{ from: eur(0), increment: eur(500) }]
    await askStaff(stage, key, 'POST', '/increment_strategies', { name: 'Standaard', steps })
    await page.getByRole('button', { name: 'New session in' }).first().click()
    const dialog = page.getByRole('dialog')
    const past = {
      Reference: 'oud',
      Title: 'Oud',
      Opens: '2016-07-01T10:00',
      'The first lot closes': '2016-07-02T19:00',
    }
    for (const [label, text] of Object.entries(past)) await dialog.getByLabel(label).fill(text)
    await dialog.getByRole('button', { name: 'Make', exact: true }).click()
    await dialog.getByText('is a draft').waitFor()
    await dialog.getByText('This time has passed: Opens, The first lot closes.').waitFor()
    await close(page)
    await page.getByRole('link', { name: /Oud/ }).waitFor()
    const [{ id }] = await read<[Session]>('/sessions?external_reference=oud')
    await go(`/sessions/${id}/prepare`)
    await page.getByRole('link', { name: 'Add lots' }).waitFor()
    await page.getByRole('button', { name: 'Title, times and premium' }).click()
    await takeAndClose(page, 'Change', '2036', {
      Opens: '2036-07-01T10:00',
      'The first lot closes': '2036-07-02T19:00',
    })
    assert.equal((await read<Session>(`/sessions/${id}`)).opens_at, '2036-07-01T08:00:00.000Z')
    await page.getByRole('button', { name: 'Delete the session' }).click()
    await dialog.getByRole('button', { name: 'Check first' }).click()
    await dialog.getByText('The session is gone, and its reference is free.').waitFor()
    await dialog.getByRole('button', { name: 'Delete the session', exact: true }).click()
    await page.waitForURL(/#\/prepare$/)
    await page.getByRole('link', { name: /Oud/ }).waitFor({ state: 'detached' })
    assert.deepEqual(await read<Session[]>('/sessions?external_reference=oud'), [])
    await context.close()
  })

  test('an opening of a published session that has passed is refused, and the earliest one that is taken is named', async () => {
    const { page, context, session, key, read } = await openHouse(stage, 'te-vroeg', [{}], '/sessions/SESSION/prepare')
    await askStaff(stage, key, 'PATCH', `/sessions/${session}`, { published: true })
    await page.getByRole('button', { name: 'Title, times and premium' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Opens', { exact: true }).fill('2024-01-01T10:00')
    await dialog.getByRole('button', { name: 'Check first' }).click()
    await dialog.getByText('must open in five minutes or later: enter').waitFor()
    assert.equal((await read<Session>(`/sessions/${session}`)).opens_at, '2036-01-01T10:00:00.000Z')
    await context.close()
  })
})
