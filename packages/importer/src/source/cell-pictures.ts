import { lstat, mkdir, readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { replaceBeside } from '../files.ts'
import { Unusable } from '../misfit.ts'
import { readSheetPictures } from './workbook.ts'

/** The pictures in and over the cells below a line of a workbook's sheet: how many there are. */
export async function countCellPictures(path: string, sheet: string | undefined, below: number): Promise<number> {
  let count = 0
  for await (const { line } of readSheetPictures(path, sheet)) if (line > below) count++
  return count
}

/**
 * Writes the pictures in and over the cells of a workbook's sheet into the folder `SHEET.pictures` beside it, unless they
 * are there. Returns their files, from the folder of the workbook on, by the lines of their rows.
 * @throws Unusable
 */
export async function writeCellPictures(path: string, sheet: string | undefined): Promise<Map<number, string[]>> {
  const folder = `${path}.pictures`
  // A foreign source may bring a link of this name.
  const present = await lstat(folder).catch(() => undefined)
  if (present && !present.isDirectory()) throw new Unusable(`${folder} is no folder: remove it`)
  if (!present) await mkdir(folder)
  const files = new Map<number, string[]>()
  for await (const { line, ending, open } of readSheetPictures(path, sheet)) {
    const ofRow = files.get(line) ?? []
    files.set(line, ofRow)
    const name = `${line}-${ofRow.length + 1}${ending}`
    ofRow.push(`${basename(folder)}/${name}`)
    const bytes = await buffer(await open())
    const before = await readFile(join(folder, name)).catch(() => undefined)
    if (!before?.equals(bytes)) await replaceBeside(join(folder, name), bytes)
  }
  return files
}
