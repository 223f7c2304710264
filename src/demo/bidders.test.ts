import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startService } from '../../test/support/service.ts'
import { findHouse } from '../houses/locks.ts'
import { placeDemoBid } from './bidders.ts'

const now = new Date()
const inAnHour = new Date(now.getTime() + 3_600_000).toISOString()
const anHourAgo = new Date(now.getTime() - 3_600_000).toISOString()
const euros = (amount: number) => ({ amount, currency: 'EUR' })
const lot = (item: string, number: number, closes_at: string) => ({
  type: 'lot',
  session: 's',
  item,
  lot_number: number,
  active: true,
  starting_bid: euros(5_000),
  closes_at,
  scheduled_closes_at: closes_at,
})

const service = await startService({
  records: [
    { type: 'house', slug: 'demo', name: 'Demo', default_locale: 'nl', currency: 'EUR' },
    { type: 'auction', ref: 'a', external_reference: 'a', title: 'Loopt', published: true },
    {
      type: 'session',
      ref: 's',
      auction: 'a',
      external_reference: 's',
      titles: { nl: 'Loopt' },
      kind: 'timed',
      opens_at: anHourAgo,
      timed: { first_closes_at: inAnHour, group_size: 1, interval_seconds: 60 },
      published: true,
      customer_bidding_enabled: true,
    },
    { type: 'item', ref: 'open', external_reference: 'open', title: 'Open' },
    { type: 'item', ref: 'closed', external_reference: 'closed', title: 'Gesloten' },
    lot('open', 1, inAnHour),
    lot('closed', 2, anHourAgo),
  ],
})
after(() => service.close())

test('a demo bidder bids on an open lot, first the starting bid and then above the bid before', async () => {
  const house = (await findHouse(service.db, 'demo'))!
  const key = await service.issueKey('demo')
  const clock = () => new Date()
  const context = { db: service.db, house, now, clock, mediaBase: service.media.publicBase }
  const bids: unknown[] = []
  for (let bid = 0; bid < 3; bid++) {
    const id = await placeDemoBid(context)
    const lots = await service.read<{ id: string; title: string; current_bid: unknown }[]>('/api/v2/lots', key)
    assert.equal(lots.find((each) => each.id === id)?.title, 'Open')
    bids.push(lots.find((each) => each.id === id)?.current_bid)
  }
  assert.deepEqual(bids, [euros(5_000), euros(6_000), euros(7_000)])
  const later = () => new Date(now.getTime() + 7_200_000)
  assert.equal(await placeDemoBid({ ...context, clock: later }), undefined)
})
