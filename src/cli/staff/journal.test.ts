import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createInstallation } from '../../../test/support/installation.ts'
import { runCommand } from '../../../test/support/process.ts'
import { catalogueOf, runningSale, uuid } from '../../../test/support/lines.ts'

const { slug, ids, lines } = catalogueOf(1)
const sale = { session: uuid(1_900), lot: uuid(1_901) }
const { run, refused, load, remove, settings } = await createInstallation()
after(remove)
const [session, lot] = runningSale(ids, sale)
await load([...lines, { ...session, external_reference: 'S-9' }, lot])

const journal = async (...words: string[]) => (await run('journal', ...words)).stdout

test('the journal answers a complaint about a lot: who bid what and when, what was refused and why, the close', async () => {
  await run('bids', 'place', '--lot', 'S-9/1', '--amount-minor', '10000')
  assert.match(await refused('bids', 'place', '--lot', 'S-9/1', '--amount-minor', '10050'), /must be at least/)
  const [{ id }] = JSON.parse((await run('bids', 'list', 'S-9/1', '--json')).stdout) as [{ id: string }]
  await run('bids', 'cancel', id, '--reason', 'typed wrong')
  await run('lots', 'hold', 'S-9/1')

  const told = await journal('S-9/1', '--utc')
  const closes = '2099-01-01T00:00:00.000Z'
  const when = '\\d{4}-\\d\\d-\\d\\dT[\\d:.]+Z'
  for (const part of [
    new RegExp(
      `bids place .*${id} amount: €100\\.00; placed_at: ${when}; lot_${sale.lot} current_bid: €100\\.00; closes_at: ${closes}`,
    ),
    new RegExp(
      `bids place .*amount must be at least €110\\.00 .*amount: €100\\.50; placed_at: ${when}; closes_at: ${closes}`,
    ),
    new RegExp(
      `bids cancel .*typed wrong .*${id} cancelled_at: ${when}; lot_${sale.lot} current_bid: €100\\.00 → -; closes_at: ${closes}`,
    ),
    /lots hold .*held: false → true/,
    /4 rows/,
  ])
    assert.match(told, part)
  assert.equal(await journal(`lot_${sale.lot}`, '--utc'), told)
  const ofBid = JSON.parse(await journal(id, '--json')) as { operation: string; reason: string | null }[]
  assert.deepEqual(
    ofBid.map(({ operation, reason }) => [operation, reason]),
    [
      ['bids cancel', 'typed wrong'],
      ['bids place', null],
    ],
  )
})

test('the journal of an archived item is found by its id', async () => {
  await run('items', 'archive', ids.spareItem)
  assert.match(await journal(ids.spareItem), /items archive .*archived: false → true/)
})

test('a name that is neither an id nor SESSION/NUMBER is refused, and so is a record that does not exist', async () => {
  const malformed = await runCommand(settings, 'journal', 'img_1')
  assert.equal(malformed.code, 2)
  assert.match(malformed.stderr, /neither the id of a record nor SESSION\/NUMBER/)
  assert.match(await refused('journal', 'S-9/77'), /there is no lot S-9\/77/)
  assert.deepEqual(JSON.parse(await journal(`img_${sale.lot}`, '--house', slug, '--json')), [])
})
