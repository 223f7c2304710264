import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { DateCell, findProblem, FormattedNumber } from '../src/source/cells.ts'
import { printCell, showCell } from '../src/mapping/fields.ts'
import { checkRecord } from '../src/run/checks.ts'
import { readNumber, readText } from '../src/source/number-formats.ts'
import { proposeMapping } from '../src/proposal/proposal.ts'
import type { FieldError, Records, SourceRecord } from '../src/records.ts'
import { openSheet } from '../src/source/sheet.ts'
import { openSource } from '../src/run/source.ts'
import { writeWorkbook, textCell, stylesOf } from './workbook.ts'
import { openFolder, readAll, recordsOf } from './reading.ts'

const folder = await openFolder()

const settings = 'locale: nl\ncurrency: EUR\ndecimal: ","\ndates: d-m-y\ntime_zone: Europe/Amsterdam\nrange: "-"\n'
async function read(path: string, rest: string): Promise<SourceRecord[]> {
  await writeFile(`${path}.mapping.yaml`, settings + rest)
  return recordsOf(await openSource(path))
}
const text = (value: string) => textCell(value)
const row = (...cells: string[]) => `<row>${cells.join('')}</row>`

/** The XML of a column of cells: the inside of `<c>` and its style, with the formats of numbers by their index. */
async function readCells(cells: string[], formats: string[] = [], workbook = ''): Promise<unknown[]> {
  const path = join(folder, 'cells.xlsx')
  const rows = row(text('Kop')) + cells.map((cell) => row(cell)).join('')
  await writeWorkbook(path, [rows], { styles: stylesOf(formats) }, workbook)
  const read = await readAll((await openSheet(path, {})).rows())
  return read.map(({ cells: [cell] }) => (cell instanceof DateCell ? cell.text : cell))
}

test('an error of the spreadsheet, or a formula without a value, refuses its row in a mapped column', async () => {
  const broken = [
    '<c t="e"><v>#N/A</v></c>',
    '<c t="e"><f>VLOOKUP(A1,B:C,2,0)</f><v>#REF!</v></c>',
    '<c t="e"><v>Err:508</v></c>',
    '<c t="e"/>',
    '<c t="e" vm="1"><f>_xlfn._xlws.SORT(B1:B9)</f><v>#VALUE!</v></c>',
    '<c><f>SUM(B1:B9)</f></c>',
    '<c><f>SUM(B1:B9)</f><v></v></c>',
    '<c><f t="shared" si="0"/><v/></c>',
    '<c t="b"><f>A1=1</f></c>',
    '<c t="s"><f>B1</f></c>',
    text('#N/B'),
    '<c t="str"><f>B1</f><v>#WAARDE!</v></c>',
  ]
  const path = join(folder, 'fouten.xlsx')
  const rows = broken.map((cell, index) => row(text(`V-${index}`), text('Vaas'), cell, cell))
  const good = row(text('V-99'), text('Kan'), '<c><f>200*2</f><v>400</v></c>', broken[0]!)
  const headings = row(text('Nr'), text('Titel'), text('Schatting'), text('Intern'))
  await writeWorkbook(path, [headings + rows.join('') + good])
  const mapping = 'columns:\n  Nr: external_reference\n  Titel: title\n  Schatting: estimate\n'
  const [, ...records] = await read(path, mapping)
  assert.equal(records.length, broken.length + 1)
  for (const [index, { record, place, errors }] of records.slice(0, -1).entries()) {
    assert.equal(record, undefined)
    assert.deepEqual([place.line, errors.length, errors[0]!.column], [index + 2, 1, 'Schatting'], broken[index])
    assert.match(errors[0]!.message, /is an error in the spreadsheet|is a formula without a value/)
  }
  assert.deepEqual(records[5]!.errors[0]!.value, '=SUM(B1:B9)')
  const last = records.at(-1)!
  assert.deepEqual([...last.errors, ...checkRecord(last.record!)], [])
  assert.deepEqual((last.record as { estimate?: object }).estimate, {
    low: { amount: 40_000, currency: 'EUR' },
    high: null,
  })
})

