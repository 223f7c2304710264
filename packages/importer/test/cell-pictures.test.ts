import assert from 'node:assert/strict'
import { readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { Unusable } from '../src/misfit.ts'
import { openSource } from '../src/run/source.ts'
import { mapSheet, readSheet, openFolder } from './reading.ts'
import { addParts, writeWorkbook, textCell } from './workbook.ts'

const folder = await openFolder()

const relations = (...targets: [id: string, kind: string, target: string][]) =>
  `<Relationships>${targets
    .map(([id, kind, target]) => `<Relationship Id="${id}" Type="http://schemas.example/${kind}" Target="${target}"/>`)
    .join('')}</Relationships>`

const text = (place: string, value: string) => textCell(value, place)
const rows = (...pictures: string[]) =>
  `<row r="1">${text('A1', 'Ref')}${text('B1', 'Titel')}${text('C1', 'Foto')}</row>` +
  ['Vaas', 'Kan', 'Bord']
    .map((title, index) => {
      const line = index + 2
      return `<row r="${line}">${text(`A${line}`, `V-${index + 1}`)}${text(`B${line}`, title)}${pictures[index] ?? ''}</row>`
    })
    .join('')

/** Writes a workbook of three rows, with other parts. */
async function write(name: string, sheet: string, parts: { [name: string]: string }): Promise<string> {
  const path = join(folder, name)
  await writeWorkbook(path, [sheet])
  await addParts(path, parts)
  return path
}

/** The pictures of a sheet: their items, references, files and what these contain. */
async function readPictures(path: string) {
  const said = await mapSheet(path)
  const { records } = await readSheet(path)
  const found = records.flatMap(({ record }) => (record?.type === 'image' ? [record] : []))
  const contents = await Promise.all(found.map(({ file }) => readFile(join(folder, file!), 'utf8')))
  return {
    said,
    pictures: found.map(({ item, external_reference, position }, index) => [
      item,
      external_reference,
      position,
      contents[index],
    ]),
  }
}

const anchor = (line: number, column: number, id: string) =>
  `<xdr:twoCellAnchor><xdr:from><xdr:col>${column}</xdr:col><xdr:row>${line - 1}</xdr:row></xdr:from><xdr:to><xdr:col>9</xdr:col>` +
  `<xdr:row>9</xdr:row></xdr:to><xdr:pic><xdr:blipFill><a:blip r:embed="${id}"/></xdr:blipFill></xdr:pic></xdr:twoCellAnchor>`

const drawing = {
  'xl/_rels/s0.xml.rels': relations(['d', 'drawing', '/xl/drawings/drawing1.xml']),
  'xl/drawings/_rels/drawing1.xml.rels': relations(
    ['p1', 'image', '../media/one.png'],
    ['p2', 'image', '../media/two.jpeg'],
    ['p3', 'image', '../media/logo.png'],
  ),
  'xl/drawings/drawing1.xml': `<xdr:wsDr>${anchor(3, 3, 'p2')}${anchor(3, 2, 'p1')}${anchor(1, 0, 'p3')}</xdr:wsDr>`,
  'xl/media/one.png': 'one',
  'xl/media/two.jpeg': 'two',
  'xl/media/logo.png': 'logo',
}

test('pictures over cells are those of the rows on which they begin, from left to right; a logo above the rows is none', async () => {
  const path = await write('over.xlsx', rows(), drawing)
  const { said, pictures } = await readPictures(path)
  assert.ok(said.includes('2 pictures lie in or over its cells: they are read as pictures of their rows'))
  assert.deepEqual(pictures, [
    ['item/V-2', 'V-2-1', 0, 'one'],
    ['item/V-2', 'V-2-2', 1, 'two'],
  ])
  assert.deepEqual(await readdir(`${path}.pictures`), ['1-1.png', '3-1.png', '3-2.jpeg'])
})

test('a picture that begins in the lower half of a row and ends below it is one of the next row', async () => {
  const point = 12_700
  const corner = (name: string, line: number, points: number) =>
    `<xdr:${name}><xdr:col>3</xdr:col><xdr:row>${line - 1}</xdr:row><xdr:rowOff>${points * point}</xdr:rowOff></xdr:${name}>`
  const pic = (id: string) =>
    `<xdr:pic><a:blip r:embed="${id}"/><xdr:spPr><a:xfrm><a:ext cx="1" cy="${99 * point}"/></a:xfrm></xdr:spPr></xdr:pic>`
  const between = (id: string, from: [line: number, points: number], to: [line: number, points: number]) =>
    `<xdr:twoCellAnchor>${corner('from', ...from)}${corner('to', ...to)}${pic(id)}</xdr:twoCellAnchor>`
  const high = (id: string, from: [line: number, points: number], points: number) =>
    `<xdr:oneCellAnchor>${corner('from', ...from)}<xdr:ext cx="1" cy="${points * point}"/>${pic(id)}</xdr:oneCellAnchor>`
  const lineOf = async (picture: string, sheet = rows()) => {
    const path = await write('hair.xlsx', sheet, {
      ...drawing,
      'xl/drawings/drawing1.xml': `<xdr:wsDr>${picture}</xdr:wsDr>`,
    })
    const [found] = (await readPictures(path)).pictures
    return found === undefined ? 1 : Number(/\d$/.exec(String(found[0]))![0]) + 1
  }
  // Rows of 15 points.
  for (const [picture, line] of [
    [between('p1', [2, 14], [3, 14]), 3],
    [between('p1', [1, 14], [2, 14]), 2],
    [between('p1', [2, 14], [9, 0]), 3],
    [between('p1', [2, 7], [3, 7]), 2],
    [between('p1', [2, 8], [2, 14]), 2],
    [between('p1', [2, 8], [3, 0]), 2],
    [high('p1', [2, 14], 14), 3],
    [high('p1', [2, 14], 1), 2],
    [high('p1', [2, 0], 80), 2],
  ] as const)
    assert.equal(await lineOf(picture), line, picture)
  const tall = rows().replace('<row r="2">', '<row r="2" ht="90" customHeight="1">')
  assert.equal(await lineOf(between('p1', [2, 44], [3, 14]), tall), 2)
  assert.equal(await lineOf(between('p1', [2, 46], [3, 14]), tall), 3)
  assert.equal(await lineOf(high('p1', [2, 46], 43), tall), 2)
  const usual = `</sheetData><sheetFormatPr defaultRowHeight="60"/><sheetData>${rows()}`
  assert.equal(await lineOf(between('p1', [3, 29], [4, 14]), usual), 3)
  assert.equal(await lineOf(between('p1', [3, 31], [4, 14]), usual), 4)
})

const richData = {
  'xl/_rels/workbook.xml.rels': relations(
    ['r0', 'worksheet', 's0.xml'],
    ['m', 'sheetMetadata', 'metadata.xml'],
    ['s', 'rdRichValueStructure', 'richData/rdrichvaluestructure.xml'],
    ['v', 'rdRichValue', 'richData/rdrichvalue.xml'],
    ['l', 'richValueRel', 'richData/richValueRel.xml'],
  ),
  'xl/metadata.xml':
    '<metadata><futureMetadata name="XLRICHVALUE"><bk><ext><xlrd:rvb i="0"/></ext></bk><bk><ext><xlrd:rvb i="1"/></ext></bk><bk><ext><xlrd:rvb i="2"/></ext></bk></futureMetadata>' +
    '<valueMetadata><bk><rc t="1" v="0"/></bk><bk><rc t="1" v="1"/></bk><bk><rc t="1" v="2"/></bk></valueMetadata></metadata>',
  'xl/richData/rdrichvaluestructure.xml':
    '<rvStructures><s t="_error"><k n="errorType" t="i"/></s><s t="_localImage"><k n="CalcOrigin" t="i"/><k n="_rvRel:LocalImageIdentifier" t="i"/></s>' +
    '<s t="_localImage"><k n="_rvRel:LocalImageIdentifier" t="i"/><k n="CalcOrigin" t="i"/><k n="Text" t="s"/></s>' +
    '<s t="_webimage"><k n="WebImageIdentifier" t="i"/></s></rvStructures>',
  'xl/richData/richValueRel.xml': '<richValueRels><rel r:id="a"/><rel r:id="b"/></richValueRels>',
  'xl/richData/_rels/richValueRel.xml.rels': relations(
    ['a', 'image', '../media/one.png'],
    ['b', 'image', '../media/two.jpeg'],
  ),
  'xl/media/one.png': 'one',
  'xl/media/two.jpeg': 'two',
}
const richCell = (line: number, value: number) => `<c r="C${line}" t="e" vm="${value}"><v>#VALUE!</v></c>`

test('pictures that Excel has placed in cells are read, and their cells are no errors', async () => {
  const path = await write('excel.xlsx', rows(richCell(2, 2), '', richCell(4, 1)), {
    ...richData,
    'xl/richData/rdrichvalue.xml':
      '<rvData><rv s="1"><v>5</v><v>1</v></rv><rv s="2"><v>0</v><v>5</v><v>1</v></rv></rvData>',
  })
  assert.deepEqual((await readPictures(path)).pictures, [
    ['item/V-1', 'V-1-1', 0, 'one'],
    ['item/V-3', 'V-3-1', 0, 'two'],
  ])
})

test('a value of another kind than a picture in the cell is no picture', async () => {
  const path = await write('kinds.xlsx', rows(richCell(2, 1), richCell(3, 2), richCell(4, 3)), {
    ...richData,
    'xl/richData/rdrichvalue.xml':
      '<rvData><rv s="2"><v>0</v><v>5</v><v>Vaas</v></rv><rv s="0"><v>0</v></rv><rv s="9"><v>0</v></rv></rvData>',
  })
  assert.deepEqual((await readPictures(path)).pictures, [['item/V-1', 'V-1-1', 0, 'one']])
})

test('pictures that WPS has placed in cells are read', async () => {
  const cell = '<c r="C3" t="str"><f>_xlfn.DISPIMG("ID_7",1)</f><v>=DISPIMG("ID_7",1)</v></c>'
  const path = await write('wps.xlsx', rows('', cell), {
    'xl/_rels/workbook.xml.rels': relations(['r0', 'worksheet', 's0.xml'], ['c', 'cellImage', 'cellimages.xml']),
    'xl/cellimages.xml':
      '<etc:cellImages><etc:cellImage><xdr:pic><xdr:cNvPr name="ID_7"/><a:blip r:embed="i"/></xdr:pic></etc:cellImage></etc:cellImages>',
    'xl/_rels/cellimages.xml.rels': relations(['i', 'image', 'media/one.png']),
    'xl/media/one.png': 'one',
  })
  assert.deepEqual((await readPictures(path)).pictures, [['item/V-2', 'V-2-1', 0, 'one']])
})

test('a picture on a row without an item is never dropped: the sheet is refused with its line', async () => {
  const below = `<xdr:wsDr>${anchor(3, 3, 'p2')}${anchor(6, 2, 'p1')}${anchor(1, 0, 'p3')}</xdr:wsDr>`
  const path = await write('unplaced.xlsx', rows(), { ...drawing, 'xl/drawings/drawing1.xml': below })
  await assert.rejects(readPictures(path), {
    name: 'Unusable',
    message: /^unplaced\.xlsx has pictures on rows without an item \(line 6\): move each to the row of its item/,
  })
})

test('a mapping that says nothing of pictures in cells is refused with their number, and may ignore them', async () => {
  const path = await write('unsaid.xlsx', rows(), drawing)
  await mapSheet(path)
  const mapping = await readFile(`${path}.mapping.yaml`, 'utf8')
  assert.match(mapping, /^cell_pictures: read +# or ignore: the 2 pictures in its cells$/m)
  await writeFile(`${path}.mapping.yaml`, mapping.replace(/^cell_pictures.*$/m, ''))
  await assert.rejects(
    openSource(path),
    /has 2 pictures in its cells: say "cell_pictures: read" or "cell_pictures: ignore"/,
  )
  await writeFile(`${path}.mapping.yaml`, mapping.replace(/^cell_pictures.*$/m, 'cell_pictures: ignore'))
  assert.ok((await readSheet(path)).records.every(({ record }) => record?.type !== 'image'))
})

test('pictures in cells are written through no link', async () => {
  const path = await write('linked.xlsx', rows(), drawing)
  await mapSheet(path)
  await symlink(join(folder, 'elsewhere'), `${path}.pictures`)
  await assert.rejects(readSheet(path), /linked\.xlsx\.pictures is no folder: remove it/)
})

test('pictures that cannot be read refuse the sheet with their lines, unless the mapping ignores pictures', async () => {
  const image = (line: number, attributes: string) =>
    `<c r="C${line}" ${attributes}><f>_xlfn.IMAGE("https://example.org/${line}.png")</f></c>`
  const linked = anchor(2, 3, '').replace('r:embed=""', 'r:link="p1"')
  const shown = '<c r="C3" t="str"><f>IF(A3="",_xlfn.IMAGE(D3),"geen")</f><v>geen</v></c>'
  const rich = {
    ...richData,
    'xl/richData/rdrichvalue.xml': '<rvData><rv s="3"><v>0</v></rv></rvData>',
  }
  const [over, logo] = [`<xdr:wsDr>${linked}</xdr:wsDr>`, `<xdr:wsDr>${linked.replace('>1<', '>0<')}</xdr:wsDr>`]
  const loose = `<xdr:wsDr>${anchor(2, 3, 'p1')
    .replaceAll('twoCell', 'absolute')
    .replace(/<xdr:from>.*<\/xdr:to>/, '')}</xdr:wsDr>`
  for (const [sheet, parts, said] of [
    [rows(), { ...drawing, 'xl/drawings/drawing1.xml': over }, '1 picture is linked, not embedded (line 2)'],
    [rows(), { ...drawing, 'xl/drawings/drawing1.xml': loose }, '1 picture stands at no cell'],
    [rows(image(2, 't="e"'), shown, image(4, '')), {}, '2 pictures are linked, not embedded (lines 2, 4)'],
    [rows('', richCell(3, 1)), rich, '1 picture is linked, not embedded (line 3)'],
    [rows(), { ...drawing, 'xl/drawings/drawing1.xml': logo }, undefined],
  ] as const) {
    const path = await write('unread.xlsx', sheet, parts)
    const proposed = (await mapSheet(path, { decimal: '","' })).filter((line) => /linked|at no cell/.test(line))
    assert.deepEqual([proposed.length, proposed[0]?.slice(0, said?.length)], said ? [1, said] : [0, undefined])
    if (said)
      await assert.rejects(openSource(path), (error) => error instanceof Unusable && error.message.includes(said))
    await mapSheet(path, { cell_pictures: 'ignore' })
    const { items, errors } = await readSheet(path)
    assert.deepEqual([items.length, errors], [3, []])
  }
})
