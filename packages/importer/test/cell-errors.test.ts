import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { mappingOf } from '../src/run/source.ts'
import { readSheet, openFolder } from './reading.ts'
import { writeWorkbook, textCell } from './workbook.ts'

const folder = await openFolder()

const mapping =
  'separator: ";"\ncolumns:\n  Ref: external_reference\n  Titel: title\n  Inbrenger: seller\n  Bewijs: consignment\n'
const text = (value: string) => textCell(value)

/** Reads a workbook of these cells in XML, below the headings of the mapping. */
async function readWorkbook(rows: string[][], styles = '') {
  const path = join(folder, 'cells.xlsx')
  const lines = [['Ref', 'Titel', 'Inbrenger', 'Bewijs', 'Intern'].map(text), ...rows]
  await writeWorkbook(path, [lines.map((cells) => `<row>${cells.join('')}</row>`).join('')], { styles })
  await writeFile(mappingOf(path), mapping)
  return readSheet(path)
}

const cut =
  'is a number whose last digits a spreadsheet program has cut off: format the cell as text, and type its text again'
const isTruth = (shown: string) => `is ${shown} in the spreadsheet: format the cell as text, and type its text again`

test('a truth value of a workbook is no text, and refuses its row in a mapped column', async () => {
  const [yes, no] = ['<c t="b"><v>1</v></c>', '<c t="b"><v>0</v></c>']
  const { items, errors } = await readWorkbook([
    [text('V-1'), yes],
    [no, text('Vaas')],
    [text('V-3'), text('TRUE'), '<c/>', '<c/>', yes],
  ])
  assert.deepEqual(errors, [`2: "TRUE" ${isTruth('TRUE')}`, `3: "FALSE" ${isTruth('FALSE')}`])
  assert.deepEqual(
    items.map(({ title }) => title),
    ['TRUE'],
  )
})

test('a number that a spreadsheet program has cut is no reference, seller or consignment', async () => {
  const path = join(folder, 'cells.csv')
  const rows = ['1,23E+12;Vaas', 'V-2;1,23E+12', 'V-3;Kan;1.23E+12', 'V-4;Kan;;1E+15', '12E3;Kan', '1E-05;Kan']
  await writeFile(path, `Ref;Titel;Inbrenger;Bewijs\n${rows.join('\n')}\n`)
  await writeFile(mappingOf(path), mapping)
  const { items, errors } = await readSheet(path)
  assert.deepEqual(errors, [`2: "1,23E+12" ${cut}`, `4: "1.23E+12" ${cut}`, `5: "1E+15" ${cut}`])
  assert.deepEqual(
    items.map(({ external_reference, title }) => [external_reference, title]),
    [
      ['V-2', '1,23E+12'],
      ['12E3', 'Kan'],
      ['1E-05', 'Kan'],
    ],
  )
})

test('a number of a workbook with more than fifteen digits, or shown with an exponent, is no reference', async () => {
  const styles = `<styleSheet><numFmts><numFmt numFmtId="200" formatCode="${'0'.repeat(16)}"/><numFmt numFmtId="201" formatCode="&quot;V-&quot;0"/></numFmts>
    <cellXfs><xf numFmtId="0"/><xf numFmtId="200"/><xf numFmtId="201"/><xf numFmtId="11"/></cellXfs></styleSheet>`
  const number = (value: string, style = 0) => `<c s="${style}"><v>${value}</v></c>`
  const { items, errors } = await readWorkbook(
    [
      [number('1234567890123450'), text('Vaas')],
      [number('1234567890123450', 1), text('Vaas')],
      [number('1.23E+21', 2), text('Vaas')],
      [text('V-5'), text('Vaas'), number('1E-7')],
      [number('123456789012345'), number('1234567890123450')],
      [number('123456789012345', 1), text('Vaas')],
      [number('12345', 3), text('Vaas')],
    ],
    styles,
  )
  assert.deepEqual(errors, [
    `2: "1234567890123450" ${cut}`,
    `3: "1234567890123450" ${cut}`,
    `4: "V-1230000000000000000000" ${cut}`,
    `5: "1e-7" ${cut}`,
    `8: "1,23E+04" ${cut}`,
  ])
  assert.deepEqual(
    items.map(({ external_reference }) => external_reference),
    ['123456789012345', '0123456789012345'],
  )
})