test('a cell that is merged with those above refuses its row in a mapped column', async () => {
  const path = join(folder, 'samengevoegd.xlsx')
  const lots = [
    row(text('Kavels'), text(''), text(''), text('')),
    row(text('Nr'), text('Titel'), text('Schatting'), text('Intern')),
    row(text('V-1'), text('Vaas'), '<c><v>400</v></c>', text('a')),
    row(text('V-2'), text('Kan')),
    row(text('V-3'), text('Bord'), '<c/>', text('b')),
    row(text('V-4'), text('Kom'), '<c><v>100</v></c>'),
  ]
  const merged = `<mergeCell ref="A1:D1"/><x:mergeCell  ref = 'C3:C5' /><mergeCell\nxr:uid="{1}" ref="D5:D6"/>`
  await writeWorkbook(path, [`${lots.join('')}</sheetData><mergeCells count="3">${merged}</mergeCells><sheetData>`])
  const mapping = 'heading_row: 2\ncolumns:\n  Nr: external_reference\n  Titel: title\n  Schatting: estimate.low\n'
  const records = (await read(path, mapping)).filter(({ record }) => record?.type !== 'house')
  assert.deepEqual(
    records.map(({ place, errors }) => [place.line, errors.map(({ column, message }) => [column, message])]),
    [
      [3, []],
      [4, [['Schatting', 'is merged with the cells above (C3:C5): write the value in each row']]],
      [5, [['Schatting', 'is merged with the cells above (C3:C5): write the value in each row']]],
      [6, []],
    ],
  )
})

test('a CSV file may have spreadsheet errors in any language; other words that begin with # are texts', async () => {
  const path = join(folder, 'fouten.csv')
  const errors =
    '#N/A #REF! #VALUE! #NAME? #DIV/0! #NUM! #NULL! #SPILL! #NV #BEZUG! #ÜBERLAUF! #N/B #VERW! #WAARDE! #NAAM? #DEEL/0! #¡REF! #¿NOMBRE? #HIÁNYZIK ##### Err:502'.split(
      ' ',
    )
  const texts = ['#1', '# 12', '#metoo', '#', '##', 'Lot #4!', '#Vaas!']
  const rows = [...errors, ...texts].map((title, index) => `V-${index},${title},#N/A`)
  await writeFile(path, ['Nr,Titel,Intern', ...rows, ''].join('\n'))
  const [, ...records] = await read(path, 'columns:\n  Nr: external_reference\n  Titel: title\n')
  assert.deepEqual(
    records.slice(0, errors.length).map((record) => [record.record, record.errors[0]?.value]),
    errors.map((error) => [undefined, error]),
  )
  assert.deepEqual(
    records.slice(errors.length).map(({ record }) => (record as { title: string }).title),
    texts,
  )
})

test('an uncalculated formula with a zero has no value; a formula with an empty text is an empty cell', async () => {
  const cells = ['<c><f>B1</f><v>0</v></c>', '<c><f>B1</f><v>12</v></c>', '<c><v>0</v></c>']
  assert.deepEqual(await readCells(cells), [0, 12, 0])
  const [broken, ...others] = await readCells(cells, [], '<calcPr calcId="124519" fullCalcOnLoad="1"/>')
  assert.deepEqual([String(broken), typeof broken], ['=B1', 'object'])
  assert.deepEqual(others, [12, 0])
  assert.deepEqual(await readCells(['<c t="str"><f>B1</f><v></v></c>', '<c><v>1</v></c>']), [1])
})

