import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { openSaleHouse } from '../../test/support/sale-house.ts'
import { houseLine, uuid } from '../../test/support/lines.ts'
import type { Json } from '../../test/support/service.ts'
import { findHouse } from '../houses/locks.ts'
import { kinds } from '../kinds.ts'
import { Problem } from '../problems.ts'
import { parseId } from '../values/ids.ts'
import { createReference, createReferences, removeReference, changeReference } from './references.ts'
import { madeKinds, type MadeKind } from './schema.ts'

const office = await openSaleHouse()
after(() => office.close())
const now = office.at('08:00:00')
const later = office.at('09:00:00')

const uuidOf = (kind: MadeKind, { id }: Json) => parseId(kind, id)!
const create = async (kind: MadeKind, body: unknown) =>
  JSON.parse((await createReference(now, kind, body)).json) as Json
const update = async (kind: MadeKind, record: Json, body: unknown) =>
  JSON.parse((await changeReference(later, kind, uuidOf(kind, record), body)).json) as Json
const remove = (kind: MadeKind, record: Json) => removeReference(later, kind, uuidOf(kind, record))
const pathOf = (kind: MadeKind, { id }: Json) => `${kinds[kind].plural}/${id}`

/** The problem of the refused work: its code, its reason, and the code of each field. */
async function problem(work: Promise<unknown>) {
  const error = await work.then(
    () => assert.fail('it was not refused'),
    (error: unknown) => error,
  )
  assert.ok(error instanceof Problem, String(error))
  return [error.code, error.reason ?? error.errors?.map(({ field, code }) => `${field} ${code}`).join()]
}

async function lastChange(record: Json) {
  const { data } = (await office.get('/api/v2/changes?limit=100', office.key)).json<{
    data: Json[]
  }>()
  return data.findLast(({ id }) => id === record.id)
}

async function journalOf(record: Json) {
  const { rows } = await sql<{ changes: string }>`
    select changes from catalogue.journal where changes like ${`%${record.id}%`} order by at, id`.execute(office.db)
  return rows.map(({ changes }) => JSON.parse(changes) as Json[])
}

type Fields = Record<string, unknown>

const samples: Record<MadeKind, { key: string; body: Fields; change: Fields }> = {
  seller: { key: 'seller_number', body: { seller_number: 71, profile_name: 'Jansen' }, change: { account_name: 'J.' } },
  category: { key: 'slug', body: { slug: 'klokken', names: { nl: 'Klokken' } }, change: { names: { en: 'Clocks' } } },
  maker: { key: 'name', body: { name: 'Breguet' }, change: { active: false } },
  delivery_class: { key: 'name', body: { name: 'Ophalen' }, change: { instructions: 'Op vrijdag.' } },
  consignment: { key: 'number', body: { number: 'C-71' }, change: { locked: true } },
}

for (const kind of madeKinds) {
  const { key, body, change } = samples[kind]
  test(`a ${kind} is made, changed and ended; the interface, the feed and the journal follow`, async () => {
    const made = await create(kind, body)
    assert.deepEqual(await office.read(pathOf(kind, made)), made)
    assert.equal((await lastChange(made))?.deleted, false)

    const changed = await update(kind, made, change)
    assert.notEqual(changed.updated_at, made.updated_at)
    assert.deepEqual(await office.read(pathOf(kind, made)), changed)
    const [version, repeated] = [await lastChange(made), await update(kind, made, { ...change, [key]: body[key] })]
    assert.deepEqual(repeated, changed)
    assert.deepEqual(await lastChange(made), version)

    assert.deepEqual(await problem(createReference(now, kind, body)), ['duplicate-reference', undefined])
    await remove(kind, made)
    const gone = await office.get(`/api/v2/${pathOf(kind, made)}`, office.key)
    assert.equal(gone.statusCode, 404)
    const last = await lastChange(made)
    assert.deepEqual([last?.id, last?.deleted, last?.version], [made.id, true, null])
    assert.equal((await problem(remove(kind, made)))[0], 'not-found')
    assert.equal((await problem(update(kind, made, change)))[0], 'not-found')
    assert.equal((await journalOf(made)).length, 3)
    // The name is free again.
    const again = await create(kind, body)
    assert.notEqual(again.id, made.id)
  })

  test(`of two concurrent writes with the same name, one makes a ${kind}`, async () => {
    const twin = kind === 'seller' ? { seller_number: 99 } : { [key]: 'tweeling' }
    const outcomes = await Promise.allSettled([1, 2, 3].map(() => createReference(now, kind, twin)))
    assert.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 1)
    for (const outcome of outcomes)
      if (outcome.status === 'rejected') assert.equal((outcome.reason as Problem).code, 'duplicate-reference')
  })
}

