import { after, test } from 'node:test'
import { comesBack } from '../../test/support/exports.ts'
import { startService } from '../../test/support/service.ts'
import { loadDemo } from '../demo/house.ts'

const demo = await startService()
const target = await startService()
after(async () => Promise.all([demo.close(), target.close()]))

test('the demo house comes back from its file: the same file, answers and rows', async () => {
  const { house } = await loadDemo(demo)
  await comesBack(demo, target, house!.slug, 1_000)
})
