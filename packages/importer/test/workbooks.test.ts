import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { strToU8, zipSync } from 'fflate'
import { BrokenCell, DateCell, FormattedNumber } from '../src/source/cells.ts'
import { Unusable } from '../src/misfit.ts'
import { proposeMapping } from '../src/proposal/proposal.ts'
import { openSheet } from '../src/source/sheet.ts'
import { writeWorkbook } from './workbook.ts'
import { openFolder, readAll } from './reading.ts'

const folder = await openFolder()

test('a broken or hostile workbook is refused with one sentence', async () => {
  const path = join(folder, 'bomb.xlsx')
  const refused = (message: RegExp) =>
    assert.rejects(openSheet(path, {}), (error) => error instanceof Unusable && message.test(error.message))
  await writeFile(path, 'no workbook')
  await refused(/is not an XLSX file/)
  const bomb = Buffer.from(zipSync({ 'xl/worksheets/sheet1.xml': strToU8('<worksheet/>') }))
  bomb.writeUInt32LE(450 * 1024 * 1024, bomb.indexOf('PK\x01\x02') + 24)
  await writeFile(path, bomb)
  await refused(/unpacks to more than 400 MiB/)
  await writeFile(path, zipSync({ 'readme.txt': strToU8('nothing') }))
  await refused(/cannot be read as XLSX/)
})

test('a malformed workbook, or one with cells outside of a sheet, is refused with one sentence', async () => {
  const path = join(folder, 'far.xlsx')
  const read = async (rows: string) => {
    await writeWorkbook(path, [rows])
    const sheet = await openSheet(path, {})
    return { headings: sheet.headings, rows: await readAll(sheet.rows()) }
  }
  const cell = (address: string) => `<c r="${address}"><v>1</v></c>`
  const first = `<row r="1">${cell('A1')}</row>`
  for (const [rows, message] of [
    [`${first}<row r="99999999999"/>`, /row 99999999999 lies outside of a sheet/],
    [`${first}<row r="1e9"/>`, /lies outside of a sheet/],
    [`${first}<row r="&#49;e9"/>`, /lies outside of a sheet/],
    [`${first}<row x="<" r="9999999"/>`, /lies outside of a sheet/],
    [`${first}<row r="-2"/>`, /row -2 has no place in a sheet/],
    [`${first}<row r="x"/>`, /row x has no place in a sheet/],
    [`${first}<row>${cell('A9999999')}</row>`, /cell A9999999 has no place in row 2/],
    [`${first}<row r="2">${cell('XFE2')}</row>`, /cell XFE2 lies outside of a sheet/],
    [`${first}<row r="2"><c r="A2" t="s"><v>7</v></c></row>`, /there is no text 7/],
    [`${first}<row r="2"><c r="A2"><v>twelve</v></c></row>`, /"twelve" is not a number/],
    [`${first}<row r="1000"/></sheetData><sheetData><row r="1000"/>`, /row 1000 has no place in a sheet/],
    [
      `${first}<row r="2"><c r="A2" t="inlineStr"><is><t>${'x'.repeat(5_000_000)}</t></is></c></row>`,
      /more than 4 MiB/,
    ],
    [`${first}<row>`, /cannot be read as XLSX/],
  ] as const)
    await assert.rejects(
      read(rows),
      (error) => {
        assert.ok(error instanceof Unusable)
        return message.test(error.message)
      },
      rows.slice(0, 200),
    )
  await writeWorkbook(path, [])
  await assert.rejects(openSheet(path, {}), /has no sheet/)

  // Formats of whole columns, and the last row of a spreadsheet program, have no values.
  assert.deepEqual(
    await read(
      `<row r="1" xmlns:r="urn:x">${cell('A1')}${cell('B1')}<c r="XFD1" s="1"/></row><row r="3"><c r="B3" t="inlineStr"><is><t>&lt;row r="9999999"></t></is></c></row><row r="1048576"/>`,
    ),
    { headings: ['1', '1'], rows: [{ line: 3, cells: [null, '<row r="9999999">'] }] },
  )
  // Cells far apart take no memory for those between them. Cells without places stand side by side.
  const far = await read(`<row><c><v>1</v></c><c><v>2</v></c></row><row r="1048576">${cell('A1048576')}</row>`)
  assert.deepEqual(far, { headings: ['1', '2'], rows: [{ line: 1_048_576, cells: [1] }] })

  // Two entries of one name.
  const twice = Buffer.from(zipSync({ 'xl/a.xml': strToU8('a'), 'xl/b.xml': strToU8('b') }))
  for (let at = twice.indexOf('xl/b.xml'); at >= 0; at = twice.indexOf('xl/b.xml')) twice.write('xl/a.xml', at)
  await writeFile(path, twice)
  await assert.rejects(openSheet(path, {}), /is not an XLSX file/)
})

