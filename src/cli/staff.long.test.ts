import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createDataDir, runProcess } from '../../test/support/process.ts'

const folder = await createDataDir()
after(() => folder.remove())

const run = (...words: string[]) => runProcess({ DATA_DIR: folder.dataDir }, ...words)
const uuid = '00000000-0000-4000-8000-000000000001'

test('several concurrent commands on a folder without a service report records that do not exist', async () => {
  const outcomes = await Promise.all([
    run('auctions', 'publish', `auc_${uuid}`),
    run('sessions', 'finish', uuid),
    run('lots', 'archive', `ses_${uuid}`),
    run('bids', 'place', '--lot', uuid, '--amount-minor', '1'),
  ])
  assert.ok(outcomes.every(({ code, stdout }) => code === 1 && stdout === ''))
  assert.deepEqual(
    outcomes.map(({ stderr }) => stderr),
    [
      `error: there is no auction auc_${uuid}\n`,
      `error: there is no session ses_${uuid}\n`,
      `error: "ses_${uuid}" is not the id of a lot: it looks like lot_290583ad-…\n`,
      `error: there is no lot lot_${uuid}\n`,
    ],
  )
})
