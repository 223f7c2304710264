import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { after, before, test } from 'node:test'
import { createInstallation } from '../test/support/installation.ts'
import { runProcess, spawnCommand } from '../test/support/process.ts'

const { dataDir, settings, remove } = await createInstallation({ TZ: 'Europe/Amsterdam', LC_ALL: 'nl_NL.UTF-8' })
after(remove)

async function run(...words: string[]) {
  const { code, stdout, stderr } = await runProcess(settings, ...words)
  assert.equal(code, 0, stderr)
  return { stdout, stderr }
}

async function refused(...words: string[]): Promise<string> {
  const { code, stdout, stderr } = await runProcess(settings, ...words)
  assert.deepEqual([code, stdout], [1, ''])
  return stderr
}

const running = { session: randomUUID(), lot: randomUUID() }
const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString()

async function list<Row = Record<string, unknown>>(...words: string[]): Promise<Row[]> {
  return JSON.parse((await run(...words, '--json')).stdout) as Row[]
}

async function write(name: string, text: string): Promise<string> {
  const file = `${dataDir}-${name}`
  await writeFile(file, text)
  return file
}

before(async () => {
  const lines = [
    { type: 'house', slug: 'noord', name: 'Veiling Noord', default_locale: 'nl', currency: 'EUR' },
    { type: 'auction', ref: 'auction', external_reference: '2026-1', title: 'Voorjaarsveiling' },
    {
      type: 'session',
      ref: 'evening',
      auction: 'auction',
      external_reference: '2026-1/A',
      titles: { nl: 'Avondzitting' },
      kind: 'live',
      opens_at: '2099-05-08T10:00:00Z',
      live: { closes_at: '2099-05-08T14:00:00Z' },
    },
    {
      type: 'session',
      id: running.session,
      auction: 'auction',
      external_reference: '2026-1/B',
      titles: { nl: 'Nu' },
      kind: 'live',
      opens_at: inHours(-1),
      live: { closes_at: inHours(10) },
    },
    ...Array.from({ length: 800 }, (_, index) => ({
      type: 'item',
      ...(index === 0 && { ref: 'first' }),
      external_reference: `V-${index + 1}`,
      title: `Kavel ${index + 1}`,
    })),
    { type: 'lot', id: running.lot, session: running.session, item: 'first', lot_number: 1, active: true },
  ]
  await run('load', await write('house.ndjson', lines.map((line) => JSON.stringify(line)).join('\n')))
})

test('staff take a sale from its items to its first bid, with the names that they know', async () => {
  const sheet = Array.from({ length: 800 }, (_, index) => `2026-1/A;V-${index + 1};${index + 1};${index + 1},00`)
  const file = await write('lots.csv', `Session;Item;Number;Starting bid\r\n${sheet.join('\r\n')}\r\n`)
  const added = await run('lots', 'add', '--file', file, '--again')
  assert.match(added.stderr, /^session ses_\S+ "Avondzitting" \(2026-1\/A\), house noord: 800 lots\n$/)
  assert.match(added.stdout, /^added 800 lots: 2026-1\/A\/1 to 2026-1\/A\/800\n$/)
  const again = await refused('lots', 'add', '--file', file)
  assert.match(again, /^.*lots\.csv:2: number: the session has a lot 1 already$/m)
  // The number of each is taken, and its item is in that lot.
  assert.match(again, /\nand 1500 more\nerror: nothing was changed: there are 1600 problems\n$/)

  const single = ['lots', 'add', '--session', '2026-1/A', '--item', 'V-3', '--number', '801', '--again']
  const { stderr } = await run(...single, '--house', 'noord')
  assert.match(stderr, /^session ses_\S+ .*, house noord\nitem itm_\S+ "Kavel 3" \(V-3\), house noord\n$/)
  assert.match(
    (await run('lots', 'archive', '2026-1/A/801')).stderr,
    /^lot 801 lot_\S+ "Kavel 3" of session 2026-1\/A, house noord\n$/,
  )
  assert.equal((await list('lots', 'list', '--session', '2026-1/A')).length, 800)

  const published = await run('auctions', 'publish', '2026-1')
  assert.match(published.stderr, /^auction auc_\S+ "Voorjaarsveiling" \(2026-1\), house noord\n$/)
  assert.match(published.stdout, /^auction 2026-1 "Voorjaarsveiling": published\n$/)
  await run('sessions', 'publish', '2026-1/B')
  await run('sessions', 'enable-bidding', '2026-1/B', '--house', 'noord')
  const bid = await run('bids', 'place', '--lot', '2026-1/B/1', '--amount', 'EUR 5')
  assert.match(bid.stdout, /^lot 2026-1\/B\/1 "Kavel 1": active, current bid € 5,00, closes \w{3} \d/)
})