test('midnight is a time where the format of the cell shows hours, and none where it does not', async () => {
  const formats = ['d-m-yyyy h:mm', 'd-m-yyyy', '[$-413]d mmmm yyyy', 'd-m-yyyy &quot;h&quot;', '[h]:mm']
  const midnight = '2026-04-12 00:00:00'
  const shown = [midnight, '2026-04-12', '2026-04-12', '2026-04-12', midnight]
  assert.deepEqual(
    await readCells(
      formats.map((_, style) => `<c s="${style}"><v>46124</v></c>`),
      formats,
    ),
    shown,
  )
  const dates = formats.map((_, style) => `<c t="d" s="${style}"><v>2026-04-12T00:00:00</v></c>`)
  assert.deepEqual(await readCells(dates, formats), shown)

  const path = join(folder, 'middernacht.xlsx')
  const styles = '<styleSheet><cellXfs><xf numFmtId="22"/><xf numFmtId="14"/></cellXfs></styleSheet>'
  const lots = [0, 1].map((style) => row(text(`V-${style}`), text(`Z-${style}`), `<c s="${style}"><v>46124</v></c>`))
  await writeWorkbook(path, [row(...['Nr', 'Zitting', 'Sluit'].map(text)) + lots.join('')], { styles })
  const columns =
    'columns:\n  Nr: external_reference\n  Zitting: [session, session.title]\n  Sluit: session.closes_at\n'
  const sessions = (await read(path, columns)).filter(({ record }) => record?.type === 'session')
  assert.deepEqual((sessions[0]!.record as Records['session']).timed, { first_closes_at: '2026-04-11T22:00:00.000Z' })
  assert.match(sessions[1]!.errors[0]!.message, /^has no time/)
})

test('every second of a day is read exactly from the fifteen digits of a workbook', async () => {
  const print = (second: number) => new Date(second * 1000).toISOString().slice(11, 19)
  const digits = (days: number) => Number(days.toPrecision(15))
  for (let second = 0; second < 86_400; second++) {
    assert.equal(String(readNumber(digits(second / 86_400), 'hh:mm:ss', false)), print(second))
    const full = readNumber(digits(46_124 + second / 86_400), 'dd-mm-yyyy hh:mm', false)
    assert.equal(String(full), `2026-04-12 ${print(second)}`)
  }
  const minutes = Array.from({ length: 1440 }, (_, minute) => minute * 60)
  const cells = minutes.map((second) => `<c s="0"><v>${digits(second / 86_400)}</v></c>`)
  for (const workbook of ['', '<workbookPr date1904="1"/>'])
    assert.deepEqual(await readCells(cells, ['hh:mm'], workbook), minutes.map(print))
})

test('a date that spreadsheet programs count differently has no value', async () => {
  const cells = ['1', '59', '60', '-1', '2958466'].map((days) => `<c s="0"><v>${days}</v></c>`)
  for (const cell of await readCells(cells, ['d-m-yyyy']))
    assert.match(String(Object(cell).problem), /before March 1900/)
  assert.deepEqual(await readCells(['<c s="0"><v>61</v></c>'], ['d-m-yyyy']), ['1900-03-01'])
  assert.deepEqual(await readCells(['<c s="0"><v>1</v></c>'], ['d-m-yyyy'], '<workbookPr date1904="1"/>'), [
    '1904-01-02',
  ])
})

