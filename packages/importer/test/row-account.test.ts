import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { parse } from 'yaml'
import { mappingOf } from '../src/run/source.ts'
import { mapSheet, readSheet, type Reading, openFolder } from './reading.ts'
import { writeWorkbook, textCell, rowsOf } from './workbook.ts'

const folder = await openFolder()

/** Writes a CSV file, and reads it as the mapping that is proposed for it says. */
async function read(text: string, settings?: { [key: string]: string }) {
  const path = join(folder, 'kavels.csv')
  await writeFile(path, text)
  const said = await mapSheet(path, settings)
  return { said, ...(await readSheet(path)) }
}
const references = ({ items }: Reading) => items.map(({ external_reference }) => external_reference)

test('a row with names of files, amounts, dates or what stands below is no second row of headings', async () => {
  for (const text of [
    'Ref;Titel;Foto 1;Foto 2;Foto 3\nV-1;Vaas;a.jpg;b.jpg;c.jpg\nV-2;Kan;;;\nV-3;Bord;;;\n',
    'Ref;Titel;Website;Maat\nV-1;Vaas;https://a.example/1;H\nV-2;Kan;;\nV-3;Bord;;\n',
    'Ref;Titel;Schatting laag;Schatting hoog\nV-1;Vaas;40;60\nV-2;Kan;;\nV-3;Bord;;\n',
    'Ref;Titel;Datum;Tijd\nV-1;Vaas;12 april;\nV-2;Kan;;\nV-3;Bord;;\n',
    'Ref;Titel;Maat;Maat 2\nV-1;Titel;H;B\nV-2;Kan;;\nV-3;Bord;;\n',
  ]) {
    const reading = await read(text)
    assert.deepEqual(references(reading), ['V-1', 'V-2', 'V-3'], text)
    assert.deepEqual(reading.rows, { all: 4, headings: 1, record: 3 })
  }
})