test('a command with ids prints only its result', async () => {
  const { stdout, stderr } = await run('sessions', 'disable-bidding', running.session)
  assert.equal(stderr, '')
  assert.match(stdout, /bidding disabled\n$/)
})

test('the lists have headings, counts and the filters of the interface', async () => {
  const auctions = await list('auctions', 'list')
  const { id, created_at, ...auction } = auctions[0]!
  assert.match(String(id), /^auc_/)
  assert.match(String(created_at), /Z$/)
  const counts = { published: true, sessions: 2, lots: 801 }
  assert.deepEqual(auction, { external_reference: '2026-1', title: 'Voorjaarsveiling', ...counts })
  const shown = (await run('auctions', 'list', '--house', 'noord')).stdout.split('\n')
  assert.match(shown[0]!, /^auction +title +state +sessions +lots +created +id$/)
  assert.match(shown[1]!, /^2026-1 +Voorjaarsveiling +published +2 +801 +.* auc_\S+$/)
  assert.deepEqual(shown.slice(2), ['', '1 auction', ''])
  assert.equal((await run('auctions', 'list', '--no-published')).stdout, '0 auctions\n')
  assert.deepEqual(await list('auctions', 'list', '--external-reference', '2026'), [])

  const references = async (...words: string[]) =>
    (await list<{ external_reference: string }>(...words)).map((row) => row.external_reference)
  assert.deepEqual(await references('sessions', 'list', '--auction', '2026-1'), ['2026-1/A', '2026-1/B'])
  assert.deepEqual(await references('sessions', 'list', '--published'), ['2026-1/B'])
  assert.deepEqual(await references('items', 'list', '--external-reference', 'V-7'), ['V-7'])
  const [first] = await list('items', 'list', '--external-reference', 'V-1')
  assert.deepEqual([first!['lots'], first!['images']], [2, 0])

  const lots = await list('lots', 'list', '--auction', '2026-1', '--number', '1', '--active')
  const [lot] = lots as { id: string; session_reference: string; item_reference: string; bids: number }[]
  assert.deepEqual([lots.length, lot!.id, lot!.session_reference], [1, `lot_${running.lot}`, '2026-1/B'])
  assert.deepEqual([lot!.item_reference, lot!.bids], ['V-1', 1])
  assert.equal((await list('lots', 'list', '--no-active')).length, 800)
  assert.match(
    (await run('lots', 'list', '--session', running.session)).stdout,
    /^2026-1\/B\/1 +Kavel 1 +active .*\n\n1 lot\n$/m,
  )
})

test('staff search lots and items, and are told how the words were taken', async () => {
  assert.equal((await list('items', 'search', 'V-7'))[0]!['external_reference'], 'V-7')
  const found = await list('lots', 'search', '7', '--session', '2026-1/A', '--limit', '2')
  assert.deepEqual([found.length, found[0]!['lot_number'], found[0]!['session_reference']], [2, 7, '2026-1/A'])
  const { stdout, stderr } = await run('items', 'search', 'kaevl', '--limit', '1')
  assert.match(stdout, / Kavel \d+ .*\n\n1 item\n$/)
  assert.equal(stderr, 'corrected: kaevl to kavel\nthe first 1 of 800 items: --limit shows more\n')
  assert.match((await run('lots', 'search', '1', '--open')).stdout, /^2026-1\/B\/1 /m)
  assert.equal(await refused('lots', 'search', '!'), 'error: q needs a letter or a digit.\n')
})

test('times are those of the machine in words, or of UTC', async () => {
  const opens = async (...words: string[]) => (await run('sessions', 'list', '--no-published', ...words)).stdout
  assert.match(await opens(), / Fri 8 May 2099 12:00 CEST /)
  assert.match(await opens('--utc'), / Fri 8 May 2099 10:00 UTC /)
})

