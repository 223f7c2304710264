import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import fc from 'fast-check'
import type { Row } from '../src/source/cells.ts'
import { Unusable } from '../src/misfit.ts'
import { openSheet } from '../src/source/sheet.ts'
import { openFolder, readAll } from './reading.ts'

const folder = await openFolder()
const path = join(folder, 'kavels.csv')

async function read(text: string, separator = ';'): Promise<Row[]> {
  await writeFile(path, text)
  return readAll((await openSheet(path, { separator })).rows())
}
const refused = (text: string, message: RegExp, separator?: string) =>
  assert.rejects(read(text, separator), (error) => {
    assert.ok(error instanceof Unusable)
    assert.match(error.message, message)
    return true
  })

test('an unclosed quote never swallows rows: the sheet is refused with the line where the quote began', async () => {
  const head = 'Nr;Titel;Schatting\nM-0;Kan;300\n'
  const swallowing: [text: string, message: RegExp][] = [
    ['M-1;"De Hoop;400\nM-2;Vaas;500\nM-3;Bord "oud";600\nM-4;Kom;700\n', /:3: a quoted cell ends inside a cell/],
    ['M-1;"De Hoop;400\nM-2;"Vaas";500\n', /:3: a quoted cell ends inside a cell/],
    ['M-1;"De Hoop;400\nM-2;Vaas 30";500\nM-3;Kom;1\n', /:3: the 2 lines of a quoted cell look like rows/],
    ['M-1;"De Hoop;400\r\nM-2;Vaas;500\r\nM-3;Bord 12"\r\n', /:3: the 3 lines of a quoted cell look like rows/],
    ['M-1;"De Hoop;400\nM-2;Vaas;500\nM-3;Bord;30"\nM-4;Kom;700\n', /:3: the 3 lines of a quoted cell look like rows/],
    ['"M-1;De Hoop;400\nM-2";Vaas;500\n', /:3: the 2 lines of a quoted cell look like rows/],
    ['M-1;"De Hoop;400\nM-2;Vaas;500\n', /in the row that begins on line 3: a quote is not closed/],
    ['M-1;"De\nHoop";"400\nM-2;"Vaas";500\n', /:4: a quoted cell ends inside a cell/],
    ['M-1;"De "oude" Hoop";400\n', /:3: a quoted cell ends inside a cell: close the quote, or write "" for a quote/],
  ]
  for (const [text, message] of swallowing) await refused(head + text, message)
  await refused('a,b,c\nM-1,"Hoogte 20,5 cm,400\nM-2,Vaas 30",500\n', /:2: the 2 lines/, ',')
})

test('swallowed rows with too few or too many cells are found by their references and their number', async () => {
  const head = 'Nr;Titel;Omschrijving;Schatting;Foto\nM-1;Kan;Blauw;300;a.jpg\nM-2;Kom;;;\n'
  const end = 'M-9;Bord 12";rood;600;d.jpg\nM-10;Kom;x;1;e.jpg\n'
  for (const swallowing of [
    'M-3;"De Hoop;x;400;b.jpg\nM-4;Vaas\n',
    'M-3;"De Hoop;x;400;b.jpg\nM-4;Vaas;y;500;c.jpg;extra;more\n',
    'M-3;"De Hoop; x; 400; b.jpg\nM-4; Vaas; y; 500; c.jpg\n',
    'M-3;"De Hoop\nM-4;Vaas;y;500;c.jpg\n',
    'M-3;"De Hoop;x\nM-4;Vaas;y\n',
    'M-3;"De Hoop\n',
    'M-3;"De Hoop\nM-4\n',
    'M-3;Vaas;x;400;"b.jpg\n',
    '"M-3;De Hoop;x\nM-4";Vaas;y;500;c.jpg\n',
  ])
    await refused(head + swallowing + end, /:4: the \d lines of a quoted cell look like rows/)
  // Rows that begin with a number, or with the same text as others, are found too.
  await refused('Nr,Titel,Prijs\n98,Kan,3\n99,"Vaas\n100,Kom 12",5\n', /:3: the 2 lines/, ',')
  await refused('Maker;Titel;Jaar;Prijs\nLELY;Kan;1724;3\nLELY;"Vaas;1724\nLELY;Kom 12";1724;5\n', /:3: the 2 lines/)
  // The row in which the cell ends has another number of cells than most rows.
  await refused('Titel;Maat;Jaar;Prijs\nKan;1;1724;3\nVaas;"2;1724\nKom;12";3\n', /:3: the 2 lines/)
  // A text may have references, years and measures.
  for (const text of ['Zie ook:\nM-1', 'Paar:\nM-1 en M-2; gemerkt', '20,5 cm\n19e; beschadigd', 'x\n1724;3 cm'])
    assert.equal((await read(`${head}M-3;Vaas;"${text}";400;b.jpg\n${end}`)).at(2)?.cells[2], text)
})

test('texts of several lines, doubled quotes and quotes within a plain cell are read unchanged', async () => {
  const rows = await read(
    'Nr;"Titel\nlang";Schatting\n' +
      'M-1;"De Hoop;\nmet ""molen""";400\n' +
      'M-2;Bord "oud" 30";500\n' +
      'M-3;"""Kom""\n\nvan Delfts; blauw; en wit;\nmet deksel";"600"\n' +
      'M-4;;"1;\n2"\n',
  )
  assert.deepEqual(rows, [
    { line: 3, last: 4, cells: ['M-1', 'De Hoop;\nmet "molen"', '400'] },
    { line: 5, cells: ['M-2', 'Bord "oud" 30"', '500'] },
    { line: 6, last: 9, cells: ['M-3', '"Kom"\n\nvan Delfts; blauw; en wit;\nmet deksel', '600'] },
    { line: 10, last: 11, cells: ['M-4', '', '1;\n2'] },
  ])
  assert.deepEqual(await read('Nr;Titel\nM-1;"Kan\r\nen deksel"\r\nM-2;"Kom"\n'), [
    { line: 2, last: 3, cells: ['M-1', 'Kan\r\nen deksel'] },
    { line: 4, cells: ['M-2', 'Kom'] },
  ])
  assert.deepEqual((await read('Nr;Titel\rM-1;"Kan"\r')).at(0)?.cells, ['M-1', 'Kan'])
  const prose = 'Olieverf op doek, gesigneerd, 20 x 30 cm,\nlinks onder, met lijst,\nen, als bijlage, een brief'
  assert.deepEqual((await read(`Nr,Titel,Prijs\n1,"${prose}",5\n`, ',')).at(0)?.cells, ['1', prose, '5'])
})

test('a sheet from a spreadsheet program is read back unchanged', async () => {
  const cell = fc.oneof(fc.string(), fc.stringMatching(/^[ab";, \n]{0,12}$/)).map((text) => text.replaceAll('\r', ''))
  const sheet = fc.array(fc.tuple(cell, cell, cell, cell, cell, cell), { minLength: 1, maxLength: 6 })
  await fc.assert(
    fc.asyncProperty(
      sheet,
      fc.constantFrom(';', ',', '\t'),
      fc.constantFrom('\n', '\r\n'),
      async (rows, separator, end) => {
        // Lines with a separator for each column look like rows, and are refused deliberately.
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
