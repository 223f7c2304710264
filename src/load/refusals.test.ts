import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { eur, openFixture, refusal, type Value } from '../../test/support/loading.ts'
import type { LoadError } from './errors.ts'

const fixture = await openFixture()
after(() => fixture.close())
const empty = await fixture.counts()

const stored = '0f0e0d0c-0b0a-4908-8706-050403020100'

// Lines 1 to 9 are valid. Each case adds an invalid line 10.
const house = { type: 'house', slug: 'refusals', name: 'Refusals', default_locale: 'nl', currency: 'EUR' }
const good: Value[] = [
  house,
  { type: 'seller', ref: 'sel', id: 'sel_11111111-1111-4111-8111-111111111111' },
  { type: 'category', ref: 'cat', slug: 'c' },
  { type: 'maker', ref: 'mkr', name: 'M' },
  { type: 'increment_strategy', ref: 'inc', name: 'I', steps: [] },
  { type: 'auction', ref: 'auc', external_reference: 'A', slug: 'a' },
  { type: 'session', ref: 'ses', auction: 'auc', kind: 'timed', external_reference: 'S' },
  { type: 'item', ref: 'itm', external_reference: 'I', archived: true },
  { type: 'lot', ref: 'lot', session: 'ses', item: 'itm', lot_number: 1 },
]

const session = { type: 'session', auction: 'auc', kind: 'timed' }
const lotWith = (fields: Value) => ({ type: 'lot', session: 'ses', item: 'itm', lot_number: 2, ...fields })
const imageWith = (fields: Value) => ({ type: 'image', item: 'itm', ...fields })
const long = (bytes: number) => 'é'.repeat(bytes / 2 + 1)