test('numbers and texts are read as their cells show them, with the decimal sign of the language', async () => {
  const shown: [value: string, format: string, shown: string | number][] = [
    ['0.25', '0%', '25 %'],
    ['0.125', '0.0%', '12.5 %'],
    ['0.28999999999999998', '0.00%;-0.00%', '29 %'],
    ['12', '0000', '0012'],
    ['123456', '0000', '123456'],
    ['12', '&quot;V-&quot;0000', 'V-0012'],
    ['123456', '000\\-0000', '012-3456'],
    ['12', '[Red]0000', '0012'],
    ['12.5', '0000', '0013'],
    ['-12', '0000', '-0012'],
    ['7', '000;-000', '007'],
    ['7', '0000_)', '0007'],
    ['7', '0000_-', '0007'],
    ['7', '0000;-0000;0000;@', '0007'],
    ['7', '&quot;V-&quot;000;', 'V-007'],
    ['7', '&quot;2026/&quot;000;-0', '2026/007'],
    ['7', '000&quot;a&quot;;', '007a'],
    ['12345', '##-###', '12-345'],
    ['79', '0-0', '7-9'],
    ['79', '&quot;V&quot;\\-0\\-0', 'V-7-9'],
    ['2026.1', '0.00', '2026,10'],
    ['1.5', '0.00&quot; kg&quot;', '1,50 kg'],
    ['1.5', '[$-409]0.00', '1,50'],
    ['1200', '#,##0', '1.200'],
    ['400', '&quot;€&quot; 0', '€ 400'],
    ['12', '0 &quot;%&quot;', '12 %'],
    ['12', '0&quot;a&quot;;0&quot;b&quot;', '12a'],
    ['12', '[&gt;9]0&quot;a&quot;;0&quot;b&quot;', '12a'],
    ['0.5', '# ?/?', '1/2'],
    ['5', '&quot;V-&quot;General', 'V-5'],
    ['5', '_-&quot;€&quot;* #,##0_-;-&quot;€&quot;* #,##0_-;_-&quot;€&quot;* &quot;-&quot;_-;_-@_-', '€5'],
    ['0', '_-&quot;€&quot;* #,##0_-;-&quot;€&quot;* #,##0_-;_-&quot;€&quot;* &quot;-&quot;_-;_-@_-', '€-'],
    ['0', '_-* #,##0_-;-* #,##0_-;_-* &quot;-&quot;??_-;_-@_-', '-'],
    ['0', '0&quot; kg&quot;;-0', '0 kg'],
    ['1E+3', 'General', 1000],
    ['12.300000000000001', '@', 12.3],
  ]
  const cells = shown.map(([number], style) => `<c s="${style}"><v>${number}</v></c>`)
  const read = await readCells(
    cells,
    shown.map(([, format]) => format),
  )
  for (const [index, cell] of read.entries())
    assert.equal(cell instanceof FormattedNumber ? cell.shown('nl') : cell, shown[index]![2], shown[index]![1])
  assert.equal(showCell(1.234, 'nl'), '1,234')
  // A reference is the same in all languages.
  for (const [number, format, reference] of [
    [2026.1, '0.00', '2026.10'],
    [1200, '#,##0', '1200'],
    [7, '"V-"000;', 'V-007'],
    [12, '0.00', '12'],
    [12, '0.##', '12'],
    [1200, '# ##0', '1200'],
    [12345, '##-###', '12-345'],
    [7, '000', '007'],
  ] as const)
    assert.equal(printCell(new FormattedNumber(number, format)), reference)
  const styles = `<styleSheet><cellXfs><xf numFmtId="2"/></cellXfs></styleSheet>`
  const path = join(folder, 'ingebouwd.xlsx')
  await writeWorkbook(path, [row(text('Kop')) + row('<c s="0"><v>2026.1</v></c>')], { styles })
  for await (const { cells } of (await openSheet(path, {})).rows()) assert.equal(showCell(cells[0], 'en'), '2026.10')

  const formats = [
    '&quot;V-&quot;@',
    '@&quot; cm&quot;',
    '0;-0;0;@',
    '_(* #,##0_);_(* (#,##0);_(* &quot;-&quot;_);_(@_)',
    '0',
  ]
  assert.deepEqual(
    await readCells(
      formats.map((_, style) => text('12 ').replace('<c', `<c s="${style}"`)),
      formats,
    ),
    ['V-12', '12  cm', '12 ', '12 ', '12 '],
  )
  // A zero that a format hides is an empty cell. Nothing else that is hidden or not understood is read.
  assert.equal(readNumber(0, '0;-0;;@', false), null)
  for (const cell of [readNumber(12, ';;;', false), readText('Vaas', ';;;')])
    assert.match(String(findProblem(cell)), /^is not shown in its cell, by the format ";;;"/)
  assert.match(
    String(findProblem(readNumber(12, '[NatNum1]0', false))),
    /^has the format "\[NatNum1\]0", which cannot be read/,
  )
})

