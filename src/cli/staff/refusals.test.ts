import assert from 'node:assert/strict'
import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { after, test } from 'node:test'
import { createInstallation } from '../../../test/support/installation.ts'
import { houseLine, uuid } from '../../../test/support/lines.ts'

const { run, refused, remove, dataDir } = await createInstallation({ TZ: 'UTC' })
after(remove)
await mkdir(dataDir, { recursive: true })

const timed = { first_closes_at: '2099-05-08T10:00:00Z', group_size: 1, interval_seconds: 60 }
const session = (name: string, more: object) => ({
  type: 'session',
  ref: name,
  auction: 'a',
  external_reference: name,
  kind: 'timed',
  opens_at: '2020-05-01T10:00:00Z',
  timed,
  published: true,
  customer_bidding_enabled: true,
  ...more,
})
const lots = (name: string, first: number, more: object = {}) =>
  [1, 2].flatMap((number) => [
    { type: 'item', ref: `i${name}${number}`, external_reference: `V-${first + number}`, title: 'Vaas' },
    {
      type: 'lot',
      id: uuid(first + number),
      session: name,
      item: `i${name}${number}`,
      lot_number: number,
      active: true,
      closes_at: timed.first_closes_at,
      scheduled_closes_at: timed.first_closes_at,
      ...more,
    },
  ])
const lines = [
  houseLine('house'),
  { type: 'auction', ref: 'a', external_reference: 'A', title: 'A' },
  session('OPEN', {}),
  ...lots('OPEN', 10),
  session('OVER', { finished: true, customer_bidding_enabled: false }),
  ...lots('OVER', 20, { active: false }),
  session('SOON', { opens_at: '2099-05-01T10:00:00Z' }),
  ...lots('SOON', 30),
  session('TYPED', { published: false, customer_bidding_enabled: false }),
]
const file = path.join(dataDir, 'house.ndjson')
await writeFile(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
await run('load', file)
const order = path.join(dataDir, 'order.csv')
await writeFile(order, '2\n1\n')

const commands: [words: string[], reason: RegExp][] = [
  [['lots', 'archive', 'OPEN/1'], /has opened/],
  [['lots', 'set', 'OPEN/1', '--number', '5'], /has opened/],
  [['lots', 'set', 'SOON/1', '--number', '2'], /has a lot 2 already/],
  [['lots', 'set', 'OVER/1', '--starting-bid', 'EUR 5'], /finished/],
  [['lots', 'renumber', 'OPEN', '--order', order], /has opened/],
  [['lots', 'deactivate', 'OPEN/1', 'OPEN/2'], /has opened/],
  [['lots', 'add', '--session', 'OVER', '--item', 'V-11', '--number', '9'], /finished/],
  [['lots', 'result', 'OPEN/1', 'unsold'], /closes at/],
  [['sessions', 'set', 'OPEN', '--interval', '90'], /has opened/],
  [['sessions', 'set', 'SOON', '--first-closes-at', '2020-01-01T10:00:00Z'], /later than/],
  [['sessions', 'finish', 'OPEN'], /have not closed/],
  [['sessions', 'enable-bidding', 'OVER'], /finished/],
  [['sessions', 'delay', 'OVER', '--by', '1m', '--reason', 'a fire alarm'], /finished/],
  [['sessions', 'delete', 'SOON', '--house', 'house'], /is published/],
  [['bids', 'place', '--lot', 'SOON/1', '--amount', 'EUR 5'], /opens/],
]
for (const [words, reason] of commands)
  test(`the refusal of "${words.slice(0, -1).join(' ')} …" is one line, before any announcement or question`, async () => {
    const stderr = await refused(...words)
    assert.match(stderr, /^error: [^\n]+\n$/)
    assert.match(stderr, reason)
  })

test('a session is deleted by its reference, which names none afterwards, and the journal keeps it', async () => {
  const { stdout } = await run('sessions', 'delete', 'TYPED')
  assert.equal(stdout, 'deleted the session TYPED\n')
  assert.match(await refused('sessions', 'delete', 'TYPED'), /there is no session "TYPED"/)
  assert.match((await run('journal', '--house', 'house', '--json')).stdout, /"sessions delete"[^]*"old":\s*"TYPED"/)
})

test('what is not refused is announced before its result, also the question that --yes answers', async () => {
  const { stderr, stdout } = await run('lots', 'set', 'SOON/1', '--number', '5', '--yes')
  assert.match(stderr, /^lot 1 lot_.*\nthe session is published: number 1 becomes 5\n$/)
  assert.match(stdout, /^lot SOON\/1 /)
  const archived = await run('lots', 'archive', 'SOON/5')
  assert.match(archived.stderr, /\nthe session is published: the number 5 becomes free\n$/)
  const finished = await run('sessions', 'finish', 'OPEN', '--early')
  assert.match(finished.stderr, /\n2 lots without a result\n$/)
})

test('a rehearsal before a question leaves one row in the journal, that of the change', async () => {
  const rows = JSON.parse((await run('journal', '--json')).stdout) as {
    operation: string
  }[]
  assert.deepEqual(
    rows.map(({ operation }) => operation).filter((name) => /archive|set|finish/.test(name)),
    ['sessions finish', 'lots archive', 'lots set'],
  )
})
