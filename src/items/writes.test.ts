import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { eur, uuid } from '../../test/support/lines.ts'
import { checksum, openWriting } from '../../test/support/writing.ts'
import { noTexts } from './texts.ts'

const service = await openWriting([
  { type: 'item', id: uuid(1), external_reference: 'archived', title: 'Weg', archived: true },
  {
    type: 'item',
    id: uuid(2),
    external_reference: 'legacy',
    title: 'Oud',
    description: 'Cache',
    estimate: { low: eur(900), high: eur(500) },
  },
  {
    type: 'item',
    id: uuid(3),
    external_reference: 'twice',
    title: 'Dubbel',
    translations: [
      { locale: 'en', title: 'a' },
      { locale: 'en', title: 'b' },
    ],
  },
])
after(() => service.close())
const { post, patch, show, errorsOf, repeats } = service

let number = 0
async function create(fields: Record<string, unknown> = {}): Promise<string> {
  const { status, data, errors } = await post('items', {
    external_reference: `I-${++number}`,
    title: 'Vaas',
    ...fields,
  })
  assert.equal(status, 201, errors.join())
  return `items/${data.id}`
}
const change = async (path: string, body: unknown) => {
  const { status, data, errors } = await patch(path, body)
  assert.equal(status, 200, `${JSON.stringify(body)} ${errors.join()}`)
  assert.deepEqual(data, await show(path))
  return data
}

test('a POST creates an item with all given values, and a GET of its Location reads it back with expansions', async () => {
  const body = {
    external_reference: ' é ',
    translations: { nl: { title: 'Klok', weight: '2 kg' }, en: { title: 'Clock', condition: null }, de: {} },
    description: 'Staand',
    estimate: { low: eur(10000) },
  }
  const { status, data, location } = await post('items?expand[]=images', body)
  assert.equal(status, 201)
  assert.equal(location, `/api/v2/items/${data.id}`)
  assert.deepEqual(data, await show(`items/${data.id}?expand[]=images`))
  const { id: _, created_at, updated_at, ...rest } = data
  assert.equal(created_at, updated_at)
  assert.deepEqual(rest, {
    external_reference: ' é ',
    ...noTexts,
    title: 'Klok',
    description: 'Staand',
    weight: '2 kg',
    estimate: { low: eur(10000) },
    images: [],
    translations: { en: { title: 'Clock' }, nl: { title: 'Klok', description: 'Staand', weight: '2 kg' } },
    seller: null,
    categories: [],
    makers: [],
    delivery_class: null,
    consignment: null,
  })
})

