import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openSaleHouse } from '../../test/support/sale-house.ts'
import { eur, houseLine, linesOf, numbersOf, uuid } from '../../test/support/lines.ts'

const office = await openSaleHouse()
after(() => office.close())

const item = linesOf('item', (number) => ({ external_reference: `F-${number}`, title: `Stuk ${number}` }))
const { session } = await office.loadSale({}, [])
const lot = (number: number, fields: object = {}) => ({
  type: 'lot' as const,
  session,
  item: uuid(number),
  lot_number: number,
  ...fields,
})
const result = (state: string) => ({ result: { state, ...(state === 'sold' && { amount: eur(10_000) }) } })
const [seller, consignment] = [uuid(61), uuid(62)]
await office.load([
  houseLine('house'),
  { type: 'seller', id: seller, seller_number: 61 },
  { type: 'consignment', id: consignment, number: '62', seller },
  item(1, { estimate: { low: eur(10_000) }, translations: { en: { title: 'Piece' } } }),
  item(2, { seller }),
  item(3, { seller, consignment }),
  item(4, { translations: { en: { description: 'Text' } } }),
  item(5),
  item(6),
  lot(2),
  lot(3, result('sold')),
  lot(4, result('unsold')),
  lot(5, result('withdrawn')),
  lot(6, { archived: true }),
  lot(7, { item: uuid(3), ...result('unsold') }),
])

const find = async (query: string) =>
  new Set(
    numbersOf(await office.walk(`/staff/v1/items?${query}`, office.key)).filter((number) => number >= 1 && number <= 6),
  )

test('each item is never offered, open, unsold or sold', async () => {
  assert.deepEqual(await find('offered=never'), new Set([1, 6]))
  assert.deepEqual(await find('offered=open'), new Set([2]))
  assert.deepEqual(await find('offered=unsold'), new Set([4, 5]))
  assert.deepEqual(await find('offered=sold'), new Set([3]))
})

test('items are found by seller, by consignment and by what they lack', async () => {
  assert.deepEqual(await find(`seller=${seller}`), new Set([2, 3]))
  assert.deepEqual(await find(`seller=${seller}&consignment=${consignment}`), new Set([3]))
  assert.deepEqual(await find('without=estimate'), new Set([2, 3, 4, 5, 6]))
  assert.deepEqual(await find('without=en'), new Set([2, 3, 5, 6]))
  assert.equal((await find('without=nl')).size, 0)
  assert.equal((await find('without=image')).size, 6)
  await office.refused('/staff/v1/items?offered=later', office.key, 400, 'invalid-parameter')
})

test('an item in a lot without a result is not archived; any other is, and repeating it changes nothing', async () => {
  const archive = (number: number) =>
    office.request({
      method: 'PATCH',
      url: `/staff/v1/items/${uuid(number)}`,
      key: office.key,
      body: { archived: true },
    })
  const refused = await archive(2)
  assert.deepEqual([refused.statusCode, refused.json<{ reason: string }>().reason], [409, 'in_use'])
  const [first, again] = [await archive(3), await archive(3)]
  assert.deepEqual([first.statusCode, again.statusCode], [200, 200])
  assert.equal(again.body, first.body)
  await office.refused(`/api/v2/items/${uuid(3)}`, office.key, 404, 'not-found')
  assert.deepEqual(await find(`seller=${seller}`), new Set([2]))
})
