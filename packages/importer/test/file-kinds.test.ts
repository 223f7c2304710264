import assert from 'node:assert/strict'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { strToU8, unzipSync, zipSync } from 'fflate'
import { openSource } from '../src/run/source.ts'
import { mapSheet, readSheet, openFolder } from './reading.ts'
import { rowsOf, writeWorkbook } from './workbook.ts'

const folder = await openFolder()

const vases = rowsOf([
  ['Ref', 'Titel'],
  ['V-1', 'Vaas'],
])

test('a file of another kind than its name says is refused by map and plan with what it is', async () => {
  const workbook = join(folder, 'workbook.xlsx')
  await writeWorkbook(workbook, [vases])
  const container = Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(4096)])
  for (const [name, content, fault] of [
    ['a.csv', await readFile(workbook), /a\.csv is a workbook, or another ZIP archive: .* name it \.xlsx/],
    ['b.xlsx', 'Ref;Titel\nV-1;Vaas\n', /b\.xlsx is no workbook, but seems to be a text: name it \.csv/],
    ['c.xlsx', container, /c\.xlsx is a workbook of Excel 97 to 2003 \(\.xls\): save it as \.xlsx/],
    ['d.csv', container, /d\.csv is a workbook of Excel 97 to 2003/],
    [
      'e.xlsx',
      Buffer.concat([container, Buffer.from('EncryptedPackage', 'utf16le')]),
      /e\.xlsx is a locked workbook: save it without a password/,
    ],
    ['f.csv', '<html><table><tr><td>Ref</td></tr></table></html>', /f\.csv is a web page/],
    [
      'g.xlsx',
      zipSync({ mimetype: [strToU8('application/vnd.oasis.opendocument.spreadsheet'), { level: 0 }] }),
      /g\.xlsx is an OpenDocument sheet/,
    ],
    ['h.csv', '%PDF-1.7', /h\.csv is a PDF/],
  ] as const) {
    await writeFile(join(folder, name), content)
    await assert.rejects(mapSheet(join(folder, name)), fault)
    await assert.rejects(openSource(join(folder, name)), fault)
  }
})

test('a hidden sheet is named, and read only if the mapping names it', async () => {
  const path = join(folder, 'hidden.xlsx')
  const wide = rowsOf([
    ['Ref', 'Titel', 'Omschrijving', 'Schatting', 'Inzet'],
    ['X-1', 'Kan', 'Blauw', '40', '20'],
  ])
  for (const state of ['hidden', 'veryHidden']) {
    await writeWorkbook(path, [wide, vases], {}, '', [state])
    const said = await mapSheet(path)
    assert.ok(said.includes('hidden sheets are read only if the mapping names one: "S0"'), said.join('\n'))
    assert.deepEqual(
      (await readSheet(path)).items.map(({ external_reference }) => external_reference),
      ['V-1'],
    )
  }
  const mapping = await readFile(`${path}.mapping.yaml`, 'utf8')
  await writeFile(`${path}.mapping.yaml`, mapping.replace(/^sheet: .*$/m, 'sheet: S0'))
  assert.equal((await readSheet(path)).items[0]!.external_reference, 'X-1')
  await writeFile(`${path}.mapping.yaml`, mapping.replace(/^sheet: .*$/m, ''))
  assert.equal((await readSheet(path)).items[0]!.external_reference, 'V-1')
  await writeWorkbook(path, [wide], {}, '', ['hidden'])
  await assert.rejects(mapSheet(path), /has only hidden sheets/)
})

test('the parts of a workbook are found by its relations, whatever they are called and in any case', async () => {
  const path = join(folder, 'parts.xlsx')
  const rows =
    '<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v>1</v></c></row>' +
    '<row r="2"><c r="A2" t="s"><v>2</v></c><c r="B2" t="s"><v>3</v></c></row>'
  const texts = ['Ref', 'Titel', 'V-1', 'Vaas'].map((text) => `<si><t>${text}</t></si>`).join('')
  await writeWorkbook(path, [rows], { sharedStrings: `<sst>${texts}</sst>` })
  const written = unzipSync(await readFile(path))
  const rename = async (change: (name: string) => string, others: { [name: string]: string } = {}) => {
    const entries = Object.entries(written).map(([name, bytes]) => [change(name), bytes] as const)
    const added = Object.entries(others).map(([name, text]) => [name, strToU8(text)] as const)
    await writeFile(path, zipSync(Object.fromEntries([...entries, ...added])))
    await rm(`${path}.mapping.yaml`, { force: true })
    await mapSheet(path)
    return (await readSheet(path)).items.map(({ title }) => title)
  }
  assert.deepEqual(await rename((name) => name.replace('sharedStrings', 'SharedStrings')), ['Vaas'])
  assert.deepEqual(await rename((name) => name.replaceAll('/', '\\')), ['Vaas'])
  const type = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument'
  const relations = `<Relationships><Relationship Id="a" Type="${type}" Target="/Book/Main.xml"/></Relationships>`
  const moved = (name: string) => name.replace('xl/', 'book/').replace('workbook.xml', 'main.xml')
  assert.deepEqual(await rename(moved, { '_rels/.rels': relations }), ['Vaas'])
})
