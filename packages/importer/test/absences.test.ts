import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { isNone, isNoPicture, isUnknownMaker } from '../src/mapping/absences.ts'
import { mapSheet, readSheet, openFolder } from './reading.ts'

const folder = await openFolder()
const path = join(folder, 'lijst.csv')

async function write(text: string): Promise<string[]> {
  await writeFile(path, text)
  return mapSheet(path)
}

test('words for none and unknown are known in nine languages, and titles that only begin with one are not', () => {
  const [nones, unknowns] = [
    '-|--|_|?|n.v.t.|N/A|geen|none|keine|k.A.|aucun|sans|nessuno|ninguna|brak|nincs|无',
    'onbekend|anonymous|Unbekannt|inconnu|anonyme|desconocido|sconosciuto|nieznany|ismeretlen|佚名',
  ]
  for (const text of nones.split('|')) assert.ok(isNone(text) && !isUnknownMaker(text), text)
  for (const text of unknowns.split('|')) assert.ok(isUnknownMaker(text) && !isNone(text), text)
  for (const text of ['[Anonyme]', '(unbekannt)']) assert.ok(isUnknownMaker(text), text)
  for (const text of ['geen foto', 'no photo', 'kein Bild', 'sans photo', 'senza foto', 'brak zdjęcia'])
    assert.ok(isNoPicture(text), text)
  for (const text of ['geen gebreken', 'Sans Souci', 'Anonymous Society', 'n', 'V-1', 'None such'])
    assert.ok(!isNone(text) && !isUnknownMaker(text) && !isNoPicture(text), text)
})

test('a cell that says none is none for makers, categories, texts and pictures, but not for titles and references', async () => {
  await write(
    'Ref;Titel;Omschrijving;Kunstenaar;Rubriek;Foto\nV-1;-;n.v.t.;-;--;geen foto\nV-2;Vaas;Blauw;Jan; ? ;a.jpg\n-;geen;_;_;keine;-\n',
  )
  const { items, records } = await readSheet(path)
  assert.deepEqual(
    items.map(({ external_reference, title, description, makers, categories }) => [
      external_reference,
      title,
      description,
      makers,
      categories,
    ]),
    [
      ['V-1', '-', null, [], []],
      ['V-2', 'Vaas', 'Blauw', ['maker/Jan'], []],
      ['-', 'geen', null, [], []],
    ],
  )
  assert.equal(records.filter(({ record }) => record?.type === 'image').length, 1)
})

test('two letters are a code of a seller or a maker, and with dots or a slash they say none', async () => {
  const codes = ['NB', 'KA', 'ND', 'NA', 'SO', 'nb', 'k a']
  const nones = ['n.b.', 'k.A.', 'k. A.', 'n.d.', 'N/A', 'n.a.', 's.o.', 'nvt', 'n.v.t.']
  const rows = [...codes, ...nones].map((text, index) => `V-${index};Vaas;${text};${text};${text}`)
  await write(`Ref;Titel;Inbrenger;Kunstenaar;Staat\n${rows.join('\n')}\n`)
  const { items } = await readSheet(path)
  assert.deepEqual(
    items.map(({ seller, makers, condition }) => [seller, makers, condition]),
    [
      ...codes.map((code) => [`seller/${code}`, [`maker/${code}`], code === 'SO' ? 'SO' : null]),
      ...nones.map(() => [null, [], null]),
    ],
  )
})

test('cells that were read as empty because of their word are counted by column and word, with their first lines', async () => {
  const rows = Array.from({ length: 8 }, (_, index) => `V-${index};Vaas;-;Brak;op aanvraag`)
  const others = ['V-8;Vaas;-- ;brak; - ', 'V-9;geen;Sans;"Jan Steen; nil ";400', 'V-10;Vaas;Jan; sans;400']
  await write(`Ref;Titel;Inbrenger;Kunstenaar;Schatting\n${[...rows, ...others].join('\n')}\n`)
  assert.deepEqual((await readSheet(path)).nones, [
    'read as none: column "Inbrenger": "-" 8 times, "--" once, "Sans" once (line 11)',
    'read as none: column "Kunstenaar": "Brak" 8 times (lines 2, 3, 4, 5, 6 and 3 more), "brak" once (line 10), "nil" once (line 11), "sans" once (line 12)',
    'read as none: column "Schatting": "op aanvraag" 8 times (lines 2, 3, 4, 5, 6 and 3 more), "-" once',
  ])
  await write('Ref;Titel;Kunstenaar\nV-1;Vaas;Jan\nV-2;-;Nil Nissen\n')
  assert.deepEqual((await readSheet(path)).nones, [])
})

