import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createInstallation } from '../../../test/support/installation.ts'
import { eur, houseLine, uuid } from '../../../test/support/lines.ts'
import { until } from '../../../test/support/pictures.ts'
import { runCommand } from '../../../test/support/process.ts'
import { startInTerminal } from '../../../test/support/terminal.ts'

const { settings, run: succeed, refused, load, write, remove } = await createInstallation()
after(remove)

const item = (number: number) => ({ type: 'item', ref: `i${number}`, external_reference: `V-${number}`, title: 'Vaas' })
const lot = (number: number) => ({
  type: 'lot',
  id: uuid(number),
  session: 's',
  item: `i${number}`,
  lot_number: number,
  active: true,
})
await load([
  houseLine('house', { time_zone: 'UTC' }),
  { type: 'increment_strategy', name: 'Fijn', steps: [{ from: eur(0), increment: eur(100) }] },
  { type: 'auction', ref: 'a', title: 'A' },
  {
    type: 'session',
    ref: 's',
    auction: 'a',
    external_reference: '2099-1/A',
    titles: { nl: 'Zitting' },
    kind: 'timed',
    opens_at: '2099-05-01T10:00:00Z',
    timed: { first_closes_at: '2099-05-08T10:00:00Z', group_size: 1, interval_seconds: 60 },
    published: true,
  },
  ...[1, 2].flatMap((number) => [item(number), lot(number)]),
])

const run = (...words: string[]) => runCommand(settings, ...words)

test('a session is prepared by commands: terms, numbers, starting bids and a delay', async () => {
  const set = await succeed(
    ...'sessions set 2099-1/A --opens-at 2099-05-02T10:00:00Z --interval 120 --premium 22.50'.split(' '),
    ...'--title Avond --strategy Fijn --results automatic'.split(' '),
  )
  assert.match(set.stderr, /the session is published: opens Fri 1 May 2099 10:00 UTC/)
  assert.match(
    set.stdout,
    /^session 2099-1\/A "Avond": published, .*opens Sat 2 May 2099 10:00 UTC.*results automatic\n$/,
  )

  const order = await write('order.csv', 'V-2\n1\n')
  const renumbered = await succeed('lots', 'renumber', '2099-1/A', '--order', order)
  assert.match(renumbered.stderr, /2 becomes 1 "Vaas"\n1 becomes 2 "Vaas"\n/)
  assert.equal(renumbered.stdout, 'renumbered 2 lots\n')
  const moved = await succeed('lots', 'set', '2099-1/A/1', '--number', '9', '--starting-bid', 'EUR 450', '--json')
  const shown = JSON.parse(moved.stdout) as { id: string; lot_number: number; starting_bid: unknown; closes_at: string }
  assert.deepEqual(
    [shown.id, shown.lot_number, shown.starting_bid, shown.closes_at],
    [`lot_${uuid(2)}`, 9, eur(45_000), '2099-05-08T10:02:00.000Z'],
  )
  assert.match(moved.stderr, /number 1 becomes 9/)

  await succeed('sessions', 'set', '2099-1/A', '--numbers-fixed')
  const fixed = await run('lots', 'set', '2099-1/A/9', '--number', '3')
  assert.equal(fixed.code, 1)
  assert.match(fixed.stderr, /error: the numbers of the session 2099-1\/A are fixed/)

  const delayed = await succeed('sessions', 'delay', '2099-1/A', '--by', '30m', '--reason', 'storing')
  assert.match(delayed.stdout, /first close Fri 8 May 2099 10:30 UTC\n$/)
})

test('a wrong order, a wrong time and a title of spaces are refused with their place', async () => {
  const order = await write('order.csv', 'V-2\nV-3\n')
  const wrong = await run('lots', 'renumber', '2099-1/A', '--order', order)
  assert.equal(wrong.code, 1)
  assert.match(wrong.stderr, /order\.csv:2: lot: the session has no lot "V-3"/)
  assert.match(wrong.stderr, /these lots are missing: 2/)
  for (const [option, value, message] of [
    ['--first-closes-at', '2099-05-01T00:00:00Z', /--first-closes-at must be later than opens_at/],
    ['--title', ' ', /title must not be blank/],
    ['--strategy', 'Grof', /no increment strategy "Grof"/],
  ] as const)
    assert.match(await refused('sessions', 'set', '2099-1/A', option, value), message)
})

test('a session whose lots have not closed is finished only with --early; the lots without a result are told, and asked about on a terminal', async (t) => {
  await succeed('sessions', 'publish', '2099-1/A')
  const early = await run('sessions', 'finish', '2099-1/A', '--yes')
  assert.equal(early.code, 1)
  assert.match(early.stderr, /error: 2 lots of the session 2099-1\/A have not closed: say --early to finish\n$/)
  const { child, shown, ended } = startInTerminal(settings, 'bin/catalogue sessions finish 2099-1/A --early')
  t.after(() => child.kill())
  await until(async () => /2 lots without a result[^]*Go on\? \(yes\/no\)/.test(shown()))
  child.stdin.write('no\n')
  assert.equal((await ended)[0], 1)
  assert.match((await succeed('sessions', 'list')).stdout, / published /)
  const finished = await succeed('sessions', 'finish', '2099-1/A', '--early')
  assert.match(finished.stderr, /^2 lots without a result$/m)
  assert.match(finished.stdout, /finished/)
})
