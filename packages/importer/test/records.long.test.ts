import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openHouse, sale, type Line } from './house.ts'

const house = await openHouse()
after(() => house.close())

test('too many rejections end a run, and a run that imports nothing exits with 2', async () => {
  const wrong = Array.from({ length: 400 }, (_, index): Line => ({
    type: 'item',
    external_reference: `W-${index}`,
    titel: '',
  }))
  const path = await house.write('many/wrong.ndjson', [house.house, ...wrong])
  const stdout = await house.end(2, 'apply', path, '--max-errors', '10')
  const [, rejected] = /given up after (\d+) rejections/.exec(stdout)!
  assert.ok(Number(rejected) < 100, stdout)
})

test('a plan finds the errors of a session whose auction is only planned', async () => {
  const [auction, session] = sale.map((line) => ({
    ...line,
    external_reference: `P-${String(line.external_reference)}`,
  }))
  const right = await house.write('planned.ndjson', [house.house, auction!, session!])
  const planned = await house.end(0, 'plan', right)
  assert.match(planned, /^to create: 1 auction, 1 session$/m)
  const wrong = await house.write('untitled.ndjson', [house.house, auction!, { ...session!, titles: {} }])
  const stdout = await house.end(1, 'plan', wrong)
  assert.match(stdout, /^untitled\.ndjson:3: title: .*\[required\]$/m)
})

test('the ids of earlier lines serve as pointers, with and without their prefix', async () => {
  const id = '5a0c1f6e-1111-4111-8111-111111111111'
  const [auction, session] = sale as [Line, Line]
  const path = await house.write('ids.ndjson', [
    { ...auction, ref: undefined, id, external_reference: 'by-id' },
    { ...session, auction: `auc_${id}`, external_reference: 'by-id/1' },
  ])
  for (const summary of [/^created: 1 auction, 1 session$/m, /^nothing was changed$/m]) {
    const stdout = await house.end(0, 'apply', path)
    assert.match(stdout, summary)
  }
})

test('records that point to each other are refused, and do not wait for ever', async () => {
  const path = await house.write('circle.ndjson', [
    { type: 'maker', ref: 'nobody', name: 'Nobody' },
    { type: 'item', ref: 'a', external_reference: 'circle-a', title: 'a', seller: 'nobody', delivery_class: 'b' },
    { type: 'item', ref: 'b', external_reference: 'circle-b', title: 'b', seller: 'a' },
  ])
  const stdout = await house.end(2, 'apply', path)
  assert.match(stdout, /circle\.ndjson:3: seller: a is a record of another type \[unavailable\]/)
})
