import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { catalogueOf, uuid } from '../../../test/support/lines.ts'
import { isRunning, type Session } from '../src/index.ts'
import { serveCatalogue } from './service.ts'

const { ids, lines } = catalogueOf(1)
const [opens, closes] = ['2020-01-01T10:00:00Z', '2020-01-02T10:00:00Z']
const seen = { auction: ids.auction, opens_at: opens, published: true }
const sales: Record<string, object> = {
  live: { ...seen, kind: 'live', live: { closes_at: closes } },
  timed: { ...seen, kind: 'timed', timed: { first_closes_at: closes, group_size: 1, interval_seconds: 60 } },
  unpublished: { ...seen, kind: 'live', live: { closes_at: closes }, published: false },
  'in a draft auction': { ...seen, kind: 'live', live: { closes_at: closes }, auction: ids.draftAuction },
  'finished early': { ...seen, kind: 'live', live: { closes_at: closes }, finished: true },
  'timed and finished': { ...seen, kind: 'timed', finished: true },
  'without an opening': { ...seen, kind: 'timed', opens_at: null },
  'live without a close': { ...seen, kind: 'live' },
}
const records = Object.entries(sales).map(([title, fields], index) => ({
  type: 'session',
  id: `ses_${uuid(1_950 + index)}`,
  titles: { nl: title },
  ...fields,
}))
const { catalogue, close } = await serveCatalogue({ records: [...lines, ...records] })
after(close)

test('a sale runs from its opening on, to the close of a live session or the end of a timed one, if the public sees it', async () => {
  const sessions: Session<'auction'>[] = []
  for await (const session of catalogue.sessions.list({ expand: ['auction'] }))
    if (Object.hasOwn(sales, session.title ?? '')) sessions.push(session)
  assert.equal(sessions.length, records.length)
  const running = (time: string) =>
    sessions.flatMap((session) => (isRunning(session, new Date(time)) ? [session.kind] : [])).toSorted()
  assert.deepEqual(running('2020-01-01T09:59:59.999Z'), [])
  assert.deepEqual(running(opens), ['live', 'timed'])
  assert.deepEqual(running('2020-01-02T09:59:59.999Z'), ['live', 'timed'])
  assert.deepEqual(running(closes), ['timed'])
  assert.deepEqual(running('2098-01-01T00:00:00Z'), ['timed'])
})

test('a session without its auction is refused: whether the public sees it is not known', async () => {
  const [session] = (await catalogue.sessions.list().page()).data
  assert.throws(() => isRunning(session as unknown as Session<'auction'>, new Date()), /^TypeError: .+expand/)
})
