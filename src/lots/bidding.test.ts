import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describeCause } from '../sentences.ts'
import { extendClose, findBiddingObstacle, leastBid, type Offer } from './bidding.ts'

const at = (time: string) => new Date(`2026-05-08T${time}Z`)
const unnamed = { public_id: null, session: null }

function describe(offer: Offer, time: string): string | undefined {
  const obstacle = findBiddingObstacle(offer, at(time))
  return obstacle && describeCause(obstacle)
}

const steps = [
  { from: 10000, increment: 1000 },
  { from: 0, increment: 500 },
  { from: 50000, increment: 5000 },
]

test('the first bid is at least the starting bid, and never zero', () => {
  assert.equal(leastBid({ starting_bid: 5000, current_bid: null }, steps), 5000)
  assert.equal(leastBid({ starting_bid: 0, current_bid: null }, steps), 1)
  assert.equal(leastBid({ starting_bid: null, current_bid: null }, steps), 1)
})

test('a next bid exceeds the current one by the increment of the highest step at or below it', () => {
  const cases: [current: number, least: number][] = [
    [0, 500],
    [9999, 10499],
    [10000, 11000],
    [49999, 50999],
    [50000, 55000],
    [900000, 905000],
  ]
  for (const [current_bid, least] of cases) assert.equal(leastBid({ starting_bid: 700, current_bid }, steps), least)
})

test('without a step, or with an increment of zero, a bid still exceeds the current one', () => {
  assert.equal(leastBid({ starting_bid: null, current_bid: 400 }, []), 401)
  assert.equal(leastBid({ starting_bid: null, current_bid: 400 }, [{ from: 401, increment: 100 }]), 401)
  assert.equal(leastBid({ starting_bid: null, current_bid: 400 }, [{ from: 0, increment: 0 }]), 401)
})

test('a bid within the threshold, its limit included, moves the close to the time of the bid plus the extension', () => {
  const close = at('12:00:00.000')
  const settings = { extension_threshold_seconds: 120, extension_seconds: 300 }
  const cases: [placed: string, close: string][] = [
    ['11:57:59.999', '12:00:00.000'],
    ['11:58:00.000', '12:03:00.000'],
    ['11:59:59.999', '12:04:59.999'],
  ]
  for (const [placed, expected] of cases) assert.deepEqual(extendClose(close, at(placed), settings), at(expected))
})

test('a bid never moves the close to an earlier time, and never with a threshold of zero', () => {
  const close = at('12:00:00.000')
  const short = { extension_threshold_seconds: 300, extension_seconds: 60 }
  assert.deepEqual(extendClose(close, at('11:56:00.000'), short), close)
  assert.deepEqual(extendClose(close, at('11:59:30.000'), short), at('12:00:30.000'))
  const none = { extension_threshold_seconds: 0, extension_seconds: 60 }
  assert.deepEqual(extendClose(close, at('11:59:59.999'), none), close)
})

test('a lot takes bids from the opening of its session until just before its close', () => {
  const open: Offer = {
    ...unnamed,
    published: true,
    opens_at: at('10:00:00'),
    finished: false,
    customer_bidding_enabled: true,
    active: true,
    result_state: null,
    closes_at: at('12:00:00'),
  }
  const obstacle = (time: string, changed: Partial<Offer> = {}) => describe({ ...open, ...changed }, time)
  assert.equal(obstacle('10:00:00'), undefined)
  assert.equal(obstacle('11:59:59.999'), undefined)
  assert.equal(obstacle('09:59:59.999'), 'the session opens at 2026-05-08T10:00:00.000Z')
  assert.equal(obstacle('12:00:00'), 'the lot closed at 2026-05-08T12:00:00.000Z')
  assert.equal(obstacle('11:00:00', { published: false }), 'the session is not published')
  assert.equal(obstacle('11:00:00', { opens_at: null }), 'the session has no opening time')
  assert.equal(obstacle('11:00:00', { finished: true }), 'the session is finished')
  assert.equal(obstacle('11:00:00', { customer_bidding_enabled: false }), 'bidding is disabled in the session')
  assert.equal(obstacle('11:00:00', { active: false }), 'the lot is not active')
  assert.equal(obstacle('11:00:00', { closes_at: null }), 'the lot has no closing time')
})

test('of several reasons against a bid, a permanent one comes first', () => {
  const draft = {
    ...unnamed,
    published: false,
    customer_bidding_enabled: false,
    active: false,
    closes_at: at('12:00:00'),
  }
  const offer: Offer = { ...draft, finished: true, result_state: 'sold', opens_at: at('18:00:00') }
  assert.equal(describe(offer, '13:00:00'), 'the session is finished')
  const running = { ...offer, finished: false }
  assert.equal(describe(running, '13:00:00'), 'the lot is sold already')
  assert.equal(describe({ ...running, result_state: 'withdrawn' }, '11:00:00'), 'the lot is withdrawn')
  const open = { ...running, result_state: null }
  assert.match(describe(open, '13:00:00')!, /^the lot closed at/)
  assert.equal(describe(open, '11:00:00'), 'the session is not published')
})