test('a loaded duplicate stays and can be changed, but nothing is renamed to it', async () => {
  await office.load([
    houseLine('house'),
    { type: 'maker', id: uuid(201), name: 'Dubbel' },
    { type: 'maker', id: uuid(202), name: 'Dubbel' },
  ])
  const twin = { id: `mkr_${uuid(202)}` }
  assert.equal((await update('maker', twin, { name: 'Dubbel', active: false })).active, false)
  const other = await create('maker', { name: 'Enkel' })
  assert.equal((await problem(update('maker', other, { name: 'Dubbel' })))[0], 'duplicate-reference')
})

test('of several records all are made or none, and each problem has its index', async () => {
  const before = await office.read('makers?limit=100')
  const work = createReferences(now, 'maker', [
    { uuid: uuid(301), body: { name: 'Een' } },
    { uuid: uuid(302), body: { name: 'Dubbel' } },
    { uuid: uuid(303), body: { name: 'Een' } },
  ])
  const error = await work.catch((error: unknown) => error)
  assert.ok(error instanceof Problem)
  assert.deepEqual(
    error.errors!.map(({ index, field, code, problem }) => [index, field, code, problem]),
    [
      [1, 'name', 'duplicate', '"Dubbel" belongs to another maker of the house'],
      [2, 'name', 'duplicate', '"Een" is given twice'],
    ],
  )
  assert.deepEqual(await office.read('makers?limit=100'), before)
})

test('a category may stand below one that is made with it, and never below itself', async () => {
  const [top, below] = (
    await createReferences(now, 'category', [
      { uuid: uuid(311), body: { names: { nl: 'Édele metalen' } } },
      { uuid: uuid(312), body: { slug: 'zilver', parent: uuid(311) } },
    ])
  ).map((json) => JSON.parse(json) as Json) as [Json, Json]
  assert.deepEqual([top.slug, below.parent], ['edele-metalen', top.id])
  assert.deepEqual(await problem(update('category', top, { parent: below.id })), [
    'validation-failed',
    'parent invalid',
  ])
  assert.deepEqual(await problem(update('category', top, { parent: top.id })), ['validation-failed', 'parent invalid'])
  assert.deepEqual(await problem(remove('category', top)), ['conflict', 'in_use'])
  await remove('category', below)
  await remove('category', top)
  assert.deepEqual(await problem(createReference(now, 'category', { slug: 'goud', parent: top.id })), [
    'validation-failed',
    'parent unavailable',
  ])
})

test('categories have at most 32 levels, whether they are made one by one, together or moved', async () => {
  const chain = (first: number, length: number, top: string | null = null) =>
    Array.from({ length }, (_, at) => ({
      uuid: uuid(first + at),
      body: { slug: `diep-${first + at}`, parent: at === 0 ? top : uuid(first + at - 1) },
    }))
  const refused = ['validation-failed', 'parent invalid']
  assert.deepEqual(await problem(createReferences(now, 'category', chain(2_000, 33))), refused)
  const deep = (await createReferences(now, 'category', chain(2_000, 30))).map((json) => JSON.parse(json) as Json)
  const [top, below] = (await createReferences(now, 'category', chain(2_100, 2))).map(
    (json) => JSON.parse(json) as Json,
  )
  assert.deepEqual(await problem(createReferences(now, 'category', chain(2_200, 3, deep[29]!.id))), refused)
  assert.deepEqual(await problem(createReferences(now, 'category', chain(2_300, 32, deep[0]!.id))), refused)
  assert.equal((await update('category', top!, { parent: deep[29]!.id })).parent, deep[29]!.id)
  assert.deepEqual(await problem(createReference(now, 'category', { slug: 'te-diep', parent: below!.id })), refused)
  const single = await create('category', { slug: 'enkel' })
  assert.deepEqual(await problem(update('category', deep[0]!, { parent: single.id })), refused)
  // A deleted category has no level.
  await remove('category', below!)
  assert.equal((await update('category', deep[0]!, { parent: single.id })).parent, single.id)
})

