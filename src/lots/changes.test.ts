import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { openSaleHouse, refusal } from '../../test/support/sale-house.ts'
import { eur } from '../../test/support/lines.ts'
import { lockRecord } from '../../test/support/locks.ts'
import { Problem, type Cause, type FieldError } from '../problems.ts'
import { placeBid } from './bids.ts'
import { changeLot, changeLots, type ListedChange } from './changes.ts'
import { recordResults } from './results.ts'

const office = await openSaleHouse()
after(() => office.close())

type Shown = {
  id: string
  starting_bid: unknown
  notice: string | null
  notice_translations: object
  updated_at: string
}
const unknown = '00000000-0000-4000-8000-00000000dead'
const at = (time: string) => office.at(time)
const read = (lot: string) => office.read<Shown>(`lots/${lot}`)

async function stored(lots: string[]) {
  const { rows } = await sql<{ public_id: string; held: boolean; revision: string }>`
    select public_id, held, revision from catalogue.lots where public_id = any(${lots}::uuid[])`.execute(office.db)
  const byUuid = new Map(rows.map((row) => [row.public_id, row]))
  return lots.map((lot) => byUuid.get(lot)!)
}

async function rowsAbout(record: string) {
  const { rows } = await sql<{ record: string; changes: string; reason: string | null }>`
    select record, changes, reason from catalogue.journal where record = ${record} order by at`.execute(office.db)
  return rows.map((row) => JSON.parse(row.changes) as { record: string; field: string; old: unknown; new: unknown }[])
}

async function refused(work: () => Promise<unknown>): Promise<{ errors: Partial<FieldError>[]; causes: Cause[] }> {
  const before = await office.snapshot()
  const error = await work().then(
    () => assert.fail('it was not refused'),
    (each: unknown) => each,
  )
  assert.ok(error instanceof Problem, String(error))
  assert.deepEqual(await office.snapshot(), before)
  return { errors: error.errors ?? [], causes: [...error.causes] }
}

test('a list of changes is carried out whole: each lot gets its own, and one row about the session tells all', async () => {
  const { session, lots } = await office.loadSale({}, [{}, {}, {}, { held: true }])
  const [first, second, third, fourth] = lots as [string, string, string, string]
  const changes: ListedChange[] = [
    { lot: third, starting_bid: 900, notices: { nl: 'Niet gesigneerd', en: 'Not signed' } },
    { lot: first, starting_bid: null },
    { lot: second, held: true },
    { lot: fourth, held: true, starting_bid: 5000 },
  ]
  const before = await stored(lots)
  const { json, changed } = await changeLots(at('08:00:00'), changes, session)
  assert.equal(changed, 3)
  assert.deepEqual(JSON.parse(json), await Promise.all(changes.map(({ lot }) => read(lot))))
  assert.deepEqual((await read(third)).starting_bid, eur(900))
  assert.deepEqual((await read(third)).notice_translations, { nl: 'Niet gesigneerd', en: 'Not signed' })
  assert.equal((await read(first)).starting_bid, null)
  const after = await stored(lots)
  assert.deepEqual(
    after.map(({ held }) => held),
    [false, true, false, true],
  )
  assert.deepEqual(
    after.map(({ revision }, index) => Number(revision) - Number(before[index]!.revision)),
    [1, 1, 1, 0],
  )
  const rows = await rowsAbout(session)
  assert.deepEqual(
    rows.map((row) => row.map(({ record, field }) => [record.slice(4), field])),
    [
      [
        [third, 'starting_bid'],
        [third, 'notice_translations.nl'],
        [third, 'notice_translations.en'],
        [first, 'starting_bid'],
        [second, 'held'],
      ],
    ],
  )
  assert.equal((await changeLots(at('08:01:00'), changes, session)).changed, 0)
  assert.deepEqual(await rowsAbout(session), rows)
  assert.deepEqual(await stored(lots), after)
})

test('the row of a changed lot has what each field was before', async () => {
  const { lots } = await office.loadSale({}, [{ starting_bid: eur(5000) }])
  const lot = lots[0]!
  await changeLot(at('08:00:00'), lot, { starting_bid: 900, held: true, lot_number: 7, archived: true })
  assert.deepEqual(
    (await rowsAbout(lot)).map((row) => row.map(({ field, old }) => [field, old])),
    [
      [
        ['starting_bid', eur(5000)],
        ['held', false],
        ['lot_number', 1],
        ['archived', false],
      ],
    ],
  )
})

test('a hold advances the revision of its lot, and nothing that the interface shows', async () => {
  const { lots } = await office.loadSale()
  const before = [await read(lots[0]!), (await stored(lots))[0]!.revision] as const
  await changeLot(at('08:00:00'), lots[0]!, { held: true })
  assert.deepEqual(await read(lots[0]!), before[0])
  assert.equal((await stored(lots))[0]!.revision, String(Number(before[1]) + 1))
})

