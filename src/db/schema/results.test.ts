import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { createTestDatabase } from '../../../test/support/database.ts'
import { findMigrations, migrate, rebuildSchema } from './migrate.ts'

const database = await createTestDatabase()
after(() => database.drop())

test('an upgrade gives sold lots their result, advances only them, and leaves all sessions to staff', async () => {
  const { db } = database
  const before = (await findMigrations(db)).filter((name) => name < '0011')
  await db.transaction().execute((tx) => rebuildSchema(tx, before))
  await sql`insert into catalogue.houses (id, slug, name, default_locale, currency) values (1, 'h', 'H', 'nl', 'EUR')`.execute(
    db,
  )
  await sql`insert into catalogue.auctions (house_id, id, slug) values (1, 1, 'a')`.execute(db)
  await sql`insert into catalogue.sessions (house_id, id, auction_id, kind, published, customer_bidding_enabled)
    values (1, 1, 1, 'timed', true, true)`.execute(db)
  await sql`insert into catalogue.items (house_id, id) values (1, 1)`.execute(db)
  await sql`insert into catalogue.lots (house_id, id, auction_id, session_id, item_id, sold, current_bid, updated_at) values
    (1, 1, 1, 1, 1, true, 900, '2020-01-01T00:00:00Z'), (1, 2, 1, 1, 1, true, null, null),
    (1, 3, 1, 1, 1, false, 900, '2020-01-01T00:00:00Z')`.execute(db)
  await sql`delete from catalogue.change_marks`.execute(db)
  await migrate(database)
  const { rows } = await sql<{ row: unknown }>`
    select json_build_array(sold, result_state, result_amount, result_at, revision, updated_at at time zone 'UTC') as row
    from catalogue.lots order by id`.execute(db)
  assert.deepEqual(
    rows.map(({ row }) => row),
    [
      [true, 'sold', 900, null, 2, '2020-01-01T00:00:00.001'],
      [true, 'sold', null, null, 2, null],
      [false, null, null, null, 1, '2020-01-01T00:00:00'],
    ],
  )
  const marks = await sql`select kind, record_id from catalogue.change_marks order by record_id`.execute(db)
  assert.deepEqual(marks.rows, [
    { kind: 2, record_id: '1' },
    { kind: 2, record_id: '2' },
  ])
  const modes =
    await sql`select h.results as house, s.results as session from catalogue.houses h, catalogue.sessions s`.execute(db)
  assert.deepEqual(modes.rows, [{ house: 'by-staff', session: 'by-staff' }])
})
