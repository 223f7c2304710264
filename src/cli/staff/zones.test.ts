import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createInstallation } from '../../../test/support/installation.ts'
import { houseLine } from '../../../test/support/lines.ts'
import { runProcess } from '../../../test/support/process.ts'

const { run, load, remove, settings } = await createInstallation()
after(remove)

const session = (auction: string, name: string, opens_at: string) => ({
  type: 'session',
  auction,
  external_reference: name,
  kind: 'live',
  opens_at,
  live: { closes_at: '2099-01-08T09:00:00Z' },
  published: true,
  customer_bidding_enabled: true,
})
const sale = (ref: string) => [
  { type: 'auction', ref, title: 'A' },
  session(ref, 'LATER', '2098-01-08T09:00:00Z'),
  session(ref, 'NOW', '2020-01-08T09:00:00Z'),
]
const here = { ...houseLine('here'), time_zone: 'Europe/Amsterdam' }
await load([here, ...sale('a'), houseLine('nowhere'), ...sale('b')])
const list = async (...words: string[]) => (await run('sessions', 'list', ...words)).stdout

test('times are in the zone of the house, which they name; of the machine only for a house without one', async () => {
  assert.match(await list('--house', 'here'), /8 Jan 2020 10:00 CET/)
  assert.match(await list('--house', 'here', '--utc'), /8 Jan 2020 09:00 UTC/)
  // The zone of a process is that of its machine.
  const away = await runProcess({ ...settings, TZ: 'America/New_York' }, 'sessions', 'list', '--house', 'nowhere')
  assert.match(away.stdout, /8 Jan 2020 04:00 GMT-5/)
})

test('a session that has not opened is not said to take bids', async () => {
  const text = await list('--house', 'here')
  assert.match(text, /^LATER .* not open yet /m)
  assert.match(text, /^NOW .* bidding /m)
})
