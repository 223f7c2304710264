import assert from 'node:assert/strict'
import { readFile, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { picture } from '../../../test/support/pictures.ts'
import { openHouse, type Line } from './house.ts'
import { addParts, rowsOf, writeWorkbook } from './workbook.ts'

const house = await openHouse()
after(() => house.close())

const colours = ['#336699', '#993366', '#669933', '#996633', '#339966']
const item = (reference: string): Line => ({
  type: 'item',
  ref: reference,
  external_reference: reference,
  title: reference,
})
const galleryOf = async (reference: string) => {
  const [found] = (await house.catalogue.items.list({ external_reference: reference, expand: ['images'] }).page()).data
  const managed = new Map<string, string>()
  for await (const image of house.catalogue.images.list(found!.id)) managed.set(image.id, image.external_reference!)
  return { item: found!, names: found!.images.map(({ id }) => managed.get(id)), all: [...managed.values()].toSorted() }
}

await house.load(['V-118', 'V-118-a', 'V-119', 'V-120', 'V-121'].map(item))
const photos = join(house.folder, 'fotos')
for (const [index, name] of ['V-118-1.jpg', 'V-118-2.jpg', 'V-118-10.jpg', 'V-118-a/01.jpg', 'V-119.jpg'].entries())
  await house.write(`fotos/${name}`, await picture(colours[index]))
await house.write('fotos/V-119_2.jpg', await readFile(join(photos, 'V-119.jpg')))
await house.write('fotos/V-120-1.jpg', (await picture('#123456', 800, 600)).subarray(0, 400))
await house.write('fotos/V-121.heic', '\0\0\0\x18ftypheic\0\0\0\0mif1heic')
await house.write('fotos/X-1.jpg', await picture('#ffffff'))
await house.write('fotos/Thumbs.db', 'nothing')

test('each picture of a folder goes to the item whose reference begins its name, in the order of the names', async () => {
  const planned = await house.run('plan', photos)
  assert.match(planned.stdout, /^to create: 6 images$/m)
  const stdout = await house.end(1, 'apply', photos)
  assert.match(stdout, /^created: 5 images$/m)
  assert.match(stdout, /^unchanged: .*items/m)
  assert.deepEqual((await galleryOf('V-118')).names, ['V-118-1', 'V-118-2', 'V-118-10'])
  assert.deepEqual((await galleryOf('V-118-a')).names, ['V-118-a/01'])
})

test('broken, duplicate and unknown pictures have different errors, and do not stop the others', async () => {
  const stdout = await house.end(1, 'apply', photos)
  assert.match(stdout, /^nothing was changed$/m)
  assert.match(stdout, /V-119_2\.jpg:1: file: is the same picture as V-119, byte for byte \[duplicate\]/)
  assert.match(
    stdout,
    /V-120-1\.jpg:1: .*\[validation-failed\]|V-120-1\.jpg:1: file: .*\[(invalid|derivative_processing_failed)\]/,
  )
  assert.match(stdout, /V-121\.heic:1: file: is a HEIC photograph: make a JPEG of it .* \[unsupported-media-type\]/)
  assert.match(stdout, /X-1\.jpg:1: item: no item has the reference X-1 or X \[unavailable\]/)
  for (const name of ['V-119_2.jpg', 'V-120-1.jpg', 'V-121.heic', 'X-1.jpg']) await rm(join(photos, name))
  assert.match(await house.end(0, 'apply', photos), /^nothing was changed$/m)
})

test('verify names pictures that the source does not have, and does not fail', async () => {
  const lines = (names: string[]) => [
    house.house,
    item('W-1'),
    item('W-2'),
    ...names.map((name): Line => ({
      type: 'image',
      item: name.slice(0, 3),
      external_reference: name,
      file: `${name}.jpg`,
      public: true,
    })),
  ]
  const names = ['W-1-1', 'W-1-2', 'W-2-1']
  for (const [index, name] of names.entries())
    await house.write(`${name}.jpg`, await picture(['#101010', '#202020', '#303030'][index]))
  const path = await house.write('named.ndjson', lines(names))
  await house.end(0, 'apply', path)
  assert.doesNotMatch((await house.run('verify', path)).stdout, /does not name/)
  await house.write('named.ndjson', lines(['W-1-1']))
  const stdout = await house.end(0, 'verify', path)
  assert.match(stdout, /^equal: .*1 image/m)
  const named = stdout.match(/^.*does not name.*$/gm)?.toSorted()
  assert.deepEqual(named, [
    'named.ndjson:3: the item has pictures that the source does not name: W-2-1',
    'named.ndjson:4: the item has pictures that the source does not name: W-1-2',
  ])
})

test('verify compares pictures by their bytes', async () => {
  assert.equal((await house.run('verify', photos)).code, 0)
  const bytes = await readFile(join(photos, 'V-119.jpg'))
  await writeFile(join(photos, 'V-119.jpg'), Buffer.concat([bytes, Buffer.from('.')]))
  const stdout = await house.end(1, 'verify', photos)
  assert.match(stdout, /V-119\.jpg:1: file: has other bytes in the catalogue \[differs\]/)
})

test('a changed picture is replaced in its place, and a renamed one is stored once', async () => {
  await writeFile(join(photos, 'V-118-2.jpg'), await picture('#000000'))
  await rename(join(photos, 'V-118-10.jpg'), join(photos, 'V-118-0.jpg'))
  const stdout = await house.end(0, 'apply', photos)
  assert.match(stdout, /^created: 1 image$/m)
  assert.match(stdout, /^changed: 2 images$/m)
  const { names, all } = await galleryOf('V-118')
  assert.deepEqual(names, ['V-118-0', 'V-118-1', 'V-118-2'])
  assert.deepEqual(all, ['V-118-0', 'V-118-1', 'V-118-2'])
  assert.equal((await house.run('verify', photos)).code, 0)
  // By the journal and the list of items, all pictures are stored. The other request asks for the house.
  const again = await house.end(0, 'apply', photos)
  assert.match(again, /^nothing was changed$/m)
  assert.match(again, / 2 requests$/m)
  await rm(`${photos}.journal`)
  assert.match(await house.end(0, 'apply', photos), /^nothing was changed$/m)
})

test('a changed picture of the same size is replaced, also if the journal does not know it', async () => {
  const bytes = await readFile(join(photos, 'V-119.jpg'))
  const edit = (end: string) => writeFile(join(photos, 'V-119.jpg'), Buffer.concat([bytes, Buffer.from(end)]))
  await edit('.')
  await house.end(0, 'apply', photos)
  await edit('!')
  await rm(`${photos}.journal`)
  assert.match(await house.end(0, 'plan', photos), /^to change: 1 image$/m)
  assert.match(await house.end(0, 'apply', photos), /^changed: 1 image$/m)
  assert.equal((await house.run('verify', photos)).code, 0)
})

test('a file decides which pictures are public, their order and the featured one; other pictures keep their places', async () => {
  const image = (name: string, fields: object): Line => ({
    type: 'image',
    item: 'V-120',
    external_reference: name,
    file: `own/${name}.jpg`,
    ...fields,
  })
  for (const [index, name] of ['a', 'b', 'c'].entries())
    await house.write(`own/${name}.jpg`, await picture(colours[index]))
  const { id } = (await galleryOf('V-120')).item
  const other = await house.catalogue.images.upload(id, {
    file: new Blob([new Uint8Array(await picture('#abcdef'))]),
    external_reference: 'other',
  })
  await house.catalogue.images.settled(id, other.id)
  const lines = [
    house.house,
    item('V-120'),
    image('a', { public: true, position: 2 }),
    image('b', { public: true, position: 1, featured: true }),
    image('c', {}),
  ]
  const path = await house.write('own.ndjson', lines)
  await house.end(0, 'apply', path)
  const first = await galleryOf('V-120')
  assert.deepEqual(first.names, ['other', 'b', 'a'])
  assert.deepEqual(first.all, ['a', 'b', 'c', 'other'])
  assert.deepEqual(
    first.item.images.map(({ featured }) => featured),
    [false, true, false],
  )
  assert.match(await house.end(0, 'apply', path), /^nothing was changed$/m)
  assert.equal((await house.run('verify', path)).code, 0)

  // The order is that of the source, even if nothing else was changed.
  await house.write(
    'own.ndjson',
    lines
      .with(2, image('a', { public: true, position: 0, featured: true }))
      .with(3, image('b', { public: true, position: 1 })),
  )
  assert.equal((await house.run('verify', path)).code, 1)
  await house.end(0, 'apply', path)
  const second = await galleryOf('V-120')
  assert.deepEqual(second.names, ['other', 'a', 'b'])
  assert.deepEqual(
    second.item.images.map(({ featured }) => featured),
    [false, true, false],
  )
  assert.equal((await house.run('verify', path)).code, 0)
})

test('a plan announces pictures that only change their order, and apply reports their move', async () => {
  const sheet = (pictures: string) => `Nr;Titel;Foto\nV-150;Vaas;"${pictures}"\n`
  const mapping =
    'separator: ";"\nlocale: nl\ncurrency: EUR\ndecimal: ","\ndates: d-m-y\ntime_zone: UTC\npictures: volgorde\n' +
    'columns:\n  Nr: external_reference\n  Titel: title\n  Foto: images\n'
  for (const [index, name] of ['1', '2', '3', '4'].entries())
    await house.write(`volgorde/${name}.png`, await picture(`#4${index}8${index}55`))
  await house.write('volgorde.csv.mapping.yaml', mapping)
  const path = await house.write('volgorde.csv', sheet('1.png;2.png;3.png'))
  await house.end(0, 'apply', path)

  await house.write('volgorde.csv', sheet('2.png;1.png;3.png'))
  for (const withJournal of [true, false]) {
    if (!withJournal) await rm(`${path}.journal`)
    const { stdout } = await house.run('plan', path)
    assert.match(stdout, /^to change: 2 images$/m)
    assert.equal(stdout.match(/^  volgorde\.csv:2: image: position$/gm)?.length, 2)
    assert.doesNotMatch(stdout, /nothing would change/)
  }
  const stdout = await house.end(0, 'apply', path)
  assert.match(stdout, /^changed: 2 images$/m)
  assert.match(stdout, /^unchanged: 1 item, 1 image$/m)
  assert.doesNotMatch(stdout, /nothing was changed/)
  assert.deepEqual((await galleryOf('V-150')).names, ['2', '1', '3'])
  assert.match(await house.end(0, 'apply', path), /^nothing was changed$/m)
  assert.match((await house.run('plan', path)).stdout, /^nothing would change$/m)

  // A new picture at the front moves none of the others.
  await house.write('volgorde.csv', sheet('4.png;2.png;1.png;3.png'))
  const added = await house.end(0, 'apply', path)
  assert.match(added, /^created: 1 image$/m)
  assert.match(added, /^unchanged: 1 item, 3 images$/m)
  assert.deepEqual((await galleryOf('V-150')).names, ['4', '2', '1', '3'])
})

test('a plan refuses what apply would: of a new item, a picture of a name or of bytes that another one has', async () => {
  const sheet = join(house.folder, 'dubbel.xlsx')
  const rows = rowsOf([
    ['Nr', 'Titel', 'Foto'],
    ['V-160', 'Vaas', 'V-160-1.jpg'],
    ['V-161', 'Kan', 'kan.jpg; kan-2.jpg'],
  ])
  await writeWorkbook(sheet, [rows])
  const relation = (id: string, kind: string, target: string) =>
    `<Relationships><Relationship Id="${id}" Type="http://schemas.example/${kind}" Target="${target}"/></Relationships>`
  const from = '<xdr:from><xdr:col>2</xdr:col><xdr:row>1</xdr:row></xdr:from>'
  await addParts(sheet, {
    'xl/_rels/s0.xml.rels': relation('d', 'drawing', 'drawing.xml'),
    'xl/_rels/drawing.xml.rels': relation('p', 'image', 'picture.gif'),
    'xl/drawing.xml': `<xdr:wsDr><xdr:oneCellAnchor>${from}<a:blip r:embed="p"/></xdr:oneCellAnchor></xdr:wsDr>`,
    'xl/picture.gif': 'GIF89a',
  })
  const same = await picture('#667788')
  await house.write('V-160-1.jpg', await picture('#887766'))
  for (const name of ['kan.jpg', 'kan-2.jpg']) await house.write(name, same)
  await house.write(
    'dubbel.xlsx.mapping.yaml',
    'cell_pictures: read\ncolumns:\n  Nr: external_reference\n  Titel: title\n  Foto: images\n',
  )
  for (const [mode, made] of [
    ['plan', 'to create'],
    ['apply', 'created'],
  ] as const) {
    const stdout = await house.end(1, mode, sheet)
    assert.match(stdout, new RegExp(`^${made}: 2 items, 2 images$`, 'm'))
    assert.match(stdout, /^dubbel\.xlsx:2: external_reference: the item has two pictures of this name \[duplicate\]$/m)
    assert.match(stdout, /^dubbel\.xlsx:3: .*is the same picture as kan, byte for byte \[duplicate\]$/m)
  }
})

test('a picture outside the folder of the source is refused', async () => {
  await house.write('secret.jpg', await picture())
  const path = await house.write('inner/items.ndjson', [
    house.house,
    item('V-121'),
    { type: 'image', item: 'V-121', file: '../secret.jpg', public: true },
  ])
  assert.match(await house.end(1, 'apply', path), /must lie in the folder of the source, or below it/)
})

test('plan and verify recognise stored pictures, and write nothing into the journal', async () => {
  const path = await house.write('private/items.ndjson', [
    house.house,
    item('V-121'),
    { type: 'image', item: 'V-121', external_reference: 'private', file: 'a.jpg' },
  ])
  await house.write('private/a.jpg', await picture('#112233'))
  await house.end(0, 'apply', path)
  const journal = await house.read('private/items.ndjson.journal')
  for (const mode of ['plan', 'verify']) {
    await house.end(0, mode, path)
  }
  assert.equal(await house.read('private/items.ndjson.journal'), journal)
})

test('a link in a folder of pictures is reported and never followed', async () => {
  const folder = join(house.folder, 'gelinkt')
  await house.write('gelinkt/V-121-9.jpg', await picture('#778899'))
  await symlink('V-121-9.jpg', join(folder, 'V-121-10.jpg'))
  await symlink('..', join(folder, 'V-121-11'))
  const stdout = await house.end(1, 'apply', folder)
  assert.match(stdout, /^created: 1 image$/m)
  for (const name of ['V-121-10.jpg', 'V-121-11'])
    assert.ok(stdout.includes(`gelinkt/${name}:1: file: is a link: put the picture itself here [invalid]`), stdout)
})

test('accents apart from their letters, as in file names of macOS, match the same letters', async () => {
  await house.load(['Mu', 'Müller'].map((reference) => item(reference)))
  const folder = join(house.folder, 'umlaute')
  await house.write(`umlaute/${'Müller-1'.normalize('NFD')}.jpg`, await picture('#445566'))
  await house.end(0, 'apply', folder)
  assert.deepEqual([(await galleryOf('Mu')).names, (await galleryOf('Müller')).names], [[], ['Müller-1']])
  const path = await house.write('umlaut.ndjson', [
    house.house,
    item('Mu'),
    { type: 'image', item: 'Mu', external_reference: 'Mu-1', file: 'umlaute/Müller-1.jpg', public: true },
  ])
  await house.end(0, 'apply', path)
})
