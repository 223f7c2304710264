import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { after, test } from 'node:test'
import { houseLine, uuid } from '../../../test/support/lines.ts'
import { printMoney } from '../../values/typed-money.ts'
import { openSaleHouse, type ShownLot } from '../../../test/support/sale-house.ts'
import { addLotsOfFile, readNamedLots, type AddOptions } from './lot-file.ts'
import { CommandError, createPrinter } from '../command-error.ts'
import { changeSession } from '../../sales/sessions.ts'

const office = await openSaleHouse()
after(() => office.close())
const now = office.at('08:00:00')

let sales = 0
// Two sessions of an auction of their own, `S…/1` and `S…/2`, without lots.
async function loadSessions() {
  const name = `S${++sales}`
  const [auction, first, second] = [1, 2, 3].map((number) => uuid(sales * 10 + number))
  const session = { type: 'session', auction, titles: {}, kind: 'live' }
  await office.load([
    houseLine('house'),
    { type: 'auction', id: auction, external_reference: name, title: name },
    { ...session, id: first, external_reference: `${name}/1` },
    { ...session, id: second, external_reference: `${name}/2` },
  ])
  return { name, first: first!, second: second! }
}

function add(content: string | Buffer, options: AddOptions = {}) {
  const announced: string[] = []
  const source = { name: 'lots', stream: Readable.from([Buffer.from(content)]), directory: '' }
  const announce = ({ description }: { description: string }, lots: number) => announced.push(`${lots} ${description}`)
  const added = readNamedLots(source, options).then((file) =>
    addLotsOfFile(now, file, { again: true, ...options }, announce, (names) => createPrinter(names, {})),
  )
  return added.then((sessions) => ({ sessions, announced }))
}

async function problems(content: string | Buffer, options?: AddOptions): Promise<string[]> {
  const before = await office.snapshot()
  const error = await add(content, options).then(
    () => assert.fail('it was added'),
    (error: unknown) => error,
  )
  assert.deepEqual(await office.snapshot(), before)
  assert.ok(error instanceof CommandError, String(error))
  return [...error.problems]
}

const lotsOf = async (session: string) =>
  (
    await office.read<(ShownLot & { lot_number: number; item: string; starting_bid: unknown })[]>(
      `lots?session=${session}&limit=100`,
    )
  ).map(({ lot_number, item, active, starting_bid }) => ({ lot_number, item, active, starting_bid }))

const item = () => ({ item: `itm_${office.ids.item}`, active: false })
const eur = (amount: number) => ({ amount, currency: 'EUR' })

test('a sheet may have commas, semicolons or tabs, references or ids, and its columns in any order', async () => {
  for (const [separator, end] of [
    [',', '\n'],
    [';', '\r\n'],
    ['\t', '\n'],
  ] as const) {
    const { name, first, second } = await loadSessions()
    const rows = [
      ['Number', 'Starting bid', 'Session', 'Item'],
      ['1', '50.00', `"${name}/1"`, 'I-1'],
      ['', '', '', ''],
      ['2', '', ` ses_${first} `, `itm_${office.ids.item}`],
      ['1', 'EUR 0', `${name}/2`, office.ids.item],
    ]
    const text = rows.map((row) => row.join(separator)).join(end)
    const { sessions, announced } = await add(`\uFEFF${text}${end}`)
    assert.deepEqual(await lotsOf(first), [
      { lot_number: 1, ...item(), starting_bid: eur(5000) },
      { lot_number: 2, ...item(), starting_bid: null },
    ])
    assert.deepEqual(await lotsOf(second), [{ lot_number: 1, ...item(), starting_bid: eur(0) }])
    assert.deepEqual(
      announced.map((text) => text.slice(0, 9)),
      ['2 session', '1 session'],
    )
    assert.deepEqual(
      sessions.map(({ session, documents }) => [
        session.uuid,
        documents.map((json) => (JSON.parse(json) as { lot_number: number }).lot_number),
      ]),
      [
        [first, [1, 2]],
        [second, [1]],
      ],
    )
  }
})

test('newline-delimited JSON has the same fields', async () => {
  const { name, first } = await loadSessions()
  const lines = [
    { session: `${name}/1`, item: 'I-1', number: 1, starting_bid: 250 },
    { session: first, item: 'I-1', number: -2, starting_bid: null },
    { session: first, item: 'I-1', number: 3 },
  ]
  await add(`\n${lines.map((line) => JSON.stringify(line)).join('\n\n')}\n`)
  assert.deepEqual(
    (await lotsOf(first)).map((lot) => [lot.lot_number, lot.starting_bid]),
    [
      [-2, null],
      [1, eur(250)],
      [3, null],
    ],
  )
})

