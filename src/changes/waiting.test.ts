import assert from 'node:assert/strict'
import { after, mock, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { pino } from 'pino'
import type { Page } from '../../test/support/mirror.ts'
import { until } from '../../test/support/pictures.ts'
import { houseLine } from '../../test/support/lines.ts'
import { publicUrl, startService, steady } from '../../test/support/service.ts'
import { createApp } from '../app.ts'
import { openDatabase, type Connection } from '../db/pool.ts'
import { revokeKey, listKeys } from '../houses/api-keys.ts'
import { parseWait } from './prefer.ts'

const service = await startService({ records: [houseLine('house')] })
after(() => service.close())
const key = await service.issueKey('house')
type App = Awaited<ReturnType<typeof createApp>>

/** Another instance of the service on the same database. */
async function openInstance(connection?: Connection) {
  const { keyrings, media } = service
  const { db, pool } = openDatabase(service.connection, 4)
  const common = {
    ...steady,
    keyrings,
    media,
    publicUrl,
    rateLimitPerMinute: 0,
    cacheBytes: 0,
    logger: pino({ level: 'silent' }),
  }
  const app = await createApp({ db, ...common, windows: { in: 'memory' }, ...(connection && { connection }) })
  return { app, close: async () => [await app.close(), await pool.end()] }
}

let written = 0
async function write(app: App = service.app) {
  const reply = await app.inject({
    method: 'POST',
    url: '/api/v2/items',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    payload: JSON.stringify({ external_reference: `W-${written++}`, title: 'Vaas' }),
  })
  assert.equal(reply.statusCode, 201, reply.payload)
  return reply.json<{ data: { id: string } }>().data.id
}

async function ask(after: string, prefer?: string, app: App = service.app, secret = key) {
  const url = `/api/v2/changes${after === '' ? '' : `?after=${after}`}`
  const headers = { authorization: `Bearer ${secret}`, ...(prefer !== undefined && { prefer }) }
  const reply = await app.inject({ url, headers })
  const { data = [], next_cursor, has_more } = reply.json<Partial<Page>>()
  return {
    status: reply.statusCode,
    rows: data.map(({ id }) => id),
    next_cursor,
    has_more,
    headers: reply.headers,
    payload: reply.payload,
  }
}

async function findEnd(): Promise<string> {
  for (let after = ''; ;) {
    const { next_cursor, has_more } = await ask(after)
    after = next_cursor!
    if (!has_more) return after
  }
}

// Long enough for the request to wait. If it does not wait yet, it finds the write at once, which is also correct.
const aMoment = () => sleep(200)

test('a request with wait is answered as soon as there is a change', async () => {
  const end = await findEnd()
  const waiting = ask(end, 'wait=60')
  await aMoment()
  const id = await write()
  const { rows, headers, has_more } = await waiting
  assert.deepEqual([rows, has_more], [[id], false])
  assert.equal(headers['preference-applied'], 'wait=60')
})

test('without a change a request is answered when its wait ends, with the cursor to continue from', async () => {
  const end = await findEnd()
  const began = performance.now()
  const { rows, next_cursor, headers } = await ask(end, 'wait=1')
  assert.ok(performance.now() - began > 990)
  assert.deepEqual([rows, next_cursor, headers['preference-applied']], [[], end, 'wait=1'])
  const { rows: all } = await ask('', 'wait=60')
  assert.ok(all.length > 0)
})

test('a wait outside 1 to 60 is ignored, and so are other preferences', () => {
  for (const [header, seconds] of [
    ['wait=1', 1],
    ['WAIT = "60"', 60],
    ['respond-async, wait=10;x="a,b", wait=20', 10],
    ['x="wait=3, wait=4", wait=5', 5],
    ['wait=0', undefined],
    ['wait=61', undefined],
    ['wait=-1', undefined],
    ['wait=1.5', undefined],
    ['wait', undefined],
    ['wait="1', undefined],
    ['wait=0, wait=5', undefined],
    ['waiting=5', undefined],
    ['', undefined],
    [undefined, undefined],
  ] as const)
    assert.equal(parseWait(header), seconds, header)
})

test('a write to one instance ends the waits at another, even if it hears no announcements', async () => {
  const [listening, deaf] = [await openInstance(service.connection), await openInstance()]
  const end = await findEnd()
  const waiting = [ask(end, 'wait=60', listening.app), ask(end, 'wait=60', deaf.app), ask(end, 'wait=60')]
  await aMoment()
  const id = await write()
  for (const { rows } of await Promise.all(waiting)) assert.deepEqual(rows, [id])
  await Promise.all([listening.close(), deaf.close()])
})

test('a thousand waiting requests take no connection and no slot, and share each look', async () => {
  const end = await findEnd()
  const waiting: ReturnType<typeof ask>[] = []
  for (let batch = 0; batch < 20; batch++) {
    for (let each = 0; each < 50; each++) waiting.push(ask(end, 'wait=60'))
    // Each request waits for a slot before it begins.
    await ask('')
  }
  await aMoment()
  for (let each = 0; each < 100; each++) assert.equal((await ask('')).status, 200)
  await until(async () => {
    const { rows } = await sql`select from pg_stat_activity where datname = current_database() and state <> 'idle'
      and backend_type = 'client backend' and pid <> pg_backend_pid()`.execute(service.db)
    return rows.length === 0
  })
  service.statements.length = 0
  const id = await write()
  const answers = await Promise.all(waiting)
  for (const { status, rows } of answers) assert.deepEqual([status, rows], [200, [id]])
  assert.equal(new Set(answers.map(({ payload }) => payload)).size, 1)
  assert.ok(service.statements.length < 100, `${service.statements.length}`)
})

test('while the database is away requests wait, and they find later writes when it is back', async () => {
  const end = await findEnd()
  const waiting = ask(end, 'wait=60')
  await aMoment()
  const away = performance.now() + 1500
  const { db, pool } = openDatabase(service.connection, 1)
  while (performance.now() < away) {
    await sql`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`.execute(db)
    await sleep(50)
  }
  await pool.end()
  // The pool notices lost connections when it uses them.
  let id: string | undefined
  while (id === undefined) id = await write().catch(() => undefined)
  const { status, rows } = await waiting
  assert.equal(status, 200)
  assert.ok(rows.length > 0)
})

test('a request whose key is revoked during its wait gets no changes', async () => {
  const secret = await service.issueKey('house')
  const end = await findEnd()
  const waiting = ask(end, 'wait=60', service.app, secret)
  await aMoment()
  const { id } = (await listKeys(service.db)).at(-1)!
  await revokeKey(service.db, id, new Date())
  const { now } = performance
  mock.method(performance, 'now', () => now.call(performance) + 600)
  await write()
  assert.equal((await waiting).status, 401)
})

test('the wait of a request ends when its key is revoked, and other waits go on', async () => {
  const secret = await service.issueKey('house')
  const end = await findEnd()
  const [waiting, other] = [ask(end, 'wait=60', service.app, secret), ask(end, 'wait=60')]
  await aMoment()
  await revokeKey(service.db, (await listKeys(service.db)).at(-1)!.id, new Date())
  assert.equal((await waiting).status, 401)
  await write()
  const { status, rows } = await other
  assert.deepEqual([status, rows.length], [200, 1])
})

test('the wait of a key that was revoked while no announcement could be heard ends with the next connection', async () => {
  const secret = await service.issueKey('house')
  const end = await findEnd()
  const other = ask(end, 'wait=60')
  const waiting = ask(end, 'wait=60', service.app, secret)
  await aMoment()
  const { id } = (await listKeys(service.db)).at(-1)!
  await sql`update catalogue.api_keys set revoked_at = now() where public_id = ${id.slice(-36)}`.execute(service.db)
  await sql`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and query like 'listen %'`.execute(service.db)
  assert.equal(await Promise.race([waiting, other]), await waiting)
  assert.equal((await waiting).status, 401)
  await write()
  assert.equal((await other).status, 200)
})

test('a waiting request is answered when the service stops', async () => {
  const countListening = async () =>
    (
      await sql`select from pg_stat_activity where datname = current_database() and query like 'listen %'`.execute(
        service.db,
      )
    ).rows.length
  const listening = await countListening()
  const instance = await openInstance(service.connection)
  const end = await findEnd()
  const waiting = ask(end, 'wait=60', instance.app)
  // An instance listens from its first wait on.
  await until(async () => (await countListening()) > listening)
  await instance.app.close()
  const { status, rows, next_cursor } = await waiting
  await instance.close()
  assert.deepEqual([status, rows, next_cursor], [200, [], end])
})
