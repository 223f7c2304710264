import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { after, test } from 'node:test'
import { openSaleHouse, refusal } from '../../test/support/sale-house.ts'
import { eur } from '../../test/support/lines.ts'
import type { Json } from '../../test/support/service.ts'
import { listStrategies } from './queries.ts'
import { CommandError } from '../cli/command-error.ts'
import { createStrategy } from './strategies.ts'
import { readSteps } from '../cli/files/step-file.ts'

const office = await openSaleHouse()
after(() => office.close())
const now = office.at('08:00:00')

const read = (content: string) =>
  readSteps({ name: 'steps', stream: Readable.from([Buffer.from(content)]), directory: '' })

async function problems(content: string): Promise<string[]> {
  const error = await read(content).then(
    () => assert.fail('it was read'),
    (error: unknown) => error,
  )
  assert.ok(error instanceof CommandError, String(error))
  return [...error.problems]
}

test('the interface shows a strategy from a file, and a session may use it', async () => {
  const steps = await read('\uFEFFIncrement;From\r\n1000;10000\r\n;\r\n500;0\r\n')
  const strategy = JSON.parse((await createStrategy(now, 'Standaard', steps)).json) as Json
  assert.equal(strategy.name, 'Standaard')
  assert.deepEqual(strategy.steps, [
    { from: eur(0), increment: eur(500) },
    { from: eur(10000), increment: eur(1000) },
  ])
  assert.deepEqual(await office.read(`increment_strategies/${strategy.id}`), strategy)
  const [change] = (await office.read<Json[]>('changes?types[]=increment_strategy&limit=100')).filter(
    ({ id }) => id === strategy.id,
  )
  assert.ok(change)
  const [listed] = await listStrategies(now, { name: 'Standaard' })
  assert.deepEqual([listed?.id, listed?.steps, listed?.sessions], [strategy.id, strategy.steps, 0])
})

test('the steps may be newline-delimited JSON', async () => {
  const steps = await read('{"from": 0, "increment": 100}\n{"from": 5000, "increment": 250}\n')
  assert.deepEqual(
    steps.map(({ from, increment }) => [from, increment]),
    [
      [0, 100],
      [5000, 250],
    ],
  )
})

test('a table with a misprint is refused whole, with the line of each problem', async () => {
  assert.deepEqual(await problems('from,increment\n0,500\n100.00,1000\n20000,0\n30000,\n40000,214748364701\n'), [
    'steps:3: from: "100.00" is not an amount: a whole number of minor units (cents)',
    'steps:4: increment: "0" is not an increment: from 1 to 214748364700 minor units (cents)',
    'steps:5: increment: "" is not an increment: from 1 to 214748364700 minor units (cents)',
    'steps:6: increment: "214748364701" is not an increment: from 1 to 214748364700 minor units (cents)',
  ])
  assert.deepEqual(await problems('from,increment\n0,500\n10000,1000\n10000,2000\n'), [
    'steps:4: from: line 3 begins at 10000 too',
  ])
  assert.deepEqual(await problems('from,increment\n10000,1000\n'), [
    'steps:2: from: no line begins at 0, so the first bids would have no increment',
  ])
  assert.deepEqual(await problems('from,step\n0,500\n'), [
    'steps:1: step: is not known: a file of steps has from, increment',
  ])
  const many = Array.from({ length: 1001 }, (_, index) => `${index},1\n`).join('')
  assert.deepEqual(await problems(`from,increment\n${many}`), ['steps:1002: from: a strategy has at most 1000 steps'])
})

test('a name that the house already has, or that cannot be stored, is refused', async () => {
  const steps = [{ from: 0, increment: 500 }]
  await createStrategy(now, 'Twice', steps)
  const before = await office.snapshot()
  assert.equal(
    await refusal(createStrategy(now, 'Twice', steps)),
    'the name "Twice" belongs to another increment strategy of the house',
  )
  for (const name of ['', ' ', 'a\0b', 'é'.repeat(513)])
    assert.match(await refusal(createStrategy(now, name, steps)), /^name must not be blank/)
  assert.match(await refusal(createStrategy(now, ' Outer', steps)), /^name must not begin or end with a space/)
  assert.deepEqual(await office.snapshot(), before)
})