test('the text of a format beside a number counts: the letters of a reference, the unit of a weight, the sign of a currency', async () => {
  const path = join(folder, 'tekens.xlsx')
  const formats: [estimate: string, low: number | RegExp][] = [
    ['#,##0', 40_050],
    ['&quot;€&quot; #,##0', 40_050],
    ['_-[$€-413]\\ * #,##0.00_-;[Red]-[$€-413]\\ * #,##0.00', 40_050],
    ['#,##0.00\\ &quot;EUR&quot;', 40_050],
    ['#,##0 &quot;euro&quot;', 40_050],
    ['#,##0.00\\ &quot;EUR&quot;;', 40_050],
    ["#'##0 &quot;€&quot;", 40_050],
    ['#,##0.-', 40_050],
    ['€ #,##0\\,\\-', 40_050],
    ['#,##0,&quot;k&quot;', /is shown by the format "#,##0,"k"", which is none of an amount/],
    ['# ?/?', /is shown by the format "# \?\/\?", which is none of an amount/],
    ['0-0', /is shown by the format "0-0", which is none of an amount/],
    ["#'##0 &quot;£&quot;", /is in another currency than EUR/],
    ['# ##0 &quot;USD&quot;', /is in another currency than EUR/],
    ['# ##0\\ &quot;zł&quot;', /is in another currency than EUR/],
    ['#\\.##0\\ &quot;CHF&quot;', /is in another currency than EUR/],
    ['[&gt;=1000]&quot;£&quot;#,##0;&quot;£&quot;0', /is in another currency than EUR/],
    ['[$CHF-807] #,##0.00', /is in another currency than EUR/],
    ['[$£-809]#,##0', /is in another currency than EUR/],
    ['_-&quot;£&quot;* #,##0_-', /is in another currency than EUR/],
    ['$#,##0', /is in another currency than EUR/],
    ['[$CHF]\\ #,##0', /is in another currency than EUR/],
    ['#,##0&quot;k&quot;', /is not an amount/],
  ]
  const own = ['&quot;HS&quot;0', '0.0&quot; kg&quot;', '&quot;Kavel &quot;0', ...formats.map(([format]) => format)]
  const styles = stylesOf(own)
  const cell = (style: number, number: number) => `<c s="${style}"><v>${number}</v></c>`
  const rows = formats.map((_, index) =>
    row(cell(0, 20_000 + index), text('Vaas'), cell(1, 1.5), cell(index + 3, 400.5), cell(2, index + 1)),
  )
  const headings = row(...['Nr', 'Titel', 'Gewicht', 'Schatting', 'Kavel'].map(text))
  await writeWorkbook(path, [headings + rows.join('')], { styles })
  const records = await read(
    path,
    'all:\n  session: A\ncolumns:\n  Nr: external_reference\n  Titel: title\n  Gewicht: weight\n  Schatting: estimate\n  Kavel: lot_number\n',
  )
  const items = records.filter(({ record }) => record?.type === 'item')
  for (const [index, [format, low]] of formats.entries()) {
    const { record, errors } = items[index] as { record: Records['item']; errors: FieldError[] }
    assert.deepEqual([record.external_reference, record.weight], [`HS${20_000 + index}`, '1,5 kg'])
    if (typeof low === 'number') assert.deepEqual([errors, record.estimate?.low?.amount], [[], low], format)
    else assert.match(errors[0]?.message ?? 'taken', low, format)
  }
  const lots = records.flatMap(({ record }) => (record?.type === 'lot' ? [record.lot_number] : []))
  assert.deepEqual(
    lots,
    formats.map((_, index) => index + 1),
  )
  // Formats also show the sign of a currency.
  assert.match((await proposeMapping(path, 'tekens.xlsx')).text, /^currency: "EUR"/m)
})

