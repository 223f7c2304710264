import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { extendClose, leastBid } from '../lots/bidding.ts'
import { findValidator } from '../load/schema.ts'
import { readHouse, saleroom } from './house.ts'

type Money = { amount: number; currency: string }
type LoadRecord = Awaited<ReturnType<typeof readHouse>>[number]

const starts = [
  '2026-11-21T09:20:49.123Z',
  '2026-06-15T12:00:00.000Z',
  '2026-12-31T23:59:59.999Z',
  '2027-01-01T00:00:00.000Z',
  '2026-07-01T22:00:00.000Z',
  '2028-02-29T06:30:30.500Z',
  '2026-03-29T00:59:59.000Z',
  '2026-03-29T01:00:00.000Z',
  '2026-10-25T00:30:00.000Z',
  '2026-10-25T01:30:00.000Z',
  '2027-03-10T12:00:00.000Z',
  '2027-04-22T21:59:59.000Z',
  '2027-04-22T22:00:00.000Z',
]

const time = (value: unknown) => Date.parse(String(value))
const amount = (value: unknown) => (value as Money).amount
const block = (record: LoadRecord, name: string) => record[name] as Record<string, unknown>

async function openHouse(start: string) {
  const now = new Date(start)
  const records = await readHouse(now)
  const of = (type: string) => records.filter((record) => record['type'] === type)
  const refs = new Map<unknown, LoadRecord>(records.map((record) => [record['ref'], record]))
  const find = (ref: unknown): LoadRecord => refs.get(ref) ?? assert.fail(`no ${JSON.stringify(ref)}`)
  const lotsOf = (session: LoadRecord) => of('lot').filter((lot) => lot['session'] === session['ref'])
  const bidsOf = (lot: LoadRecord) => of('bid').filter((bid) => bid['lot'] === lot['ref'])
  return { start, now, records, of, find, lotsOf, bidsOf }
}

const houses = await Promise.all(starts.map(openHouse))

test('the demo house is in the time zone in which its times are made', async () => {
  const [house] = await readHouse(new Date(starts[0]!))
  assert.equal(house!['time_zone'], 'Europe/Amsterdam')
})

