import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import sharp from 'sharp'
import { renderPicture } from './pictures.ts'

test('every picture of the demo house is rendered as a JPEG', async () => {
  for (const name of await readdir(join(import.meta.dirname, '../../demo/pictures'))) {
    const { format, width, height } = await sharp(await renderPicture(name)).metadata()
    assert.equal(format, 'jpeg')
    assert.deepEqual(
      [width, height].toSorted((a, b) => a - b),
      [810, 1080],
    )
  }
})
