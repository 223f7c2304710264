import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createInstallation } from '../../../test/support/installation.ts'
import { runCommand } from '../../../test/support/process.ts'

const { settings, write: file, run: succeed, remove } = await createInstallation()
after(remove)

const run = (...words: string[]) => runCommand(settings, ...words)

type Listed = Record<string, unknown> & { id: string }

const done = async (...words: string[]) => (await succeed(...words)).stdout

const listed = async (...words: string[]) => JSON.parse(await done(...words, '--json')) as Listed[]

test('each kind is made from options and files, changed, listed and ended by its commands', async () => {
  await done('houses', 'create', 'noord', '--name', 'Noord', '--locale', 'nl', '--currency', 'EUR')

  const sellers = await file('sellers.csv', 'Seller number;Profile name\n12;Jansen\n;De Vries\n')
  assert.equal(await done('sellers', 'create', '--file', sellers), 'made 2 sellers\n')
  assert.match(await done('sellers', 'create', '--account-name', 'Anoniem'), /^made the seller sel_\S+ 14 "Anoniem"\n$/)
  assert.match(await done('sellers', 'set', '12', '--profile-name', ''), /^changed the seller sel_\S+ 12\n$/)
  assert.deepEqual(
    new Set(
      (await listed('sellers', 'list')).map((seller) => `${String(seller['seller_number'])} ${String(seller['name'])}`),
    ),
    new Set(['12 null', '13 De Vries', '14 Anoniem']),
  )

  const categories = await file('categories.csv', 'name,names.en,parent,slug\nKlokken,Clocks,,\n,,Klokken,lepels\n')
  assert.equal(await done('categories', 'create', '--file', categories), 'made 2 categories\n')
  const [lepels, klokken] = (await listed('categories', 'list')).toSorted((one) => (one['slug'] === 'lepels' ? -1 : 1))
  assert.equal(lepels?.['parent'], klokken?.id)
  await done('categories', 'set', 'lepels', '--names', 'nl=Lepels', 'en=Spoons')
  const used = await run('categories', 'delete', 'klokken')
  assert.equal(used.code, 1)
  assert.match(used.stderr, /^error: the category klokken is in use: an item or a category names it\n$/m)
  assert.equal(await done('categories', 'delete', 'lepels'), 'deleted the category lepels\n')

  const makers = await file('makers.ndjson', '{"type":"maker","name":"Breguet"}\n{"name":"Omega","active":false}\n')
  assert.equal(await done('makers', 'create', '--file', makers), 'made 2 makers\n')
  await done('makers', 'set', 'Breguet', '--inactive')
  await done('makers', 'set', 'Omega', '--active')
  assert.deepEqual(
    (await listed('makers', 'list', '--name', 'Breguet')).map(({ active }) => active),
    [false],
  )

  await done('delivery-classes', 'create', '--name', 'Ophalen', '--instructions', 'Op vrijdag.')
  await done('delivery-classes', 'set', 'Ophalen', '--name', 'Afhalen', '--instructions', '')
  assert.deepEqual(
    (await listed('delivery-classes', 'list')).map(({ name, instructions }) => [name, instructions]),
    [['Afhalen', null]],
  )
  await done('delivery-classes', 'delete', 'Afhalen')

  await done('consignments', 'create', '--number', 'C-1', '--seller', 'De Vries', '--commission-percentage', '12.5')
  await done('consignments', 'set', 'C-1', '--locked')
  assert.deepEqual(
    (await listed('consignments', 'list', '--seller', '13')).map(({ locked }) => locked),
    [true],
  )
  assert.equal(await done('consignments', 'archive', 'C-1'), 'archived the consignment C-1\n')
  assert.deepEqual(await listed('consignments', 'list'), [])
  assert.equal(await done('sellers', 'archive', '14'), 'archived the seller 14\n')
})

test('a file with problems changes nothing, and each problem is a line', async () => {
  const path = await file('wrong.csv', 'number,seller,locked\nC-2,99,yes\nC-3,,perhaps\nC-3,12,no\n')
  const before = await listed('consignments', 'list')
  const { code, stderr } = await run('consignments', 'create', '--file', path)
  assert.equal(code, 1)
  assert.match(stderr, /wrong\.csv:2: seller: there is no seller "99" in the house noord/)
  await file('wrong.csv', 'number,seller,locked\nC-2,12,yes\nC-3,,perhaps\n,12,no\n')
  const wrong = (await run('consignments', 'create', '--file', path)).stderr.split('\n')
  assert.deepEqual(wrong.map((line) => line.replace(/^.*wrong/, 'wrong')).slice(0, 3), [
    'wrong.csv:3: locked: must be true or false',
    'wrong.csv:4: number: is required',
    'error: nothing was changed: there are 2 problems',
  ])
  assert.deepEqual(await listed('consignments', 'list'), before)
})
