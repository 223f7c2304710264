import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { mapSheet, readSheet, openFolder } from './reading.ts'
import { writeWorkbook } from './workbook.ts'

const folder = await openFolder()

const run = (text: string, properties = '') =>
  `<r>${properties && `<rPr><sz val="11"/>${properties}</rPr>`}<t xml:space="preserve">${text}</t></r>`
const raised = '<vertAlign val="superscript"/>'
const lowered = '<vertAlign val="subscript"/>'

/** Reads rows of titles and estimates with these texts, once in the cells and once as shared texts. */
async function read(rows: [title: string, estimate: string][]) {
  const readings = []
  for (const isShared of [false, true]) {
    const texts: string[] = []
    const cell = (text: string) =>
      isShared ? `<c t="s"><v>${texts.push(`<si>${text}</si>`) - 1}</v></c>` : `<c t="inlineStr"><is>${text}</is></c>`
    const row = (...cells: string[]) => `<row>${cells.map(cell).join('')}</row>`
    const headings = row('<t>Ref</t>', '<t>Titel</t>', '<t>Schatting</t>')
    const lots = rows.map(([title, estimate], index) => row(`<t>V-${index + 1}</t>`, title, estimate))
    const path = join(folder, `rich-${isShared}.xlsx`)
    await writeWorkbook(path, [headings + lots.join('')], { sharedStrings: `<sst>${texts.join('')}</sst>` })
    await mapSheet(path)
    const { items, errors } = await readSheet(path)
    readings.push({ items: items.map(({ title, estimate }) => [title, estimate?.low?.amount]), errors })
  }
  assert.deepEqual(readings[0], readings[1])
  return readings[0]!
}

test('a text of which a part is struck through is refused with that part; one that is wholly so is read', async () => {
  const vase = '<t>Vaas</t>'
  const { items, errors } = await read([
    [vase, run('400', '<strike/>') + run('500')],
    [run('Kan') + run(' met deksel', '<strike val="1"/>'), '<t>500</t>'],
    [vase, run('400', '<strike val="0"/>') + run('00')],
    [run('Kan ', '<strike/>') + run(' ') + run('met tuit', '<strike val="true"/>'), '<t>500</t>'],
    [run('Kom') + run(' ', '<strike/>'), '<t>600</t>'],
  ])
  assert.deepEqual(errors, [
    '2: "400500" has struck-through text "400": delete it, or take the strike away',
    '3: "Kan met deksel" has struck-through text "met deksel": delete it, or take the strike away',
  ])
  assert.deepEqual(items, [
    ['Vaas', 4_000_000],
    ['Kan  met tuit', 50_000],
    ['Kom', 60_000],
  ])
})

test('raised and lowered digits are characters of their own, and no digits of an amount', async () => {
  const { items, errors } = await read([
    [run('2 m') + run('2', raised) + run(' CO') + run('2', lowered) + run(', 19') + run('e', raised), '<t>500</t>'],
    ['<t>Vaas</t>', run('500') + run('1', raised)],
    [run('1_x000A_') + run('2_x000A_3', raised), '<t>500</t>'],
  ])
  assert.deepEqual(items, [
    ['2 m² CO₂, 19e', 50_000],
    ['1\n²\n³', 50_000],
  ])
  assert.match(errors.join(), /^3: "500¹" has "¹" beside its number/)
})

test('what was added to a cell that is struck through makes its text one that is struck through in part', async () => {
  const path = join(folder, 'struck-cell.xlsx')
  const styles = `<styleSheet><fonts><font><sz val="11"/></font><font><strike/></font><font><strike val="0"/></font></fonts>
    <cellXfs><xf/><xf fontId="1"/><xf fontId="2"/></cellXfs><dxfs><dxf><font><strike/></font></dxf></dxfs></styleSheet>`
  const cell = (text: string, style = 0) => `<c t="inlineStr" s="${style}"><is>${text}</is></c>`
  const estimates = [run('400') + run('500', '<b/>'), '<t>400</t>', run('400') + run(' ', '<b/>')]
  const lots = estimates.flatMap((text) => [0, 1, 2].map((style) => cell(text, style)))
  const rows = lots.map((estimate, index) => cell(`<t>V-${index}</t>`) + cell('<t>Vaas</t>') + estimate)
  const headings = ['Ref', 'Titel', 'Schatting'].map((text) => cell(`<t>${text}</t>`)).join('')
  await writeWorkbook(path, [[headings, ...rows].map((cells) => `<row>${cells}</row>`).join('')], { styles })
  await mapSheet(path)
  assert.deepEqual((await readSheet(path)).errors, [
    '3: "400500" has struck-through text "400": delete it, or take the strike away',
  ])
})