test('of moves at once that would make too many levels together, one is refused, and none makes a circle', async () => {
  const chain = (first: number) =>
    Array.from({ length: 16 }, (_, at) => ({
      uuid: uuid(first + at),
      body: { slug: `tegelijk-${first + at}`, parent: at === 0 ? null : uuid(first + at - 1) },
    }))
  const trees = []
  for (const first of [3_000, 3_100, 3_200])
    trees.push((await createReferences(now, 'category', chain(first))).map((json) => JSON.parse(json) as Json))
  const [one, two, three] = trees as [Json[], Json[], Json[]]
  const outcomes = await Promise.all(
    [update('category', two[0]!, { parent: one[15]!.id }), update('category', three[0]!, { parent: two[15]!.id })].map(
      (work) =>
        work.then(
          () => 'moved',
          (error: unknown) => (error as Problem).errors![0]!.field,
        ),
    ),
  )
  assert.deepEqual(outcomes.toSorted(), ['moved', 'parent'])
  const turned = await Promise.allSettled([
    update('category', one[0]!, { parent: three[0]!.id }),
    update('category', three[0]!, { parent: one[0]!.id }),
  ])
  assert.ok(turned.some(({ status }) => status === 'rejected'))
})

test('a tree that is deeper already can be read, renamed, moved to the top and taken apart, but does not grow', async () => {
  const deep = (at: number) => `cat_${uuid(4_000 + at)}`
  await office.load([
    houseLine('house'),
    ...Array.from({ length: 40 }, (_, at) => ({ type: 'category' as const, id: deep(at), slug: `oud-${at}` })),
  ])
  await sql`update catalogue.categories child set parent_id = parent.id from catalogue.categories parent
    where child.house_id = ${now.house.id} and parent.house_id = child.house_id
      and child.slug like 'oud-%' and parent.slug = 'oud-' || (substr(child.slug, 5)::int - 1)`.execute(office.db)
  const stored = await office.read<Json>(`categories/${deep(39)}`)
  assert.equal(stored.parent, deep(38))
  assert.equal((await update('category', stored, { names: { nl: 'Oud' }, parent: deep(38) })).name, 'Oud')
  assert.deepEqual(await problem(createReference(now, 'category', { slug: 'oud-40', parent: deep(39) })), [
    'validation-failed',
    'parent invalid',
  ])
  assert.equal((await update('category', { id: deep(5) }, { parent: null })).parent, null)
  assert.equal((await update('category', { id: deep(20) }, { parent: deep(0) })).parent, deep(0))
})

test('a record that an item names, even an archived item, is not deleted, and no item takes a deleted record', async () => {
  const category = await create('category', { slug: 'in-gebruik' })
  const maker = await create('maker', { name: 'In gebruik' })
  const deliveryClass = await create('delivery_class', { name: 'In gebruik' })
  const links = { categories: [category.id], makers: [maker.id], delivery_class: deliveryClass.id }
  await office.load([
    houseLine('house'),
    { type: 'item', external_reference: 'oud', title: 'Oud', archived: true, ...links },
  ])
  for (const [kind, record] of [
    ['category', category],
    ['maker', maker],
    ['delivery_class', deliveryClass],
  ] as const)
    assert.deepEqual(await problem(remove(kind, record)), ['conflict', 'in_use'])

  const spare = await create('maker', { name: 'Ongebruikt' })
  await remove('maker', spare)
  const refused = await office.patch(`items/${office.ids.item}`, { makers: [spare.id] })
  assert.equal(refused.status, 422)
  await assert.rejects(
    office.load([
      houseLine('house'),
      { type: 'item', external_reference: 'nieuw', title: 'Nieuw', makers: [spare.id] },
    ]),
    /no stored maker has this id/,
  )
})

