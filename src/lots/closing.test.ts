import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { eur, houseLine, uuid } from '../../test/support/lines.ts'
import { checksum, countJobs, openWriting } from '../../test/support/writing.ts'
import { startWorker } from '../jobs/worker.ts'
import { tasks } from '../../test/support/jobs.ts'
import { recalculateSession } from './closing.ts'

const service = await openWriting([
  { type: 'auction', id: uuid(1), external_reference: 'A', title: 'x' },
  { type: 'item', id: uuid(2), external_reference: 'I', title: 'Vaas' },
])
after(() => service.close())
const { db, patch } = service
const before = new Date('2099-01-01T00:00:00Z')

/** Creates a timed session with lots, numbered from 1. Returns their UUIDs and the session's internal id. */
async function load(lots: Record<string, unknown>[], session: Record<string, unknown> = {}) {
  const id = randomUUID()
  const ids = lots.map(() => randomUUID())
  await service.load([
    houseLine('house'),
    {
      type: 'session',
      id,
      auction: uuid(1),
      external_reference: id,
      kind: 'timed',
      opens_at: '2099-05-01T10:00:00Z',
      timed: { first_closes_at: '2099-05-08T10:00:00Z', group_size: 2, interval_seconds: 60 },
      ...session,
    },
    ...lots.map((lot, index) => ({
      type: 'lot',
      id: ids[index],
      session: id,
      item: uuid(2),
      lot_number: index + 1,
      active: true,
      ...lot,
    })),
  ])
  const { rows } = await sql<{ id: string }>`select id from catalogue.sessions where public_id = ${id}`.execute(db)
  return { session: id, internal: rows[0]!.id, lots: ids }
}
const recalculate = (internal: string, now = before) =>
  recalculateSession({ db, house: service.house, clock: () => now }, internal)
async function closesOf(session: string) {
  const { rows } = await sql<{ closes_at: Date | null; scheduled_closes_at: Date | null }>`
    select l.closes_at, l.scheduled_closes_at from catalogue.lots l join catalogue.sessions s on s.house_id = l.house_id and s.id = l.session_id
    where s.public_id = ${session} order by l.id`.execute(db)
  for (const row of rows) assert.deepEqual(row.closes_at, row.scheduled_closes_at)
  return rows.map(({ closes_at }) => closes_at?.toISOString().slice(11, 16) ?? null)
}

test('active current lots close group by group; inactive lots have no close, archived ones keep theirs', async () => {
  const stored = { closes_at: '2099-01-01T09:00:00Z', scheduled_closes_at: '2099-01-01T09:00:00Z' }
  const lots = [
    {},
    { active: null, ...stored },
    {},
    { archived: true, ...stored },
    { lot_number: -5 },
    { active: false },
    {},
  ]
  const { session, internal } = await load(lots)
  await recalculate(internal)
  assert.deepEqual(await closesOf(session), ['10:00', null, '10:01', '09:00', '10:00', null, '10:01'])
})

test('a second calculation changes no row', async () => {
  const { internal } = await load([{}, {}, { active: false }])
  await recalculate(internal)
  const sum = await checksum(db)
  await recalculate(internal)
  assert.equal(await checksum(db), sum)
})

test('the calculation leaves a session that has opened, has bids, is finished, is live or has no schedule', async () => {
  const cases = [
    await load([{}]),
    await load([{}], { finished: true }),
    await load([{}], { kind: 'live', timed: null }),
    await load([{}], { timed: { first_closes_at: '2099-05-08T10:00:00Z', group_size: 0, interval_seconds: 1 } }),
    await load([{}, { archived: true }]),
  ]
  await service.load([houseLine('house'), { type: 'bid', lot: cases[4]!.lots[1], amount: eur(1) }])
  const sum = await checksum(db)
  await recalculate(cases[0]!.internal, new Date('2099-05-01T10:00:00Z'))
  for (const { internal } of cases.slice(1)) await recalculate(internal)
  await recalculate('999999')
  assert.equal(await checksum(db), sum)
})

test('an error in the middle changes no lot, and the next attempt changes all of them', async () => {
  const { session, internal } = await load([{}, {}, {}])
  await sql`alter table catalogue.lots add constraint trap check (closes_at is null or closes_at <> '2099-05-08T10:01:00Z') not valid`.execute(
    db,
  )
  await assert.rejects(recalculate(internal))
  assert.deepEqual(await closesOf(session), [null, null, null])
  await sql`alter table catalogue.lots drop constraint trap`.execute(db)
  await recalculate(internal)
  assert.deepEqual(await closesOf(session), ['10:00', '10:00', '10:01'])
})

test('the worker does every calculation that activations queued, and leaves no job', async () => {
  const { session, lots } = await load(Array.from({ length: 30 }, () => ({ active: false })))
  const ignore = () => undefined
  const worker = await startWorker(service, tasks, { error: ignore, warn: ignore, info: ignore, debug: ignore })
  try {
    const answers = await Promise.all(lots.map((lot) => patch(`lots/${lot}`, { active: true })))
    assert.ok(answers.every(({ status }) => status === 200))
    while ((await countJobs(db)) > 0) await new Promise((resolve) => setTimeout(resolve, 10))
  } finally {
    await worker.stop()
  }
  assert.deepEqual(
    await closesOf(session),
    lots.map((_, index) => `10:${String(Math.floor(index / 2)).padStart(2, '0')}`),
  )
})
