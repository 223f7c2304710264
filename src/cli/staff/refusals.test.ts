import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createInstallation } from '../../../test/support/installation.ts'
import type { Command } from 'commander'
import { eur, houseLine, uuid } from '../../../test/support/lines.ts'
import { commands } from '../commands.ts'

const { run, refused, load, write, remove } = await createInstallation()
after(remove)

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
await load([
  houseLine('house'),
  { type: 'increment_strategy', name: 'Fijn', steps: [{ from: eur(0), increment: eur(100) }] },
  { type: 'seller', ref: 'one', seller_number: 1, profile_name: 'A' },
  { type: 'seller', seller_number: 2, profile_name: 'B' },
  { type: 'category', ref: 'clocks', slug: 'klokken' },
  { type: 'maker', ref: 'maker', name: 'Breguet' },
  { type: 'delivery_class', ref: 'class', name: 'Ophalen' },
  { type: 'consignment', ref: 'consignment', number: 'C-1', seller: 'one' },
  {
    type: 'item',
    external_reference: 'V-1',
    title: 'Klok',
    seller: 'one',
    consignment: 'consignment',
    categories: ['clocks'],
    makers: ['maker'],
    delivery_class: 'class',
  },
  { type: 'item', external_reference: 'GONE', title: 'Klok', archived: true },
  { type: 'auction', ref: 'a', external_reference: 'A', title: 'A' },
  { type: 'auction', external_reference: 'PUBLIC', title: 'A', published: true },
  { type: 'auction', external_reference: 'LATE', title: 'A', archived: true },
  session('OPEN', {}),
  ...lots('OPEN', 10),
  session('OVER', { finished: true, customer_bidding_enabled: false }),
  ...lots('OVER', 20, {
    active: false,
    result: { state: 'unsold', amount: null, at: null, after_sale: false, with: null },
  }),
  session('SOON', { opens_at: '2099-05-01T10:00:00Z' }),
  ...lots('SOON', 30),
  session('ROOM', { kind: 'live', timed: undefined, live: { closes_at: timed.first_closes_at } }),
  ...lots('ROOM', 40, { closes_at: undefined, scheduled_closes_at: undefined }),
  session('HALL', {
    kind: 'live',
    timed: undefined,
    live: { closes_at: timed.first_closes_at },
    opens_at: '2099-05-01T10:00:00Z',
  }),
  session('TYPED', { published: false, customer_bidding_enabled: false }),
])
const [order, results, sold, late, steps, wrong] = await Promise.all([
  write('order.csv', '2\n1\n'),
  write('results.csv', 'number,state\n1,unsold\n'),
  write('sold.csv', 'number,state\n1,sold\n'),
  write('late.csv', 'session,item,number\nSOON,V-1,9\n'),
  write('steps.csv', 'from,increment\n0,100\n'),
  write('wrong.ndjson', '{"type":"auction","title":"A"}\n'),
])
const house = ['--name', 'Noord', '--locale', 'nl', '--currency', 'EUR']
const drafted =
  '--external-reference OPEN --title Zitting --opens-at 2099-05-01T10:00:00Z --closes-at 2099-05-02T10:00:00Z'.split(
    ' ',
  )
const because = ['--reason', 'a mistake']
const unknown = `bid_${uuid(99)}`

