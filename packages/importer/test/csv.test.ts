import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import fc from 'fast-check'
import type { Row } from '../src/cells.ts'
import { Unusable } from '../src/misfit.ts'
import { openSheet } from '../src/sheet.ts'

const folder = await mkdtemp(join(tmpdir(), 'importer-csv-'))
after(() => rm(folder, { recursive: true }))
const path = join(folder, 'kavels.csv')

async function read(text: string, separator = ';'): Promise<Row[]> {
  await writeFile(path, text)
  const rows: Row[] = []
  const sheet = await openSheet(path, { separator })
  for await (const row of sheet.rows()) rows.push(row)
  return rows
}
const refused = (text: string, message: RegExp, separator?: string) =>
  assert.rejects(read(text, separator), (error) => {
    assert.ok(error instanceof Unusable)
    assert.match(error.message, message)
    return true
  })

test('a quote that is not closed never swallows rows: the sheet is refused with the line where it began', async () => {
  const head = 'Nr;Titel;Schatting\nM-0;Kan;300\n'
  const swallowing: [text: string, message: RegExp][] = [
    ['M-1;"De Hoop;400\nM-2;Vaas;500\nM-3;Bord "oud";600\nM-4;Kom;700\n', /:3: a quoted cell ends inside of a cell/],
    ['M-1;"De Hoop;400\nM-2;"Vaas";500\n', /:3: a quoted cell ends inside of a cell/],
    ['M-1;"De Hoop;400\nM-2;Vaas 30";500\nM-3;Kom;1\n', /:3: the 2 lines of a quoted cell look like rows/],
    ['M-1;"De Hoop;400\r\nM-2;Vaas;500\r\nM-3;Bord 12"\r\n', /:3: the 3 lines of a quoted cell look like rows/],
    ['M-1;"De Hoop;400\nM-2;Vaas;500\nM-3;Bord;30"\nM-4;Kom;700\n', /:3: the 3 lines of a quoted cell look like rows/],
    ['"M-1;De Hoop;400\nM-2";Vaas;500\n', /:3: the 2 lines of a quoted cell look like rows/],
    ['M-1;"De Hoop;400\nM-2;Vaas;500\n', /in the row that begins on line 3: a quote is not closed/],
    ['M-1;"De\nHoop";"400\nM-2;"Vaas";500\n', /:4: a quoted cell ends inside of a cell/],
    ['M-1;"De "oude" Hoop";400\n', /:3: a quoted cell ends inside of a cell: close the quote, or write "" for a quote/],
  ]
  for (const [text, message] of swallowing) await refused(head + text, message)
  await refused('a,b,c\nM-1,"Hoogte 20,5 cm,400\nM-2,Vaas 30",500\n', /:2: the 2 lines/, ',')
})

test('texts of several lines, doubled quotes and quotes within a plain cell are what they are', async () => {
  const rows = await read(
    'Nr;"Titel\nlang";Schatting\n' +
      'M-1;"De Hoop;\nmet ""molen""";400\n' +
      'M-2;Bord "oud" 30";500\n' +
      'M-3;"""Kom""\n\nvan Delfts; blauw; en wit;\nmet deksel";"600"\n' +
      'M-4;;"1;\n2"\n',
  )
  assert.deepEqual(rows, [
    { line: 3, cells: ['M-1', 'De Hoop;\nmet "molen"', '400'] },
    { line: 5, cells: ['M-2', 'Bord "oud" 30"', '500'] },
    { line: 6, cells: ['M-3', '"Kom"\n\nvan Delfts; blauw; en wit;\nmet deksel', '600'] },
    { line: 10, cells: ['M-4', '', '1;\n2'] },
  ])
  assert.deepEqual(await read('Nr;Titel\nM-1;"Kan\r\nen deksel"\r\nM-2;"Kom"\n'), [
    { line: 2, cells: ['M-1', 'Kan\r\nen deksel'] },
    { line: 4, cells: ['M-2', 'Kom'] },
  ])
  assert.deepEqual((await read('Nr;Titel\rM-1;"Kan"\r')).at(0)?.cells, ['M-1', 'Kan'])
  const prose = 'Olieverf op doek, gesigneerd, 20 x 30 cm,\nlinks onder, met lijst,\nen, als bijlage, een brief'
  assert.deepEqual((await read(`Nr,Titel,Prijs\n1,"${prose}",5\n`, ',')).at(0)?.cells, ['1', prose, '5'])
})

test('what a spreadsheet program writes is read back as it is', async () => {
  const cell = fc.oneof(fc.string(), fc.stringMatching(/^[ab";, \n]{0,12}$/)).map((text) => text.replaceAll('\r', ''))
  const sheet = fc.array(fc.tuple(cell, cell, cell, cell, cell, cell), { minLength: 1, maxLength: 6 })
  await fc.assert(
    fc.asyncProperty(
      sheet,
      fc.constantFrom(';', ',', '\t'),
      fc.constantFrom('\n', '\r\n'),
      async (rows, separator, end) => {
        // Lines with a separator for each column look like rows, and are refused on purpose.
        fc.pre(rows.flat().every((text) => text.split('\n').every((line) => line.split(separator).length < 3)))
        const print = (text: string) => (/[";,\t\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)
        const lines = [['a', 'b', 'c', 'd', 'e', 'f'], ...rows.map((row) => ['x', ...row.slice(1)])]
        const text = lines.map((row) => row.map(print).join(separator) + end).join('')
        assert.deepEqual(
          (await read(text, separator)).map(({ cells }) => cells),
          lines.slice(1),
        )
      },
    ),
  )
})
