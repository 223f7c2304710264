import assert from 'node:assert/strict'
import { rm, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { after, test } from 'node:test'
import type { ManagedImage } from '@auction-catalogue/client'
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

const run = async (mode: string, path: string, code: number, ...words: string[]) => {
  const outcome = await house.run(mode, path, ...words)
  assert.equal(outcome.code, code, outcome.stdout + outcome.stderr)
  return outcome.stdout
}
const images = async () => {
  const found = new Map<string, ManagedImage>()
  for await (const image of house.catalogue.images.listAll()) found.set(image.external_reference!, image)
  return found
}
const textsOf = async (...references: string[]) => {
  const found = await images()
  return references.map((reference) => found.get(reference)!.alt_translations)
}
const versions = async () => [...(await images()).values()].map(({ id, updated_at }) => `${id} ${updated_at}`)

test('a text beside a picture is uploaded with it, and a repeated run changes nothing', async () => {
  await house.write('fotos/V-1-1.txt', '\ufeffDe vaas van voren\r\n')
  await house.write('fotos/V-2.txt', 'Een poêle\n')
  assert.match(await run('plan', photos, 0), /^to create: 4 images$/m)
  assert.match(await run('apply', photos, 0), /^created: 4 images$/m)
  assert.deepEqual(await textsOf('V-1-1', 'V-1-2', 'V-2'), [{ nl: 'De vaas van voren' }, {}, { nl: 'Een poêle' }])
  const before = await versions()
  assert.match(await run('apply', photos, 0), /^nothing was changed$/m)
  await rm(`${photos}.journal`)
  assert.match(await run('apply', photos, 0), /^nothing was changed$/m)
  assert.deepEqual(await versions(), before)
  await run('verify', photos, 0)
})

test('a changed text changes its picture alone, and an empty file clears it', async () => {
  const before = await images()
  await house.write('fotos/V-1-1.txt', 'Anders')
  await house.write('fotos/V-1-2.txt', 'Achterzijde')
  await house.write('fotos/V-2.txt', '')
  const told = await run('verify', photos, 1)
  for (const name of ['V-1-1', 'V-1-2', 'V-2'])
    assert.ok(told.includes(`fotos/${name}.jpg:1: alt: differs from the catalogue [differs]`), told)
  const planned = await run('plan', photos, 0)
  assert.match(planned, /^to change: 3 images$/m)
  assert.match(planned, /^ {2}fotos\/V-1-1\.jpg:1: image: alt$/m)
  assert.deepEqual(
    [...(await images()).values()].map(({ alt }) => alt),
    [...before.values()].map(({ alt }) => alt),
  )
  assert.match(await run('apply', photos, 0), /^changed: 3 images$/m)
  assert.deepEqual(await textsOf('V-1-1', 'V-1-2', 'V-2'), [{ nl: 'Anders' }, { nl: 'Achterzijde' }, {}])
  const now = await images()
  for (const [name, { id, url }] of before) assert.deepEqual([now.get(name)!.id, now.get(name)!.url], [id, url])
  assert.match(await run('apply', photos, 0), /^nothing was changed$/m)
})

test('a resumed run brings a text that was changed since', async () => {
  await house.write('fotos/V-1-1.txt', 'Hervat')
  const stdout = await run('apply', photos, 0, '--resume')
  assert.match(stdout, /^changed: 1 image$/m)
  assert.deepEqual(await textsOf('V-1-1'), [{ nl: 'Hervat' }])
})

test('without its file a text stays', async () => {
  await rm(join(photos, 'V-1-1.txt'))
  assert.match(await run('apply', photos, 0), /^nothing was changed$/m)
  assert.deepEqual(await textsOf('V-1-1'), [{ nl: 'Hervat' }])
})

test('a text that cannot be used is named, and stops no other picture', async () => {
  await house.write('fotos/V-1-1.txt', 'a'.repeat(1001))
  await house.write('fotos/V-1-2.txt', Buffer.from('Caf\xe9', 'latin1'))
  await house.write('fotos/V-3-9.txt', 'Zonder foto')
  await house.write('fotos/V-3.txt', '🏺'.repeat(1000))
  const stdout = await run('apply', photos, 1)
  assert.match(stdout, /V-1-1\.jpg:1: alt: has 1001 characters, and 1000 are allowed \[too_long\]/)
  assert.match(stdout, /V-1-2\.jpg:1: alt: the text beside the picture is not UTF-8 \[invalid\]/)
  assert.match(stdout, /V-3-9\.txt:1: file: is a text, and no picture has its name \[invalid\]/)
  assert.deepEqual(await textsOf('V-1-1', 'V-1-2', 'V-3'), [
    { nl: 'Hervat' },
    { nl: 'Achterzijde' },
    { nl: '🏺'.repeat(1000) },
  ])
})

test('a link beside a picture is not followed', async () => {
  await house.write('geheim.txt', 'Geheim')
  await house.write('gelinkt/V-3-1.jpg', await picture('#667788'))
  await symlink('../geheim.txt', join(house.folder, 'gelinkt', 'V-3-1.txt'))
  assert.match(await run('apply', join(house.folder, 'gelinkt'), 1), /V-3-1\.jpg:1: alt: .* is a link: remove it/)
  assert.equal((await images()).has('V-3-1'), false)
})

test('a picture whose name has no extension is not read as its own text', async () => {
  await house.write('kaal/V-3-2', await picture('#8877aa'))
  await house.write('kaal/V-3-3', await picture('#aa7788'))
  await house.write('kaal/V-3-3.txt', 'Van opzij')
  assert.match(await run('apply', join(house.folder, 'kaal'), 0), /^created: 2 images$/m)
  assert.deepEqual(await textsOf('V-3-2', 'V-3-3'), [{}, { nl: 'Van opzij' }])
})

const mapping = (columns: string) =>
  'separator: ";"\nlocale: nl\ncurrency: EUR\ndecimal: ","\ndates: d-m-y\ntime_zone: UTC\npictures: blad\n' +
  `columns:\n  Nr: external_reference\n  Titel: title\n${columns}`

for (const [index, name] of ['a', 'b', 'c'].entries())
  await house.write(`blad/${name}.jpg`, await picture(`#2${index}4${index}66`))

test('a text whose extension is in capitals belongs to its picture', async () => {
  await house.write('kapitaal/V-3-4.JPG', await picture('#a1b2c3'))
  await house.write('kapitaal/V-3-4.TXT', 'Van onderen')
  assert.match(await run('apply', join(house.folder, 'kapitaal'), 0), /^created: 1 image$/m)
  assert.deepEqual(await textsOf('V-3-4'), [{ nl: 'Van onderen' }])
})

test('a column has the texts of a row’s pictures in their order, in each language, and empty cells clear them', async () => {
  await house.write('lijst.csv.mapping.yaml', mapping('  Foto: images\n  Alt: alt\n  Alt EN: alt.en\n'))
  const sheet = (first: string, second: string) =>
    house.write('lijst.csv', `Nr;Titel;Foto;Alt;Alt EN\nW-1;Vaas;"a.jpg;b.jpg";${first}\nW-2;Kom;c.jpg;${second}\n`)
  const path = await sheet('"Voor;Achter";"Front;"', '"Een kom; blauw";')
  await run('apply', path, 0)
  assert.deepEqual(await textsOf('a', 'b', 'c'), [
    { nl: 'Voor', en: 'Front' },
    { nl: 'Achter' },
    { nl: 'Een kom; blauw' },
  ])
  assert.match(await run('apply', path, 0), /^nothing was changed$/m)
  await run('verify', path, 0)

  await sheet(';"Front;Back"', '"Een kom; blauw";Bowl')
  assert.match(
    await run('verify', path, 1),
    /lijst\.csv:3: column "Alt EN" \(alt_translations\.en\): "Bowl" differs from the catalogue/,
  )
  assert.match(await run('plan', path, 0), /^ {2}lijst\.csv:2: image: alt, alt_translations\.en$/m)
  await run('apply', path, 0)
  assert.deepEqual(await textsOf('a', 'b', 'c'), [
    { en: 'Front' },
    { en: 'Back' },
    { nl: 'Een kom; blauw', en: 'Bowl' },
  ])
  assert.match(await run('apply', path, 0), /^nothing was changed$/m)

  await sheet('"Voor;Achter;Onder";', 'Kom;')
  const refused = await run('apply', path, 1)
  assert.match(refused, /column "Alt" \(alt\): "Voor;Achter;Onder" has 3 of the 2 texts that the row's pictures need/)
  assert.deepEqual(await textsOf('a', 'c'), [{ en: 'Front' }, { nl: 'Kom' }])
})

test('columns of texts belong to columns of pictures, and texts go before files', async () => {
  await house.write(
    'kolommen.csv.mapping.yaml',
    mapping('  Foto 1: images\n  Alt 1: alt\n  Foto 2: images\n  Alt 2: alt\n').replace(
      'pictures: blad',
      'pictures: kol',
    ),
  )
  await house.write('kol/k1.jpg', await picture('#908070'))
  await house.write('kol/k2.jpg', await picture('#708090'))
  await house.write('kol/k2.txt', 'Uit het bestand')
  const path = await house.write(
    'kolommen.csv',
    'Nr;Titel;Foto 1;Alt 1;Foto 2;Alt 2\nX-1;Vaas;k1.jpg;;k2.jpg;Uit het blad\n',
  )
  await run('apply', path, 0)
  assert.deepEqual(await textsOf('k1', 'k2'), [{}, { nl: 'Uit het blad' }])
})

test('texts of pictures need a column of pictures', async () => {
  await house.write('zonder.csv.mapping.yaml', mapping('  Alt: alt\n'))
  const path = await house.write('zonder.csv', 'Nr;Titel;Alt\nY-1;Vaas;Voor\n')
  const { code, stderr } = await house.run('plan', path)
  assert.deepEqual([code, /name a column as images/.test(stderr)], [2, true])
})