test('the cells of a workbook are read as they show: texts, numbers, dates and times', async () => {
  const path = join(folder, 'kinds.xlsx')
  const styles = `<styleSheet><numFmts><numFmt numFmtId="164" formatCode="d mmmm yyyy&quot; om &quot;hh:mm"/>
    <numFmt numFmtId="165" formatCode="[Red]&quot;dagen &quot;0.0"/></numFmts>
    <cellStyleXfs><xf numFmtId="14"/></cellStyleXfs>
    <cellXfs><xf numFmtId="0"/><xf numFmtId="164"/><xf numFmtId="165"/><xf numFmtId="14"/><xf numFmtId="20"/></cellXfs></styleSheet>`
  const sharedStrings = `<sst><si><t>Delfts </t></si><si><r><t>blauwe </t></r><r><t>vaas_x000A_é</t></r><rPh><t>furigana</t></rPh></si></sst>`
  const cells = [
    '<c t="s"><v>1</v></c>',
    '<c t="s"><v>0</v></c>',
    '<c t="str"><f>A1</f><v>uit een som</v></c>',
    '<c><v>12.300000000000001</v></c>',
    '<c t="b"><v>1</v></c>',
    '<c s="1"><v>46124.798611111109</v></c>',
    '<c s="2"><v>46124.5</v></c>',
    '<c s="3"><v>46124</v></c>',
    '<c s="4"><v>0.798611111111</v></c>',
    '<c t="d"><v>2026-04-12T19:30:00</v></c>',
    '<c s="1"/>',
  ]
  const headings = cells.map((_, index) => `<c><v>${index}</v></c>`).join('')
  const grid = `<row>${headings}</row><row>${cells.join('')}<c><v>behind</v></c></row>`.replace('behind', '7')
  const read = async (settings: string) => {
    await writeWorkbook(path, ['<row r="1"/>', grid], { styles, sharedStrings }, settings)
    const [row] = await readAll((await openSheet(path, { sheet: 'S1' })).rows())
    return row!.cells.map((cell) => (cell instanceof DateCell ? cell.text : cell))
  }
  const cellsOf = (day: string) => [
    'blauwe vaas\né',
    'Delfts ',
    'uit een som',
    12.3,
    new BrokenCell('TRUE', 'is TRUE in the spreadsheet: format the cell as text, and type its text again'),
    `${day} 19:10:00`,
    new FormattedNumber(46124.5, '[Red]"dagen "0.0'),
    day,
    '19:10:00',
    '2026-04-12 19:30:00',
    null,
  ]
  assert.deepEqual(await read(''), cellsOf('2026-04-12'))
  assert.deepEqual((await read('<workbookPr date1904="1"/>')).slice(5, 8), [
    '2030-04-13 19:10:00',
    new FormattedNumber(46124.5, '[Red]"dagen "0.0'),
    '2030-04-13',
  ])
  assert.match((await proposeMapping(path, 'grid.xlsx')).text, /^sheet: "S1"/m)
})

test('a workbook of any length is read in little memory, and each cell has its own text', async () => {
  const path = join(folder, 'long.xlsx')
  const count = 15_000
  const texts: string[] = []
  const rows: string[] = []
  for (let row = 0; row < count; row++) {
    // A unique text, and a text of earlier rows.
    const own = texts.push(`<si><t>${`${row} `.repeat(100)}é</t></si>`) - 1
    rows.push(`<row><c t="s"><v>${own}</v></c><c t="s"><v>${(row * 7919) % (row + 1)}</v></c></row>`)
  }
  await writeWorkbook(path, [rows.join('')], { sharedStrings: `<sst>${texts.join('')}</sst>` })
  const program = `
    const { openSheet } = await import(${JSON.stringify(new URL('../src/source/sheet.ts', import.meta.url).href)})
    const sheet = await openSheet(${JSON.stringify(path)}, {})
    let [row, right] = [0, 0]
    for await (const { cells: [own, other] } of sheet.rows()) {
      row++
      if (own.split(' ', 1)[0] === String(row) && other.split(' ', 1)[0] === String((row * 7919) % (row + 1))) right++
    }
    console.log(right)`
  const { stdout } = await promisify(execFile)(process.execPath, [
    '--max-old-space-size=32',
    '--input-type=module',
    '--eval',
    program,
  ])
  assert.equal(Number(stdout), count - 1)
})
