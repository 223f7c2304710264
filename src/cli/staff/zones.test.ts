import assert from 'node:assert/strict'
import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { after, test } from 'node:test'
import { createInstallation } from '../../../test/support/installation.ts'
import { houseLine } from '../../../test/support/lines.ts'

const { run, remove, dataDir } = await createInstallation({ TZ: 'America/New_York' })
after(remove)
await mkdir(dataDir, { recursive: true })

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
const lines = [here, ...sale('a'), houseLine('nowhere'), ...sale('b')]
const file = path.join(dataDir, 'houses.ndjson')
await writeFile(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
await run('load', file)
const list = async (...words: string[]) => (await run('sessions', 'list', ...words)).stdout

test('times are in the zone of the house, which they name; of the machine only for a house without one', async () => {
  assert.match(await list('--house', 'here'), /8 Jan 2020 10:00 CET/)
  assert.match(await list('--house', 'here', '--utc'), /8 Jan 2020 09:00 UTC/)
  assert.match(await list('--house', 'nowhere'), /8 Jan 2020 04:00 GMT-5/)
})

test('a session that has not opened is not said to take bids', async () => {
  const text = await list('--house', 'here')
  assert.match(text, /^LATER .* not open yet /m)
  assert.match(text, /^NOW .* bidding /m)
})
