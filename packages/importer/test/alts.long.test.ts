import assert from 'node:assert/strict'
import { symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { picture } from '../../../test/support/pictures.ts'
import { openHouse } from './house.ts'

const house = await openHouse()
after(() => house.close())

await house.load([{ type: 'item', external_reference: 'V-3', title: 'V-3' }])
const textsOf = async (...references: string[]) => {
  const found = await house.images()
  return references.map((reference) => found.get(reference)!.alt_translations)
}

const mapping = (columns: string) =>
  'separator: ";"\nlocale: nl\ncurrency: EUR\ndecimal: ","\ndates: d-m-y\ntime_zone: UTC\npictures: blad\n' +
  `columns:\n  Nr: external_reference\n  Titel: title\n${columns}`

for (const [index, name] of ['a', 'b'].entries())
  await house.write(`blad/${name}.jpg`, await picture(`#2${index}4${index}66`))

test('a link beside a picture is not followed', async () => {
  await house.write('geheim.txt', 'Geheim')
  await house.write('gelinkt/V-3-1.jpg', await picture('#667788'))
  await symlink('../geheim.txt', join(house.folder, 'gelinkt', 'V-3-1.txt'))
  assert.match(await house.end(1, 'apply', join(house.folder, 'gelinkt')), /V-3-1\.jpg:1: alt: .* is a link: remove it/)
  assert.equal((await house.images()).has('V-3-1'), false)
})

test('a picture whose name has no extension is not read as its own text', async () => {
  await house.write('kaal/V-3-2', await picture('#8877aa'))
  await house.write('kaal/V-3-3', await picture('#aa7788'))
  await house.write('kaal/V-3-3.txt', 'Van opzij')
  assert.match(await house.end(0, 'apply', join(house.folder, 'kaal')), /^created: 2 images$/m)
  assert.deepEqual(await textsOf('V-3-2', 'V-3-3'), [{}, { nl: 'Van opzij' }])
})

test('a text whose extension is in capitals belongs to its picture', async () => {
  await house.write('kapitaal/V-3-4.JPG', await picture('#a1b2c3'))
  await house.write('kapitaal/V-3-4.TXT', 'Van onderen')
  assert.match(await house.end(0, 'apply', join(house.folder, 'kapitaal')), /^created: 1 image$/m)
  assert.deepEqual(await textsOf('V-3-4'), [{ nl: 'Van onderen' }])
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
  await house.end(0, 'apply', path)
  assert.deepEqual(await textsOf('k1', 'k2'), [{}, { nl: 'Uit het blad' }])
})

test('a text without a picture is refused, and the item of its row is imported', async () => {
  await house.write('teveel/t1.jpg', await picture('#506070'))
  const columns = '  Foto 1: images\n  Alt 1: alt\n  Foto 2: images\n  Alt 2: alt\n  Alt EN: alt.en\n'
  await house.write('teveel.csv.mapping.yaml', mapping(columns).replace('pictures: blad', 'pictures: teveel'))
  const path = await house.write(
    'teveel.csv',
    'Nr;Titel;Foto 1;Alt 1;Foto 2;Alt 2;Alt EN\nZ-1;Vaas;;Voor;;;Front\nZ-2;Kom;;;;;\nZ-3;Klok;t1.jpg;Voor;;Achter;\n',
  )
  const told = await house.end(1, 'apply', path)
  const words = 'is a text, and the row names no picture for it'
  assert.ok(told.includes(`teveel.csv:2: column "Alt 1, Alt 2" (alt): "Voor" ${words} [invalid]`), told)
  assert.ok(told.includes(`teveel.csv:2: column "Alt EN" (alt_translations.en): "Front" ${words} [invalid]`), told)
  assert.ok(told.includes(`teveel.csv:4: column "Alt 1, Alt 2" (alt): "Voor\\nAchter" ${words} [invalid]`), told)
  assert.match(told, /^created: 3 items$/m)
  assert.match(told, /^rejected: 2 images/m)
  await house.write('drie.csv.mapping.yaml', mapping('  Foto: images\n  Alt 1: alt\n  Alt 2: alt\n  Alt 3: alt\n'))
  const three = (texts: string) =>
    house.write('drie.csv', `Nr;Titel;Foto;Alt 1;Alt 2;Alt 3\nZ-4;Kan;"a.jpg;b.jpg";${texts}\n`)
  assert.match(await house.end(1, 'plan', await three('Voor;Achter;Onder')), new RegExp(words))
  assert.doesNotMatch(await house.end(0, 'plan', await three('Voor;Achter;')), /rejected/)
})

test('texts of pictures need a column of pictures', async () => {
  await house.write('zonder.csv.mapping.yaml', mapping('  Alt: alt\n'))
  const path = await house.write('zonder.csv', 'Nr;Titel;Alt\nY-1;Vaas;Voor\n')
  const { code, stderr } = await house.run('plan', path)
  assert.deepEqual([code, /name a column as images/.test(stderr)], [2, true])
})
