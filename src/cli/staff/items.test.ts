import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createInstallation } from '../../../test/support/installation.ts'
import { catalogueOf, eur } from '../../../test/support/lines.ts'
import { runCommand } from '../../../test/support/process.ts'

const { ids, lines } = catalogueOf(1)
const { run, refused, load, settings, remove } = await createInstallation()
after(remove)
await load(lines)

type Item = Record<string, unknown> & { id: string }

const print = async (...words: string[]) => JSON.parse((await run('items', ...words, '--json')).stdout) as Item
const usage = async (...words: string[]) => {
  const { code, stderr } = await runCommand(settings, 'items', ...words)
  assert.equal(code, 2, stderr)
  return stderr
}

test('an item is made and corrected at the terminal: texts in each language, estimate and links', async () => {
  const made = await print(
    ...'create --external-reference V-118 --title Reisklok --consignment 2026-1 --delivery-class Large'.split(' '),
    ...'--category paintings spare --weight'.split(' '),
    '2 kg',
    '--estimate',
    'EUR 400-600',
    '--maker',
    'Jan Sluijters',
  )
  const { seller, category, spareCategory, maker, deliveryClass, consignment } = ids
  const links = { seller, consignment, categories: [category, spareCategory], makers: [maker] }
  for (const [field, value] of Object.entries({
    ...links,
    external_reference: 'V-118',
    title: 'Reisklok',
    weight: '2 kg',
    estimate: { low: eur(40_000), high: eur(60_000) },
    delivery_class: deliveryClass,
  }))
    assert.deepEqual(made[field], value, field)

  const set = await run('items', 'set', 'V-118', '--title', 'Reiswekker', '--weight', '', '--estimate', '€ 450 - 650')
  assert.equal(set.stdout, `changed the item V-118 ${made.id} "Reiswekker"\n`)
  assert.match(set.stderr, /^item itm_\S+ "Reisklok" \(V-118\), house house-1\n$/)
  await run('items', 'set', made.id, '--locale', 'en', '--title', 'Travel clock', '--condition', 'Runs')
  const changed = await print(
    'set',
    'V-118',
    '--category',
    '',
    '--delivery-class',
    '',
    '--estimate-minor',
    '10000-20000',
  )
  assert.deepEqual(changed['translations'], {
    en: { title: 'Travel clock', condition: 'Runs' },
    nl: { title: 'Reiswekker' },
  })
  assert.deepEqual(
    [changed['weight'], changed['categories'], changed['delivery_class'], changed['estimate']],
    [null, [], null, { low: eur(10_000), high: eur(20_000) }],
  )
  assert.equal((await print('set', 'V-118', '--no-estimate'))['estimate'], null)
  const journal = (await run('journal', made.id)).stdout
  assert.match(journal, /items create/)
  assert.match(journal, /items set .*title: Reisklok → Reiswekker/)
})

test('two amounts are read by the rules of one, and a refusal says what to type', async () => {
  const estimates: [typed: string, refusal: RegExp][] = [
    ['400-600', /"400" could be EUR 400, or EUR 4 if it is in minor units: write .*, or use --estimate-minor/],
    ['EUR 400', /--estimate: "EUR 400" is not two amounts: write "EUR 400-600"/],
    ['400,- - 600,-', /is not two amounts/],
    ['USD 400-600', /is not the currency of the house, EUR/],
    ['EUR 1.400-1.600', /digits are not grouped|with digits in groups/],
  ]
  for (const [typed, refusal] of estimates) assert.match(await usage('set', 'V-118', '--estimate', typed), refusal)
  for (const typed of ['400,00-600,00', '400,00 – 600,00 EUR', '€400-600'])
    assert.deepEqual((await print('set', 'V-118', '--estimate', typed))['estimate'], {
      low: eur(40_000),
      high: eur(60_000),
    })
})

test('a command without a change is a wrong use, and what the rules refuse changes nothing', async () => {
  assert.match(await usage('set', 'V-118'), /say what to change/)
  assert.match(await usage('set', 'V-118', '--locale', 'en'), /'--locale' needs a text/)
  const foreign = ['--external-reference', 'V-119', '--locale', 'en', '--title', 'Vase']
  assert.match(
    await usage('create', ...foreign),
    /texts in the language of the house \S+, nl: add others with items set/,
  )
  assert.match(await usage('create', '--title', 'Vaas'), /required option '--external-reference <text>'/)
  assert.match(
    await refused('items', 'set', 'V-118', '--title', 'Anders', '--maker', 'Niemand'),
    /there is no maker "Niemand"/,
  )
  assert.equal((await print('set', 'V-118', '--title', 'Reiswekker'))['title'], 'Reiswekker')
})
