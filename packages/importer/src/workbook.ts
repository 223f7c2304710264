import { readFile, stat } from 'node:fs/promises'
import { unzipSync } from 'fflate'
import readXlsx from 'read-excel-file/universal'
import { Unusable } from './misfit.ts'

const maxXlsxBytes = 100 * 1024 * 1024
const maxUnpackedBytes = 400 * 1024 * 1024
// Those of spreadsheet programs.
const maxRows = 1_048_576
const maxColumns = 16_384
const maxCells = 10_000_000

// A grid, a row or a cell, whatever its prefix; and the rest of such a tag, with attributes that need no decoding.
const beginnings = /<(?:[^\s<>/:]*:)?(sheetData|row|c)(?=[\s/>])/g
const rest = /((?:\s+[\w.:-]+\s*=\s*(?:"[^"<&]*"|'[^'<&]*'))*)\s*(\/?)>/y
const attributes = /(?:(?!xmlns:)[\w.-]*:)?([\w.:-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g

const toColumn = (letters: string) => Buffer.from(letters).reduce((column, letter) => 26 * column + letter - 64, 0)

/** Where a tag says that it stands: `12` is a row, `B12` a cell. */
function parsePlace(tag: string): { row?: number; column?: number } | undefined {
  const places = [...tag.matchAll(attributes)].flatMap(([, name, one, other]) => (name === 'r' ? [one ?? other!] : []))
  if (places.length === 0) return {}
  const [, letters, digits] = /^([A-Z]{0,3})([1-9]\d{0,6})$/.exec(places[0]!) ?? []
  if (places.length > 1 || digits === undefined) return undefined
  return { row: Number(digits), ...(letters && { column: toColumn(letters) }) }
}

/**
 * The cells of a worksheet as the reader lays them out: it fills all gaps up to the last row and the last column, so that a
 * single cell far out takes the whole memory.
 * @throws Error when a place lies outside of a sheet
 */
function countCells(xml: string): number {
  let [rows, row, lastRow, lastColumn] = [0, 0, 0, 0]
  for (const { 0: beginning, 1: name, index } of xml.matchAll(beginnings)) {
    if (name === 'sheetData') {
      rows += row
      row = 0
      continue
    }
    rest.lastIndex = index + beginning.length
    const [, tag, end] = rest.exec(xml) ?? []
    const place = tag === undefined ? undefined : parsePlace(tag)
    const isCell = name === 'c'
    if (place === undefined || isCell !== (place.column !== undefined))
      throw new Error(`${xml.slice(index, index + 60)} has no place in a sheet`)
    row = Math.max(row, place.row ?? row + 1)
    const column = place.column ?? 0
    if (row > maxRows || column > maxColumns) throw new Error(`${xml.slice(index, index + 60)} lies outside of a sheet`)
    // An empty cell has a format alone.
    if (!isCell || end === '/') continue
    lastRow = Math.max(lastRow, row)
    lastColumn = Math.max(lastColumn, column)
  }
  return rows + row + lastRow * lastColumn
}

/** The sheets of an XLSX file. Throws Unusable when it cannot be read, or would not fit into memory. */
export async function readWorkbook(path: string) {
  const { size } = await stat(path)
  if (size > maxXlsxBytes) throw new Unusable(`${path} is larger than 100 MiB: save it as CSV`)
  const bytes = new Uint8Array(await readFile(path))
  const names: string[] = []
  let unpacked = 0
  let files: Record<string, Uint8Array>
  try {
    // The unpacking allots what the entries say, and never more.
    unzipSync(bytes, {
      filter({ name, originalSize }) {
        names.push(name)
        unpacked += originalSize
        return false
      },
    })
    // Of two entries of one name, the reader could take another than the one that is counted here.
    if (new Set(names).size < names.length) throw new Error('two entries have one name')
    if (unpacked > maxUnpackedBytes) throw new Unusable(`${path} unpacks to more than 400 MiB: save it as CSV`)
    files = unzipSync(bytes)
  } catch (error) {
    if (error instanceof Unusable) throw error
    throw new Unusable(`${path} is no XLSX file`)
  }
  try {
    let cells = 0
    for (const file of Object.values(files))
      if (Buffer.from(file.buffer, file.byteOffset, file.length).includes('sheetData'))
        cells += countCells(new TextDecoder().decode(file))
    if (cells > maxCells)
      throw new Error(
        'its sheets have more than 10 million cells and rows: remove what stands far out, or save it as CSV',
      )
    return await readXlsx(bytes.buffer)
  } catch (error) {
    throw new Unusable(`${path} cannot be read as XLSX: ${error instanceof Error ? error.message : String(error)}`)
  }
}
