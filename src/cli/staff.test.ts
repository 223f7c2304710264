import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runCommand } from '../../test/support/process.ts'

const run = (...words: string[]) => runCommand({ DATA_DIR: '/nowhere' }, ...words)
const uuid = '00000000-0000-4000-8000-000000000001'

test('the help of every staff command describes its effect and its options', async () => {
  const texts = await Promise.all(
    [
      ['auctions'],
      ['sessions'],
      ['lots', 'add'],
      ['lots', 'activate'],
      ['bids', 'place'],
      ['items'],
      ['strategies', 'create'],
    ].map(async (words) => {
      const { code, stdout, stderr } = await run(...words, '--help')
      assert.deepEqual([code, stderr], [0, ''])
      return stdout
    }),
  )
  const expected = [
    ['publish [options] <id>', 'unpublish [options] <id>'],
    ['publish', 'unpublish', 'finish', 'enable-bidding', 'disable-bidding'].map((move) => `${move} [options] <id>`),
    [
      '--session <id>',
      '--item <id>',
      '--number <n>',
      '--starting-bid <money>',
      '--starting-bid-minor <n>',
      '--units',
      '--yes',
      '--file <file>',
    ],
    ['[lots...]', '--session <id>', '--numbers <numbers>', '--file <file>', '--house <slug>', '--json'],
    ['--lot <id>', '--amount <money>', '--amount-minor <n>', '--house <slug>', '--json'],
    ['list [options]'],
    ['<name>', '--file <file>', '--house <slug>', '--json'],
  ]
  for (const [index, names] of expected.entries()) {
    for (const name of names) assert.ok(texts[index]!.includes(name), `${name} in ${texts[index]}`)
  }
})

test('a command with missing or wrong options ends with an error before it opens the catalogue', async () => {
  const wrong: [words: string[], message: RegExp][] = [
    [['auctions', 'publish'], /^error: missing required argument 'id'\n/],
    [['lots', 'add', '--session', uuid, '--item', uuid], /^error: required option '--number <n>' not specified\n/],
    [['bids', 'place', '--lot', uuid], /^error: required option '--amount <money>' not specified\n/],
    [['bids', 'place', '--lot', uuid, '--amount-minor', '12.50'], /^error: .*must be a whole number/],
    [
      ['bids', 'place', '--lot', uuid, '--amount', 'EUR 5', '--amount-minor', '500'],
      /^error: option '--amount-minor <n>' cannot be used with option '--amount <money>'\n/,
    ],
    [
      ['lots', 'add', '--file', 'lots.csv', '--number', '1'],
      /^error: option '--file <file>' cannot be used with .*\n$/,
    ],
    [['lots', 'activate'], /^error: say which lots: their names, or --session, or --file\n$/],
    [['lots', 'activate', 'S/1', '--numbers', '1-3'], /^error: option '--numbers <numbers>' needs --session\n$/],
    [['lots', 'deactivate', '--session', 'S', '--numbers', '3-1'], /^error: .*such as 1-120,124\.\n$/],
  ]
  const outcomes = await Promise.all(wrong.map(([words]) => run(...words)))
  for (const [index, { code, stdout, stderr }] of outcomes.entries()) {
    assert.deepEqual([code, stdout], [2, ''])
    assert.match(stderr, wrong[index]![1])
  }
})
