import assert from 'node:assert/strict'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { picture } from '../../../test/support/pictures.ts'
import { openHouse, type Line } from './house.ts'

const house = await openHouse()
after(() => house.close())

const item = (reference: string): Line => ({ type: 'item', external_reference: reference, title: reference })
await house.load(['V-1', 'V-2', 'V-3'].map(item))
const photos = join(house.folder, 'fotos')
const colours = ['#113355', '#553311', '#335511', '#551133', '#115533']
for (const [index, name] of ['V-1-1', 'V-1-2', 'V-2', 'V-3'].entries())
  await house.write(`fotos/${name}.jpg`, await picture(colours[index]))

const textsOf = async (...references: string[]) => {
  const found = await house.images()
  return references.map((reference) => found.get(reference)!.alt_translations)
}
const versions = async () => [...(await house.images()).values()].map(({ id, updated_at }) => `${id} ${updated_at}`)

test('a text beside a picture is uploaded with it, and a repeated run changes nothing', async () => {
  await house.write('fotos/V-1-1.txt', '\ufeffDe vaas van voren\r\n')
  await house.write('fotos/V-2.txt', 'Een poêle\n')
  assert.match(await house.end(0, 'plan', photos), /^to create: 4 images$/m)
  assert.match(await house.end(0, 'apply', photos), /^created: 4 images$/m)
  assert.deepEqual(await textsOf('V-1-1', 'V-1-2', 'V-2'), [{ nl: 'De vaas van voren' }, {}, { nl: 'Een poêle' }])
  const before = await versions()
  assert.match(await house.end(0, 'apply', photos), /^nothing was changed$/m)
  await rm(`${photos}.journal`)
  assert.match(await house.end(0, 'apply', photos), /^nothing was changed$/m)
  assert.deepEqual(await versions(), before)
  await house.end(0, 'verify', photos)
})

test('a changed text changes its picture alone, and an empty file clears it', async () => {
  const before = await house.images()
  await house.write('fotos/V-1-1.txt', 'Anders')
  await house.write('fotos/V-1-2.txt', 'Achterzijde')
  await house.write('fotos/V-2.txt', '')
  const told = await house.end(1, 'verify', photos)
  for (const name of ['V-1-1', 'V-1-2', 'V-2'])
    assert.ok(told.includes(`fotos/${name}.jpg:1: alt: differs from the catalogue [differs]`), told)
  const planned = await house.end(0, 'plan', photos)
  assert.match(planned, /^to change: 3 images$/m)
  assert.match(planned, /^ {2}fotos\/V-1-1\.jpg:1: image: alt$/m)
  assert.deepEqual(
    [...(await house.images()).values()].map(({ alt }) => alt),
    [...before.values()].map(({ alt }) => alt),
  )
  assert.match(await house.end(0, 'apply', photos), /^changed: 3 images$/m)
  assert.deepEqual(await textsOf('V-1-1', 'V-1-2', 'V-2'), [{ nl: 'Anders' }, { nl: 'Achterzijde' }, {}])
  const now = await house.images()
  for (const [name, { id, url }] of before) assert.deepEqual([now.get(name)!.id, now.get(name)!.url], [id, url])
  assert.match(await house.end(0, 'apply', photos), /^nothing was changed$/m)
})

test('a resumed run brings a text that was changed since', async () => {
  await house.write('fotos/V-1-1.txt', 'Hervat')
  const stdout = await house.end(0, 'apply', photos, '--resume')
  assert.match(stdout, /^changed: 1 image$/m)
  assert.deepEqual(await textsOf('V-1-1'), [{ nl: 'Hervat' }])
})

test('without its file a text stays', async () => {
  await rm(join(photos, 'V-1-1.txt'))
  assert.match(await house.end(0, 'apply', photos), /^nothing was changed$/m)
  assert.deepEqual(await textsOf('V-1-1'), [{ nl: 'Hervat' }])
})

test('a text that cannot be used is named, and stops no other picture', async () => {
  await house.write('fotos/V-1-1.txt', 'a'.repeat(1001))
  await house.write('fotos/V-1-2.txt', Buffer.from('Caf\xe9', 'latin1'))
  await house.write('fotos/V-3-9.txt', 'Zonder foto')
  await house.write('fotos/V-3.txt', '🏺'.repeat(1000))
  const stdout = await house.end(1, 'apply', photos)
  assert.match(stdout, /V-1-1\.jpg:1: alt: has 1001 characters, and 1000 are allowed \[too_long\]/)
  assert.match(stdout, /V-1-2\.jpg:1: alt: the text beside the picture is not UTF-8 \[invalid\]/)
  assert.match(stdout, /V-3-9\.txt:1: file: is a text, and no picture has its name \[invalid\]/)
  assert.deepEqual(await textsOf('V-1-1', 'V-1-2', 'V-3'), [
    { nl: 'Hervat' },
    { nl: 'Achterzijde' },
    { nl: '🏺'.repeat(1000) },
  ])
})

const mapping = (columns: string) =>
  'separator: ";"\nlocale: nl\ncurrency: EUR\ndecimal: ","\ndates: d-m-y\ntime_zone: UTC\npictures: blad\n' +
  `columns:\n  Nr: external_reference\n  Titel: title\n${columns}`

for (const [index, name] of ['a', 'b', 'c'].entries())
  await house.write(`blad/${name}.jpg`, await picture(`#2${index}4${index}66`))

test('a column has the texts of a row’s pictures in their order, in each language, and empty cells clear them', async () => {
  await house.write('lijst.csv.mapping.yaml', mapping('  Foto: images\n  Alt: alt\n  Alt EN: alt.en\n'))
  const sheet = (first: string, second: string) =>
    house.write('lijst.csv', `Nr;Titel;Foto;Alt;Alt EN\nW-1;Vaas;"a.jpg;b.jpg";${first}\nW-2;Kom;c.jpg;${second}\n`)
  const path = await sheet('"Voor;Achter";"Front;"', '"Een kom; blauw";')
  await house.end(0, 'apply', path)
  assert.deepEqual(await textsOf('a', 'b', 'c'), [
    { nl: 'Voor', en: 'Front' },
    { nl: 'Achter' },
    { nl: 'Een kom; blauw' },
  ])
  assert.match(await house.end(0, 'apply', path), /^nothing was changed$/m)
  await house.end(0, 'verify', path)

  await sheet(';"Front;Back"', '"Een kom; blauw";Bowl')
  assert.match(
    await house.end(1, 'verify', path),
    /lijst\.csv:3: column "Alt EN" \(alt_translations\.en\): "Bowl" differs from the catalogue/,
  )
  assert.match(await house.end(0, 'plan', path), /^ {2}lijst\.csv:2: image: alt, alt_translations\.en$/m)
  await house.end(0, 'apply', path)
  assert.deepEqual(await textsOf('a', 'b', 'c'), [
    { en: 'Front' },
    { en: 'Back' },
    { nl: 'Een kom; blauw', en: 'Bowl' },
  ])
  assert.match(await house.end(0, 'apply', path), /^nothing was changed$/m)

  await sheet('"Voor;Achter;Onder";', 'Kom;')
  const refused = await house.end(1, 'apply', path)
  assert.match(refused, /column "Alt" \(alt\): "Voor;Achter;Onder" has 3 of the 2 texts that the row's pictures need/)
  assert.deepEqual(await textsOf('a', 'c'), [{ en: 'Front' }, { nl: 'Kom' }])
})