test('a refusal names every wrong line with its field, and adds nothing', async () => {
  const { name, first } = await loadSessions()
  const csv = (...rows: string[]) => problems(['session,item,number,starting_bid', ...rows].join('\n'))
  const right = `${name}/1,I-1,1,`
  assert.deepEqual(await csv(right, `,I-1,1.5,-1`, right, `${name}/1,,2147483648,"12,50"`), [
    'lots:3: session: "" is not a reference or an id',
    'lots:3: number: "1.5" is not a lot number',
    'lots:5: item: "" is not a reference or an id',
    'lots:5: number: "2147483648" is not a lot number',
  ])
  assert.deepEqual(await csv(right, `${name}/9,i-1,1,`, `ses_${first},I-1,1,`), [
    `lots:3: session: there is no session "${name}/9" in the house house (see: bin/catalogue sessions list --house house)`,
    'lots:3: item: there is no item "i-1" in the house house, but there is "I-1"',
    'lots:4: number: line 2 has the number 1 too',
  ])
  await add(`session,item,number\n${first},I-1,7`)
  await changeSession(now, uuid(sales * 10 + 3), { finished: true }, { early: true, allowWithoutResult: true })
  assert.deepEqual(await csv(`${name}/1,I-1,6,`, `${name}/1,I-1,7,`, `${name}/2,I-2,1,`), [
    'lots:3: number: the session has a lot 7 already',
    'lots:4: item: the item I-2 is archived',
    `lots:4: session: the session ${name}/2 is finished`,
  ])
})

test('typed starting bids are refused with their lines and readings, and one may stand in minor units instead', async () => {
  const { name, first } = await loadSessions()
  const rows = (...bids: string[]) =>
    ['session;item;number;starting_bid;starting_bid_minor', ...bids.map((bid, n) => `${first};I-1;${n};${bid}`)].join(
      '\n',
    )
  assert.deepEqual(await problems(rows('45000;', '€ 1.250,50;', 'EUR 5;500', ';12,50')), [
    'lots:4: starting_bid_minor: "500" is not allowed beside a starting_bid: leave one of them empty',
    'lots:5: starting_bid_minor: "12,50" is not an amount: a whole number of minor units (cents)',
  ])
  assert.deepEqual(await problems(`${rows('45000;', '€ 1.250,50;')}\n${name}/9;I-1;9;GBP 5;`), [
    'lots:2: starting_bid: "45000" could be EUR 45000, or EUR 450 if it is in minor units: write "EUR 45000" or "EUR 450", or use the column starting_bid_minor, or --units',
    'lots:3: starting_bid: "€ 1.250,50" is understood as EUR 1250.50, but digits are not grouped: write "EUR 1250.50"',
    'lots:4: starting_bid: "GBP 5" is understood as 5 beside "GBP", which is not the currency of the house, EUR: write an amount such as "EUR 450" or "450.00"',
    `lots:4: session: there is no session "${name}/9" in the house house (see: bin/catalogue sessions list --house house)`,
  ])
  await add(rows('450;', '450,50;', ';45100', ';'), { units: true })
  assert.deepEqual(
    (await lotsOf(first)).map((lot) => lot.starting_bid),
    [eur(45_000), eur(45_050), eur(45_100), null],
  )
})

test('amounts in JSON are minor units, and cannot be said to be units', async () => {
  const { first } = await loadSessions()
  const line = (number: number, bid: object) => JSON.stringify({ session: first, item: 'I-1', number, ...bid })
  const json = `${line(1, { starting_bid: 450 })}\n${line(2, { starting_bid_minor: 451 })}`
  assert.deepEqual(await problems(json, { units: true }), ['lots is JSON, which has minor units: --units is for CSV'])
  assert.deepEqual(await problems(line(1, { starting_bid: 'EUR 450' })), [
    'lots:1: starting_bid: "EUR 450" is not an amount: a whole number of minor units (cents)',
  ])
  await add(json)
  assert.deepEqual(
    (await lotsOf(first)).map((lot) => lot.starting_bid),
    [eur(450), eur(451)],
  )
})

