import { changeLot } from '../src/lots/changes.ts'
import assert from 'node:assert/strict'
import { randomInt, randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { changeAuction } from '../src/auctions/auctions.ts'
import { addLots } from '../src/lots/adding.ts'
import { Problem } from '../src/problems.ts'
import { changeSession } from '../src/sales/sessions.ts'
import { recalculateSession } from '../src/lots/closing.ts'
import { apply } from './support/model.ts'
import { documents, type House, type ItemBody, type Operation, type SessionBody, type World } from './support/world.ts'
import { eur, uuid, type Line } from './support/lines.ts'
import { openWriting } from './support/writing.ts'

const idsOf = (prefix: string, from: number, count: number) =>
  Array.from({ length: count }, (_, index) => `${prefix}_${uuid(from + index)}`)
const sellers = idsOf('sel', 10, 2)
const consignments = idsOf('con', 20, 3)
const makers = idsOf('mkr', 30, 3)
const categories = idsOf('cat', 40, 3)
const strategies = idsOf('inc', 50, 2)
const house: House = {
  sellerOf: { [consignments[0]!]: sellers[0]!, [consignments[1]!]: sellers[1]!, [consignments[2]!]: sellers[0]! },
  locked: [consignments[2]!],
  strategies,
  now: '2090-01-01T00:00:00Z',
}
const rounds = Number(process.env.MODEL_ROUNDS ?? 1)
const records = [
  ...sellers.map((id): Line => ({ type: 'seller', id, seller_number: 1 })),
  ...consignments.map((id): Line => ({
    type: 'consignment',
    id,
    number: '1',
    seller: house.sellerOf[id],
    locked: house.locked.includes(id),
  })),
  ...makers.map((id): Line => ({ type: 'maker', id, name: 'x' })),
  ...categories.map((id): Line => ({ type: 'category', id, slug: 'x' })),
  ...strategies.map((id, index): Line => ({
    type: 'increment_strategy',
    id,
    name: 'x',
    created_at: `2020-01-0${index + 1}T00:00:00Z`,
  })),
]
// The many histories of the long run are rehearsed too.
const service = await openWriting(records, {}, rounds > 1)
after(() => service.close())
const { db } = service

type Dice = ReturnType<typeof createDice>

/** Random choices that are the same for the same seed. */
function createDice(seed: number) {
  let state = seed
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
  const roll = (chance: number) => next() < chance
  const pick = <T>(values: readonly T[]) => values[Math.floor(next() * values.length)]!
  const some = <T>(values: readonly T[]) => values.filter(() => roll(0.5)).toSorted(() => next() - 0.5)
  const maybe = <T extends object>(chance: number, fields: T): Partial<T> => (roll(chance) ? fields : {})
  return { roll, pick, some, maybe }
}

function itemBody({ pick, some, maybe, roll }: Dice): ItemBody {
  const bound = () => pick([eur(100), eur(200), eur(300), eur(200), null])
  const texts = () => ({
    ...maybe(0.5, { title: pick(['A', 'B', 'A', 'B', null]) }),
    ...maybe(0.5, { weight: pick(['1', '2', null]) }),
  })
  return {
    ...maybe(0.3, { title: pick(['A', 'B']) }),
    ...maybe(0.2, { weight: pick(['1', '2', null]) }),
    ...maybe(0.3, { translations: { ...(roll(0.5) ? { nl: texts() } : {}), ...(roll(0.7) ? { en: texts() } : {}) } }),
    ...maybe(0.3, {
      estimate: roll(0.15) ? null : { ...maybe(0.6, { low: bound() }), ...maybe(0.6, { high: bound() }) },
    }),
    ...maybe(0.2, { seller: pick([...sellers, null]) }),
    ...maybe(0.3, { consignment: pick([...consignments, ...consignments.slice(0, 2), null]) }),
    ...maybe(0.2, { makers: some(makers) }),
    ...maybe(0.2, { categories: some(categories) }),
  }
}

function timing({ pick, maybe, roll }: Dice, whole: boolean): SessionBody {
  const opens_at = pick([
    '2020-01-01T00:00:00Z',
    '2099-01-01T10:00:00.5Z',
    '2099-01-01T12:00:00+02:00',
    '2099-01-01T10:00:00Z',
  ])
  const closes = pick(['2099-01-01T10:00:00.9Z', '2099-01-02T10:00:00Z', '2099-01-03T10:00:00Z'])
  const step = whole && !roll(0.1) ? 1 : 0.4
  const timed = {
    first_closes_at: closes,
    ...maybe(step, { group_size: pick([1, 2]) }),
    ...maybe(step, { interval_seconds: pick([30, 60]) }),
    ...maybe(0.3, { extension_seconds: pick([0, 120]) }),
  }
  const seconds = (time: string) => `${time.slice(0, 19)}${time.slice(19).replace(/^\.\d+/, '')}`
  const block = roll(0.7)
    ? { timed: { ...timed, first_closes_at: seconds(closes) } }
    : { live: { closes_at: seconds(closes) } }
  return { opens_at: seconds(opens_at), ...block }
}

function nextOperation(dice: Dice, world: World): Operation {
  const { pick, maybe, roll } = dice
  const one = (records: { id: string }[], kind: string) =>
    records.length === 0 || roll(0.03) ? `${kind}_${uuid(999)}` : pick(records).id
  const settings = maybe(0.3, { settings: { buyer_premium_percentage: pick(['0', '20', '22.5']) } })
  const reference = () => pick(['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'])
  const id = ''
  const lots = world.lots.filter((lot) => !lot.archived)
  const operations: [weight: number, operation: () => Operation][] = [
    [
      world.auctions.length < 4 ? 2 : 0.2,
      () => ({
        do: 'createAuction',
        id,
        body: {
          title: pick(['Sale', 'Sale 2', 'Zaal']),
          external_reference: reference(),
          ...maybe(0.5, { description: 'x' }),
        },
      }),
    ],
    [
      1,
      () => ({
        do: 'updateAuction',
        id: one(world.auctions, 'auc'),
        body: {
          ...maybe(0.6, { title: pick(['Sale', 'Zaal']) }),
          ...maybe(0.5, { description: pick(['x', null]) }),
        },
      }),
    ],
    [
      world.auctions.length > 0 ? 2 : 0,
      () => ({
        do: 'createSession',
        id,
        body: {
          auction: pick(world.auctions).id,
          title: pick(['X', 'Y']),
          external_reference: reference(),
          ...timing(dice, false),
          ...settings,
          ...maybe(0.3, { increment_strategy: pick(strategies) }),
        },
      }),
    ],
    [
      2,
      () => ({
        do: 'updateSession',
        id: one(world.sessions, 'ses'),
        body: {
          ...maybe(0.4, { title: pick(['X', 'Y']) }),
          ...settings,
          ...(roll(0.5) ? timing(dice, true) : {}),
        },
      }),
    ],
    [
      world.items.length < 5 ? 3 : 0.5,
      () => ({
        do: 'createItem',
        id,
        body: { title: pick(['A', 'B']), ...itemBody(dice), external_reference: reference() },
      }),
    ],
    [
      5,
      () => ({
        do: 'updateItem',
        id: one(world.items, 'itm'),
        body: { ...itemBody(dice), ...maybe(0.1, { external_reference: reference() }) },
      }),
    ],
    [lots.length > 0 ? 4 : 0, () => ({ do: 'updateLot', id: one(lots, 'lot'), body: { active: roll(0.7) } })],
    [world.auctions.length > 2 ? 0.2 : 0, () => ({ do: 'publishAuction', id: pick(world.auctions).id })],
    [world.sessions.length > 3 ? 0.2 : 0, () => ({ do: 'publishSession', id: pick(world.sessions).id })],
    [world.sessions.length > 3 ? 0.1 : 0, () => ({ do: 'finishSession', id: pick(world.sessions).id })],
    [world.sessions.length > 0 ? 0.7 : 0, () => ({ do: 'recalculate', id: pick(world.sessions).id })],
    [
      world.sessions.some((each) => !each.finished) && world.items.length > 0 && world.lots.length < 10 ? 1.5 : 0,
      () => ({
        do: 'addLot',
        id,
        session: pick(world.sessions.filter((each) => !each.finished)).id,
        item: pick(world.items).id,
        lot_number: 100 - world.lots.length,
      }),
    ],
    [lots.length > 3 ? 0.2 : 0, () => ({ do: 'archiveLot', id: pick(lots).id })],
    [lots.length > 3 ? 0.1 : 0, () => ({ do: 'bid', id: pick(lots).id })],
  ]
  const total = operations.reduce((sum, [weight]) => sum + weight, 0)
  let left = pick(Array.from({ length: 1000 }, (_, index) => index / 1000)) * total
  const [, chosen] = operations.find(([weight]) => (left -= weight) < 0) ?? operations[5]!
  return chosen()
}

const paths = { Auction: 'auctions', Session: 'sessions', Item: 'items', Lot: 'lots' } as const
const bare = (id: string) => id.slice(-36)

/** Sends the operation to the service. Returns the status, the id of the record, and the document in the answer. */
async function perform(operation: Operation): Promise<{ status: number; id: string; document: unknown }> {
  const { id } = operation
  const context = { ...service.at(house.now) }
  switch (operation.do) {
    case 'publishAuction':
      await changeAuction(context, bare(id), { published: true })
      break
    case 'publishSession':
      await changeSession(context, bare(id), { published: true })
      break
    case 'finishSession':
      await changeSession(context, bare(id), { finished: true }, { early: true, allowWithoutResult: true })
      break
    case 'archiveLot':
      try {
        await changeLot(context, bare(id), { archived: true })
      } catch (error) {
        if (!(error instanceof Problem)) throw error
        return { status: 409, id, document: undefined }
      }
      break
    case 'addLot': {
      const { session, item, lot_number } = operation
      const [text] = await addLots(context, [
        {
          session: bare(session),
          item: bare(item),
          lot_number,
          starting_bid: null,
          again: true,
        },
      ])
      return { status: 200, id: (JSON.parse(text!) as { id: string }).id, document: undefined }
    }
    case 'bid':
      await sql`insert into catalogue.bids (house_id, public_id, lot_id, amount)
        select house_id, ${randomUUID()}, id, 100 from catalogue.lots where public_id = ${bare(id)}`.execute(db)
      break
    case 'recalculate': {
      const { rows } = await sql<{
        id: string
      }>`select id from catalogue.sessions where public_id = ${bare(id)}`.execute(db)
      await recalculateSession({ db, house: service.house, clock: () => new Date(house.now) }, rows[0]!.id)
      break
    }
    default: {
      const collection = paths[operation.do.slice(6) as keyof typeof paths]
      const isNew = operation.do.startsWith('create')
      const reply = await (isNew
        ? service.post(collection, operation.body)
        : service.patch(`${collection}/${id}`, operation.body))
      if (reply.status >= 300) return { status: reply.status, id, document: undefined }
      return { status: reply.status, id: reply.data.id, document: strip(reply.data).document }
    }
  }
  return { status: 200, id, document: undefined }
}

function strip({ id: _id, created_at: _created, updated_at, ...document }: Record<string, unknown>) {
  return { updated_at: String(updated_at), document }
}

async function readAll() {
  const lists = await Promise.all(
    Object.values(paths).map((path) => service.walk<Record<string, unknown>>(`/api/v2/${path}?limit=100`, service.key)),
  )
  return Object.fromEntries(lists.flat().map((record) => [record['id'] as string, strip(record)]))
}

async function empty() {
  for (const table of [
    'bids',
    'lots',
    'sessions',
    'auctions',
    'item_translations',
    'item_categories',
    'item_makers',
    'items',
  ])
    await sql`delete from ${sql.table(`catalogue.${table}`)}`.execute(db)
}

const givenSeed = process.env.MODEL_SEED

/** Runs `count` random histories, and up to ten times as many until `isMet`. */
async function withSeeds(count: number, run: (dice: Dice) => Promise<void>, isMet = () => true) {
  for (let round = 0; round < count * rounds || (!isMet() && round < count * 10); round++) {
    const seed = Number(givenSeed ?? randomInt(2 ** 31))
    await empty()
    try {
      await run(createDice(seed))
    } catch (error) {
      throw new Error(`MODEL_SEED=${seed}: ${(error as Error).message}`, { cause: error })
    }
  }
}

test('random histories of all writes agree with the model in every status, every answer and every later read', async () => {
  const seen = new Set<string>()
  const worthMeeting = [
    'createItem 409',
    'createItem 422',
    'updateItem 200',
    'updateItem 422',
    'updateSession 409',
    'updateSession 422',
    'updateLot 200',
    'updateLot 409',
  ]
  const run = async (dice: Dice) => {
    const world: World = { auctions: [], sessions: [], items: [], lots: [] }
    let before = await readAll()
    let expectedBefore = documents(world)
    for (let step = 0; step < 90; step++) {
      const operation = nextOperation(dice, world)
      const { status, id, document } = await perform(operation)
      const where = `step ${step}: ${JSON.stringify(operation)}`
      assert.equal(status, apply(world, house, { ...operation, id }), where)
      seen.add(`${operation.do} ${status}`)

      const [now, expected] = [await readAll(), documents(world)]
      assert.deepEqual(
        Object.fromEntries(Object.entries(now).map(([each, shown]) => [each, shown.document])),
        Object.fromEntries(Object.entries(expected).map(([each, shown]) => [each, shown.document])),
        where,
      )
      if (document !== undefined) assert.deepEqual(document, now[id]!.document, where)
      for (const [each, { updated_at }] of Object.entries(now)) {
        const [old, oldExpected] = [before[each], expectedBefore[each]]
        if (old && oldExpected)
          assert.equal(updated_at > old.updated_at, expected[each]!.version > oldExpected.version, `${where} ${each}`)
      }
      before = now
      expectedBefore = expected
    }
  }
  await withSeeds(2, run, () => worthMeeting.every((outcome) => seen.has(outcome)))
  for (const outcome of worthMeeting) assert.ok(seen.has(outcome), `no history had ${outcome}`)
})

function* permutations<T>(values: T[]): Generator<T[]> {
  if (values.length === 0) yield []
  for (const [index, value] of values.entries())
    for (const rest of permutations(values.toSpliced(index, 1))) yield [value, ...rest]
}

test('simultaneous writes have the effect of some serial order, which explains every answer and the final state', async () => {
  await withSeeds(1, async (dice) => {
    const world: World = { auctions: [], sessions: [], items: [], lots: [] }
    for (let step = 0; step < 40; step++) {
      const operation = nextOperation(dice, world)
      const { id } = await perform(operation)
      apply(world, house, { ...operation, id })
    }
    // Several orders may explain the answers so far, and only a later answer decides.
    let worlds = [world]
    for (let step = 0; step < 14; step++) {
      const [world] = worlds as [World]
      // On few records, so that the writes conflict.
      const few = {
        ...world,
        items: world.items.slice(0, 2),
        sessions: world.sessions.slice(-2),
        auctions: world.auctions.slice(-1),
        lots: world.lots.slice(0, 3),
      }
      const together = Array.from({ length: 4 }, () => nextOperation(dice, few)).filter(
        (operation) => 'body' in operation || operation.do === 'recalculate',
      )
      const outcomes = await Promise.all(together.map(perform))
      const now = await readAll()
      const end = Object.fromEntries(Object.entries(now).map(([id, shown]) => [id, shown.document]))
      const explaining = new Map<string, World>()
      for (const before of worlds) {
        for (const order of permutations(together.map((_, index) => index))) {
          const copy = structuredClone(before)
          const agrees = order.every((index) => {
            const { status, id, document } = outcomes[index]!
            if (apply(copy, house, { ...together[index]!, id }) !== status) return false
            return document === undefined || isSame(document, documents(copy)[id]?.document)
          })
          const shown = Object.entries(documents(copy)).map(([id, record]) => [id, record.document])
          if (agrees && isSame(end, Object.fromEntries(shown))) explaining.set(nameWorld(copy), copy)
        }
      }
      assert.ok(
        explaining.size > 0,
        `no order explains step ${step}: ${JSON.stringify(
          together.map((operation, index) => [operation, outcomes[index]]),
          null,
          1,
        )}`,
      )
      worlds = [...explaining.values()]
    }
  })
})

// The order of creation matters only for sessions.
function nameWorld({ sessions, ...others }: World): string {
  const sorted = Object.values(others).map((records) => records.toSorted((a, b) => (a.id < b.id ? -1 : 1)))
  return JSON.stringify([sessions, sorted])
}

function isSame(one: unknown, other: unknown): boolean {
  try {
    assert.deepEqual(one, other)
    return true
  } catch {
    return false
  }
}