for (const { start, now, records, of, find, lotsOf, bidsOf } of houses) {
  const sessions = of('session')
  const running = sessions.filter((session) => session['published'] && !session['finished'])

  describe(`the demo house at ${start}`, () => {
    test('every line is of the load format, and points to earlier lines only', () => {
      const seen = new Set<unknown>()
      for (const [index, record] of records.entries()) {
        const validator = findValidator(String(record['type']))
        const line = JSON.parse(JSON.stringify(record)) as unknown
        assert.ok(validator?.Check(line), `${index} ${JSON.stringify(validator?.Errors(line))}`)
        const pointers = [
          'seller',
          'parent',
          'auction',
          'session',
          'item',
          'lot',
          'increment_strategy',
          'delivery_class',
          'consignment',
        ]
        const pointed = [
          ...pointers.map((name) => record[name]),
          ...((record['categories'] as unknown[]) ?? []),
          ...((record['makers'] as unknown[]) ?? []),
        ]
        for (const ref of pointed)
          if (ref !== undefined && ref !== null) assert.ok(seen.has(ref), `${index} → ${JSON.stringify(ref)}`)
        if (record['ref'] !== undefined) {
          assert.ok(!seen.has(record['ref']), `${JSON.stringify(record['ref'])} twice`)
          seen.add(record['ref'])
        }
      }
      assert.equal(records[0]?.['type'], 'house')
    })

    test('there are at least 120 lots, each number is unique in its session, and every item is offered', () => {
      assert.ok(of('lot').length >= 120)
      for (const session of sessions) {
        const numbers = lotsOf(session).map((lot) => lot['lot_number'])
        assert.equal(new Set(numbers).size, numbers.length)
      }
      const offered = new Set(of('lot').map((lot) => lot['item']))
      for (const item of of('item')) assert.ok(offered.has(item['ref']), String(item['ref']))
      const references = of('item').map((item) => item['external_reference'])
      assert.equal(new Set(references).size, references.length)
    })

    test('no creation, change or bid is later than the start, and no change is earlier than its creation', () => {
      for (const record of records) {
        const [created, updated] = [time(record['created_at']), time(record['updated_at'])]
        assert.ok(
          created <= updated && updated <= now.getTime(),
          `${JSON.stringify(record['ref'])} ${created} ${updated}`,
        )
      }
    })

    test('items have texts in three languages, plausible estimates and the seller of their consignment', () => {
      for (const item of of('item')) {
        const translations = item['translations'] as Record<string, Record<string, string>>
        assert.deepEqual(Object.keys(translations), ['nl', 'en', 'de'])
        const titles = Object.values(translations).map(({ title }) => title)
        assert.equal(new Set(titles).size, 3, titles[0])
        for (const words of Object.values(translations)) for (const word of Object.values(words)) assert.ok(word.trim())
        assert.equal(translations['nl']?.['title'], item['title'])
        const [low, high] = ['low', 'high'].map((bound) => amount(block(item, 'estimate')[bound]))
        assert.ok(low! < high! && low! % 100 === 0 && high! % 100 === 0)
        if (item['consignment']) assert.equal(find(item['consignment'])['seller'], item['seller'])
        assert.ok(!find(item['seller'])['archived'])
      }
    })

    test('the schedule covers the active lots of timed sessions, and the bids explain each extension', () => {
      for (const session of sessions.filter((each) => each['kind'] === 'timed')) {
        const timed = block(session, 'timed')
        const [group, interval] = [Number(timed['group_size']), Number(timed['interval_seconds']) * 1000]
        assert.ok(time(timed['first_closes_at']) > time(session['opens_at']))
        for (const lot of lotsOf(session).filter((each) => !each['active']))
          assert.deepEqual([lot['closes_at'], lot['scheduled_closes_at']], [null, null])
        for (const [place, lot] of lotsOf(session)
          .filter((each) => each['active'])
          .entries()) {
          const scheduled = time(timed['first_closes_at']) + Math.floor(place / group) * interval
          assert.equal(time(lot['scheduled_closes_at']), scheduled)
          let closes = new Date(scheduled)
          for (const bid of bidsOf(lot)) {
            const at = new Date(time(bid['placed_at']))
            assert.ok(at < closes, 'a bid after the close')
            closes = extendClose(closes, at, timed as Parameters<typeof extendClose>[2])
          }
          assert.equal(time(lot['closes_at']), closes.getTime())
        }
      }
    })

    test('bids follow the increments of their session, lie within its opening, and end at the current bid', () => {
      for (const lot of of('lot')) {
        const session = find(lot['session'])
        const ends = session['kind'] === 'timed' ? time(lot['closes_at']) : time(block(session, 'live')['closes_at'])
        const strategy = find(session['increment_strategy'])['steps'] as { from: Money; increment: Money }[]
        const steps = strategy.map(({ from, increment }) => ({ from: from.amount, increment: increment.amount }))
        const bids = bidsOf(lot)
        const starting_bid = amount(lot['starting_bid'])
        assert.ok(starting_bid > 0 && starting_bid <= amount(block(find(lot['item']), 'estimate')['low']))
        let current_bid: number | null = null
        let last = time(session['opens_at'])
        for (const bid of bids) {
          const [bidden, at] = [amount(bid['amount']), time(bid['placed_at'])]
          const least = leastBid({ starting_bid, current_bid }, steps)
          assert.ok(bidden >= least && at > last && at < ends && at <= now.getTime(), String(lot['ref']))
          current_bid = bidden
          last = at
        }
        if (bids.length > 0) assert.equal(amount(lot['current_bid']), current_bid)
        if (lot['sold']) assert.ok(lot['current_bid'])
        if (!session['finished'] && !(ends <= now.getTime())) assert.equal(lot['sold'], false)
        if (!lot['active'] || !session['published'])
          assert.deepEqual([lot['current_bid'], lot['sold'], bids.length], [null, false, 0])
      }
    })

    test('every active lot that has closed has its result, and no other lot', () => {
      for (const lot of of('lot')) {
        const session = find(lot['session'])
        const isOver = session['finished'] || (session['kind'] === 'timed' && time(lot['closes_at']) <= now.getTime())
        assert.equal(lot['result'] !== undefined, Boolean(isOver && lot['active']), String(lot['ref']))
      }
      const states = new Set(of('lot').map((lot) => (lot['result'] as { state: string } | undefined)?.state))
      assert.deepEqual(states, new Set(['sold', 'unsold', 'withdrawn', undefined]))
    })

    test('one sale is over, with lots sold, passed and below their reserve', () => {
      const finished = sessions.filter((session) => session['finished'])
      assert.deepEqual(
        finished.map((session) => session['kind']),
        ['timed', 'live'],
      )
      for (const session of finished) {
        const lots = lotsOf(session)
        assert.ok(lots.filter((lot) => lot['sold']).length > 10)
        assert.ok(lots.some((lot) => lot['active'] && !lot['sold'] && lot['current_bid'] === null))
        assert.ok(lots.some((lot) => !lot['sold'] && lot['current_bid'] !== null))
        assert.equal(session['customer_bidding_enabled'], false)
      }
    })

    test('one sale is running online: some lots are closed, one is extended, the others close within hours', () => {
      const online = running.filter(({ kind }) => kind === 'timed')
      assert.equal(online.length, 1)
      const [session] = online
      assert.ok(session && session['customer_bidding_enabled'] && time(session['opens_at']) < now.getTime())
      const lots = lotsOf(session)
      const closed = lots.filter((lot) => time(lot['closes_at']) <= now.getTime())
      assert.ok(closed.length >= 3 && closed.some((lot) => lot['sold']))
      const left = lots.filter((lot) => !closed.includes(lot)).map((lot) => time(lot['closes_at']) - now.getTime())
      assert.ok(left.length > 30 && Math.max(...left) > 3 * 3_600_000)
      const extended = lots.filter((lot) => !closed.includes(lot) && lot['closes_at'] !== lot['scheduled_closes_at'])
      assert.equal(extended.length, 1)
      assert.ok(time(extended[0]?.['closes_at']) - now.getTime() > 240_000)
    })

    test('one sale is running in the saleroom, where no customer bids and every lot waits for its result', () => {
      const room = running.filter(({ kind }) => kind === 'live')
      assert.deepEqual(
        room.map((session) => [session['external_reference'], session['customer_bidding_enabled']]),
        [[saleroom, false]],
      )
      const [session] = room
      assert.ok(
        time(session!['opens_at']) < now.getTime() && time(block(session!, 'live')['closes_at']) > now.getTime(),
      )
      const lots = lotsOf(session!)
      assert.ok(lots.length > 3 && lots.every((lot) => lot['active'] && lot['result'] === undefined))
    })

    test('one sale is coming, in draft, with a timed and a live session, and offers unsold items again', () => {
      const drafts = sessions.filter((session) => !session['published'])
      assert.deepEqual(
        drafts.map((session) => session['kind']),
        ['timed', 'live'],
      )
      for (const session of drafts) {
        assert.equal(find(session['auction'])['published'], false)
        assert.ok(time(session['opens_at']) > now.getTime() + 7 * 86_400_000)
      }
      const again = of('lot').filter((lot) => of('lot').filter((other) => other['item'] === lot['item']).length === 2)
      assert.ok(again.length >= 4)
      for (const lot of again) assert.equal(lot['sold'], false)
    })

    test('galleries are dense, led by their featured photograph', () => {
      for (const item of of('item')) {
        const images = of('image').filter((image) => image['item'] === item['ref'])
        const shown = images.filter((image) => image['public'])
        assert.deepEqual(
          shown.map((image) => image['position']),
          [...shown.keys()],
        )
        assert.deepEqual(
          shown.map((image) => image['featured']),
          shown.map((_, at) => at === 0),
        )
        for (const image of images)
          if (!image['public']) assert.deepEqual([image['featured'], image['position']], [false, null])
        assert.ok(shown.length > 0)
      }
    })
  })
}