const refusals: [guarantee: string, line: Value | string, field: string, problem: RegExp][] = [
  ['text that is no JSON', '{"type":"item"', '', /not valid JSON/],
  ['JSON that is no object', '["item"]', '', /not a JSON object/],
  ['no type', { ref: 'x' }, 'type', /is missing/],
  ['an unknown type', { type: 'itme' }, 'type', /unknown type "itme"/],
  ['a type that every object has as a property', { type: 'constructor' }, 'type', /unknown type/],
  ['an unknown field', { type: 'item', titel: 'x' }, 'titel', /unknown field/],
  ['an unknown field inside', { type: 'item', estimate: { middle: eur(1) } }, 'estimate.middle', /unknown field/],
  ['an unknown field of money', { type: 'bid', lot: 'lot', amount: { ...eur(1), x: 1 } }, 'amount.x', /unknown field/],
  ['a text of another type', { type: 'item', title: 3 }, 'title', /must be string/],
  ['a flag of another type', { type: 'item', archived: 'true' }, 'archived', /must be boolean/],
  ['a flag without value', { type: 'maker', active: null }, 'active', /must be boolean/],
  ['a fraction', { type: 'item', estimate: { low: eur(1.5) } }, 'estimate.low.amount', /must be integer/],
  ['a negative amount', { type: 'item', estimate: { high: eur(-1) } }, 'estimate.high.amount', />= 0/],
  [
    'an amount that is no safe integer',
    { type: 'lot', session: 'ses', item: 'itm', starting_bid: eur(2 ** 53) },
    'starting_bid.amount',
    /<= /,
  ],
  ['money without currency', { type: 'bid', lot: 'lot', amount: { amount: 1 } }, 'amount.currency', /is missing/],
  [
    'another currency',
    { type: 'item', estimate: { low: { amount: 1, currency: 'USD' } } },
    'estimate.low.currency',
    /"USD" is not the house's currency EUR/,
  ],
  [
    'another currency of a step',
    { type: 'increment_strategy', steps: [{ from: eur(0), increment: { amount: 1, currency: 'eur' } }] },
    'steps.0.increment.currency',
    /not the house's/,
  ],
  ['a number beyond int32', { type: 'seller', seller_number: 2 ** 31 }, 'seller_number', /<= 2147483647/],
  ['NUL in a text', { type: 'item', title: 'a\0b' }, 'title', /cannot be stored/],
  ['half a surrogate pair', '{"type":"maker","name":"\\ud83d"}', 'name', /cannot be stored/],
  [
    'NUL in a translation',
    { type: 'item', translations: { en: { title: '\0' } } },
    'translations.en.title',
    /cannot be stored/,
  ],
  ['a timestamp without offset', { type: 'item', created_at: '2020-01-01T00:00:00' }, 'created_at', /RFC 3339/],
  ['a day that does not exist', { ...session, opens_at: '2021-02-29T00:00:00Z' }, 'opens_at', /RFC 3339/],
  [
    'an impossible percentage',
    { type: 'consignment', commission_percentage: '100.5' },
    'commission_percentage',
    /decimal string/,
  ],
  [
    'a percentage that is a number',
    { ...session, settings: { buyer_premium_percentage: 20 } },
    'settings.buyer_premium_percentage',
    /must be string/,
  ],
  [
    'an unsupported locale',
    { type: 'item', translations: { 'en-GB': { title: 'x' } } },
    'translations.en-GB',
    /unknown field/,
  ],
  [
    'an unsupported locale of a row',
    { type: 'item', translations: [{ locale: 'pt' }] },
    'translations.0.locale',
    /one of nl, en/,
  ],
  ['a locale that is null', { type: 'item', translations: { en: null } }, 'translations.en', /must be object/],
  ['a text that is too long', { type: 'item', description: long(1024 * 1024) }, 'description', /is too long/],
  [
    'an indexed text that is too long',
    { type: 'item', external_reference: long(1024) },
    'external_reference',
    /is too long/,
  ],
  ['an id of another kind', { type: 'item', id: `lot_${stored}` }, 'id', /must be a UUID/],
  [
    'a prefixed id of a type without prefix',
    { type: 'bid', id: `bid_${stored}`, lot: 'lot', amount: eur(1) },
    'id',
    /must be a UUID/,
  ],
  ['an unknown kind of session', { ...session, kind: 'silent' }, 'kind', /one of timed, live/],
  ['a session without kind', { type: 'session', auction: 'auc' }, 'kind', /is missing/],
  ['a session without auction', { type: 'session', kind: 'live' }, 'auction', /is missing/],
  ['a timed session with a live block', { ...session, live: {} }, 'live', /a timed session has no live block/],
  [
    'a live session with a timed block',
    { ...session, kind: 'live', timed: {} },
    'timed',
    /a live session has no timed block/,
  ],
  ['a lot without item', { type: 'lot', session: 'ses' }, 'item', /is missing/],
  ['an image without item', { type: 'image' }, 'item', /is missing/],
  ['a bid without amount', { type: 'bid', lot: 'lot' }, 'amount', /is missing/],
  ['a bid whose amount is null', { type: 'bid', lot: 'lot', amount: null }, 'amount', /must be object/],
  [
    'an unknown ref',
    { type: 'item', seller: 'missing' },
    'seller',
    /no earlier line has the ref "missing", and no stored seller/,
  ],
  ['an unknown id', { type: 'item', delivery_class: `dlc_${stored}` }, 'delivery_class', /no stored delivery class/],
  ['a ref of the wrong kind', { type: 'item', makers: ['mkr', 'cat'] }, 'makers.1', /"cat" is a category, not a maker/],
  [
    'an id of the wrong kind',
    { type: 'item', consignment: 'sel_11111111-1111-4111-8111-111111111111' },
    'consignment',
    /no stored consignment/,
  ],
  [
    'a record that points to itself',
    { type: 'category', ref: 'self', parent: 'self' },
    'parent',
    /not on an earlier line/,
  ],
  ['an element that is null', { type: 'item', categories: ['cat', null] }, 'categories.1', /must be string/],
  ['a repeated ref', { type: 'item', ref: 'sel' }, 'ref', /an earlier line has the ref "sel" already/],
  ['a repeated id', { type: 'seller', id: '11111111-1111-4111-8111-111111111111' }, 'id', /has a seller with the id/],
  [
    'a repeated reference of an auction',
    { type: 'auction', external_reference: 'A' },
    'external_reference',
    /has the auction "A" already/,
  ],
  [
    'a repeated reference of a session',
    { ...session, external_reference: 'S' },
    'external_reference',
    /has the session "S" already/,
  ],
  [
    'a repeated reference of an archived item',
    { type: 'item', external_reference: 'I' },
    'external_reference',
    /has the item "I" already/,
  ],
  ['a repeated slug of an auction', { type: 'auction', slug: 'a' }, 'slug', /has an auction with the slug "a" already/],
  ['a slug that is no part of a URL', { type: 'auction', slug: 'a b' }, 'slug', /must be letters/],
  ['a slug that is null', { type: 'auction', slug: null }, 'slug', /must be string/],
  [
    'a repeated lot number',
    { type: 'lot', session: 'ses', item: 'itm', lot_number: 1 },
    'lot_number',
    /has a lot 1 already/,
  ],
  ['an image whose file is missing', imageWith({ file: 'missing.jpg' }), 'file', /cannot be read.*ENOENT/],
  ['an image whose file is a folder', imageWith({ file: '.' }), 'file', /cannot be read/],
  ['a failure without time', imageWith({ processing_failure: {} }), 'processing_failure.at', /is missing/],
  [
    'a new house without name',
    { type: 'house', slug: 'new', default_locale: 'nl', currency: 'EUR' },
    'name',
    /is missing/,
  ],
  ['a house of an unknown locale', { ...house, slug: 'new', default_locale: 'pt' }, 'default_locale', /not supported/],
  ['a house of an unknown currency', { ...house, slug: 'new', currency: 'eur' }, 'currency', /no ISO 4217 code/],
  [
    'a house of an unknown time zone',
    { ...house, slug: 'new', time_zone: 'Mars/Phobos' },
    'time_zone',
    /"Mars\/Phobos" is no time zone known here/,
  ],
  ['a house with a negative limit', { ...house, slug: 'new', storage_limit: -1 }, 'storage_limit', />= 0/],
  ['a house whose slug is no part of a URL', { ...house, slug: 'a b' }, 'slug', /must be letters/],
  [
    'a lot that is sold against its result',
    lotWith({ sold: true, result: { state: 'unsold' } }),
    'sold',
    /contradicts the result unsold/,
  ],
  [
    'a lot that is not sold against its result',
    lotWith({ sold: false, result: { state: 'sold' } }),
    'sold',
    /contradicts the result sold/,
  ],
  [
    'a price of an unsold lot',
    lotWith({ result: { state: 'unsold', amount: eur(1) } }),
    'result.amount',
    /has no price/,
  ],
  [
    'a price in another currency',
    lotWith({ result: { state: 'sold', amount: { amount: 1, currency: 'USD' } } }),
    'result.amount.currency',
    /USD/,
  ],
  [
    'a withdrawn lot that was sold after the sale',
    lotWith({ result: { state: 'withdrawn', after_sale: true } }),
    'result.after_sale',
    /contradicts/,
  ],
  [
    'a price of a lot that was sold with another',
    lotWith({ result: { state: 'sold', with: 'lot', amount: eur(1) } }),
    'result.amount',
    /belongs to the lot/,
  ],
  [
    'a lot that was sold with a later one',
    lotWith({ result: { state: 'sold', with: 'later' } }),
    'result.with',
    /no earlier line/,
  ],
  ['an unknown result', lotWith({ result: { state: 'passed' } }), 'result.state', /one of sold, unsold, withdrawn/],
  [
    'a notice that differs from its translation',
    { type: 'lot', session: 'ses', item: 'itm', notice: 'a', notice_translations: { nl: 'b' } },
    'notice',
    /differs from notice_translations.nl/,
  ],
  [
    'a text of an image that differs from its translation',
    imageWith({ alt: 'a', alt_translations: { nl: 'b' } }),
    'alt',
    /differs from alt_translations.nl/,
  ],
  ['a blank text of an image', imageWith({ alt: ' ' }), 'alt', /visible character/],
  [
    'a text of an image that is too long',
    imageWith({ alt_translations: { en: 'a'.repeat(1001) } }),
    'alt_translations.en',
    /at most 1000 characters/,
  ],
  [
    'a house with impossible defaults',
    { ...house, slug: 'new', defaults: { group_size: 0 } },
    'defaults.group_size',
    /from 1/,
  ],
]