test('where a second row of headings is doubtful, the mapping asks, and either answer reads the sheet', async () => {
  const path = join(folder, 'doubtful.csv')
  await writeFile(path, 'Kavel;Titel;Schatting;\nA;Extra;laag;hoog\n1;Vaas;40;60\n')
  const said = await mapSheet(path)
  assert.ok(said.some((line) => line.startsWith('heading_rows is doubtful')))
  const mapping = await readFile(`${path}.mapping.yaml`, 'utf8')
  assert.match(mapping, /^heading_rows: +# FILL IN: 2 if line 2 has headings too, else 1$/m)
  await assert.rejects(readSheet(path), /heading_rows must be the number of rows of headings, 1 or 2/)
  for (const [answer, headings] of [
    ['1', 1],
    ['2', 2],
  ] as const) {
    const filled = mapping
      .replace(/^heading_rows:.*$/m, `heading_rows: ${answer}`)
      .replace(/^all:/m, 'all:\n  session: "1"\n  external_reference: "V"')
    await writeFile(`${path}.mapping.yaml`, filled)
    const { rows } = await readSheet(path)
    assert.deepEqual([rows['all'], rows['headings']], [3, headings])
  }
})

test('headings in the middle are passed over and counted; those of other columns are refused', async () => {
  const again = await read('Ref;Titel;Prijs\nV-1;Vaas;40\nRef;Titel;Prijs\nV-2;Kan;50\n')
  assert.deepEqual(references(again), ['V-1', 'V-2'])
  assert.deepEqual(again.rows, { all: 4, headings: 2, record: 2 })
  const twoRows = await read(
    'Nr;Titel;Schatting;\n;;laag;hoog\nV-1;Vaas;40;60\nNr;Titel;Schatting;\n;;laag;hoog\nV-2;Kan;50;70\n',
  )
  assert.deepEqual(twoRows.rows, { all: 6, headings: 4, record: 2 })
  await assert.rejects(
    read('Ref;Titel;Prijs\nV-1;Vaas;40\nTitel;Ref;Prijs\nKan;V-2;50\n'),
    /kavels\.csv:3 has headings again, for other columns than on line 1: divide the file there/,
  )
})

test('a column that is called as a value of another one makes no row one of headings', async () => {
  const { rows } = await read('Ref;Titel;Memo;1;2\nV-1;Vaas;1;2;\nV-2;Kan;2;1;\n')
  assert.deepEqual([rows['all'], rows['headings']], [3, 1])
})

test('a sum below the table is passed over and counted, and an item whose title is such a word is read', async () => {
  for (const sum of [
    'Totaal;;440;;',
    ';TOTAAL:;€ 440,00;;',
    ';Subtotaal 2 kavels;440;;',
    'Summe;;440;;',
    ';合计;440;;',
  ]) {
    const reading = await read(`Ref;Titel;Schatting;Maat;Staat\nV-1;Vaas;40;8;goed\nV-2;Totaal;400;9;\n${sum}\n`)
    assert.deepEqual(references(reading), ['V-1', 'V-2'], sum)
    assert.deepEqual(reading.rows, { all: 4, headings: 1, record: 2, total: 1 }, sum)
  }
})

test('a lot that is called as a sum is read if it has a number, or in a sheet without references a range', async () => {
  const numbered = await read('Kavel;Ref;Titel;Schatting;Zitting\n1;V-1;Vaas;40;S\n2;;Total;400;\n')
  assert.deepEqual(numbered.rows, { all: 3, headings: 1, record: 1, refused: 1 })
  const path = join(folder, 'kavels.csv')
  await writeFile(path, 'Titel;Techniek;Schatting\nVaas;olie;400/600\nTotal;;400/600\nTotaal;;1000\n')
  await mapSheet(path)
  const mapping = await readFile(mappingOf(path), 'utf8')
  await writeFile(mappingOf(path), mapping.replace(/^all:$/m, 'all: { external_reference: row }'))
  const { items, rows } = await readSheet(path)
  assert.deepEqual(
    items.map(({ title }) => title),
    ['Vaas', 'Total'],
  )
  assert.deepEqual(rows, { all: 4, headings: 1, record: 2, total: 1 })
})

test('in a sheet without references, a text of several lines moves none, and a text alone in its row is refused', async () => {
  const path = join(folder, 'lijst.csv')
  const rows = (text: string) => `Titel;Techniek;Schatting\n"${text}";olie;400/600\nMeubels;;\nKast;eik;\n`
  await writeFile(path, rows('Vaas'))
  await mapSheet(path)
  const mapping = await readFile(mappingOf(path), 'utf8')
  await writeFile(mappingOf(path), mapping.replace(/^all:$/m, 'all: { external_reference: row }'))
  for (const [text, line] of [
    ['Vaas', 3],
    ['Vaas\nmet goud', 4],
  ] as const) {
    await writeFile(path, rows(text))
    const reading = await readSheet(path)
    assert.deepEqual(references(reading), ['lijst-2', 'lijst-4'])
    assert.equal(reading.errors.length, 1)
    assert.match(reading.errors[0]!, new RegExp(`^${line}: "Meubels" stands alone in its row`))
  }
})

test('a row of CSV with more cells than most, or that a line break has broken, is refused', async () => {
  const head = 'Ref,Titel,Schatting,Staat\nF-0,Kan,300,goed\nF-8,Kom,500,goed\n'
  const broken = (line: number) => `the rows from line ${line} to this one look like one`
  const begun = '4: "F-1" this row and the next one look like one'
  for (const [rows, refused] of [
    ['F-1,Vaas,1,250,\n', ['4: "250" the row has 5 cells']],
    ['F-1,Vaas, blauw,300\nF-3,Bord,"1,250",goed,,\n', ['5: "goed" the row has 6 cells']],
    ['F-1,Vaas met\nbloemen,300,goed\n', [begun, `5: "bloemen" ${broken(4)}`]],
    ['F-1,Vaas met\nbloemen,300\n', [begun, `5: "bloemen" ${broken(4)}`]],
    ['F-1,Vaas\nmet\n,300,goed\n', [begun, `5: "met" ${broken(4)}`, `6: "300" ${broken(4)}`]],
    ['F-1,Vaas\n1724,300,goed\n', [begun, `5: "1724" ${broken(4)}`]],
  ] as const) {
    const { errors } = await read(head + rows, { decimal: '"."' })
    const widths = errors.filter((error) => /the rows? (?:has|from)|this row/.test(error))
    assert.deepEqual(
      widths.map((error, index) => error.slice(0, refused[index]?.length)),
      refused,
      rows,
    )
  }
  const ragged = await read('Ref;Titel;Schatting;Staat\nF-1;Vaas\nF-2;Kan;300\nF-3;Kom\nF-4;Bord;300;oud\n;;Totaal\n')
  assert.deepEqual(references(ragged), ['F-1', 'F-2', 'F-3', 'F-4'])
  const few = 'Ref;Titel;Schatting;Staat\nF-1;Vaas;300\nF-2;Kan\nvan Delft;300\nF-3;Kom;200\n'
  assert.match((await read(few)).errors[1]!, /^4: "van Delft" the rows from line 3 to this one look like one/)
  const trailing = await read('Ref;Titel\nF-1;Vaas;\nF-2;Kan;\n')
  assert.deepEqual(references(trailing), ['F-1', 'F-2'])
})

test('a lot that is called as a column is no heading, and a sheet whose first row is a lot has none', async () => {
  const { items } = await read('Ref;Titel;Foto\nR-1;Vaas;\nR-2;Foto;Foto\n')
  assert.deepEqual(
    items.map(({ title }) => title),
    ['Vaas', 'Foto'],
  )
  await assert.rejects(
    read('A-1;Vaas;400/600;vaas.jpg\nA-2;Kan;500/600;kan.jpg\n'),
    /kavels\.csv has no headings: the row on line 1 looks like those below it/,
  )
})

test('a text that a program guards from a spreadsheet program is read without its guard', async () => {
  const reading = await read('Ref;Titel;Schatting\n="0012";Vaas;="40"\n"=""0013""";Kan;\n')
  assert.deepEqual(references(reading), ['0012', '0013'])
  assert.equal(reading.items[0]!.estimate!.low!.amount, 4_000)
})

test('an estimate that stands in several columns of one field is refused', async () => {
  const path = join(folder, 'kavels.csv')
  await writeFile(path, 'Ref;Titel;van;tot\nV-1;Vaas;400;600\nV-2;Kan;;600\n')
  await writeFile(
    mappingOf(path),
    'separator: ";"\ndecimal: ","\ncolumns: { Ref: external_reference, Titel: title, van: estimate, tot: estimate }\n',
  )
  assert.deepEqual((await readSheet(path)).errors, [
    '2: "400 600" is in several columns: name one of them in the mapping',
  ])
})

test('a range in a column of one bound is refused with the field that its column should have', async () => {
  const path = join(folder, 'kavels.csv')
  await writeFile(path, 'Ref;Titel;van;tot\nV-1;Vaas;400-600;\nV-2;Kan;€ 400,-;6 bis 8\nV-3;Bord;-;600,-\n')
  await writeFile(
    mappingOf(path),
    'separator: ";"\ndecimal: ","\ncolumns: { Ref: external_reference, Titel: title, van: estimate.low, tot: estimate.high }\n',
  )
  const reading = await readSheet(path)
  assert.deepEqual(reading.errors, [
    '2: "400-600" is a range: map the column as estimate, not as estimate.low',
    '3: "6 bis 8" is a range: map the column as estimate, not as estimate.high',
  ])
  assert.deepEqual(references(reading), ['V-3'])
})

test('a wrong time is refused once, by the session of its first row or by the item of a later one', async () => {
  const path = join(folder, 'kavels.csv')
  const errorsOf = async (mapping: string, ...times: string[]) => {
    await writeFile(path, ['Ref;Titel;Tijd', ...times.map((time, at) => `V-${at};Vaas;${time}`), ''].join('\n'))
    await writeFile(mappingOf(path), `separator: ";"\ndates: d-m-y\nall: { auction: A, session: A/1 }\n${mapping}`)
    return (await readSheet(path)).errors.map((error) => error.replace(/ is not a date.*/, ''))
  }
  const opens = 'columns: { Ref: external_reference, Titel: title, Tijd: session.opens_at }\n'
  const right = '12-04-2027 19:30'
  assert.deepEqual(await errorsOf(opens, right, 'morgen', right), ['3: "morgen"'])
  assert.deepEqual(await errorsOf(opens, 'morgen', right, right), ['2: "morgen"'])
  assert.deepEqual(await errorsOf(opens, 'morgen', 'morgen', 'gisteren'), ['2: "morgen"', '4: "gisteren"'])
  const both = opens.replace('session.opens_at', '[session.opens_at, session.closes_at]')
  assert.deepEqual(await errorsOf(both, right, 'morgen'), ['3: "morgen"'])
  assert.deepEqual(await errorsOf(both, 'morgen', right), ['2: "morgen"'])
})

test('a range with a slash whose low bound may be cut short is refused, and one with another sign is not', async () => {
  const rows = ['6/800', '50/1.200', '€ 6,-/€ 800', '80/800', '1.200/1.500', '800/600', '6 - 800', '6 t/m 800', '/800']
  const { items, errors } = await read(
    `Ref;Titel;Schatting\n${rows.map((row, at) => `V-${at};Vaas;${row}`).join('\n')}\n`,
  )
  const said = (bounds: string) =>
    `could be cut short: write both bounds out, such as "600/800", or "${bounds}" if that is meant`
  assert.deepEqual(errors.slice(0, 3), [
    `2: "6/800" ${said('6 - 800')}`,
    `3: "50/1.200" ${said('50 - 1.200')}`,
    `4: "€ 6,-/€ 800" ${said('€ 6 - € 800')}`,
  ])
  assert.deepEqual(
    items.map(({ estimate }) => [estimate!.low!.amount, estimate!.high!.amount].map((amount) => amount / 100)),
    [
      [80, 800],
      [1200, 1500],
      [800, 600],
      [6, 800],
      [6, 800],
    ],
  )
})

test('a starting bid without a lot number is refused without its item, and a mapping without lot numbers has none', async () => {
  const sheet = 'Kavel;Ref;Titel;Inzet;Zitting\n1;V-1;Vaas;40;S\n;V-2;Kan;50;S\n;V-3;Bord;;S\n'
  const reading = await read(sheet)
  assert.deepEqual(references(reading), ['V-1', 'V-2', 'V-3'])
  assert.deepEqual(reading.errors, ['3: "50" a starting bid needs a lot number, and the row has none'])
  assert.deepEqual(reading.rows, { all: 4, headings: 1, record: 2, refused: 1 })
  const said = 'no column looks like a lot number, which a starting bid needs: name one, or no starting bid'
  await assert.rejects(read('Ref;Titel;Inzet\nV-1;Vaas;40\n'), {
    name: 'Unusable',
    message: /^the mapping has starting/,
  })
  assert.ok((await mapSheet(join(folder, 'kavels.csv'))).includes(said))
})

test('the rows of a file add up: titles, empty rows, remarks in other columns and refused rows have their lines', async () => {
  const { rows, errors } = await read(
    'sep=;\nKavellijst\n\nRef;Titel;Schatting;Intern\nV-1;Vaas;40;\n;;;\nV-2;Kan;veel;\n;;;bellen\nV-3;"Bord\nmet rand";50;\n;;;\n',
  )
  assert.deepEqual(rows, { all: 10, headings: 1, record: 2, empty: 3, 'passed over': 3, refused: 1 })
  assert.match(errors.join(), /^7: "veel" /)
})

test('the rows of a workbook without cells count as empty, and remarks beside the table are passed over', async () => {
  const path = join(folder, 'rows.xlsx')
  const row = (line: number, ...cells: [column: string, text: string][]) =>
    `<row r="${line}">${cells.map(([column, text]) => textCell(text, `${column}${line}`)).join('')}</row>`
  await writeWorkbook(path, [
    row(2, ['A', 'Ref'], ['B', 'Titel']) +
      row(3, ['A', 'V-1'], ['B', 'Vaas']) +
      row(7, ['D', 'nakijken']) +
      row(8, ['A', 'V-2'], ['B', 'Kan']) +
      '<row r="9"></row>',
  ])
  await mapSheet(path)
  const { columns } = parse(await readFile(`${path}.mapping.yaml`, 'utf8')) as { columns: object }
  assert.deepEqual(columns, { Ref: 'external_reference', Titel: 'title' })
  const reading = await readSheet(path)
  assert.deepEqual(reading.rows, { all: 8, headings: 1, record: 2, empty: 4, 'passed over': 1 })
})

test('an amount that may be a range is refused, and so are control characters, but a vertical tab breaks a line', async () => {
  const { errors, items } = await read(
    'Ref;Titel;Omschrijving;Schatting\nC-1;Vaas;oud;400 600\nC-2;Kan;oud;600 400\nC-3;Bord;rood\x1Dblauw;\nC-4;Kom;mooi\vgaaf;\nC-5;Bak;\\N;\n',
  )
  assert.deepEqual(errors, [
    '2: "400 600" could be 400 to 600, or 400600: write "400/600" or "400600"',
    '4: "rood\x1Dblauw" has the control character U+001D: take it out',
  ])
  assert.deepEqual(
    items.map(({ description, estimate }) => [description, estimate?.low?.amount]),
    [
      ['oud', 60_040_000],
      ['mooi\ngaaf', undefined],
      [null, undefined],
    ],
  )
})

test('texts in another language than that of the house are translations', async () => {
  const { items } = await read('Ref;Titel;Omschrijving\nL-1;Vase;Blau\n', { locale: 'de' })
  assert.deepEqual(
    [items[0]!.title, items[0]!.translations],
    [undefined, { de: { title: 'Vase', description: 'Blau' } }],
  )
})

test('the reference of a row names a sheet behind the first, so that two sheets have different items', async () => {
  const path = join(folder, 'twee.xlsx')
  await writeWorkbook(
    path,
    ['Vaas', 'Stoel'].map((title) =>
      rowsOf([
        ['Titel', 'Staat'],
        [title, 'goed'],
      ]),
    ),
  )
  const found = []
  for (const sheet of ['S0', 'S1']) {
    await mapSheet(path, { sheet })
    const mapping = await readFile(mappingOf(path), 'utf8')
    await writeFile(mappingOf(path), mapping.replace(/^all:$/m, 'all: { external_reference: row }'))
    found.push(references(await readSheet(path)))
  }
  assert.deepEqual(found, [['twee-2'], ['twee-S1-2']])
})
