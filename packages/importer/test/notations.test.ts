import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { parseAmount } from '../src/mapping/amounts.ts'
import { DateCell, type FormattedNumber } from '../src/source/cells.ts'
import { readNumber } from '../src/source/number-formats.ts'
import { mapSheet, readSheet, openFolder } from './reading.ts'
import { writeWorkbook, textCell, stylesOf } from './workbook.ts'

const folder = await openFolder()

const formats = ['d-mmm', 'dd-mm-yyyy', 'h:mm']
const styles = stylesOf(formats)
const text = (place: string, value: string) => textCell(value, place)
const number = (place: string, value: number, format: string) =>
  `<c r="${place}" s="${formats.indexOf(format)}"><v>${value}</v></c>`

test('a reference or a measure that a spreadsheet program made a date is refused with what its cell shows', async () => {
  const path = join(folder, 'dates.xlsx')
  const row = (line: number, ...cells: string[]) => `<row r="${line}">${cells.join('')}</row>`
  await writeWorkbook(
    path,
    [
      row(1, text('A1', 'Ref'), text('B1', 'Titel'), text('C1', 'Afmetingen'), text('D1', 'Veilingdatum')) +
        row(2, number('A2', 46_084, 'd-mmm'), text('B2', 'Vaas')) +
        row(3, text('A3', 'V-2'), text('B3', 'Kan'), number('C3', 46_305, 'dd-mm-yyyy')) +
        row(4, text('A4', 'V-3'), text('B4', 'Bord'), number('C4', 10.5 / 24, 'h:mm')) +
        row(5, text('A5', 'V-4'), text('B5', 'Kom'), text('C5', '10-11'), number('D5', 46_124.8125, 'dd-mm-yyyy')),
    ],
    { styles },
  )
  await mapSheet(path)
  const { items, errors } = await readSheet(path)
  assert.deepEqual(
    items.map(({ external_reference, dimensions }) => [external_reference, dimensions]),
    [['V-4', '10-11']],
  )
  const again = 'format the cell as text, and type its text again'
  assert.deepEqual(errors, [
    `2: "3-mrt" is a date in the spreadsheet (2026-03-03): ${again}`,
    `3: "10-10-2026" is a date in the spreadsheet (2026-10-10): ${again}`,
    `4: "10:30" is a date in the spreadsheet (10:30:00): ${again}`,
  ])
})

test('a date is shown in the format of its cell and the language of the sheet', () => {
  for (const [format, locale, shown] of [
    ['d-mmm', 'nl', '3-mrt'],
    ['d-mmm-yy', 'en', '3-Mar-26'],
    ['dddd d mmmm yyyy', 'de', 'Dienstag 3 März 2026'],
    ['[$-413]dd/mm/yyyy hh:mm:ss', 'nl', '03/03/2026 14:05:09'],
    ['m/d/yy h:mm AM/PM', 'en', '3/3/26 2:05 PM'],
    ['yyyy"年"m"月"d"日"', 'zh', '2026年3月3日'],
  ] as const) {
    const cell = readNumber(46_084 + (14 * 3600 + 5 * 60 + 9) / 86_400, format, false)
    assert.ok(cell instanceof DateCell)
    assert.equal(cell.shown(locale), shown, format)
  }
})

test('a computed number is read as its cell shows it', () => {
  const third = 1000 / 3
  const amountOf = (number: number, format: string) =>
    parseAmount(readNumber(number, format, false) as number | FormattedNumber, ',', 'EUR')
  assert.equal(amountOf(third, '#,##0'), 333_00)
  assert.equal(amountOf(third, '"€" #,##0.00'), 333_33)
  assert.equal(amountOf(third, '0.0;[Red]-0.0'), 333_30)
  assert.equal(amountOf(12.5, '0'), 12_50)
  assert.equal(readNumber(third, 'General', false), Number(third.toPrecision(15)))
})