async function refuse(lines: (Value | string)[]): Promise<LoadError> {
  return refusal(fixture.load(lines))
}

for (const [guarantee, line, field, problem] of refusals) {
  test(`refuses ${guarantee}, with line and field`, async () => {
    const error = await refuse([...good, line, { type: 'item', seller: 'a later problem' }])
    assert.equal(error.line, 10, error.message)
    assert.equal(error.field, field, error.message)
    assert.match(error.message, problem)
    assert.ok(error.message.startsWith(`sale.ndjson:10: ${field === '' ? '' : `${field}: `}`), error.message)
  })
}

test('refuses a record without a house line above it', async () => {
  const error = await refuse([{ type: 'maker', name: 'M' }])
  assert.deepEqual([error.line, error.field], [1, 'type'])
  assert.match(error.message, /needs a house line above it/)
})

test('refuses a pointer to a later line, in the same batch and in a later one', async () => {
  for (const between of [0, 3000]) {
    const error = await refuse([
      house,
      { type: 'item', seller: 'later' },
      ...Array.from({ length: between }, () => ({ type: 'maker' })),
      { type: 'seller', ref: 'later' },
    ])
    assert.deepEqual([error.line, error.field], [2, 'seller'])
  }
})

test('reports the first bad line, even if a later one is found first', async () => {
  const wrong = { type: 'item', title: 1 }
  assert.equal((await refuse([...good, { type: 'item', seller: 'missing' }, wrong])).line, 10)
  assert.equal(
    (await refuse([...good, { type: 'item', external_reference: 'I' }, { type: 'item', seller: 'x' }])).line,
    10,
  )
  assert.equal((await refuse([...good, imageWith({ file: 'none' }), 'no JSON'])).line, 10)
})

