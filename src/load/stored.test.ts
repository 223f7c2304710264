import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { findWaiting, lockRecord } from '../../test/support/locks.ts'
import { until } from '../../test/support/pictures.ts'
import { eur, houseLine, type Line } from '../../test/support/lines.ts'
import { recalculateSession } from '../lots/closing.ts'
import { openSaleHouse } from '../../test/support/sale-house.ts'
import { changeSession } from '../sales/sessions.ts'
import { load } from './loader.ts'

const office = await openSaleHouse()
after(() => office.close())
const { db, media, dataDir } = office

/** Loads lines, and keeps the load open after the last of them until `finish()`. */
function startLoad(lines: Line[]) {
  const { promise: finished, resolve: finish } = Promise.withResolvers<void>()
  const stream = Readable.from(
    (async function* () {
      // A house line flushes the lines before it.
      for (const line of [houseLine('house'), ...lines, houseLine('house')])
        yield Buffer.from(`${JSON.stringify(line)}\n`)
      await finished
    })(),
  )
  const loading = load({ db, media, now: new Date() }, { name: 'test', stream, directory: dataDir })
  return {
    async finish() {
      finish()
      return loading
    },
  }
}

async function findSession(uuid: string): Promise<string> {
  const { rows } = await sql<{ id: string }>`select id from catalogue.sessions where public_id = ${uuid}`.execute(db)
  return rows[0]!.id
}

/** Waits until a transaction holds a lock that excludes the preparation of the session. */
const isHeld = (session: string) =>
  until(async () => !(await lockRecord(db, 'sessions', session, 'for update skip locked')))

/** Waits until this many connections wait for a lock. */
const wait = (connections: number) => until(async () => (await findWaiting(db)).length === connections)

async function readClosings(lots: string[]) {
  const shown = await Promise.all(lots.map((lot) => office.read(`lots/lot_${lot}`)))
  return shown.map((lot) => lot.closes_at?.slice(11, 16) ?? null)
}

const recalculate = async (session: string) =>
  recalculateSession({ db, house: office.house, clock: () => new Date() }, await findSession(session))

/** Switches a lot on and recalculates its session while a load holds the session. Both wait for the end of the load. */
async function prepareDuring(loading: ReturnType<typeof startLoad>, session: string, lot: string) {
  await isHeld(session)
  const activation = office.patch(`lots/lot_${lot}`, { active: true })
  await wait(1)
  const recalculation = recalculate(session)
  await wait(2)
  await loading.finish()
  await recalculation
  return activation
}

const preparing = {
  opens_at: '2099-05-01T10:00:00Z',
  timed: { first_closes_at: '2099-05-01T12:00:00Z', group_size: 1, interval_seconds: 60 },
}
const unscheduled = { active: false, closes_at: null, scheduled_closes_at: null }

test('an activation and the closing times wait for a load that adds lots to their session, and include them', async () => {
  const { session, lots } = await office.loadSale(preparing, [unscheduled, unscheduled])
  const added = [randomUUID(), randomUUID()]
  const loading = startLoad(
    added.map((id, index) => ({
      type: 'lot',
      id,
      session,
      item: office.ids.item,
      lot_number: index + 3,
      active: true,
    })),
  )
  const activation = await prepareDuring(loading, session, lots[0]!)
  assert.equal(activation.status, 200)
  // In either order: the activation has queued another calculation.
  await recalculate(session)
  assert.deepEqual(await readClosings([...lots, ...added]), ['12:00', null, '12:01', '12:02'])
})

test('an activation and the closing times wait for a load that adds a first bid to their session, and change nothing', async () => {
  const stored = { active: true, closes_at: '2099-05-01T11:00:00Z', scheduled_closes_at: '2099-05-01T11:00:00Z' }
  const { session, lots } = await office.loadSale(preparing, [stored, unscheduled])
  const loading = startLoad([{ type: 'bid', lot: lots[0], amount: eur(9000), placed_at: '2026-01-01T00:00:00Z' }])
  const activation = await prepareDuring(loading, session, lots[1]!)
  assert.deepEqual(activation, { status: 409, detail: `A lot of the session ses_${session} has had a bid.` })
  assert.deepEqual(await readClosings(lots), ['11:00', null])
})

