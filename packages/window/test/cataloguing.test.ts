import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, test } from 'node:test'
import { picture } from '../../../test/support/pictures.ts'
import { catalogueObjects } from './cataloguing-tasks.ts'
import { createHands } from './hands.ts'
import { openHouse } from './preparing.ts'
import { findBarriers, openSharedStage, settle, skip } from './support.ts'

type Item = {
  id: string
  external_reference: string
  title: string
  estimate: { low?: { amount: number }; high?: { amount: number } } | null
  images: string[]
  translations: Record<string, { title?: string; description?: string; condition?: string }>
  seller: string | null
  consignment: string | null
  categories: string[]
}
const english = [{ title: 'Klok', translations: { en: { title: 'Clock' } } }] as never

describe('the desk of the cataloguer', { skip }, async () => {
  const stage = await openSharedStage()
  const photograph = path.join(stage.dataDir, 'lepel.jpg')
  await writeFile(photograph, await picture('#99aabb', 600, 450))

  test('objects of one consignment are catalogued by keyboard, each with at most twelve keys beside its texts', async () => {
    const { page, context, read } = await openHouse(stage, 'lepels', english, '/prepare')
    await page.getByRole('link', { name: 'Catalogue an item' }).press('Enter')
    await page.locator('[name="en.title"]').waitFor()
    assert.deepEqual(await findBarriers(page), [])
    const keys = await catalogueObjects(createHands(page, { hasPointer: false }), 3, photograph)
    assert.ok(Math.max(...keys) <= 12, keys.join())
    assert.deepEqual(await findBarriers(page), [])
    const items = await read<Item[]>('/items?limit=100')
    const [made] = await read<Item[]>('/items?external_reference=2036-9-2')
    assert.equal(items.length, 4)
    assert.equal(made!.translations['en']!.title, 'Silver spoon 2')
    assert.equal(made!.translations['nl']!.condition, 'Gaaf.')
    assert.deepEqual([made!.estimate!.low!.amount, made!.estimate!.high!.amount], [10_000, 15_000])
    assert.equal(made!.categories.length, 1)
    assert.ok(made!.seller !== null && made!.consignment !== null)
    await settle(async () => (await read<Item[]>('/items?external_reference=2036-9-3'))[0]!.images.length, 1)
    await context.close()
  })
})
