import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { houseLine, linesOf, numbersOf, uuid } from '../../test/support/lines.ts'
import { startService, type Json, type TestService } from '../../test/support/service.ts'

const session = linesOf('session', () => ({ auction: 'auction', kind: 'timed' }))

let service: TestService
let key: string

before(async () => {
  service = await startService({
    records: [
      houseLine('reads', {
        default_locale: 'nl-NL',
        defaults: { buyer_premium_percentage: '25.00', extension_threshold_seconds: 90, extension_seconds: 60 },
      }),
      { type: 'auction', ref: 'auction', id: uuid(1), title: 'A' },
      { type: 'auction', ref: 'other', id: uuid(2), title: 'B', archived: true },
      { type: 'increment_strategy', ref: 'strategy', id: uuid(3), name: 'Steps' },
      session(11, { opens_at: '2026-05-01T10:00:00Z', published: true, external_reference: 'One' }),
      session(12, { opens_at: '2026-05-01T10:00:00.000001Z', external_reference: 'one' }),
      session(13, { opens_at: '2026-05-01T10:00:00Z', published: true, hidden: true }),
      session(14, { opens_at: null, hidden: true }),
      session(15, { opens_at: null, auction: 'other', published: true }),
      session(16, {
        opens_at: '2020-05-01T12:00:00+02:00',
        external_reference: 'timed',
        titles: { nl: 'Zitting', en: 'Session' },
        timed: { first_closes_at: '2020-05-02T10:00:00Z', group_size: 3, interval_seconds: 45, extension_seconds: 0 },
        settings: { buyer_premium_percentage: '22.50' },
        increment_strategy: 'strategy',
        finished: true,
        customer_bidding_enabled: true,
        created_at: null,
        updated_at: null,
      }),
      session(17, {
        kind: 'live',
        opens_at: '2020-04-01T10:00:00Z',
        titles: { en: 'English only' },
        live: { closes_at: '2020-04-01T18:00:00Z' },
        settings: { buyer_premium_percentage: '100.0000' },
      }),
      houseLine('plain'),
      { type: 'auction', ref: 'plain', title: 'C' },
      session(21, { auction: 'plain' }),
      houseLine('broken'),
      { type: 'auction', ref: 'sound', title: 'D', id: uuid(31) },
      { type: 'auction', ref: 'nameless', title: 'D', id: null },
      { type: 'auction', ref: 'untitled', id: uuid(32) },
      { type: 'increment_strategy', ref: 'nameless strategy', id: null, name: 'Nameless' },
      session(41, { auction: 'sound', opens_at: '2026-01-05T00:00:00Z' }),
      session(42, { auction: 'nameless', opens_at: '2026-01-04T00:00:00Z' }),
      session(43, { auction: 'sound', opens_at: '2026-01-03T00:00:00Z', increment_strategy: 'nameless strategy' }),
      session(44, { auction: 'untitled', opens_at: '2026-01-02T00:00:00Z' }),
      session(45, { auction: 'untitled', id: null, opens_at: '2026-01-01T00:00:00Z' }),
    ],
  })
  key = await service.issueKey('reads')
})

after(() => service.close())

const list = async (query: string) => numbersOf(await service.walk(`/api/v2/sessions?${query}`, key))

test('sessions are listed by opening time, newest first, ties by id downwards, those without one last', async () => {
  for (const limit of [1, 3, 100]) {
    assert.deepEqual(await list(`limit=${limit}`), [12, 13, 11, 16, 17, 15, 14])
  }
})

test('published excludes hidden sessions, as for the public', async () => {
  assert.deepEqual(await list('published=true'), [11, 15])
  assert.deepEqual(await list('published=false'), [12, 13, 16, 17, 14])
  const hidden = await service.read(`/api/v2/sessions/${uuid(13)}`, key)
  assert.equal(hidden['published'], false)
})