test('staff can publish a session while a load adds lots to it', async () => {
  const { session } = await office.loadSale({ ...preparing, published: false }, [unscheduled])
  const loading = startLoad([{ type: 'lot', session, item: office.ids.item, lot_number: 2 }])
  await isHeld(session)
  await changeSession(office.at('09:00:00'), session, { published: true })
  await loading.finish()
  assert.equal((await office.read<{ published: boolean }>(`sessions/ses_${session}`)).published, true)
})

type Revised = { revision: string; updated_at: Date }

async function revised(table: 'items' | 'lots', uuid: string): Promise<Revised> {
  const { rows } = await sql<Revised>`
    select revision, updated_at from ${sql.table(`catalogue.${table}`)} where public_id = ${uuid}`.execute(db)
  return rows[0]!
}

test('public images of a load advance their stored items and current lots once, private ones do not', async () => {
  const updated_at = '2020-01-01T00:00:00.000Z'
  const [shown, hidden, created] = [randomUUID(), randomUUID(), randomUUID()]
  const [current, archived, other] = [randomUUID(), randomUUID(), randomUUID()]
  const { session } = await office.loadSale({}, [])
  const lot = (id: string, item: string, lot_number: number, archived = false) => ({
    type: 'lot',
    id,
    item,
    lot_number,
    session,
    archived,
    updated_at,
  })
  await office.load([
    houseLine('house'),
    { type: 'item', id: shown, title: 'Vaas', updated_at },
    { type: 'item', id: hidden, title: 'Kom', updated_at },
    lot(current, shown, 1),
    lot(archived, shown, 2, true),
    lot(other, hidden, 3),
  ])
  await office.load([
    houseLine('house'),
    { type: 'image', item: shown, public: true },
    { type: 'image', item: hidden, public: false },
    { type: 'item', id: created, title: 'Bord', updated_at },
    { type: 'image', item: created, public: true },
    houseLine('house'),
    { type: 'image', item: shown, public: true },
    { type: 'image', item: created, public: true },
  ])
  const untouched = { revision: '1', updated_at: new Date(updated_at) }
  for (const id of [hidden, created]) assert.deepEqual(await revised('items', id), untouched)
  for (const id of [archived, other]) assert.deepEqual(await revised('lots', id), untouched)
  for (const advanced of [await revised('items', shown), await revised('lots', current)]) {
    assert.equal(advanced.revision, '2')
    assert.ok(advanced.updated_at > untouched.updated_at)
  }
})

test('a change of an item does not wait for a load that adds items to its consignment', async () => {
  const [seller, consignment, item] = [randomUUID(), randomUUID(), randomUUID()]
  await office.load([
    houseLine('house'),
    { type: 'seller', id: seller, seller_number: 77 },
    { type: 'consignment', id: consignment, number: '77', seller },
    { type: 'item', id: item, title: 'Vaas' },
  ])
  const loading = startLoad([{ type: 'item', title: 'Kom', seller, consignment }])
  await until(async () => !(await lockRecord(db, 'consignments', consignment, 'for update skip locked')))
  const { status } = await office.patch(`items/itm_${item}`, { consignment: `con_${consignment}` })
  assert.equal(status, 200)
  await loading.finish()
})

test('of two loads in a deadlock one is refused, with advice', async () => {
  const houses = ['house', 'elsewhere'].map((slug) => ({ ...houseLine(slug), slug }))
  await office.load(houses)
  const begin = (lines: Line[]) => {
    const { promise: next, resolve: goOn } = Promise.withResolvers<void>()
    const stream = Readable.from(
      (async function* () {
        yield Buffer.from(`${JSON.stringify(lines[0])}\n`)
        await next
        yield Buffer.from(`${JSON.stringify(lines[1])}\n`)
      })(),
    )
    return { goOn, ended: load({ db, media, now: new Date() }, { name: 'test', stream, directory: dataDir }) }
  }
  const [one, other] = [begin(houses), begin(houses.toReversed())]
  // Citus has advisory locks of its own, in another form.
  const locks = () =>
    sql`select from pg_locks where locktype = 'advisory' and objsubid = 1 and database = (select oid from pg_database where datname = current_database())`
  await until(async () => (await locks().execute(db)).rows.length === 2)
  one.goOn()
  other.goOn()
  const outcomes = await Promise.allSettled([one.ended, other.ended])
  const refused = outcomes.filter((outcome) => outcome.status === 'rejected')
  assert.equal(refused.length, 1)
  assert.match(String(refused[0]!.reason), /load the file again/)
})
