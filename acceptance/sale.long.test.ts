import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { createInstallation } from '../test/support/installation.ts'
import { findPort, runProcess, startProcess, type RunningService } from '../test/support/process.ts'

type Shown = { id: string; [field: string]: unknown }
type Reply = { status: number; data: Shown; detail: string | undefined }

const installation = await createInstallation()
const settings = {
  ...installation.settings,
  PORT: String(await findPort()),
  RATE_LIMIT_PER_MINUTE: '0',
}
const api = `http://127.0.0.1:${settings.PORT}/api/v2`
const hour = 3_600_000
const inHours = (hours: number) => new Date(Math.floor(Date.now() / 1000) * 1000 + hours * hour).toISOString()
const running = { session: randomUUID(), item: randomUUID(), lots: [randomUUID(), randomUUID(), randomUUID()] as const }

let service: RunningService
let key: string

async function call(method: string, path: string, body?: unknown): Promise<Reply> {
  const upload = body instanceof FormData
  const headers = {
    authorization: `Bearer ${key}`,
    ...(body !== undefined && !upload && { 'content-type': 'application/json' }),
  }
  const payload = upload ? body : JSON.stringify(body)
  const reply = await fetch(`${api}/${path}`, { method, headers, ...(body !== undefined && { body: payload }) })
  const answer = (await reply.json()) as { data: Shown; detail?: string }
  return { status: reply.status, data: answer.data, detail: answer.detail }
}

async function read(path: string): Promise<Shown> {
  const { status, data } = await call('GET', path)
  assert.equal(status, 200, path)
  return data
}

async function create(path: string, body: unknown): Promise<string> {
  const { status, data, detail } = await call('POST', path, body)
  assert.equal(status, 201, detail)
  return data.id
}

async function waitFor(path: string, holds: (shown: Shown) => boolean): Promise<Shown> {
  for (;;) {
    const shown = await read(path)
    if (holds(shown)) return shown
    await sleep(50)
  }
}

// Commands print what the interface shows.
async function command(...words: string[]): Promise<Shown> {
  const { code, stdout, stderr } = await runProcess(settings, ...words, '--json')
  assert.equal(code, 0, stderr)
  const printed = JSON.parse(stdout) as Shown
  const collection = { auc: 'auctions', ses: 'sessions', lot: 'lots' }[printed.id.slice(0, 3)]
  assert.deepEqual(await read(`${collection}/${printed.id}`), printed)
  return printed
}

// Each prints one line of error, and changes nothing.
async function refused(...commands: [expected: string | RegExp, ...words: string[]][]): Promise<void> {
  const everything = () => Promise.all(['auctions', 'sessions', 'lots?limit=100'].map(read))
  const state = await everything()
  const outcomes = await Promise.all(commands.map(([, ...words]) => runProcess(settings, ...words)))
  for (const [index, { code, stdout, stderr }] of outcomes.entries()) {
    const [expected] = commands[index]!
    assert.deepEqual([code, stdout], [1, ''])
    assert.match(stderr, /^error: .*\n$/)
    const message = stderr.slice('error: '.length, -1)
    if (typeof expected === 'string') assert.equal(message, expected)
    else assert.match(message, expected)
  }
  assert.deepEqual(await everything(), state)
}