test('all that hinders a list is found at once, with the place of each change; the state of lots comes first', async () => {
  const { session, lots } = await office.loadSale({}, [{}, {}, {}, {}])
  const [bid, withdrawn, open, other] = lots as [string, string, string, string]
  const foreign = (await office.loadSale()).lots[0]!
  await placeBid(at('11:00:00'), { lot: bid, amount: 5000 })
  await recordResults(at('11:00:00'), { results: [{ lot: withdrawn, state: 'withdrawn' }] })
  const change = (changes: ListedChange[]) => refused(() => changeLots(at('12:30:00'), changes, session))
  const named = await change([
    { lot: open, held: true },
    { lot: unknown, held: true },
    { lot: bid, starting_bid: 1 },
    { lot: open, held: false },
    { lot: foreign, held: true },
  ])
  assert.deepEqual(
    named.causes.map(({ index, reason }) => [index, reason]),
    [
      [2, 'closed'],
      [2, 'has_bids'],
    ],
  )
  assert.deepEqual(
    named.errors.map(({ index, field, code }) => [index, field, code]),
    [
      [1, 'lot', 'unavailable'],
      [3, 'lot', 'duplicate'],
      [4, 'lot', 'unavailable'],
    ],
  )
  const { causes, errors } = await change([
    { lot: other, held: true, notices: { nl: ' ' } },
    { lot: bid, starting_bid: 1 },
    { lot: withdrawn, held: true, notices: { nl: 'Niet gesigneerd' } },
  ])
  // Commands say them too.
  assert.deepEqual(
    errors.map(({ index, code }) => [index, code]),
    [[0, 'blank']],
  )
  assert.deepEqual(
    causes.map(({ index, reason, record }) => [index, reason, record?.uuid]),
    [
      [1, 'closed', bid],
      [1, 'has_bids', bid],
      [2, 'has_result', withdrawn],
    ],
  )
  const blank = await change([{ lot: other, held: true, notices: { nl: ' ' } }])
  assert.deepEqual(
    blank.errors.map(({ index, field, code }) => [index, field, code]),
    [[0, 'notice_translations.nl', 'blank']],
  )
})

test('the state that refuses a change of one lot comes before what is wrong with its fields', async () => {
  const { lots } = await office.loadSale({}, [{}, {}])
  const both = await refused(() => changeLot(at('08:00:00'), lots[0]!, { lot_number: 2, reopening: {} }))
  assert.deepEqual(
    both.causes.map(({ reason, record }) => [reason, record?.uuid]),
    [['number_taken', lots[1]]],
  )
  const { errors } = await refused(() => changeLot(at('08:00:00'), lots[0]!, { lot_number: 7, reopening: {} }))
  assert.deepEqual(
    errors.map(({ field }) => field),
    ['reason'],
  )
})

test('two clerks who change one lot at once both have their way, one after the other', async () => {
  const { session, lots } = await office.loadSale({}, [{}, {}])
  const [first, second] = lots as [string, string]
  const outcomes = await office.whileLocked<unknown>(
    (tx) => lockRecord(tx, 'lots', second),
    () =>
      changeLots(
        at('08:00:00'),
        lots.map((lot) => ({ lot, starting_bid: 700 })),
        session,
      ),
    () =>
      changeLots(
        at('08:00:00'),
        lots.toReversed().map((lot) => ({ lot, notices: { nl: 'Niet gesigneerd' } })),
        session,
      ),
  )
  assert.ok(outcomes.every(({ status }) => status === 'fulfilled'))
  for (const lot of [first, second]) {
    const { starting_bid, notice } = await read(lot)
    assert.deepEqual([starting_bid, notice], [eur(700), 'Niet gesigneerd'])
  }
})

test('what refuses one of the changes of a lot keeps all of them', async () => {
  const { lots } = await office.loadSale({}, [{}, {}])
  const change = { starting_bid: 900, held: true, lot_number: 2 }
  const { causes } = await refused(() => changeLot(at('08:00:00'), lots[0]!, change))
  assert.deepEqual(
    causes.map(({ reason, record, number }) => [reason, record?.uuid, number]),
    [['number_taken', lots[1], 2]],
  )
  const result = { state: 'unsold', amount: 5 } as const
  const { errors } = await refused(() => changeLot(at('12:30:00'), lots[0]!, { notices: { nl: 'x' }, result }))
  assert.deepEqual(
    errors.map(({ field }) => field),
    ['result.state'],
  )
  assert.match(await refusal(changeLot(at('08:00:00'), unknown, { held: true })), /^there is no lot lot_/)
})
