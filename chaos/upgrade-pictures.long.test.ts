import assert from 'node:assert/strict'
import { test } from 'node:test'
import { upgradePictures } from './upgrade-pictures/run.ts'

test('pictures of an earlier version keep their addresses and are never shown half, however often the command is killed', async () => {
  const { addresses, uploadsBeside } = await upgradePictures({ pictures: 60, kills: 2, tell: () => {} })
  assert.ok(addresses > 0 && uploadsBeside.uploads > 0)
})
