import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createInstallation } from '../../../test/support/installation.ts'
import { runCommand } from '../../../test/support/process.ts'

const { settings, remove } = await createInstallation()
after(remove)

const run = (...words: string[]) => runCommand(settings, 'houses', ...words)

test('a house is created with or without a time zone and a limit for its pictures, and both can be changed', async () => {
  const house = ['--name', 'Noord', '--locale', 'nl', '--currency', 'EUR']
  const created = await run(
    'create',
    'noord',
    ...house,
    '--storage-limit',
    '1000',
    '--time-zone',
    'europe/amsterdam',
    '--json',
  )
  const shown = {
    slug: 'noord',
    name: 'Noord',
    locale: 'nl',
    currency: 'EUR',
    time_zone: 'Europe/Amsterdam',
    results: 'by-staff',
    storage_limit: 1000,
    bytes_in_use: 0,
  }
  assert.deepEqual(JSON.parse(created.stdout), shown)
  assert.equal((await run('create', 'zuid', ...house)).stdout, 'created the house zuid\n')
  assert.equal((await run('set', 'noord', '--storage-limit', '0')).stdout, 'changed the house noord\n')
  assert.deepEqual(JSON.parse((await run('list', '--json')).stdout), [
    { ...shown, storage_limit: 0 },
    { ...shown, slug: 'zuid', time_zone: null, storage_limit: 0 },
  ])
  assert.equal(
    (await run('set', 'zuid', '--storage-limit', '50.5 GB', '--time-zone', 'Asia/Tokyo', '--results', 'automatic'))
      .code,
    0,
  )
  assert.equal((await run('set', 'noord', '--time-zone', 'none')).stdout, 'changed the house noord\n')
  assert.deepEqual((await run('list')).stdout.split('\n'), [
    'house  name   locale  currency  time zone   results    storage limit  in use',
    'noord  Noord  nl      EUR       none        by-staff            none     0 B',
    'zuid   Noord  nl      EUR       Asia/Tokyo  automatic        50.5 GB     0 B',
    '',
    '2 houses',
    '',
  ])
  for (const [words, expected, message] of [
    [
      ['set', 'west', '--storage-limit', '5'],
      1,
      /^error: there is no house "west" \(see: bin\/catalogue houses list\)\n$/,
    ],
    [['set', 'noord', '--storage-limit', '-1'], 2, /must be bytes, such as 50GB/],
    [['set', 'noord'], 2, /give --time-zone, --storage-limit or --results/],
    [
      ['set', 'noord', '--time-zone', 'Mars/Phobos'],
      2,
      /must be a known IANA name, such as Europe\/Amsterdam, or none/,
    ],
    [['create', 'oost', ...house, '--time-zone', '+01:00'], 2, /must be a known IANA name/],
  ] as const) {
    const { code, stderr } = await run(...words)
    assert.equal(code, expected)
    assert.match(stderr, message)
  }
})

test('a house is changed by its name too', async () => {
  await run('create', 'haven', '--name', 'Huis aan de haven', '--locale', 'nl', '--currency', 'EUR')
  const changed = await run('set', 'Huis aan de haven', '--storage-limit', '1000', '--json')
  assert.equal(changed.stderr, '')
  assert.equal(JSON.parse(changed.stdout).storage_limit, 1000)
})
