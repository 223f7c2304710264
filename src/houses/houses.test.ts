import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createTestDatabase } from '../../test/support/database.ts'
import { createHouse, HouseError, type NewHouse } from './houses.ts'
import { findHouse, listHouses } from './locks.ts'

const database = await createTestDatabase()
after(() => database.drop())

const now = new Date('2026-11-20T12:00:00.000Z')
const house: NewHouse = {
  slug: 'north',
  name: 'North',
  defaultLocale: 'nl-NL',
  currency: 'EUR',
  defaults: { group_size: 5 },
}

test('creates a house with the language of its locale, and finds it by slug', async () => {
  const created = await createHouse(database.db, house, now)
  const { id, defaults, ...rest } = created
  assert.match(id, /^\d+$/)
  assert.deepEqual(rest, { slug: 'north', name: 'North', defaultLocale: 'nl', currency: 'EUR', timeZone: null })
  assert.deepEqual(defaults, {
    results: 'by-staff',
    buyer_premium_percentage: null,
    extension_threshold_seconds: null,
    extension_seconds: null,
    group_size: 5,
    interval_seconds: null,
  })
  assert.deepEqual(await findHouse(database.db, 'north'), created)
  assert.equal(await findHouse(database.db, 'North'), undefined)
  const other = await createHouse(database.db, { ...house, slug: 'Abc_1.x' }, now)
  assert.deepEqual(await listHouses(database.db), [other, created])
})

test('refuses an invalid house, naming the field', async () => {
  const before = await listHouses(database.db)
  const refused: [wrong: Partial<NewHouse>, field: string][] = [
    [{ slug: 'north' }, 'slug'],
    [{ slug: '' }, 'slug'],
    [{ slug: 'a/b' }, 'slug'],
    [{ slug: '.well-known' }, 'slug'],
    [{ slug: 'a'.repeat(1025) }, 'slug'],
    [{ slug: 'new', name: ' ' }, 'name'],
    [{ slug: 'new', name: 'a\0' }, 'name'],
    [{ slug: 'new', defaultLocale: 'pt-BR' }, 'default_locale'],
    [{ slug: 'new', currency: 'EURO' }, 'currency'],
    [{ slug: 'new', timeZone: 'Mars/Phobos' }, 'time_zone'],
    [{ slug: 'new', timeZone: '+01:00' }, 'time_zone'],
    [{ slug: 'new', timeZone: '' }, 'time_zone'],
    [{ slug: 'new', defaults: { extension_seconds: 86_401 } }, 'defaults.extension_seconds'],
    [{ slug: 'new', defaults: { interval_seconds: 1.5 } }, 'defaults.interval_seconds'],
    [{ slug: 'new', defaults: { buyer_premium_percentage: '101' } }, 'defaults.buyer_premium_percentage'],
  ]
  for (const [wrong, field] of refused) {
    await assert.rejects(
      createHouse(database.db, { ...house, ...wrong }, now),
      (error) => error instanceof HouseError && error.field === field && error.message.startsWith(`${field}: `),
    )
  }
  assert.deepEqual(await listHouses(database.db), before)
})

test('a time zone is stored with its own capitals, under the name that was given', async () => {
  for (const [index, [given, stored]] of [
    ['europe/amsterdam', 'Europe/Amsterdam'],
    ['Asia/Kolkata', 'Asia/Kolkata'],
    ['UTC', 'UTC'],
    [null, null],
  ].entries()) {
    const { timeZone } = await createHouse(database.db, { ...house, slug: `zone-${index}`, timeZone: given }, now)
    assert.equal(timeZone, stored)
  }
})