test('starting bids a hundred times off their estimates are refused, all lots with them, unless they are confirmed', async () => {
  const { first } = await loadSessions()
  const estimates = { both: [80_000, 120_000], low: [80_000, null], high: [null, 120_000], none: [null, null] }
  const items = Object.entries(estimates).map(([name, [low, high]]) => ({
    type: 'item',
    external_reference: `${first}-${name}`,
    title: name,
    estimate: { low: low === null ? null : eur(low!), high: high === null ? null : eur(high!) },
  }))
  await office.load([houseLine('house'), ...items])
  const rows = (bids: [item: string, minor: number][], column = 'starting_bid_minor') =>
    [
      `session,item,number,${column}`,
      ...bids.map(([item, minor], number) => `${first},${first}-${item},${number},${minor}`),
    ].join('\n')
  const right: [string, number][] = [
    ['both', 800],
    ['both', 1_200_000],
    ['low', 800_000],
    ['high', 1_200],
    ['none', 1],
    ['none', 100_000_000],
  ]
  const wrong: [string, number][] = [
    ['both', 799],
    ['both', 1_200_001],
    ['low', 800_001],
    ['high', 1_199],
  ]
  const print = (amount: number) => printMoney(eur(amount))
  const below = (bid: number, low: number) =>
    `the starting bid ${print(bid)} is below a hundredth of the low estimate, ${print(low)}: say --yes if it is right`
  const above = (bid: number, high: number) =>
    `the starting bid ${print(bid)} is above ten times the high estimate, ${print(high)}: say --yes if it is right`
  assert.deepEqual(await problems(rows([...wrong, ...right])), [
    `lots:2: starting_bid_minor: ${below(799, 80_000)}`,
    `lots:3: starting_bid_minor: ${above(1_200_001, 120_000)}`,
    `lots:4: starting_bid_minor: ${above(800_001, 80_000)}`,
    `lots:5: starting_bid_minor: ${below(1_199, 120_000)}`,
  ])
  assert.deepEqual(await problems(rows([['both', 80_000]], 'starting_bid'), { units: true }), [
    `lots:2: starting_bid: ${above(8_000_000, 120_000)}`,
  ])
  await add(rows(right))
  await add(rows(wrong).replaceAll(/,(\d),(?=\d+$)/gm, ',1$1,'), { yes: true })
  assert.equal((await lotsOf(first)).length, right.length + wrong.length)
})

test('a lot that could not be shown is not added', async () => {
  const { first } = await loadSessions()
  await office.load([houseLine('house'), { type: 'item', id: uuid(9_001), external_reference: 'untitled' }])
  assert.deepEqual(await problems(`session,item,number\n${first},I-1,1\n${first},untitled,2`), [
    'lots:3: item: makes a lot that could not be shown: it offers an item without a title',
  ])
})

test('the refusal of a file that is not a list of lots says what such a list has', async () => {
  const right = 'a file of lots has session, item, number and, if you like, starting_bid, starting_bid_minor'
  assert.deepEqual(await problems('session,item,nummer\nS,I,1'), [`lots:1: nummer: is not known: ${right}`])
  assert.deepEqual(await problems('session;item\nS;I'), [`lots:1: number: is missing: ${right}`])
  assert.deepEqual(await problems('session,item,number,Number\nS,I,1,2'), ['lots:1: number: is there twice'])
  assert.deepEqual(await problems('session,item,number,\nS,I,1,'), [`lots:1: a column has no heading: ${right}`])
  assert.deepEqual(await problems('{"session":"S"}\n{"lot":1}'), [`lots:2: lot: is not known: ${right}`])
  assert.deepEqual(await problems('{"session":"S"}\n{"sess'), ['lots:2: the line is not JSON'])
  assert.match((await problems('session,item,number\nS,I'))[0]!, /^lots:2: .*columns length is 3, got 2/)
  assert.match((await problems('session,item,number\n"S,I,1'))[0]!, /^lots:2: .*[Qq]uote/)
  assert.deepEqual(await problems('session,item,number\n'), ['lots has no lots'])
  const latin = Buffer.from('session,item,number\nVeiling \xe9\xe9n,I-1,1', 'latin1')
  assert.deepEqual(await problems(latin), ['lots is not UTF-8: save it as "CSV UTF-8"'])
})

test('a file may add more lots than one statement can hold', async () => {
  const { first } = await loadSessions()
  const rows = Array.from({ length: 5_001 }, (_, index) => `${first},I-1,${index}`)
  const { sessions } = await add(`session,item,number\n${rows.join('\n')}`)
  assert.equal(sessions[0]!.documents.length, 5_001)
})