test('the mapping asks what an unknown maker is, and nothing is planned until it says', async () => {
  await write('Ref;Titel;Kunstenaar\nV-1;Vaas;Unbekannt\nV-2;Kan;Jan\n')
  const mapping = await readFile(`${path}.mapping.yaml`, 'utf8')
  assert.match(mapping, /^unknown_makers: +# FILL IN: none, or keep: whether "Unbekannt" is a maker$/m)
  await assert.rejects(readSheet(path), /unknown_makers must be none or keep/)
  const read = async (line: string) => {
    await writeFile(`${path}.mapping.yaml`, mapping.replace(/^unknown_makers:.*$/m, line))
    return (await readSheet(path)).items.map(({ makers }) => makers)
  }
  assert.deepEqual(await read('unknown_makers: none'), [[], ['maker/Jan']])
  assert.deepEqual(await read('unknown_makers: keep'), [['maker/Unbekannt'], ['maker/Jan']])
  await assert.rejects(read(''), /line 2: the maker "Unbekannt" may be nobody, or a record of this name/)
})

test('dates and the decimal sign are asked for only where a mapped field has them', async () => {
  await write('Ref;Titel\nV-1;Vaas\n')
  const mapping = await readFile(`${path}.mapping.yaml`, 'utf8')
  assert.doesNotMatch(mapping, /FILL IN/)
  assert.equal((await readSheet(path)).items.length, 1)
  // Earlier versions of the program wrote these lines.
  await writeFile(`${path}.mapping.yaml`, `decimal:\ndates:\n${mapping}`)
  assert.equal((await readSheet(path)).items.length, 1)
  await writeFile(`${path}.mapping.yaml`, mapping.replace(/^all:/m, 'all:\n  session.opens_at: 12-04-2026 19:30'))
  await assert.rejects(readSheet(path), /dates must be one of d-m-y/)
})

test('pictures in several columns of one heading are read in their order, by the letters of the columns', async () => {
  const said = await write('Ref;Titel;img;img;img\nV-1;Vaas;c.jpg;a.jpg;b.jpg\n')
  assert.ok(said.includes('several columns are called "img": the mapping names all but the first by their letters'))
  const { records } = await readSheet(path)
  assert.deepEqual(
    records.flatMap(({ record }) => (record?.type === 'image' ? [record.file] : [])),
    ['c.jpg', 'a.jpg', 'b.jpg'],
  )
  await writeFile(
    `${path}.mapping.yaml`,
    'separator: ";"\ncolumns:\n  Ref: external_reference\n  Titel: title\n  img: images\n',
  )
  await assert.rejects(readSheet(path), /several columns "img": rename all but one, or name the others .* "column E"/)
})

test('without a column of references, map says what may serve, and a row can be its own reference', async () => {
  const said = await write('Titel;Omschrijving\nVaas;Blauw\nKan;Rood\n')
  assert.ok(
    said.some((line) => line.includes('"external_reference: row" under "all:" makes one of the number of the row')),
  )
  await assert.rejects(readSheet(path), /names no column as external_reference: name one, or "external_reference: row"/)
  const mapping = await readFile(`${path}.mapping.yaml`, 'utf8')
  await writeFile(`${path}.mapping.yaml`, mapping.replace(/^all:/m, 'all:\n  external_reference: row'))
  assert.deepEqual(
    (await readSheet(path)).items.map(({ external_reference }) => external_reference),
    ['lijst-2', 'lijst-3'],
  )
})

test('a unique number of sellers beside the sellers is the reference', async () => {
  await write('Inbr.nr;Inbrenger;Titel\nN-1;Jansen;Vaas\nN-2;Jansen;Kan\nN-3;De Wit;Bord\n')
  const { items } = await readSheet(path)
  assert.deepEqual(
    items.map(({ external_reference, seller }) => [external_reference, seller]),
    [
      ['N-1', 'seller/Jansen'],
      ['N-2', 'seller/Jansen'],
      ['N-3', 'seller/De Wit'],
    ],
  )
})
