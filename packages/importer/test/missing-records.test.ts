import assert from 'node:assert/strict'
import { access } from 'node:fs/promises'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { openHouse, type Line } from './house.ts'

const house = await openHouse()
after(() => house.close())

const lines = [
  house.house,
  { type: 'seller', ref: 's1', profile_name: 'Jansen, de' },
  { type: 'seller', ref: 's2', seller_number: 40, account_name: 'De "Oude" Vries' },
  { type: 'category', ref: 'c1', names: { nl: 'Klokken' } },
  { type: 'category', ref: 'c2', slug: 'pendules', parent: 'c1' },
  { type: 'maker', ref: 'm1', name: 'Breguet' },
  { type: 'maker', ref: 'm2', name: 'Omega' },
  { type: 'delivery_class', ref: 'd1', name: 'Ophalen', instructions: 'Op vrijdag,\nna tienen.' },
  { type: 'consignment', ref: 'k1', number: '2026-9', seller: 's1' },
  {
    type: 'item',
    external_reference: 'V-1',
    title: 'Pendule',
    categories: ['c2'],
    makers: ['m1', 'm2'],
    delivery_class: 'd1',
  },
  { type: 'item', external_reference: 'V-2', title: 'Klok', consignment: 'k1', seller: 's1', categories: ['c1'] },
]

test('what a plan does not find is made by one command a kind, and the next run finds it', async () => {
  const source = await house.write('strangers.ndjson', lines)
  const planned = await house.end(1, 'plan', source)
  for (const plural of ['sellers', 'categories', 'makers', 'delivery-classes', 'consignments']) {
    const path = `${source}.missing-${plural}.csv`
    assert.ok(planned.includes(`bin/catalogue ${plural} create --file ${path} --house ${house.house.name}`), planned)
    await house.command(plural, 'create', '--file', path, '--house', house.house.name)
  }
  await house.end(0, 'apply', source)
  await house.end(0, 'verify', source)
  await assert.rejects(access(join(house.folder, 'strangers.ndjson.missing-makers.csv')))
})

test('a resumed run adds the makers that were not found before', async () => {
  const maker = { type: 'maker', ref: 'm', name: 'Zenith' }
  const item = (reference: string, fields: object): Line => ({
    type: 'item',
    external_reference: reference,
    title: 'Horloge',
    ...fields,
  })
  const made = Array.from({ length: 9 }, (_, index) => item(`H-${index}`, {}))
  const source = await house.write('horloges.ndjson', [house.house, maker, ...made, item('H-9', { makers: ['m'] })])
  await house.end(1, 'apply', source)
  await house.load([{ type: 'maker', name: 'Zenith' }])
  const resumed = await house.end(0, 'apply', source, '--resume')
  assert.match(resumed, /^changed: 1 item$/m)
  await house.end(0, 'verify', source)
  assert.match(await house.end(0, 'apply', source, '--resume'), /^nothing was changed$/m)
})
