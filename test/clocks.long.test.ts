// Processes whose clocks differ by minutes from the database's, and step while they run. libfaketime sets them.
import assert from 'node:assert/strict'
import { existsSync, globSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { createTestDatabase } from './support/database.ts'
import { urlOf } from './support/address.ts'
import { houseLine, uuid } from './support/lines.ts'
import { form, picture, until } from './support/pictures.ts'
import { createDataDir, findPort, runProcess, startProcess, type RunningService } from './support/process.ts'

const [library] = globSync('/usr/lib/*/faketime/libfaketime.so.1')
const skip = library !== undefined && existsSync(library) ? false : 'there is no libfaketime'
const folder = await createDataDir()
const minute = 60_000
const inMinutes = (minutes: number) => new Date(Date.now() + minutes * minute).toISOString()
const [auction, session, item, lot] = [uuid(1), uuid(2), uuid(3), uuid(4)]

type Shown = { id: string; updated_at: string; closes_at: string | null; current_bid: { amount: number } | null }
type Picture = { processing: boolean; original_url: string }
type Process = { settings: Record<string, string>; clock: string; service?: RunningService }

let database: Awaited<ReturnType<typeof createTestDatabase>>
let fast: Process
let slow: Process
let key: string

/** Settings of a process whose clock is `minutes` ahead. `setClock` can change it while the process runs. */
async function clockOf(name: string, minutes: number): Promise<Process> {
  const clock = path.join(folder.dataDir, `${name}.clock`)
  const faketime = { FAKETIME_TIMESTAMP_FILE: clock, FAKETIME_NO_CACHE: '1', FAKETIME_DONT_FAKE_MONOTONIC: '1' }
  const settings = {
    LD_PRELOAD: library!,
    ...faketime,
    DATA_DIR: path.join(folder.dataDir, 'data'),
    DATABASE_URL: urlOf(database.connection),
    SECRET: 'the same on both of the instances',
    PUBLIC_URL: 'http://catalogue.test',
    PORT: String(await findPort()),
  }
  await setClock({ settings, clock }, minutes)
  return { settings, clock }
}
const setClock = ({ clock }: Process, minutes: number) => writeFile(clock, `${minutes * 60}s\n`.replace(/^\d/, '+$&'))

async function send(to: Process, method: string, resource: string, body?: unknown, headers = {}) {
  const isForm = body instanceof Buffer
  const reply = await fetch(`http://127.0.0.1:${to.settings['PORT']}/api/v2/${resource}`, {
    method,
    headers: {
      ...(!isForm && body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
      authorization: `Bearer ${key}`,
    },
    ...(body !== undefined && { body: isForm ? new Uint8Array(body) : JSON.stringify(body) }),
  })
  const { data, ...problem } = (await reply.json()) as { data: Shown }
  return { status: reply.status, etag: reply.headers.get('etag')!, data, problem }
}

async function command(by: Process, ...words: string[]) {
  const { code, stdout, stderr } = await runProcess(by.settings, ...words, '--json')
  return { code, stderr, shown: (code === 0 ? JSON.parse(stdout) : {}) as Shown & { key: string } }
}

before(async () => {
  if (skip) return
  await mkdir(folder.dataDir)
  database = await createTestDatabase()
  ;[fast, slow] = await Promise.all([clockOf('fast', 5), clockOf('slow', -5)])
  const closes = inMinutes(30)
  const lines = [
    houseLine('noord'),
    {
      type: 'increment_strategy',
      name: 'Online',
      steps: [{ from: { amount: 0, currency: 'EUR' }, increment: { amount: 500, currency: 'EUR' } }],
    },
    { type: 'auction', id: auction, external_reference: 'a', title: 'Nu', published: true },
    {
      type: 'session',
      id: session,
      auction,
      external_reference: 's',
      titles: { nl: 'Nu' },
      kind: 'timed',
      opens_at: inMinutes(-300),
      timed: {
        first_closes_at: closes,
        group_size: 1,
        interval_seconds: 60,
        extension_threshold_seconds: 7200,
        extension_seconds: 7200,
      },
      published: true,
      customer_bidding_enabled: true,
    },
    { type: 'item', id: item, external_reference: 'i', translations: { nl: { title: 'Pendule' } } },
    {
      type: 'lot',
      id: lot,
      session,
      item,
      lot_number: 1,
      active: true,
      closes_at: closes,
      scheduled_closes_at: closes,
      starting_bid: { amount: 100, currency: 'EUR' },
    },
  ]
  const file = path.join(folder.dataDir, 'house.ndjson')
  await writeFile(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
  for (const each of [fast, slow]) each.service = await startProcess(each.settings)
  assert.equal((await runProcess(fast.settings, 'load', file)).code, 0)
  key = (await command(slow, 'keys', 'create', '--house', 'noord', '--all')).shown.key
})
after(async () => {
  if (!skip) {
    for (const each of [fast, slow]) await each.service?.stop()
    await database.drop()
  }
  await folder.remove()
})

test('each of two instances with clocks ten minutes apart continues the work of the other', { skip }, async () => {
  let [seen, tag] = ['', '']
  for (let change = 0; change < 6; change++) {
    const by = change % 2 === 0 ? fast : slow
    const match = tag === '' ? {} : { 'if-match': tag }
    const { status, data } = await send(by, 'PATCH', `items/itm_${item}`, { title: `Pendule ${change}` }, match)
    assert.equal(status, 200)
    assert.ok(data.updated_at > seen, `${data.updated_at} after ${seen}`)
    seen = data.updated_at
    tag = (await send(change % 2 === 0 ? slow : fast, 'GET', `items/itm_${item}`)).etag
  }
  const { status, data } = await send(fast, 'POST', 'auctions', { title: 'Later', external_reference: 'later' })
  assert.equal(status, 201)
  const draft = await send(slow, 'POST', 'sessions', {
    auction: data.id,
    external_reference: 'later',
    title: 'Later',
    opens_at: inMinutes(60),
    timed: { first_closes_at: inMinutes(120) },
  })
  assert.equal(draft.status, 201, JSON.stringify(draft))
  const added = await command(
    slow,
    'lots',
    'add',
    '--session',
    draft.data.id,
    '--item',
    `itm_${item}`,
    '--number',
    '1',
    '--again',
  )
  assert.equal(added.code, 0, added.stderr)
  for (const [by, active] of [
    [fast, true],
    [slow, false],
    [fast, true],
  ] as const)
    assert.equal((await send(by, 'PATCH', `lots/${added.shown.id}`, { active })).status, 200)
  await until(async () => (await send(slow, 'GET', `lots/${added.shown.id}`)).data.closes_at !== null)
})

test('a URL that one instance signed is valid on the other, and a picture is derived', { skip }, async () => {
  for (const [by, other] of [
    [fast, slow],
    [slow, fast],
  ] as const) {
    const { headers, body } = form(['external_reference', by.clock], ['file', await picture(), 'a.jpg'])
    const { status, data } = await send(by, 'POST', `items/itm_${item}/images`, body, headers)
    assert.equal(status, 201)
    const read = async () => (await send(by, 'GET', `items/itm_${item}/images/${data.id}`)).data as unknown as Picture
    await until(async () => !(await read()).processing)
    const { original_url } = await read()
    const address = original_url.replace('http://catalogue.test', `http://127.0.0.1:${other.settings['PORT']}`)
    assert.equal((await fetch(address)).status, 200)
  }
})

test(
  'when the clock of a process steps during a sale, the database’s decides about its bids: each counts once, and closes only move later',
  { skip },
  async () => {
    let closes = ''
    const amounts: number[] = []
    for (const minutes of [0, 20, -20, 200, -400, 0]) {
      await setClock(fast, minutes)
      const amount = 1_000 + amounts.length * 1_000
      const { code, stderr, shown } = await command(
        fast,
        'bids',
        'place',
        '--lot',
        `lot_${lot}`,
        '--amount-minor',
        String(amount),
      )
      assert.equal(code, 0, `${minutes} minutes: ${stderr}`)
      amounts.push(amount)
      assert.equal(shown.current_bid?.amount, amount)
      assert.ok(shown.closes_at! >= closes, `${shown.closes_at} after ${closes}`)
      closes = shown.closes_at!
      assert.ok(Date.parse(closes) <= Date.now() + 121 * minute, `${closes} by the clock of the process`)
    }
    const low = await command(
      slow,
      'bids',
      'place',
      '--lot',
      `lot_${lot}`,
      '--amount-minor',
      String(amounts.at(-1)! - 1),
    )
    assert.notEqual(low.code, 0)
    const { rows } = await database.pool.query<{ amount: string }>('select amount from catalogue.bids order by id')
    assert.deepEqual(
      rows.map(({ amount }) => Number(amount)),
      amounts,
    )
    await setClock(fast, 5)
    assert.equal((await send(fast, 'GET', `lots/lot_${lot}`)).data.closes_at, closes)
  },
)
