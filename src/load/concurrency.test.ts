import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { inTransaction } from '../writes/transaction.ts'
import { openFixture, refusal, uuid } from '../../test/support/loading.ts'
import { untilWaiting } from '../../test/support/locks.ts'
import { LoadError } from './errors.ts'

const fixture = await openFixture()
after(() => fixture.close())

const items = (batch: number) =>
  Array.from({ length: 2500 }, (_, n) => ({ type: 'item', external_reference: `${batch} ${n}` }))

test('of two concurrent loads with the same reference, one succeeds and the other is refused', async () => {
  const house = fixture.newHouse()
  await fixture.load([house])
  const shared = [
    { type: 'item', external_reference: 'x' },
    { type: 'item', external_reference: 'y' },
  ]
  const results = await Promise.allSettled([
    fixture.load([house, shared[0]!, ...items(1), shared[1]!]),
    fixture.load([house, shared[1]!, ...items(2), shared[0]!]),
  ])
  const refused = results.filter((result) => result.status === 'rejected')
  assert.equal(refused.length, 1)
  assert.ok(refused[0]!.reason instanceof LoadError, String(refused[0]!.reason))
  assert.deepEqual([refused[0]!.reason.line, refused[0]!.reason.field], [2, 'external_reference'])
  assert.equal((await fixture.rowsOf(house.slug, 'items')).length, 2502)
})

test('of two loads that create the same house, one succeeds; the other is refused or loads into that house', async () => {
  const house = fixture.newHouse()
  const results = await Promise.allSettled([1, 2].map((n) => fixture.load([house, { type: 'maker', name: `${n}` }])))
  const refused = results.filter((result) => result.status === 'rejected')
  assert.ok(refused.every(({ reason }) => reason instanceof LoadError && reason.line === 1 && reason.field === 'slug'))
  assert.equal((await fixture.rowsOf(house.slug, 'makers')).length, 2 - refused.length)
})

test('refuses, with line and field, a record that another writer commits while the load waits for it', async () => {
  const house = fixture.newHouse()
  await fixture.load([house, { type: 'auction', ref: 'a', id: uuid(80) }])
  const { rows } = await sql<{ id: string }>`select id from catalogue.houses where slug = ${house.slug}`.execute(
    fixture.db,
  )
  let loading: Promise<LoadError> | undefined
  await inTransaction(fixture, async ({ db: tx }) => {
    await sql`insert into catalogue.items (house_id, external_reference) values (${rows[0]!.id}, 'mine')`.execute(tx)
    loading = refusal(
      fixture.load([house, { type: 'item', external_reference: 'a' }, { type: 'item', external_reference: 'mine' }]),
    )
    await untilWaiting(fixture.db, 1)
  })
  const error = await loading!
  assert.deepEqual([error.line, error.field], [3, 'external_reference'])
})