before(async () => {
  const eur = (amount: number) => ({ amount, currency: 'EUR' })
  const timed = { first_closes_at: inHours(1), group_size: 1, interval_seconds: 60 }
  const lot = (index: 0 | 1 | 2, closes: string) => {
    const times = { closes_at: closes, scheduled_closes_at: closes }
    const own = { id: running.lots[index], session: running.session, item: running.item, lot_number: index + 1 }
    return { type: 'lot', ...own, active: true, starting_bid: eur(5000), ...times }
  }
  const lines = [
    { type: 'house', slug: 'noord', name: 'Veiling Noord', default_locale: 'nl', currency: 'EUR' },
    {
      type: 'increment_strategy',
      ref: 'steps',
      name: 'Online',
      steps: [
        { from: eur(0), increment: eur(500) },
        { from: eur(10000), increment: eur(1000) },
      ],
    },
    { type: 'auction', ref: 'auction', external_reference: 'running', title: 'Nu', published: true },
    {
      type: 'session',
      id: running.session,
      auction: 'auction',
      external_reference: 'running',
      titles: { nl: 'Nu' },
      kind: 'timed',
      opens_at: inHours(-1),
      timed: { ...timed, extension_threshold_seconds: 7200, extension_seconds: 7200 },
      increment_strategy: 'steps',
    },
    { type: 'item', id: running.item, external_reference: 'running', title: 'Pendule' },
    lot(0, inHours(1)),
    lot(1, inHours(1)),
    lot(2, inHours(-0.5)),
  ]
  const file = `${installation.dataDir}.ndjson`
  await writeFile(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
  // Without the service, and then beside it.
  const loaded = await runProcess(settings, 'load', file)
  assert.equal(loaded.code, 0, loaded.stderr)
  service = await startProcess(settings)
  const issued = await runProcess(settings, 'keys', 'create', '--house', 'noord', '--all', '--json')
  key = (JSON.parse(issued.stdout) as { key: string }).key
})

after(async () => {
  await service.stop()
  await installation.remove()
})

test('a sale is imported as drafts, gets its lots, is switched on, scheduled and published', async () => {
  const auction = await create('auctions', { title: 'Voorjaar', external_reference: 'A-1' })
  const opens = inHours(2)
  const session = await create('sessions', {
    auction,
    title: 'Middag',
    external_reference: 'S-1',
    opens_at: opens,
    timed: { first_closes_at: inHours(4), group_size: 2, interval_seconds: 60 },
  })
  const items: string[] = []
  for (const title of ['Vaas', 'Klok', 'Kast'])
    items.push(await create('items', { title, external_reference: title, seller: null }))
  const form = new FormData()
  const dot = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
  form.set('external_reference', 'P-1')
  form.set('file', new Blob([Buffer.from(dot, 'base64')]), 'dot.png')
  const image = await create(`items/${items[0]}/images`, form)

  const add = (item: string, number: number) => [
    'lots',
    'add',
    '--session',
    session,
    '--item',
    item,
    '--number',
    `${number}`,
  ]
  const lots = await Promise.all(
    items.map((item, index) => command(...add(item, index + 1), '--starting-bid-minor', '2000')),
  )
  assert.ok(lots.every((lot) => lot.active === false && lot.closes_at === null))
  await refused(['the session has a lot 3 already', ...add(items[0]!, 3)])
  const spare = await command(...add(items[0]!, 4), '--again')
  const archived = await runProcess(settings, 'lots', 'archive', spare.id, '--json')
  assert.equal((JSON.parse(archived.stdout) as Shown).id, spare.id)
  assert.equal((await call('GET', `lots/${spare.id}`)).status, 404)

  assert.equal((await call('PATCH', `sessions/${session}`, { title: 'Avond' })).status, 409)
  for (const { id } of lots.toReversed())
    assert.equal((await call('PATCH', `lots/${id}`, { active: true })).status, 200)
  const first = Date.parse(((await read(`sessions/${session}`)).timed as { first_closes_at: string }).first_closes_at)
  for (const [index, { id }] of lots.entries()) {
    const close = new Date(first + Math.floor(index / 2) * 60_000).toISOString()
    const lot = await waitFor(`lots/${id}`, ({ closes_at }) => closes_at === close)
    assert.deepEqual(lot.timed, { scheduled_closes_at: close })
  }
  const { url } = await waitFor(`items/${items[0]}/images/${image}`, ({ processing }) => processing === false)
  assert.equal((await fetch(String(url))).status, 200)

  assert.equal((await call('PATCH', `auctions/${auction}`, { title: 'Lente' })).data.title, 'Lente')
  assert.equal((await command('auctions', 'publish', auction)).published, true)
  const { status, detail } = await call('PATCH', `auctions/${auction}`, { title: 'Herfst' })
  assert.deepEqual([status, detail], [409, 'A published auction cannot be changed.'])
  assert.equal((await command('sessions', 'publish', session)).published, true)
  assert.equal((await command('sessions', 'enable-bidding', session)).customer_bidding_enabled, true)
  await refused([
    /^the session \S+ opens at \w{3} \d+ \w{3} \d{4} \d\d:\d\d/,
    'bids',
    'place',
    '--lot',
    lots[0]!.id,
    '--amount-minor',
    '2000',
  ])
})

test('bids extend a sale that has opened, only while staff allow bids, until the sale is finished', async () => {
  const session = `ses_${running.session}`
  const [lot, other, closed] = running.lots.map((uuid) => `lot_${uuid}`) as [string, string, string]
  const bid = (on: string, amount: number) => ['bids', 'place', '--lot', on, '--amount-minor', String(amount)]

  await refused([/^the session \S+ is not published$/, ...bid(lot, 5000)])
  assert.equal((await command('sessions', 'publish', running.session)).published, true)
  await refused([/^bidding is disabled in the session \S+$/, ...bid(lot, 5000)])
  await command('sessions', 'enable-bidding', session)
  await refused(
    ['amount must be at least €50.00', ...bid(lot, 4999)],
    [/^the lot \S+ closed at /, ...bid(closed, 5000)],
  )

  const { closes_at: scheduled } = await read(`lots/${lot}`)
  const once = await command(...bid(lot, 5000))
  assert.deepEqual(once.current_bid, { amount: 5000, currency: 'EUR' })
  assert.ok(String(once.closes_at) > String(scheduled))
  const twice = await command(...bid(lot, 10000))
  assert.ok(String(twice.closes_at) > String(once.closes_at))
  assert.deepEqual(twice.timed, { scheduled_closes_at: scheduled })
  await refused(['amount must be at least €110.00', ...bid(lot, 10999)])
  assert.equal((await read(`lots/${other}`)).closes_at, scheduled)

  const rivals = await Promise.all([11000, 11000, 11000].map((amount) => runProcess(settings, ...bid(lot, amount))))
  assert.equal(rivals.filter(({ code }) => code === 0).length, 1)
  assert.deepEqual((await read(`lots/${lot}`)).current_bid, { amount: 11000, currency: 'EUR' })

  assert.equal((await call('PATCH', `lots/${other}`, { active: false })).status, 409)
  assert.equal((await call('PATCH', `sessions/${session}`, { title: 'Nee' })).status, 409)
  const finished = await command('sessions', 'finish', session, '--early')
  assert.equal(finished.finished, true)
  assert.deepEqual(await command('sessions', 'finish', session, '--early'), finished)
  const late = ['lots', 'add', '--session', session, '--item', running.item, '--number', '9']
  await refused(
    [`the session ${session} is finished`, ...bid(other, 5000)],
    [`the session ${session} is finished`, 'sessions', 'enable-bidding', session],
    [`the session ${session} is finished`, ...late],
  )
  assert.equal((await call('PATCH', `lots/${other}`, { active: false })).status, 409)
})