test('a refusal names every error in the body by its field and code, and stores nothing', async () => {
  const created = await create()
  const cases: [body: unknown, create: string[], update: string[]][] = [
    [{}, ['external_reference required', 'title required'], []],
    [{ external_reference: 'x', title: null }, ['title wrong_type'], ['title not_clearable']],
    [
      { external_reference: null, title: ' \t' },
      ['external_reference wrong_type', 'title blank'],
      ['external_reference not_clearable', 'title blank'],
    ],
    [
      { external_reference: 'é'.repeat(513), title: 'a\0' },
      ['external_reference too_long', 'title invalid'],
      ['external_reference too_long', 'title invalid'],
    ],
    [{ external_reference: 'x', title: '\ud800' }, ['title invalid'], ['title invalid']],
  ]
  for (const [body, onCreate, onUpdate] of cases) {
    assert.deepEqual(await errorsOf('POST', 'items', body), onCreate)
    if (onUpdate.length > 0) assert.deepEqual(await errorsOf('PATCH', created, body), onUpdate)
  }
  const both: [body: object, errors: string[]][] = [
    [{ title: 5, lot: 1, weight: [] }, ['title wrong_type', 'lot unknown_field', 'weight wrong_type']],
    [
      { translations: { 'en-GB': { title: 'x' }, en: null, fr: { name: 'x' } } },
      ['translations.en-GB unsupported_locale', 'translations.en wrong_type', 'translations.fr.name unknown_field'],
    ],
    [
      { title: 'a', translations: { nl: { title: 'b', weight: '1' } }, weight: '2' },
      ['title title_mismatch', 'weight invalid'],
    ],
    [
      { estimate: { low: { amount: 150, currency: 'USD' }, high: 5 } },
      ['estimate.low.amount invalid', 'estimate.high wrong_type', 'estimate.low.currency currency_mismatch'],
    ],
    [{ title: 5, estimate: { low: eur(200), high: eur(100) } }, ['title wrong_type', 'estimate low_exceeds_high']],
    [
      { estimate: { low: { amount: -100 }, high: eur(214748364800) } },
      ['estimate.low.currency required', 'estimate.low.amount out_of_range', 'estimate.high.amount out_of_range'],
    ],
    [{ estimate: [], translations: 'x' }, ['estimate wrong_type', 'translations wrong_type']],
    [
      { estimate: { low: { amount: '100', currency: 'EUR' }, mid: null } },
      ['estimate.low.amount wrong_type', 'estimate.mid unknown_field'],
    ],
    [
      {
        seller: 'sel_1',
        categories: [null, 5, 'x', 'x'],
        makers: 'x',
        delivery_class: '',
        consignment: `sel_${uuid(1)}`,
      },
      [
        'seller invalid',
        'categories.0 wrong_type',
        'categories.1 wrong_type',
        'categories.2 invalid',
        'categories.3 invalid',
        'makers wrong_type',
        'delivery_class invalid',
        'consignment invalid',
      ],
    ],
    [{ makers: [uuid(9), `mkr_${uuid(9)}`, uuid(9).toUpperCase()] }, ['makers.1 duplicate', 'makers.2 duplicate']],
  ]
  for (const [body, errors] of both) {
    const whole = 'title' in body || 'translations' in body ? body : { title: 'Vaas', ...body }
    const titled = 'translations' in body && !('title' in body) ? { title: 'Vaas', ...whole } : whole
    assert.deepEqual(
      (await errorsOf('POST', 'items', { external_reference: 'x', ...titled })).toSorted(),
      errors.toSorted(),
    )
    assert.deepEqual((await errorsOf('PATCH', created, body)).toSorted(), errors.toSorted())
  }
  assert.deepEqual(
    await errorsOf('POST', 'items', { external_reference: 'x', title: 'x', makers: null, estimate: { low: null } }),
    ['makers wrong_type', 'estimate.low wrong_type'],
  )
  assert.deepEqual(
    await errorsOf('PATCH', created, {
      makers: null,
      categories: null,
      translations: null,
      estimate: { low: { amount: null } },
    }),
    [
      'makers not_clearable',
      'categories not_clearable',
      'translations not_clearable',
      'estimate.low.currency required',
      'estimate.low.amount not_clearable',
    ],
  )
  assert.deepEqual(await errorsOf('PATCH', created, { translations: { nl: { title: null } } }), [
    'translations.nl.title not_clearable',
  ])
})

test('numbers that are not plain integers in range are refused in every notation', async () => {
  const created = await create()
  const send = (amount: string) =>
    patch(created, `{"estimate":{"low":{"amount":${amount},"currency":"EUR"}}}`, {
      headers: { 'content-type': 'application/json' },
    })
  for (const amount of ['100.0', '1e2', '"100"', 'true', '[]', '{}'])
    assert.deepEqual((await send(amount)).errors, ['estimate.low.amount wrong_type'], amount)
  for (const amount of ['-100', '9223372036854775808', '1'.repeat(400)])
    assert.deepEqual((await send(amount)).errors, ['estimate.low.amount out_of_range'], amount)
  assert.equal((await send('0')).status, 200)
  await repeats(created, { estimate: { low: eur(0) } })
  const before = await checksum(service.db)
  assert.equal((await send('-0')).status, 200)
  assert.equal(await checksum(service.db), before)
})

test('each item of a house has its own reference, archived items included; this refusal comes first', async () => {
  const created = await create({ external_reference: 'Once' })
  assert.equal(
    await service.refusal('POST', 'items', { external_reference: 'Once', title: 'x' }),
    '409 duplicate-reference',
  )
  assert.equal(
    await service.refusal('POST', 'items', { external_reference: 'archived', title: 'x' }),
    '409 duplicate-reference',
  )
  assert.equal(
    await service.refusal('POST', 'items', { external_reference: 'Once', title: 'x', seller: uuid(99) }),
    '409 duplicate-reference',
  )
  const other = await create({ external_reference: 'once' })
  assert.equal(await service.refusal('PATCH', other, { external_reference: 'Once' }), '409 duplicate-reference')
  assert.equal(
    await service.refusal('PATCH', other, { external_reference: 'Once', makers: [uuid(99)] }),
    '409 duplicate-reference',
  )
  assert.deepEqual(await errorsOf('PATCH', created, { external_reference: 'Once', makers: [uuid(99)] }), [
    'makers.0 unavailable',
  ])
  assert.equal((await change(other, { external_reference: 'Twice' })).external_reference, 'Twice')
})

