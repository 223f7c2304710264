import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openSharedStage, skip } from './support.ts'

test(
  'the documentation of the interface has the name of the product, and shows the document for programs',
  { skip },
  async () => {
    const stage = await openSharedStage()
    for (const path of ['/docs', '/docs/']) {
      const { page } = await stage.open(`${stage.origin}${path}`)
      assert.equal(await page.title(), 'Auction catalogue')
      assert.equal(await page.locator('.info a.link').getAttribute('href'), `${stage.origin}/api/v2/openapi.json`)
    }
  },
)
