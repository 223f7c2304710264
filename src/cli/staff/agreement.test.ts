import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createInstallation } from '../../../test/support/installation.ts'
import { catalogueOf, runningSale, uuid } from '../../../test/support/lines.ts'
import { runCommand } from '../../../test/support/process.ts'

// What the staff interface refuses, the command line refuses too. Two houses, so that no command guesses one.
const { slug, ids, lines } = catalogueOf(1)
const other = catalogueOf(2)
const sale = { session: uuid(1_900), lot: uuid(1_901) }
const { run, refused, load, write, remove, settings } = await createInstallation()
after(remove)
const [session, lot] = runningSale(ids, sale)
await load([...other.lines, ...lines, { ...session, external_reference: 'S-9' }, lot])

const name = `lot_${sale.lot}`

test('a price of nothing is refused as an option and in a file, after the sale too', async () => {
  await run('bids', 'place', '--lot', name, '--amount', 'EUR 100')
  await run('sessions', 'finish', `ses_${sale.session}`, '--early')
  const none = ['lots', 'result', name, 'sold', '--amount', 'EUR 0.00']
  assert.match(await refused(...none), /error: amount must be at least €100\.00\n$/)
  await run('lots', 'result', name, 'unsold')
  const least = /amount must be at least €0\.01\n$/
  assert.match(await refused(...none, '--after-sale'), least)
  const [{ id }] = JSON.parse((await run('bids', 'list', name, '--json')).stdout) as [{ id: string }]
  assert.match(
    await refused('bids', 'cancel', id, '--reason', 'typed wrong'),
    /^error: the lot .* is unsold already: take/,
  )
  await run('lots', 'result', name, 'open', '--correct', '--reason', 'typed wrong')
  await run('bids', 'cancel', id, '--reason', 'typed wrong')
  assert.match((await run('journal', id)).stdout, /bids cancel .*typed wrong/)
  const results = await write('results.csv', 'number,state,amount\n1,sold,"EUR 0,00"\n')
  const ofFile = ['sessions', 'results', 'S-9', '--house', slug, '--file', results]
  assert.match(await refused(...ofFile), /results\.csv:2: amount: must be at least €0\.01\n$/)
  assert.match(await refused(...none), least)
})

test('a bid is found by its id in any house; one that does not exist, or is no id, is refused by name', async () => {
  const cancel = (bid: string, ...words: string[]) =>
    refused('bids', 'cancel', bid, '--reason', 'typed wrong', ...words)
  const missing = `bid_${uuid(77)}`
  assert.equal(await cancel(missing), `error: there is no bid ${missing}\n`)
  assert.equal(await cancel(missing, '--house', slug), `error: there is no bid ${missing} in the house ${slug}\n`)
  assert.equal(await cancel('77'), 'error: "77" is not the id of a bid: it looks like bid_290583ad-…\n')
})

test('a reason says something, wherever one is taken', async () => {
  const commands = [
    ['bids', 'cancel', `bid_${uuid(77)}`],
    ['lots', 'result', name, 'open'],
    ['lots', 'result', name, 'unsold', '--correct'],
    ['sessions', 'delay', 'S-9', '--by', '1m', '--house', slug],
    ['sessions', 'results', 'S-9', '--house', slug],
  ]
  for (const words of commands)
    for (const reason of ['', '  ', '\u200b', 'x'.repeat(1025)]) {
      const { code, stderr } = await runCommand(settings, ...words, '--reason', reason)
      assert.equal(code, 2)
      assert.match(stderr, /It must say why, in at most 1024 bytes\.\n$/)
    }
})
