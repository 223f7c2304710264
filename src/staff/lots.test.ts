import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { allPermissions } from '../context.ts'
import { eur, uuid, type Line } from '../../test/support/lines.ts'
import type { Call, Json } from '../../test/support/service.ts'
import { checksum, openWriting } from '../../test/support/writing.ts'

const lot = (session: number, number: number) => `lot_${uuid(1000 * session + number)}`
const session = (number: number) => `ses_${uuid(100 + number)}`
const item = `itm_${uuid(1)}`

// The same lots in two sessions: those of one are changed alone, those of the other together.
const changes: Record<string, unknown>[] = [
  { starting_bid: eur(9_000) },
  { starting_bid: eur(5_000) },
  { starting_bid: null, held: true },
  { held: true },
  { held: false },
  { notice: 'Kras', notice_translations: { en: 'Scratch' } },
  { notice: null, notice_translations: { en: null } },
  { notice_translations: { nl: 'Niet gesigneerd' } },
  { starting_bid: eur(7_000), held: true, notice: 'Kras' },
  {},
]
const numbers = [...changes.keys()]
const opening = { opens_at: '2099-01-01T00:00:00Z', timed: { first_closes_at: '2099-01-02T00:00:00Z' } }
const sessionLines = (at: number, change: object = {}): Line[] => [
  { type: 'session', id: session(at), auction: 'a', titles: { nl: 'x' }, kind: 'timed', ...opening, ...change },
  ...numbers.map((number): Line => {
    const own = number === 6 ? { notice: 'Kras', notice_translations: { en: 'Scratch' } } : {}
    const place = { id: lot(at, number), session: session(at), item, lot_number: number + 1 }
    return { type: 'lot', ...place, starting_bid: eur(5_000), held: number === 4, ...own }
  }),
]
const { send, request, db, get, key, issueKey, close } = await openWriting([
  { type: 'auction', ref: 'a', title: 'x' },
  { type: 'item', id: item, title: 'x' },
  ...sessionLines(1),
  ...sessionLines(2),
  { type: 'lot', id: lot(1, 900), session: session(1), item, archived: true },
])
after(close)

const url = `/staff/v1/sessions/${session(2)}/lots`
const change = (lots: unknown, call: Partial<Call> = {}) => send('PATCH', '', { lots }, { url, ...call })
const readLot = async (id: string) => (await get(`/api/v2/lots/${id}`, key)).json<{ data: Json }>().data
type Row = { record: string; changes: { record: string; field: string; old: unknown; new: unknown }[] }
const rowsOf = async (record: string, operation: string) =>
  (await get(`/staff/v1/journal?record=${record}&operation=${operation}`, key)).json<{ data: Row[] }>().data

test('many lots get what each would get alone, in the answer in their order, and in one row of the journal', async () => {
  const before = await Promise.all(numbers.map((number) => readLot(lot(2, number))))
  for (const number of numbers) {
    const alone = await send('PATCH', '', changes[number], { url: `/staff/v1/lots/${lot(1, number)}` })
    assert.equal(alone.status, 200)
  }
  const order = numbers.toReversed()
  const changed = await change(order.map((number) => ({ lot: lot(2, number), ...changes[number] })))
  assert.equal(changed.status, 200)
  const rows = await rowsOf(session(2), 'changeLots')
  assert.equal(rows.length, 1)
  assert.equal(rows[0]!.record, session(2))
  for (const number of numbers) {
    const [alone, among] = [await readLot(lot(1, number)), await readLot(lot(2, number))]
    const where = JSON.stringify(changes[number])
    const { staff: _, ...shown } = (changed.data as unknown as Json[])[order.indexOf(number)]!
    assert.deepEqual(shown, among, where)
    for (const field of ['starting_bid', 'notice', 'notice_translations'])
      assert.deepEqual(among[field], alone[field], where)
    const isTouched = alone['updated_at'] !== alone['created_at']
    assert.equal(among['updated_at'] !== before[number]!['updated_at'], isTouched, where)
    const rowOfOne = await rowsOf(lot(1, number), 'changeLot')
    const noted = rowOfOne.flatMap((row) => row.changes).map((each) => ({ ...each, record: lot(2, number) }))
    assert.deepEqual(
      rows[0]!.changes.filter(({ record }) => record === lot(2, number)),
      noted,
      where,
    )
    assert.equal((await rowsOf(lot(2, number), 'changeLots')).length, noted.length > 0 ? 1 : 0)
  }
})

test('all errors of all lots are named together, and none changes', async () => {
  const before = await checksum(db)
  const good = { lot: lot(2, 0), starting_bid: eur(100) }
  const cases: [body: unknown, errors: string[]][] = [
    [[good, { lot: lot(2, 0).slice(4).toUpperCase() }], ['lots.1.lot duplicate']],
    [
      [good, { lot: lot(1, 0) }, { lot: lot(1, 900) }, { lot: lot(9, 9) }],
      ['lots.1.lot unavailable', 'lots.2.lot unavailable', 'lots.3.lot unavailable'],
    ],
    [
      [
        { ...good, notice: ' ', held: null },
        { lot: lot(2, 1), notice: 'x', notice_translations: { nl: 'y' } },
        { lot: lot(2, 2), starting_bid: { amount: 1, currency: 'USD' } },
        { lot: 'x', lot_number: 3 },
      ],
      [
        'lots.0.held wrong_type',
        'lots.0.notice blank',
        'lots.1.notice duplicate',
        'lots.2.starting_bid.currency currency_mismatch',
        'lots.3.lot invalid',
        'lots.3.lot_number unknown_field',
      ],
    ],
    [[], ['lots too_short']],
    [Array.from({ length: 5_001 }, (_, at) => ({ lot: lot(3, at) })), ['lots too_long']],
  ]
  for (const [body, errors] of cases) {
    const refused = await change(body)
    assert.deepEqual([refused.status, refused.errors.toSorted()], [422, errors])
  }
  assert.equal(await checksum(db), before)
})

test('the shape of the body comes before the session, and the session before its lots', async () => {
  const nowhere = { url: `/staff/v1/sessions/${session(9)}/lots` }
  assert.equal((await change([{ lot: lot(2, 0) }], nowhere)).status, 404)
  assert.equal((await change([{ lot: lot(2, 0) }, { lot: lot(2, 0) }], nowhere)).status, 422)
})

test('If-Match is not looked at, there is no ETag, and staff need to read lots', async () => {
  const least = await issueKey('house', ['staff', 'lots.read'], { require_if_match: true })
  const body = { lots: [{ lot: lot(2, 0), starting_bid: eur(400) }] }
  const reply = await request({ method: 'PATCH', url, key: least, body, headers: { 'if-match': '"another"' } })
  assert.deepEqual([reply.statusCode, reply.headers['etag']], [200, undefined])
  for (const lacking of ['staff', 'lots.read'] as const) {
    const weak = await issueKey(
      'house',
      allPermissions.filter((each) => each !== lacking),
    )
    assert.equal((await change(body.lots, { key: weak })).status, 403)
  }
})
