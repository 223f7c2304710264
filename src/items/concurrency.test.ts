import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { uuid, type Line } from '../../test/support/lines.ts'
import { openWriting } from '../../test/support/writing.ts'
import { locales } from '../values/locales.ts'
import type { Scope } from '../context.ts'
import { inTransaction } from '../writes/transaction.ts'
import { lockItems } from './locks.ts'
import { lockRelations } from './statements.ts'
import { textNames } from './texts.ts'

const ids = (from: number) => Array.from({ length: 4 }, (_, index) => uuid(from + index))
const [sellers, consignments, makers, categories] = [10, 20, 30, 40].map(ids) as [
  string[],
  string[],
  string[],
  string[],
]
const service = await openWriting([
  ...sellers.map((id): Line => ({ type: 'seller', id, seller_number: 1 })),
  ...consignments.map((id, index): Line => ({ type: 'consignment', id, number: '1', seller: sellers[index] })),
  ...makers.map((id): Line => ({ type: 'maker', id, name: 'x' })),
  ...categories.map((id): Line => ({ type: 'category', id, slug: 'x' })),
  { type: 'item', id: uuid(1), external_reference: 'one', title: 'x' },
  { type: 'item', id: uuid(2), external_reference: 'a', title: 'x' },
  { type: 'item', id: uuid(3), external_reference: 'b', title: 'x' },
])
after(() => service.close())
const { post, patch, show } = service

test('of concurrent creates with one reference, one is answered 201 and the others 409', async () => {
  const answers = await Promise.all(
    Array.from({ length: 12 }, () =>
      post('items', { external_reference: 'race', title: 'x', makers, seller: sellers[0] }),
    ),
  )
  assert.deepEqual(
    answers.map(({ status }) => status).toSorted((a, b) => a - b),
    [201, ...Array.from({ length: 11 }, () => 409)],
  )
  assert.equal((await service.walk('/api/v2/items?external_reference=race', service.key)).length, 1)
})

test('concurrent changes of different fields of an item are all kept, each with its own revision', async () => {
  const path = `items/${uuid(1)}`
  const freeTexts = textNames.filter((name) => name !== 'title')
  const bodies = [
    ...freeTexts.map((name) => ({ [name]: name })),
    ...locales.map((locale) => ({
      translations: { [locale]: { title: locale } },
    })),
    { estimate: { low: { amount: 100, currency: 'EUR' } } },
    { estimate: { high: { amount: 900, currency: 'EUR' } } },
    { makers },
    { categories },
    { seller: sellers[1] },
    { external_reference: 'renamed' },
  ]
  const answers = await Promise.all(bodies.map((body) => patch(path, body)))
  for (const { status } of answers) assert.equal(status, 200)
  assert.equal(new Set(answers.map(({ data }) => data['updated_at'])).size, bodies.length)
  const item = await show(path)
  assert.deepEqual(
    ['external_reference', 'title', ...freeTexts].map((name) => item[name]),
    ['renamed', 'nl', ...freeTexts],
  )
  assert.deepEqual(Object.keys(item['translations'] as object).length, locales.length)
  assert.deepEqual(item['estimate'], { low: { amount: 100, currency: 'EUR' }, high: { amount: 900, currency: 'EUR' } })
  assert.deepEqual(
    [(item['makers'] as string[]).length, (item['categories'] as string[]).length, item['seller']],
    [4, 4, `sel_${sellers[1]}`],
  )
})

test('of concurrent changes of one field, one wins whole: lists, owners and texts never mix', async () => {
  const path = `items/${uuid(1)}`
  const pairs = sellers.map((seller, index) => ({ seller, consignment: consignments[index]! }))
  const orders = makers.map((_, index) => [...makers.slice(index), ...makers.slice(0, index)])
  const bodies = Array.from({ length: 24 }, (_, index) => ({
    ...pairs[index % 4],
    makers: orders[index % 4]!.slice(index % 3),
    title: `t${index}`,
    translations: { en: { title: `t${index}` } },
  }))
  const answers = await Promise.all(bodies.map((body) => patch(path, body)))
  for (const [index, { status, data }] of answers.entries()) {
    assert.equal(status, 200)
    const { seller, consignment, title } = bodies[index]!
    assert.deepEqual(
      [data['seller'], data['consignment'], data['title']],
      [`sel_${seller}`, `con_${consignment}`, title],
    )
    assert.deepEqual(
      data['makers'],
      bodies[index]!.makers.map((id) => `mkr_${id}`),
    )
  }
  const last = await show(path)
  assert.ok(answers.some(({ data }) => JSON.stringify(data) === JSON.stringify(last)))
})

test('two items that exchange their references concurrently end with success or refusals, never an error of the service', async () => {
  const [one, other] = [`items/${uuid(2)}`, `items/${uuid(3)}`]
  const answers = await Promise.all([
    patch(one, { external_reference: 'b' }),
    patch(other, { external_reference: 'a' }),
  ])
  for (const { status } of answers) assert.ok([200, 409].includes(status))
})

test('items whose relations or pictures are changed wait for the end of the transaction', async () => {
  const { db, house } = service
  const found = await sql<{ id: string }>`select id from catalogue.items where public_id = ${uuid(1)}`.execute(db)
  const { id } = found.rows[0]!
  for (const lock of [(tx: Scope) => lockItems(tx, [id]), (tx: Scope) => lockRelations(tx, [uuid(1)])])
    await inTransaction({ db, house }, async (tx) => {
      await lock(tx)
      const other = sql`select from catalogue.items where id = ${id} for no key update nowait`.execute(db)
      await assert.rejects(other, { code: '55P03' })
    })
})
