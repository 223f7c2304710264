import { stat } from 'node:fs/promises'
import { basename, dirname, resolve } from 'node:path'
import { surveyCellPictures, writeCellPictures } from '../source/cell-pictures.ts'
import { checkKind } from '../source/file-kind.ts'
import { findFittingEncoding, isReadable } from '../source/encodings.ts'
import { readFolder, type FindItem } from '../source/folder.ts'
import { nameAsMapped } from '../source/headings.ts'
import { readLoadFile } from '../source/load-file.ts'
import { readMapping, type House, type MappingFile } from '../mapping/mapping.ts'
import { Unusable } from '../misfit.ts'
import type { SourceRecord } from '../records.ts'
import { readRecords } from '../mapping/rows.ts'
import { RowAccount } from '../source/row-account.ts'
import { isSheet, isXlsx, openSheet, type Sheet } from '../source/sheet.ts'
import { listUnreadSheets, listWorksheets } from '../source/workbook.ts'

/** A source. Each call of `records` reads its records again. Files of pictures lie in the directory or below it. */
export type Source = {
  name: string
  directory: string
  /** Whether the source is a folder of pictures. Their names are compared with the references of items. */
  isFolder: boolean
  /** The rows of a sheet. Undefined until all records have been read once. */
  account?: RowAccount
  /** The visible sheets of a workbook that are not read. */
  unreadSheets: string[]
  records(findItem: FindItem, house: () => Promise<House>): AsyncIterable<SourceRecord>
}

/** The default path of a sheet's mapping. */
export const mappingOf = (sheet: string): string => `${sheet}.mapping.yaml`

async function checkEncoding(path: string, { encoding = 'utf-8', locale }: MappingFile, house: string): Promise<void> {
  const language = locale ?? house
  if (isXlsx(path)) return
  if (!(await isReadable(path, encoding)))
    throw new Unusable(`${path} has bytes that mean nothing in ${encoding}: correct the encoding in the mapping`)
  const found = await findFittingEncoding(path, encoding, language)
  if (found === undefined) return
  const [wrong, right] = found.map(({ encoding, word }) => `${encoding} gives ${JSON.stringify(word)}`)
  throw new Unusable(
    `${path}: ${wrong}, ${right}, which is a word in "${language}": correct the encoding in the mapping`,
  )
}

/** Writes the pictures in the cells below the headings of a workbook into files, if the mapping says so. */
async function placePictures(
  path: string,
  { headingRows }: Sheet,
  mapping: MappingFile,
): Promise<Map<number, string[]> | undefined> {
  if (mapping.cell_pictures === 'ignore') return undefined
  const { count, problems } = await surveyCellPictures(path, mapping.sheet, headingRows.at(-1)!.line)
  if (problems.length > 0)
    throw new Unusable(`${path}: ${problems.join(', and ')}, or say "cell_pictures: ignore" in the mapping`)
  if (mapping.cell_pictures === 'read') return writeCellPictures(path, mapping.sheet)
  if (count > 0)
    throw new Unusable(
      `${path} has ${count} pictures in its cells: say "cell_pictures: read" or "cell_pictures: ignore" in the mapping`,
    )
  return undefined
}

/**
 * Opens a file in the load format, a sheet with its mapping, or a folder of pictures. `isConfirmed` accepts starting bids of
 * a sheet that do not fit their estimates.
 * @throws Unusable
 */
export async function openSource(path: string, mappingPath = mappingOf(path), isConfirmed = false): Promise<Source> {
  const full = resolve(path)
  const found = await stat(full).catch(() => undefined)
  if (found === undefined) throw new Unusable(`there is no file or folder ${path}`)
  const source = {
    name: basename(full),
    directory: dirname(full),
    isFolder: found.isDirectory(),
    unreadSheets: [] as string[],
  }
  if (source.isFolder) return { ...source, records: (findItem) => readFolder(full, findItem) }
  await checkKind(full)
  if (!isSheet(full)) return { ...source, records: () => readLoadFile(full, source.name) }
  const mapping = await readMapping(mappingPath)
  const sheet = await openSheet(full, mapping, (pairs) => nameAsMapped(pairs, mapping.headings))
  const placed = isXlsx(full) ? await placePictures(full, sheet, mapping) : undefined
  const first = isXlsx(full) ? (await listWorksheets(full)).find(({ isHidden }) => !isHidden)?.name : undefined
  const further_sheet = mapping.sheet === first ? undefined : mapping.sheet
  if (isXlsx(full)) for await (const name of listUnreadSheets(full, mapping.sheet)) source.unreadSheets.push(name)
  const opened: Source = {
    ...source,
    async *records(_, house) {
      const { locale, currency, time_zone } = await house()
      if (opened.account === undefined) await checkEncoding(full, mapping, locale)
      const account = new RowAccount()
      const whole = { locale, currency, time_zone, house_locale: locale, further_sheet, ...mapping }
      yield* readRecords(source.name, sheet, whole, isConfirmed, account, placed)
      account.check(source.name)
      opened.account = account
    },
  }
  return opened
}
