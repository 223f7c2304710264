import assert from 'node:assert/strict'
import { copyFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { picture } from '../../../test/support/pictures.ts'
import { openHouse } from './house.ts'

const house = await openHouse()
after(() => house.close())
const fixtures = join(import.meta.dirname, '../fixtures')

test('a sheet as houses have it comes in from CSV, and the same sheet as XLSX changes nothing', async () => {
  for (const name of await readdir(fixtures)) await copyFile(join(fixtures, name), join(house.folder, name))
  for (const [index, name] of ['V-118-1', 'V-118-2', 'V-119'].entries())
    await house.write(`fotos/${name}.jpg`, await picture(`#${index}${index}66ff`))
  await house.load([
    { type: 'seller', seller_number: 20114, profile_name: 'Nalatenschap' },
    { type: 'seller', seller_number: 20115, profile_name: 'Erven Van Dam' },
    { type: 'maker', name: 'De Grieksche A' },
    { type: 'maker', name: 'Jan Sluijters' },
    { type: 'maker', name: 'Kees van Dongen' },
    { type: 'category', slug: 'aardewerk', names: { nl: 'Aardewerk' } },
    { type: 'category', slug: 'schilderijen', names: { nl: 'Schilderijen' } },
    { type: 'category', slug: 'meubelen', names: { nl: 'Meubelen' } },
  ])
  const csv = join(house.folder, 'kavels.csv')
  const first = await house.run('apply', csv)
  assert.equal(first.code, 0, first.stdout + first.stderr)
  assert.match(first.stdout, /^for staff to add: 4 lots$/m)
  const [vase] = (await house.catalogue.items.list({ external_reference: 'V-118', expand: ['images'] }).page()).data
  assert.equal(vase!.title, 'Delfts blauwe vaas')
  assert.equal(vase!.description, 'Met blauw-wit décor van chinoiserieën,\nonderaan gemerkt')
  assert.equal(vase!.translations.en!.title, 'Delft blue vase')
  assert.deepEqual(vase!.estimate, {
    low: { amount: 40_000, currency: 'EUR' },
    high: { amount: 60_000, currency: 'EUR' },
  })
  assert.deepEqual([vase!.images.length, vase!.makers.length, vase!.categories.length], [2, 1, 1])
  const [session] = (await house.catalogue.sessions.list({ external_reference: '2026-1/1' }).page()).data
  assert.equal(session!.opens_at, '2026-04-12T17:30:00.000Z')
  assert.equal(session!.settings.buyer_premium_percentage, '24.5')

  const second = await house.run('apply', join(house.folder, 'kavels.xlsx'))
  assert.equal(second.code, 0, second.stdout + second.stderr)
  assert.match(second.stdout, /^nothing was changed$/m)

  const wrong = await house.run('apply', join(house.folder, 'kavels-fout.csv'))
  assert.equal(wrong.code, 1)
  assert.match(
    wrong.stdout,
    /kavels-fout\.csv:4: column "Schatting" \(estimate\): "4OO\/600" is no amount .*\[invalid\]/,
  )
  // What is not mended is not taken when it is given again.
  const again = await house.run('apply', join(house.folder, 'rejected.ndjson'))
  assert.match(again.stdout, /estimate: must be object \[wrong_type\]/)
})
