import assert from 'node:assert/strict'
import { test } from 'node:test'
import { conflict } from '../problems.ts'
import { uuid } from '../../test/support/lines.ts'
import { printProblem, type Reader } from './errors.ts'

const item = { kind: 'item', uuid: uuid(1) } as const
const usedBy = Array.from({ length: 12 }, (_, at) => ({ kind: 'lot', uuid: uuid(100 + at) }) as const)
const problem = conflict(
  { reason: 'in_use', record: item, usedBy },
  { reason: 'in_use', record: item, usedBy },
  { reason: 'number_taken', record: null, number: 3 },
)
const print = (reader: Reader) =>
  JSON.parse(printProblem(problem, 'http://localhost', '/', reader)) as {
    reason: string
    count?: number
    conflicts?: { record: string | null; reason: string; used_by?: string[] | null }[]
  }

test('a write of several records names each record and reason once, with at most ten records that use it', () => {
  const { reason, count, conflicts } = print({ permissions: ['lots.read'], isBulk: true })
  assert.deepEqual([reason, count], ['in_use', 2])
  assert.deepEqual(
    conflicts!.map(({ record, reason: of, used_by }) => [record, of, used_by]),
    [
      [`itm_${uuid(1)}`, 'in_use', usedBy.slice(0, 10).map((each) => `lot_${each.uuid}`)],
      [null, 'number_taken', undefined],
    ],
  )
})

test('numbers that a list gives twice are told apart', () => {
  const taken = [3, 4, 4].map((number) => ({ reason: 'number_taken', record: null, number }) as const)
  const printed = printProblem(conflict(taken[0]!, ...taken.slice(1)), 'http://localhost', '/', {
    permissions: [],
    isBulk: true,
  })
  const { count, conflicts } = JSON.parse(printed) as { count: number; conflicts: { detail: string }[] }
  assert.equal(count, 2)
  assert.deepEqual(
    conflicts.map(({ detail }) => detail),
    [3, 4].map((number) => `The session has a lot ${number} already.`),
  )
})

test('a key that may not read a kind of record does not learn which of them use another', () => {
  const { conflicts } = print({ permissions: ['auctions.read'], isBulk: true })
  assert.equal(conflicts![0]!.used_by, null)
})

test('a write of one record names the reason alone', () => {
  const { reason, count, conflicts } = print({ permissions: ['lots.read'], isBulk: false })
  assert.deepEqual([reason, count, conflicts], ['in_use', undefined, undefined])
})
