import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { after, before, test } from 'node:test'
import { createInstallation } from '../test/support/installation.ts'

const { dataDir, run, refused, remove } = await createInstallation()
after(remove)

before(async () => {
  const session = (name: string, opens_at: string) => [
    {
      type: 'session',
      ref: name,
      auction: 'auction',
      external_reference: `2026-1/${name}`,
      titles: { nl: `Zitting ${name}` },
      kind: 'live',
      opens_at,
      live: { closes_at: '2099-12-08T14:00:00Z' },
    },
    { type: 'lot', session: name, item: 'first', lot_number: 1, active: true },
  ]
  const lines = [
    {
      type: 'house',
      slug: 'noord',
      name: 'Veiling Noord',
      default_locale: 'nl',
      currency: 'EUR',
      time_zone: 'Europe/Amsterdam',
    },
    { type: 'auction', ref: 'auction', external_reference: '2026-1', title: 'Voorjaarsveiling' },
    { type: 'item', ref: 'first', external_reference: 'V-1', title: 'Kavel 1' },
    ...session('A', '2099-05-08T10:00:00Z'),
    ...session('B', '2026-01-08T10:00:00Z'),
    ...session('C', '2099-12-08T10:00:00Z'),
  ]
  const file = `${dataDir}-house.ndjson`
  await writeFile(file, lines.map((line) => JSON.stringify(line)).join('\n'))
  await run('load', file)
})

test('messages name records as the command did, and print times as the lists do', async () => {
  assert.match(
    await refused('bids', 'place', '--lot', '2026-1/A/1', '--amount', 'EUR 5'),
    /^error: the session 2026-1\/A is not published\n$/,
  )
  const published = await run('sessions', 'publish', '2026-1/A')
  assert.match(published.stdout, /^session 2026-1\/A "Zitting A": published,/)
  assert.match(
    published.stderr,
    /\nthe auction 2026-1 is a draft, so the public does not see the session: auctions publish 2026-1\n$/,
  )
  const bid = ['bids', 'place', '--lot', '2026-1/A/1', '--amount', 'EUR 5']
  assert.match(await refused(...bid), /^error: the session 2026-1\/A opens at Fri 8 May 2099 12:00 CEST\n$/)
  assert.match(await refused(...bid, '--utc'), /^error: the session 2026-1\/A opens at Fri 8 May 2099 10:00 UTC\n$/)
  const missing = '900,1-3,1000-1100'
  assert.match(
    await refused('lots', 'activate', '--session', '2026-1/A', '--numbers', missing),
    /^error: there is no lot 2026-1\/A\/900, nor 2026-1\/A\/1000 to 1100\n$/,
  )
  assert.match(await refused('lots', 'archive', '2026-1/A/900'), /^error: there is no lot 2026-1\/A\/900: /)
  assert.match(await refused('lots', 'deactivate', '2026-1/B/1'), /^error: the session 2026-1\/B has opened\n$/)
})

test('the message for a finished session, and for a bid in it, says finished, whatever its switch for bids', async () => {
  const finish = () => run('sessions', 'finish', '2026-1/C', '--early')
  await run('sessions', 'enable-bidding', '2026-1/C')
  for (const { stdout } of [await finish(), await finish()])
    assert.equal(stdout, 'session 2026-1/C "Zitting C": not published, finished\n')
  const late = await refused('bids', 'place', '--lot', '2026-1/C/1', '--amount', 'EUR 5')
  assert.match(late, /^error: the session 2026-1\/C is finished\n$/)
  const enable = await refused('sessions', 'enable-bidding', '2026-1/C')
  assert.match(enable, /^error: the session 2026-1\/C is finished\n$/)
})

test('the messages on a file of lots name sessions and items as the file does', async () => {
  await run('sessions', 'finish', '2026-1/C', '--early')
  const file = `${dataDir}-lots.csv`
  await writeFile(file, 'session,item,number\n2026-1/C,V-1,2\n')
  assert.match(
    await refused('lots', 'add', '--file', file),
    /:2: session: the session 2026-1\/C is finished\n.*:2: item: the item V-1 is in the lot 2026-1\/A\/1, .*: say --again/,
  )
  await writeFile(file, 'session,number\n2026-1/C,1\n')
  assert.match(await refused('lots', 'deactivate', '--file', file), /:2: session: the session 2026-1\/C is finished\n$/)
})

test('lots come from a file, and lists have headings and counts', async () => {
  const file = `${dataDir}-more.csv`
  await writeFile(file, 'Session;Item;Number;Starting bid\r\n2026-1/A;V-1;11;10,00\r\n2026-1/A;V-1;12;20,00\r\n')
  const added = await run('lots', 'add', '--file', file, '--again')
  assert.match(added.stderr, /^session ses_\S+ "Zitting A" \(2026-1\/A\), house noord: 2 lots\n$/)
  assert.match(added.stdout, /^added 2 lots: 2026-1\/A\/11 to 2026-1\/A\/12\n$/)
  const published = await run('auctions', 'publish', '2026-1')
  assert.match(published.stdout, /^auction 2026-1 "Voorjaarsveiling": published\n$/)
  const shown = (await run('auctions', 'list')).stdout.split('\n')
  assert.match(shown[0]!, /^auction +title +state +sessions +lots +created +id$/)
  assert.match(shown[1]!, /^2026-1 +Voorjaarsveiling +published +3 +5 +.* auc_\S+$/)
})