test('amounts are typed and shown with the currency or its decimals, and a bare integer is neither units nor cents', async () => {
  const add = (number: number, ...bid: string[]) =>
    run('lots', 'add', '--session', '2026-1/A', '--item', 'V-5', '--number', `${number}`, '--again', ...bid)
  await add(851, '--starting-bid', '450,50')
  await add(852, '--starting-bid', '450', '--units')
  await add(853, '--starting-bid-minor', '45050')
  const shown = (await run('lots', 'list', '--session', '2026-1/A')).stdout
  for (const [number, amount] of [
    [851, '€ 450,50'],
    [852, '€ 450,00'],
    [853, '€ 450,50'],
  ])
    assert.match(shown, new RegExp(`^2026-1/A/${number} .* ${amount} `, 'm'))
  const [lot] = await list('lots', 'list', '--number', '851')
  assert.deepEqual(lot!['starting_bid'], { amount: 45_050, currency: 'EUR' })

  const readings = /could be EUR 45000, or EUR 450 if it is in minor units: write "EUR 45000" or "EUR 450", or use /
  const bid = await runProcess(settings, 'bids', 'place', '--lot', '2026-1/B/1', '--amount', '45000')
  assert.equal(bid.code, 2)
  assert.match(bid.stderr, new RegExp(`error: --amount: "45000" ${readings.source}--amount-minor\n$`))
  const file = await write('cents.csv', 'session,item,number,starting_bid\n2026-1/A,V-6,861,45000\n')
  assert.match(await refused('lots', 'add', '--file', file), readings)
  assert.deepEqual(await list('lots', 'list', '--number', '861'), [])
  for (const { lot_number } of await list('lots', 'list', '--session', '2026-1/A'))
    if (Number(lot_number) > 850) await run('lots', 'archive', `2026-1/A/${String(lot_number)}`)
})

test('lots are read from standard input, and all lots of a file are added or none', async () => {
  const add = async (text: string) => {
    const child = spawnCommand(settings, ['lots', 'add', '--file', '-', '--json', '--again'], ['pipe', 'pipe', 'pipe'])
    let [stdout, stderr] = ['', '']
    child.stdout!.on('data', (chunk) => (stdout += chunk))
    child.stderr!.on('data', (chunk) => (stderr += chunk))
    child.stdin!.end(text)
    const closed = new Promise((resolve) => child.once('close', resolve))
    return { code: await closed, stdout, stderr }
  }
  const lot = (number: number, item: string) => JSON.stringify({ session: '2026-1/A', item, number, starting_bid: 100 })
  const wrong = await add(`${lot(900, 'V-1')}\n${lot(901, 'V-1000')}\n`)
  assert.equal(wrong.code, 1)
  assert.match(wrong.stderr, /^error: -:2: item: there is no item "V-1000" in the house noord \(see: .*\)\n$/)
  assert.deepEqual(await list('lots', 'list', '--number', '900'), [])
  const { code, stdout } = await add(`${lot(900, 'V-1')}\n${lot(901, 'V-2')}\n`)
  assert.equal(code, 0)
  assert.deepEqual(
    (JSON.parse(stdout) as { lot_number: number; title: string }[]).map((added) => [added.lot_number, added.title]),
    [
      [900, 'Kavel 1'],
      [901, 'Kavel 2'],
    ],
  )
})

test('the journal of a lot shows its part of a write of many lots, and the journal of the house their number', async () => {
  const linesOf = async (...words: string[]) => (await run('journal', ...words)).stdout.split('\n')
  const [heading, ...rows] = await linesOf('2026-1/A/7')
  assert.match(heading!, /^time +actor +operation +record +reason +changes$/)
  assert.equal(rows.length, 4, rows.join('\n'))
  assert.match(rows[0]!, / lots add +ses_\S+ +- +session: ses_\S+; item: itm_\S+; lot_number: 7; starting_bid: € 7,00$/)
  assert.ok((await linesOf()).some((row) => row.endsWith(' session, item, lot_number, starting_bid of 800 records')))
})

test('with several houses a list and a file of lots need --house', async () => {
  await run('houses', 'create', 'zuid', '--name', 'Zuid', '--locale', 'nl', '--currency', 'EUR')
  const message = 'error: there are several houses: say which with --house (noord, zuid)\n'
  assert.equal(await refused('auctions', 'list'), message)
  const file = await write('one.csv', 'session,item,number\n2026-1/A,V-1,950\n')
  assert.equal(await refused('lots', 'add', '--file', file), message)
  const [session] = await list('sessions', 'list', '--house', 'noord', '--external-reference', '2026-1/A')
  const byIds = await write('ids.csv', `session,item,number\n${String(session!.id)},V-1,950\n`)
  assert.match((await run('lots', 'add', '--file', byIds, '--again')).stdout, /^added 1 lot: 2026-1\/A\/950\n$/)
  assert.deepEqual(await list('auctions', 'list', '--house', 'zuid'), [])
  assert.equal((await list('sessions', 'list', '--house', 'noord')).length, 2)
  assert.match(
    await refused('auctions', 'publish', '2026-1'),
    /is not the id of an auction: it looks like auc_290583ad-…; a reference needs --house\n$/,
  )
})

test('the program prints its version', async () => {
  assert.match((await run('--version')).stdout, /^\d+\.\d+\.\d+\n$/)
})
