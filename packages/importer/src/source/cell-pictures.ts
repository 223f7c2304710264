import { lstat, mkdir, readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { replaceBeside } from '../files.ts'
import { Unusable } from '../misfit.ts'
import { readSheetPictures } from './workbook.ts'

const shownLines = 10

/**
 * The pictures in and over the cells below a line of a workbook's sheet: how many there are, and what to do about those that
 * cannot be read.
 */
export async function surveyCellPictures(
  path: string,
  sheet: string | undefined,
  below: number,
): Promise<{ count: number; problems: string[] }> {
  let [count, loose] = [0, 0]
  const linked: number[] = []
  for await (const { line, file } of readSheetPictures(path, sheet)) {
    if (line <= below) continue
    if (line === Infinity) loose++
    else if (file === undefined) linked.push(line)
    else count++
  }
  const lines = [...new Set(linked)]
  const more = lines.length > shownLines ? ` and ${lines.length - shownLines} more` : ''
  const where = `${lines.length === 1 ? 'line' : 'lines'} ${lines.slice(0, shownLines).join(', ')}${more}`
  const print = (number: number, verbs: [string, string]) =>
    number === 1 ? `1 picture ${verbs[0]}` : `${number} pictures ${verbs[1]}`
  const problems = [
    linked.length > 0 && `${print(linked.length, ['is', 'are'])} linked, not embedded (${where}): insert the pictures`,
    loose > 0 && `${print(loose, ['stands', 'stand'])} at no cell: set "Move with cells"`,
  ]
  return { count, problems: problems.filter((problem) => problem !== false) }
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
  for await (const { line, file } of readSheetPictures(path, sheet)) {
    if (file === undefined) continue
    const ofRow = files.get(line) ?? []
    files.set(line, ofRow)
    const name = `${line}-${ofRow.length + 1}${file.ending}`
    ofRow.push(`${basename(folder)}/${name}`)
    const bytes = await buffer(await file.open())
    const before = await readFile(join(folder, name)).catch(() => undefined)
    if (!before?.equals(bytes)) await replaceBeside(join(folder, name), bytes)
  }
  return files
}