test('the sales open at ten in the morning in Amsterdam, in summer and in winter', async () => {
  const opened = async (start: string) =>
    (await openHouse(start)).of('session').map((session) => String(session['opens_at']))
  assert.ok((await opened('2026-07-20T12:00:00Z')).every((at) => at.endsWith('T08:00:00.000Z')))
  assert.ok((await opened('2026-12-20T12:00:00Z')).every((at) => at.endsWith('T09:00:00.000Z')))
  assert.equal((await opened('2026-10-25T12:00:00Z'))[2], '2026-10-24T08:00:00.000Z')
  assert.equal((await opened('2026-10-26T12:00:00Z'))[2], '2026-10-25T09:00:00.000Z')
})

const demo = join(import.meta.dirname, '../../demo')

test('no time is in the hour of the night that the clock may skip or show twice', async () => {
  assert.doesNotMatch(await readFile(join(demo, 'house.ndjson'), 'utf8'), /"day [-+]?\d+, 02:/)
})

test('every picture that an image names exists, and there are no others', async () => {
  const { of } = await openHouse(new Date().toISOString())
  const named = new Set(of('image').map((image) => String(image['file']).replace(/^pictures\//, '')))
  assert.deepEqual([...named].toSorted(), (await readdir(join(demo, 'pictures'))).toSorted())
})
