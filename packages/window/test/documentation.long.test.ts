import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openStage, skip } from './support.ts'

test(
  'the documentation of the interface has the name of the product, and shows the document for programs',
  { skip },
  async (t) => {
    const stage = await openStage()
    t.after(() => stage.close())
    for (const path of ['/docs', '/docs/']) {
      const { page } = await stage.open(`${stage.origin}${path}`)
      assert.equal(await page.title(), 'Auction catalogue')
      assert.equal(await page.locator('.info a.link').getAttribute('href'), `${stage.origin}/api/v2/openapi.json`)
    }
    assert.deepEqual(stage.complaints, [])
  },
)