test('a premium is a percentage: 25 % of a workbook is 25, and a fraction without a sign is refused with both readings', async () => {
  const path = join(folder, 'opgeld.xlsx')
  const styles = `<styleSheet><cellXfs><xf numFmtId="0"/><xf numFmtId="9"/><xf numFmtId="10"/></cellXfs></styleSheet>`
  const premiumOf = async (cell: string) => {
    await writeWorkbook(path, [row(text('Nr'), text('Opgeld')) + row(text('V-1'), cell)], { styles })
    const all = 'all:\n  session: A\n  session.title: A\n'
    const columns = 'columns:\n  Nr: external_reference\n  Opgeld: session.buyer_premium_percentage\n'
    const found = (await read(path, all + columns)).find(({ record }) => record?.type === 'session')!
    return { errors: found.errors, record: found.record as { settings?: { buyer_premium_percentage: string } } }
  }
  for (const [cell, premium] of [
    ['<c s="1"><v>0.25</v></c>', '25'],
    ['<c s="2"><v>0.245</v></c>', '24.5'],
    ['<c><v>25</v></c>', '25'],
    [text('24,5 %'), '24.5'],
    [text('0,5%'), '0.5'],
    ['<c><v>0</v></c>', '0'],
  ] as const) {
    const { errors, record } = await premiumOf(cell)
    assert.deepEqual([errors, record.settings?.buyer_premium_percentage], [[], premium], cell)
  }
  for (const cell of ['<c><v>0.25</v></c>', text('0,25')]) {
    const { errors, record } = await premiumOf(cell)
    assert.match(errors[0]!.message, /could be 25 %, or 0\.25 %: write it with a % sign/)
    // An uncorrected record is refused again.
    assert.ok(checkRecord(record as never).some(({ field }) => field === 'settings'))
  }
  assert.match((await premiumOf(text('een kwart'))).errors[0]!.message, /is not a percentage/)
})

test('a row that describes a session differently from an earlier row is refused with both values', async () => {
  const path = join(folder, 'zittingen.csv')
  await writeFile(
    path,
    'Nr,Zitting,Opgeld,Sluit\nV-1,A,25%,2-4-2027 23:00\nV-2,A,,2-4-2027 23:00\nV-3,A,25%,2-4-2027 22:00\nV-4,A,25%,2-4-2027 23:00\n',
  )
  const records = await read(
    path,
    'separator: ","\ncolumns:\n  Nr: external_reference\n  Zitting: [session, session.title]\n  Opgeld: session.buyer_premium_percentage\n  Sluit: session.closes_at\n',
  )
  const items = records.filter(({ record }) => record?.type === 'item')
  assert.deepEqual(
    items.map(({ errors }) => errors.map(({ message }) => message)),
    [
      [],
      [
        'session/A is described in another way in an earlier row: settings is {"buyer_premium_percentage":"25"} there and nothing here',
      ],
      [
        'session/A is described in another way in an earlier row: timed is {"first_closes_at":"2027-04-02T21:00:00.000Z"} there and {"first_closes_at":"2027-04-02T20:00:00.000Z"} here',
      ],
      [],
    ],
  )
})

test('a mapping with an estimate and one of its bounds is refused, because one value would be lost', async () => {
  const path = join(folder, 'dubbel.csv')
  await writeFile(path, 'Nr,Titel,Naam,Schatting\nV-1,Vaas,600,400\n')
  for (const [fields, message] of [
    ['title\n  Naam: estimate.high\n  Schatting: estimate', /names both estimate and estimate\.high/],
    ['title\n  Naam: estimate.low\n  Schatting: estimate', /names both estimate and estimate\.low/],
  ] as const)
    await assert.rejects(
      read(path, `separator: ","\ncolumns:\n  Nr: external_reference\n  Titel: ${fields}\n`),
      message,
    )
})