test('refuses duplicates of an earlier batch or an earlier load, with line and field', async () => {
  const fill = Array.from({ length: 4500 }, () => ({ type: 'maker' }))
  const repeated: [line: Value, field: string][] = [
    [{ type: 'maker', ref: 'lot' }, 'ref'],
    [{ type: 'seller', id: '11111111-1111-4111-8111-111111111111' }, 'id'],
    [{ type: 'item', external_reference: 'I' }, 'external_reference'],
    [{ type: 'lot', session: 'ses', item: 'itm', lot_number: 1 }, 'lot_number'],
  ]
  for (const [line, field] of repeated) {
    const error = await refuse([...good, ...fill, { type: 'maker' }, line, { type: 'item', seller: 'missing' }])
    assert.deepEqual([error.line, error.field], [4511, field], error.message)
    const alone = await refuse([...good, ...fill, { type: 'maker' }, line, { type: 'maker' }])
    assert.deepEqual([alone.line, alone.field], [4511, field], alone.message)
  }
})

test('refuses a record of another house', async () => {
  const other = { ...house, slug: 'other' }
  const error = await refuse([...good, other, { type: 'item', seller: 'sel' }])
  assert.deepEqual([error.line, error.field], [11, 'seller'])
  assert.match(error.message, /belongs to another house/)
  const byId = await refuse([...good, other, { type: 'item', seller: 'sel_11111111-1111-4111-8111-111111111111' }])
  assert.deepEqual([byId.line, byId.field], [11, 'seller'])
})

test('what is refused loads nothing', async () => {
  assert.deepEqual(await fixture.counts(), empty)
})
