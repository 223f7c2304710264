import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createInstallation } from '../../../../test/support/installation.ts'
import { eur, houseLine } from '../../../../test/support/lines.ts'
import { runCommand } from '../../../../test/support/process.ts'

const { run, refused, load, settings, remove } = await createInstallation()
after(remove)
await load([
  houseLine('house', { time_zone: 'UTC' }),
  { type: 'increment_strategy', name: 'Fijn', steps: [{ from: eur(0), increment: eur(100) }] },
])

const printed = async (...words: string[]) =>
  JSON.parse((await run(...words, '--json')).stdout) as Record<string, unknown> & { id: string }

test('an auction is made as a draft, and its texts are corrected until it is published', async () => {
  const made = await run(
    'auctions',
    'create',
    '--external-reference',
    '2099-1',
    '--title',
    'Winter',
    '--description',
    'x',
  )
  assert.match(made.stdout, /^made the auction 2099-1 auc_\S+ "Winter"\n$/)
  const set = await run('auctions', 'set', '2099-1', '--title', 'Winterveiling', '--description', '')
  assert.equal(set.stdout, 'auction 2099-1 "Winterveiling": a draft\n')
  const { id, description, published } = await printed('auctions', 'set', '2099-1', '--title', 'Winterveiling')
  assert.deepEqual([description, published], [null, false])
  assert.match((await run('journal', id)).stdout, /auctions set .*title: Winter → Winterveiling[^]*auctions create/)
  await run('auctions', 'publish', '2099-1')
  const message = await refused('auctions', 'set', '2099-1', '--title', 'Anders')
  assert.equal(message, 'error: the auction is published: unpublish it first\n')
  assert.equal((await runCommand(settings, 'auctions', 'set', '2099-1')).code, 2)
})

test('a session is made as a draft of either kind, and takes what is left out from the latest of its auction', async () => {
  const create = ['sessions', 'create', '--auction', '2099-1', '--external-reference']
  const times = ['--opens-at', '2099-05-01T10:00:00Z', '--first-closes-at', '2099-05-08T10:00:00Z']
  const terms = ['--group-size', '2', '--interval', '30', '--premium', '22.5', '--strategy', 'Fijn']
  const made = await run(...create, '2099-1/A', '--title', 'Avond', ...times, ...terms, '--results', 'automatic')
  assert.match(
    made.stdout,
    /^made the session 2099-1\/A ses_\S+ "Avond": opens Fri 1 May 2099 10:00 UTC, first close Fri 8 May 2099 10:00 UTC\n$/,
  )
  const next = await printed(...create, '2099-1/B', '--title', 'Middag', ...times)
  const {
    timed,
    settings: premium,
    published,
  } = next as unknown as {
    timed: Record<string, unknown>
    settings: unknown
    published: boolean
  }
  assert.deepEqual(
    [timed['group_size'], timed['interval_seconds'], premium, published],
    [2, 30, { buyer_premium_percentage: '22.5' }, false],
  )
  const live = await printed(...create, '2099-1/C', '--title', 'Zaal', ...times.slice(0, 2), '--closes-at', times[3]!)
  assert.equal(live['kind'], 'live')
  const journal = (await run('journal', '--house', 'house')).stdout
  assert.match(journal, /sessions create .*results: automatic/)
})

test('a session is of one kind', async () => {
  const words = 'sessions create --auction 2099-1 --external-reference X --title X --opens-at 2099-05-01T10:00:00Z'
  for (const more of ['', ' --closes-at 2099-05-02T10:00:00Z --group-size 2']) {
    const { code, stderr } = await runCommand(settings, ...(words + more).split(' '))
    assert.deepEqual(
      [code, stderr],
      [2, 'error: a session is timed, with --first-closes-at, or live, with --closes-at\n'],
    )
  }
  assert.match(await refused(...`${words} --group-size 2`.split(' ')), /--first-closes-at is required/)
})