const refusals: [words: string[], reason: RegExp][] = [
  [['load', wrong], /needs a house line above it/],
  [['restore', wrong], /is no backup of a catalogue/],
  [['houses', 'create', 'house', ...house], /house is taken/],
  [['houses', 'set', 'nowhere', '--results', 'automatic'], /there is no house "nowhere"/],
  [['keys', 'create', '--house', 'nowhere', '--all'], /there is no house "nowhere"/],
  [['keys', 'revoke', 'key_1'], /there is no key key_1/],
  [['keys', 'rotate', 'key_1'], /there is no key key_1/],
  [['strategies', 'create', 'Fijn', '--file', steps], /the name "Fijn" belongs to another increment strategy/],
  [['sellers', 'create', '--seller-number', '1'], /the seller number 1 belongs to another seller/],
  [['sellers', 'set', '2', '--seller-number', '1'], /the seller number 1 belongs to another seller/],
  [['sellers', 'archive', '9'], /there is no seller "9" in the house house/],
  [['categories', 'create', '--slug', 'klokken'], /the slug "klokken" belongs to another category/],
  [['categories', 'set', 'klokken', '--parent', 'klokken'], /parent must not be the category itself/],
  [['categories', 'delete', 'klokken'], /the category klokken is in use/],
  [['makers', 'create', '--name', 'Breguet'], /the name "Breguet" belongs to another maker/],
  [['makers', 'set', 'Breguet', '--name', ''], /name must not be null/],
  [['makers', 'delete', 'Breguet'], /the maker Breguet is in use/],
  [['delivery-classes', 'create', '--name', 'Ophalen'], /belongs to another delivery class/],
  [['delivery-classes', 'set', 'Ophalen', '--name', ''], /name must not be null/],
  [['delivery-classes', 'delete', 'Ophalen'], /the delivery class Ophalen is in use/],
  [['consignments', 'create', '--number', 'C-1'], /the number "C-1" belongs to another consignment/],
  [['consignments', 'set', 'C-1', '--seller', '2'], /the consignment C-1 has items of another seller/],
  [['consignments', 'archive', 'C-9'], /there is no consignment "C-9" in the house house/],
  [['auctions', 'create', '--external-reference', 'A', '--title', 'A'], /the external reference "A" belongs to/],
  [['auctions', 'set', 'PUBLIC', '--title', 'B'], /the auction is published: unpublish it first/],
  [['auctions', 'set', 'LATE', '--title', 'B'], /the auction LATE is archived/],
  [['auctions', 'set', 'A', '--title', ' '], /title must not be blank/],
  [['auctions', 'publish', 'B'], /there is no auction "B"/],
  [['auctions', 'unpublish', 'B'], /there is no auction "B"/],
  [['sessions', 'create', '--auction', 'NONE', ...drafted], /there is no auction "NONE"/],
  [['sessions', 'create', '--auction', 'A', ...drafted], /the external reference "OPEN" belongs to another session/],
  [['sessions', 'create', '--auction', 'LATE', ...drafted.with(1, 'NEW')], /auction is unknown, archived or of/],
  [['sessions', 'create', '--auction', 'A', ...drafted, '--premium', '222'], /--premium must be from/],
  [['sessions', 'publish', 'NONE'], /there is no session "NONE"/],
  [['sessions', 'unpublish', 'NONE'], /there is no session "NONE"/],
  [['sessions', 'disable-bidding', 'NONE'], /there is no session "NONE"/],
  [['sessions', 'enable-bidding', 'OVER'], /the session OVER is finished/],
  [['sessions', 'finish', 'OPEN'], /2 lots of the session OPEN have not closed: say --early to finish/],
  [['sessions', 'set', 'OPEN', '--interval', '90'], /the session OPEN has opened/],
  [['sessions', 'set', 'OPEN', '--results', 'automatic'], /the session OPEN has opened/],
  [
    ['sessions', 'set', 'SOON', '--opens-at', '2020-01-01T10:00:00Z'],
    /with its new opening, the session SOON has opened/,
  ],
  [['sessions', 'set', 'SOON', '--first-closes-at', '2020-01-01T10:00:00Z'], /later than/],
  [['sessions', 'delay', 'OVER', '--by', '1m', ...because], /the session OVER is finished/],
  [['sessions', 'delete', 'SOON', '--house', 'house'], /the session SOON is published/],
  [['sessions', 'results', 'OPEN', '--file', results], /closes at/],
  [
    ['sessions', 'results', 'OVER', '--file', sold],
    /sold\.csv:2: number: the lot 1 is unsold already: say --correct to replace that/,
  ],
  [
    ['sessions', 'results', 'OVER', '--file', sold, '--correct'],
    /sold\.csv:2: number: --reason is needed for a correction after the end of the session/,
  ],
  [['sessions', 'results', 'ROOM'], /--file must be given: the results of a live session come from the room/],
  [['sessions', 'set', 'SOON', '--premium', '222'], /--premium must be from/],
  [['sessions', 'set', 'SOON', '--group-size', '2147483648'], /--group-size must be/],
  [['sessions', 'set', 'SOON', '--interval', '2147483648'], /--interval must be/],
  [['sessions', 'set', 'SOON', '--extension', '2147483648'], /--extension must be/],
  [['sessions', 'set', 'SOON', '--extension-threshold', '2147483648'], /--extension-threshold must be/],
  [['sessions', 'set', 'HALL', '--closes-at', '2020-01-01T00:00:00Z'], /--closes-at must be later than opens_at/],
  [['lots', 'archive', 'OPEN/1'], /has opened/],
  [['lots', 'set', 'OPEN/1', '--number', '5'], /has opened/],
  [['lots', 'set', 'SOON/1', '--number', '2'], /the session has a lot 2 already/],
  [['lots', 'set', 'OVER/1', '--starting-bid', 'EUR 5'], /finished/],
  [['lots', 'renumber', 'OPEN', '--order', order], /has opened/],
  [['lots', 'activate', 'OVER/1', 'OVER/2'], /finished/],
  [['lots', 'deactivate', 'OPEN/1', 'OPEN/2'], /has opened/],
  [['lots', 'hold', 'OPEN/1', 'OPEN/9'], /there is no lot OPEN\/9/],
  [['lots', 'release', 'OPEN/9'], /there is no lot OPEN\/9/],
  [['lots', 'add', '--session', 'OVER', '--item', 'V-11', '--number', '9'], /finished/],
  [
    ['lots', 'add', '--session', 'OVER', '--item', 'GONE', '--number', '9'],
    /the session OVER is finished; the item GONE is archived/,
  ],
  [
    ['lots', 'add', '--file', late, '--active'],
    /late\.csv:2: session: --active must be left out: the session is not live/,
  ],
  [['lots', 'result', 'OPEN/1', 'unsold'], /closes at/],
  [
    ['lots', 'result', 'OVER/1', 'open', ...because],
    /the session OVER is finished: say --correct to take a result back/,
  ],
  [['images', 'derive', '--missing', '--house', 'nowhere'], /there is no house "nowhere"/],
  [['items', 'archive', 'V-11'], /the item V-11 is in a lot without a result$/m],
  [['items', 'create', '--external-reference', 'V-1', '--title', 'Klok'], /the external reference "V-1" belongs to/],
  [['items', 'create', '--external-reference', 'V-2'], /title is required/],
  [['items', 'set', 'GONE', '--title', 'Klok'], /the item GONE is archived/],
  [['items', 'set', 'V-1', '--title', ''], /title must not be blank/],
  [['items', 'set', 'V-1', '--maker', 'Breguet', 'Niemand'], /there is no maker "Niemand" in the house house/],
  [['items', 'set', 'V-1', '--seller', '2'], /seller must be the seller of the consignment/],
  [['items', 'set', 'V-1', '--estimate', 'EUR 600-400'], /--estimate must not have a low bound above the high one/],
  [['items', 'set', 'V-1', '--estimate', 'EUR 400,50-600'], /--estimate must be a multiple of 100/],
  [['bids', 'place', '--lot', 'SOON/1', '--amount', 'EUR 5'], /opens/],
  [['bids', 'cancel', unknown, ...because], /there is no bid/],
  [['jobs', 'retry', '999'], /there is no job 999/],
]
for (const [words, reason] of refusals)
  test(`the refusal of "${words.slice(0, 3).join(' ')} …" is one line, before any announcement or question`, async () => {
    const stderr = await refused(...words)
    assert.match(stderr, /^error: [^\n]+\n$/)
    assert.match(stderr, reason)
  })

// Commands that change nothing that is stored, and the migration, which nothing but the database refuses.
const others = /(^| )(list|search)$|^(serve|migrate|export|backup|generation|doctor|journal|completion)$/

const listWords = (command: Command): string[] =>
  command.commands.length === 0
    ? [command.name()]
    : command.commands.flatMap(listWords).map((words) => `${command.name()} ${words}`)

test('every command that changes something is refused above', async () => {
  const all = (await Promise.all(Object.values(commands).map((load) => load()))).flatMap(listWords)
  const tried = new Set(refusals.map(([words]) => words.join(' ')))
  const untried = all.filter((words) => !others.test(words) && ![...tried].some((each) => each.startsWith(`${words} `)))
  assert.deepEqual(untried, [])
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
