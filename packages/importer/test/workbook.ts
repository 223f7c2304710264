import { readFile, writeFile } from 'node:fs/promises'
import { strToU8, unzipSync, zipSync } from 'fflate'

/**
 * Writes a workbook with sheets `S0`, `S1`, … of the given rows in XML, and other parts by their kinds. `states` are those
 * of the sheets, such as `hidden`.
 */
export async function writeWorkbook(
  path: string,
  sheets: string[],
  parts: { [kind: string]: string } = {},
  settings = '',
  states: string[] = [],
) {
  const base = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
  const relate = (id: string, kind: string, target: string) =>
    `<Relationship Id="${id}" Type="${base}/${kind}" Target="${target}"/>`
  const relations = [
    ...sheets.map((_, index) => relate(`r${index}`, 'worksheet', `s${index}.xml`)),
    ...Object.keys(parts).map((kind) => relate(kind, kind, `${kind}.xml`)),
  ]
  const named = sheets.map((_, index) => {
    const state = states[index] ? ` state="${states[index]}"` : ''
    return `<sheet name="S${index}" sheetId="${index + 1}"${state} r:id="r${index}"/>`
  })
  const entries: { [name: string]: string } = {
    'xl/_rels/workbook.xml.rels': `<Relationships>${relations.join('')}</Relationships>`,
    'xl/workbook.xml': `<workbook>${settings}<sheets>${named.join('')}</sheets></workbook>`,
  }
  for (const [kind, text] of Object.entries(parts)) entries[`xl/${kind}.xml`] = text
  for (const [index, rows] of sheets.entries())
    entries[`xl/s${index}.xml`] = `<worksheet><sheetData>${rows}</sheetData></worksheet>`
  await writeFile(
    path,
    zipSync(Object.fromEntries(Object.entries(entries).map(([name, text]) => [name, strToU8(text)]))),
  )
}

/** Puts other parts into a workbook, by their names. */
export async function addParts(path: string, parts: { [name: string]: string }) {
  const added = Object.entries(parts).map(([name, text]) => [name, strToU8(text)] as const)
  await writeFile(path, zipSync({ ...unzipSync(await readFile(path)), ...Object.fromEntries(added) }))
}

/** The rows of a sheet in XML, of cells with texts. An empty text is no cell. */
export const rowsOf = (rows: string[][]): string =>
  rows
    .map((cells, line) => {
      const filled = cells.map((text, column) => {
        const place = `${String.fromCharCode(65 + column)}${line + 1}`
        return text === '' ? '' : textCell(text, place)
      })
      return `<row r="${line + 1}">${filled.join('')}</row>`
    })
    .join('')

/** A cell with a text in XML, at a place such as `A1` or behind the one before it. */
export const textCell = (text: string, place?: string): string =>
  `<c ${place === undefined ? '' : `r="${place}" `}t="inlineStr"><is><t>${text}</t></is></c>`

/** The styles of a workbook in XML, one for each format of numbers. */
export function stylesOf(formats: readonly string[]): string {
  const own = formats.map((format, index) => `<numFmt numFmtId="${200 + index}" formatCode="${format}"/>`)
  const styles = formats.map((_, index) => `<xf numFmtId="${200 + index}"/>`)
  return `<styleSheet><numFmts>${own.join('')}</numFmts><cellXfs>${styles.join('')}</cellXfs></styleSheet>`
}