test('a flat text is the translation of the default locale; null clears, an omitted text stays', async () => {
  const path = await create({ weight: '1 kg', translations: { en: { title: 'Vase', weight: '1 kg' } } })
  let item = await change(path, { translations: { nl: { description: 'Blauw' }, en: { weight: null } } })
  assert.deepEqual([item.description, item.weight], ['Blauw', '1 kg'])
  assert.deepEqual(item.translations, {
    en: { title: 'Vase' },
    nl: { title: 'Vaas', description: 'Blauw', weight: '1 kg' },
  })
  item = await change(path, {
    weight: null,
    title: 'Kan',
    translations: { nl: { weight: null, title: 'Kan' }, en: { title: null }, fr: { title: 'Vase' } },
  })
  assert.deepEqual(item.translations, { fr: { title: 'Vase' }, nl: { title: 'Kan', description: 'Blauw' } })
  assert.deepEqual([item.title, item.weight], ['Kan', null])
})

test('a change advances updated_at; a repeated value changes no row', async () => {
  const path = await create({
    weight: '1',
    translations: { en: { title: 'Vase' } },
    estimate: { low: eur(100), high: eur(300) },
  })
  let last = await show(path)
  const changes = [
    { title: 'Kan' },
    { weight: null },
    { translations: { en: { title: 'Jug' } } },
    { estimate: { high: null } },
    { estimate: null },
  ]
  for (const body of changes) {
    const next = await change(path, body)
    assert.ok(next['updated_at']! > last['updated_at']!, JSON.stringify(body))
    await repeats(path, body)
    last = next
  }
  const nothing = [
    {},
    { translations: {} },
    { translations: { nl: {}, hu: {}, en: { title: 'Jug' } } },
    { estimate: {} },
    { categories: [], makers: [], seller: null, consignment: null, delivery_class: null },
  ]
  for (const body of nothing) await repeats(path, body)
})

test("updated_at advances even if the writer's clock is behind", async () => {
  const path = await create()
  await sql`update catalogue.items set updated_at = '2099-01-01T00:00:00.123456Z', revision = revision + 1 where house_id = ${service.house.id}`.execute(
    service.db,
  )
  assert.equal((await change(path, { title: 'Kan' })).updated_at, '2099-01-01T00:00:00.124Z')
})

test('bounds change one by one, checked against the stored ones; stored bounds out of order stay readable', async () => {
  const path = await create({ estimate: { low: eur(1000), high: eur(2000) } })
  assert.deepEqual((await change(path, { estimate: { low: eur(1500) } })).estimate, { low: eur(1500), high: eur(2000) })
  assert.deepEqual(await errorsOf('PATCH', path, { estimate: { high: eur(1400) } }), ['estimate low_exceeds_high'])
  assert.deepEqual((await change(path, { estimate: { low: null, high: eur(1400) } })).estimate, { high: eur(1400) })
  assert.equal((await change(path, { estimate: { high: null } })).estimate, null)
  const legacy = `items/${uuid(2)}`
  await repeats(legacy, { estimate: {} })
  await repeats(legacy, { estimate: { low: eur(900) } })
  assert.deepEqual(await errorsOf('PATCH', legacy, { estimate: { low: eur(800) } }), ['estimate low_exceeds_high'])
  assert.deepEqual((await change(legacy, { estimate: { low: eur(500) } })).estimate, { low: eur(500), high: eur(500) })
})

test('the default locale gets its row with its first text', async () => {
  const legacy = `items/${uuid(2)}`
  for (const body of [{ title: 'Oud' }, { translations: { nl: {} } }, { translations: { nl: { weight: null } } }])
    await repeats(legacy, body)
  assert.deepEqual((await show(legacy)).translations, {})
  const { translations } = await change(legacy, { translations: { nl: { title: 'Oud' } } })
  assert.deepEqual(translations, { nl: { title: 'Oud', description: 'Cache' } })
})

test('an item with two translations in a locale is neither read nor changed; an archived one is not found', async () => {
  assert.equal(await service.refusal('PATCH', `items/${uuid(3)}`, { title: 'x' }), '500 integrity-unavailable')
  assert.equal(await service.refusal('PATCH', `items/${uuid(1)}`, { title: 'x' }), '404 not-found')
})
