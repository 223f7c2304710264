import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { decideClosedLots } from '../lots/deciding.ts'
import { assertHas, eur, openFixture } from '../../test/support/loading.ts'

const fixture = await openFixture()
after(() => fixture.close())

const sale = [
  { type: 'auction', ref: 'a', title: 'A' },
  { type: 'session', ref: 's', auction: 'a', kind: 'live' },
  { type: 'item', ref: 't', title: 'T' },
]
const lot = (lot_number: number, fields: object) => ({ type: 'lot', session: 's', item: 't', lot_number, ...fields })

test('a lot that is only sold was sold at its current bid, if it has one, at an unknown time', async () => {
  const house = fixture.newHouse()
  await fixture.load([
    house,
    ...sale,
    lot(1, { sold: true, current_bid: eur(900) }),
    lot(2, { sold: true, result: null }),
    lot(3, { sold: false, current_bid: eur(900) }),
    lot(4, {}),
  ])
  const rows = await fixture.rowsOf(house.slug, 'lots')
  assert.deepEqual(
    rows.map((row) => [row['sold'], row['result_state'], row['result_amount'], row['result_at']]),
    [
      ['true', 'sold', '900', null],
      ['true', 'sold', null, null],
      ['false', null, null, null],
      ['false', null, null, null],
    ],
  )
})

test('a lot points to the earlier one that it was sold together with, by ref or by id', async () => {
  const house = fixture.newHouse()
  const id = '00000000-0000-4000-8000-00000000aaaa'
  await fixture.load([
    house,
    ...sale,
    lot(1, { ref: 'l', id, result: { state: 'sold', amount: eur(100) } }),
    lot(2, { result: { state: 'sold', with: 'l' } }),
    lot(3, { result: { state: 'sold', with: `lot_${id}` } }),
  ])
  const [first, ...others] = await fixture.rowsOf(house.slug, 'lots')
  for (const other of others)
    assertHas(other, { sold: 'true', result_state: 'sold', result_amount: null, result_with: first!['id']! })
})

test('a session has the results mode of its line, else that of its house, which a later line of the house keeps', async () => {
  const house = fixture.newHouse()
  const session = (external_reference: string, results?: string) => {
    return { type: 'session', auction: 'a', kind: 'timed', external_reference, ...(results && { results }) }
  }
  const sessions = [session('1'), session('2', 'by-staff'), session('3', 'automatic')]
  await fixture.load([
    { ...house, defaults: { results: 'automatic' } },
    { type: 'auction', ref: 'a', id: '00000000-0000-4000-8000-00000000bbbb', title: 'A' },
    ...sessions,
  ])
  const again = { ...session('4'), auction: 'auc_00000000-0000-4000-8000-00000000bbbb' }
  await fixture.load([{ ...house, defaults: { results: 'by-staff' } }, again])
  const rows = await fixture.rowsOf(house.slug, 'sessions')
  assert.deepEqual(
    rows.map((row) => row['results']),
    ['automatic', 'by-staff', 'automatic', 'automatic'],
  )
})

test('a load leaves what had closed before it to staff, and queues the job of the sessions that it fills', async () => {
  const house = fixture.newHouse()
  const timed = {
    type: 'session',
    ref: 's',
    auction: 'a',
    kind: 'timed',
    published: true,
    opens_at: '2020-01-01T00:00:00Z',
  }
  const session = { ...timed, customer_bidding_enabled: true, results: 'automatic' }
  const closed = { active: true, current_bid: eur(900), closes_at: new Date(Date.now() - 1000).toISOString() }
  await fixture.load([house, sale[0]!, session, sale[2]!, lot(1, closed)])
  const { rows } = await sql<{ payload: { house: string; session: string } }>`
    select payload from graphile_worker._private_jobs where key like 'decide_results:%'`.execute(fixture.db)
  assert.equal(rows.length, 1)
  await decideClosedLots(fixture, rows[0]!.payload)
  assertHas(await fixture.onlyRow(house.slug, 'lots'), { sold: 'false', result_state: null })
})