test('when a maker is deleted while an item takes it, the item has it or the maker is gone', async () => {
  for (let round = 0; round < 5; round++) {
    const maker = await create('maker', { name: `Wedloop ${round}` })
    const [taken] = await Promise.all([
      office.patch(`items/${office.ids.item}`, { makers: [maker.id] }),
      remove('maker', maker).catch((error: unknown) => assert.equal((error as Problem).reason, 'in_use')),
    ])
    const found = await office.get(`/api/v2/makers/${maker.id}`, office.key)
    assert.equal(found.statusCode, taken.status === 200 ? 200 : 404)
    await office.patch(`items/${office.ids.item}`, { makers: [] })
  }
})

test('a seller without a number gets the next one, and archiving a seller leaves the items', async () => {
  const first = await create('seller', { seller_number: 5_000 })
  const next = await create('seller', { account_name: 'Particulier' })
  assert.deepEqual([next.seller_number, next.name], [5_001, 'Particulier'])
  const consignment = await create('consignment', { number: 'C-1', seller: first.id })
  const { status } = await office.patch(`items/${office.ids.item}`, { consignment: consignment.id })
  assert.equal(status, 200)
  assert.deepEqual(await problem(update('consignment', consignment, { seller: next.id })), ['conflict', 'in_use'])
  await update('seller', first, { archived: true })
  assert.deepEqual(await update('seller', first, { archived: true }), { ...first, updated_at: later.now.toISOString() })
  assert.equal((await office.read<Json>(`items/${office.ids.item}`)).seller, first.id)
  assert.deepEqual(await problem(createReference(now, 'consignment', { number: 'C-2', seller: first.id })), [
    'validation-failed',
    'seller unavailable',
  ])
})

test('what only staff may know is neither in an answer nor in the journal', async () => {
  const body = { number: 'C-9', commission_percentage: '12.50', private_notes: 'geheim' }
  const consignment = await create('consignment', body)
  const seller = await create('seller', { profile_name: 'P', account_name: 'geheim' })
  await update('consignment', consignment, { private_notes: 'zeer geheim', commission_percentage: '15' })
  const printed = JSON.stringify([consignment, seller, await journalOf(consignment), await journalOf(seller)])
  assert.doesNotMatch(printed, /geheim|12\.5|"15"/)
  const fields = (await journalOf(consignment)).at(-1)!.map(({ field }) => field)
  assert.deepEqual(new Set(fields), new Set(['commission_percentage', 'private_notes']))
})

test("another house's records are neither changed nor named", async () => {
  await office.load([houseLine('elsewhere')])
  const elsewhere = { ...now, house: (await findHouse(office.db, 'elsewhere'))! }
  const foreign = JSON.parse((await createReference(elsewhere, 'seller', { seller_number: 1 })).json) as Json
  assert.equal((await problem(update('seller', foreign, { profile_name: 'X' })))[0], 'not-found')
  assert.equal((await problem(remove('seller', foreign)))[0], 'not-found')
  assert.deepEqual(await problem(createReference(now, 'consignment', { number: 'C-3', seller: foreign.id })), [
    'validation-failed',
    'seller unavailable',
  ])
  // The same number in another house is no duplicate.
  await create('seller', { seller_number: 1 })
})

test('wrong values are refused with the field of each', async () => {
  const wrong: [MadeKind, unknown, string][] = [
    ['maker', {}, 'name required'],
    ['maker', { name: ' ' }, 'name blank'],
    ['maker', { name: ' Breguet' }, 'name invalid'],
    ['maker', { name: 'x'.repeat(1025) }, 'name too_long'],
    ['maker', { name: 'Nieuw', archived: true }, 'archived unknown_field'],
    ['seller', { seller_number: 2_147_483_648 }, 'seller_number out_of_range'],
    ['category', { parent: null }, 'slug required'],
    ['category', { slug: 'a', names: { xx: 'a' } }, 'names.xx unsupported_locale'],
    ['consignment', { number: 'C-4', commission_percentage: '101' }, 'commission_percentage out_of_range'],
  ]
  for (const [kind, body, errors] of wrong)
    assert.deepEqual(await problem(createReference(now, kind, body)), ['validation-failed', errors])
})