test('external_reference and auction filter exactly; an unknown or foreign auction has no sessions', async () => {
  assert.deepEqual(await list('external_reference=one'), [12])
  assert.deepEqual(await list('external_reference=ONE'), [])
  assert.deepEqual(await list(`auction=${uuid(2)}`), [15])
  assert.deepEqual(await list(`auction=auc_${uuid(2).toUpperCase()}`), [15])
  assert.deepEqual(await list(`auction=${uuid(1)}&published=true`), [11])
  assert.deepEqual(await list(`auction=${uuid(99)}`), [])
  assert.deepEqual(await list(`auction=${uuid(31)}`), [])
})

test("a timed session shows its timed block, with the house's values for unset fields", async () => {
  assert.deepEqual(await service.read(`/api/v2/sessions/${uuid(16)}`, key), {
    id: `ses_${uuid(16)}`,
    auction: `auc_${uuid(1)}`,
    title: 'Zitting',
    external_reference: 'timed',
    kind: 'timed',
    opens_at: '2020-05-01T10:00:00.000Z',
    timed: {
      first_closes_at: '2020-05-02T10:00:00.000Z',
      group_size: 3,
      interval_seconds: 45,
      extension_threshold_seconds: 90,
      extension_seconds: 0,
    },
    settings: { buyer_premium_percentage: '22.5' },
    increment_strategy: `inc_${uuid(3)}`,
    published: false,
    finished: true,
    customer_bidding_enabled: true,
    created_at: null,
    updated_at: null,
  })
})

test('a live session shows only its live block, and no title if it has none in the default locale', async () => {
  const live = await service.read(`/api/v2/sessions/${uuid(17)}`, key)
  assert.deepEqual(live['live'], { closes_at: '2020-04-01T18:00:00.000Z' })
  assert.ok(!('timed' in live))
  assert.equal(live['title'], null)
  assert.deepEqual(live['settings'], { buyer_premium_percentage: '100' })
})

test('unset fields of a session come from the house, or else are 120 seconds and no premium', async () => {
  const ofHouse = await service.read(`/api/v2/sessions/${uuid(11)}`, key)
  assert.deepEqual(ofHouse['settings'], { buyer_premium_percentage: '25' })
  const plain = await service.read(`/api/v2/sessions/${uuid(21)}`, await service.issueKey('plain'))
  assert.deepEqual(plain['settings'], { buyer_premium_percentage: '0' })
  assert.deepEqual(plain['timed'], {
    first_closes_at: null,
    group_size: null,
    interval_seconds: null,
    extension_threshold_seconds: 120,
    extension_seconds: 120,
  })
})

test('expand[]=auction gives the auction with its sessions as ids, an archived one too', async () => {
  const plain = await service.read(`/api/v2/auctions/${uuid(1)}`, key)
  const { auction } = await service.read(`/api/v2/sessions/${uuid(16)}?expand[]=auction`, key)
  assert.deepEqual(auction, plain)
  const [archived] = await service.walk(`/api/v2/sessions?auction=${uuid(2)}&expand[]=auction`, key)
  assert.deepEqual((archived!['auction'] as Json).id, `auc_${uuid(2)}`)
  assert.deepEqual((archived!['auction'] as Json)['sessions'], [`ses_${uuid(15)}`])
})

test('only reads that show an invalid session answer 500', async () => {
  const broken = await service.issueKey('broken')
  await service.read('/api/v2/sessions?limit=1', broken)
  await service.refused('/api/v2/sessions?limit=2', broken, 500, 'integrity-unavailable')
  await service.refused(`/api/v2/sessions/${uuid(42)}`, broken, 500, 'integrity-unavailable')
  await service.refused(`/api/v2/sessions/${uuid(43)}`, broken, 500, 'integrity-unavailable')
  await service.read(`/api/v2/sessions/${uuid(44)}`, broken)
  await service.refused(`/api/v2/sessions/${uuid(44)}?expand[]=auction`, broken, 500, 'integrity-unavailable')
  await service.refused(`/api/v2/sessions?auction=${uuid(32)}`, broken, 500, 'integrity-unavailable')
})
