import assert from 'node:assert/strict'
import { test } from 'node:test'
import { followedKinds, kinds } from './kinds.ts'

test('each kind keeps the number that stored changes in the feed have', () => {
  assert.deepEqual(followedKinds, [
    'auction',
    'session',
    'lot',
    'item',
    'seller',
    'category',
    'maker',
    'delivery_class',
    'increment_strategy',
    'consignment',
    'image',
  ])
  assert.deepEqual(
    followedKinds.map((kind) => kinds[kind].number),
    [...followedKinds.keys()],
  )
})
