import { stat } from 'node:fs/promises'
import { posix } from 'node:path'
import type { Readable } from 'node:stream'
import { openPromise, type Entry, type ZipFile } from 'yauzl'
import { readCellStyles } from './cell-styles.ts'
import type { Row } from './cells.ts'
import { MergedCells } from './merged-cells.ts'
import { Unusable } from '../misfit.ts'
import { SharedStrings } from './shared-strings.ts'
import { readSheetRows } from './sheet-rows.ts'
import { unescapeText } from './texts.ts'
import { findPictures, readRichPictures } from './workbook-pictures.ts'
import { readXml, type Handlers } from './xml.ts'

const maxXlsxBytes = 100 * 1024 * 1024
const maxUnpackedBytes = 400 * 1024 * 1024

/** The parts of a workbook, by name. */
type Parts = Map<string, Entry>

/** A sheet of a workbook with rows. A hidden one is shown by no spreadsheet program. */
export type Worksheet = { name: string; isHidden: boolean }

/** The contents of a workbook by its main part: the parts of its sheets, texts and styles. */
type Contents = {
  main: string
  sheets: (Worksheet & { part: string })[]
  strings: string | undefined
  styles: string | undefined
  is1904: boolean
  isUncalculated: boolean
}

const toPart = (name: string) => name.replaceAll('\\', '/').replace(/^\//, '').toLowerCase()

async function openZip(path: string): Promise<{ zip: ZipFile; parts: Parts }> {
  const { size } = await stat(path)
  if (size > maxXlsxBytes) throw new Unusable(`${path} is larger than 100 MiB: save it as CSV`)
  let zip: ZipFile | undefined
  try {
    zip = await openPromise(path, { autoClose: false })
    const parts: Parts = new Map()
    let unpacked = 0
    for await (const entry of zip.eachEntry()) {
      // The names of parts ignore case, and some programs write them with backslashes.
      const name = toPart(entry.fileName)
      if (parts.has(name)) throw new Error('two entries have one name')
      parts.set(name, entry)
      unpacked += entry.uncompressedSize
    }
    // An entry that unpacks to more than its stated size is an error of the library.
    if (unpacked > maxUnpackedBytes) throw new Unusable(`${path} unpacks to more than 400 MiB: save it as CSV`)
    return { zip, parts }
  } catch (error) {
    zip?.close()
    if (error instanceof Unusable) throw error
    throw new Unusable(`${path} is not an XLSX file`)
  }
}

/** An open workbook. It reads its parts a piece at a time, and holds none in memory. */
class Workbook {
  readonly #zip: ZipFile
  readonly #parts: Parts

  constructor(zip: ZipFile, parts: Parts) {
    this.#zip = zip
    this.#parts = parts
  }

  #open(part: string): Promise<Readable> {
    const entry = this.#parts.get(toPart(part))
    if (entry === undefined) throw new Error(`it has no ${part}`)
    return this.#zip.openReadStreamPromise(entry)
  }

  async read(part: string, handlers: Handlers): Promise<void> {
    for await (const _ of readXml<never>(await this.#open(part), () => handlers));
  }

  /** The parts to which a part points, by the ids of the relations. */
  async readRelations(part: string): Promise<Map<string, { kind: string; part: string }>> {
    const relations = new Map<string, { kind: string; part: string }>()
    const path = posix.join(posix.dirname(part), '_rels', `${posix.basename(part)}.rels`)
    if (!this.#parts.has(toPart(path))) return relations
    await this.read(path, {
      open(_, { Id, Type, Target }) {
        if (!Id || !Type || !Target) return
        const target = Target.startsWith('/') ? Target.slice(1) : posix.join(posix.dirname(part), Target)
        relations.set(Id, { kind: Type.slice(Type.lastIndexOf('/') + 1), part: target })
      },
    })
    return relations
  }

  async #findMainPart(): Promise<string> {
    // Some programs leave the relations of the package out.
    const targets = [...(await this.readRelations('')).values()]
    return targets.find(({ kind }) => kind === 'officeDocument')?.part ?? 'xl/workbook.xml'
  }

  async readContents(): Promise<Contents> {
    const main = await this.#findMainPart()
    const targets = await this.readRelations(main)
    const sheets: Contents['sheets'] = []
    let [is1904, isUncalculated] = [false, false]
    await this.read(main, {
      open(element, attributes) {
        if (element === 'workbookPr') is1904 = /^(?:1|true)$/.test(attributes.date1904 ?? '')
        if (element === 'calcPr') isUncalculated = /^(?:1|true)$/.test(attributes.fullCalcOnLoad ?? '')
        if (element !== 'sheet') return
        const id = Object.entries(attributes).find(([name]) => name.endsWith(':id'))?.[1]
        const target = targets.get(id ?? '')
        const isHidden = /hidden/i.test(attributes.state ?? '')
        // A chart sheet has no rows.
        if (target?.kind === 'worksheet')
          sheets.push({ name: unescapeText(attributes.name ?? ''), isHidden, part: target.part })
      },
    })
    const partOf = (kind: string) => [...targets.values()].find((target) => target.kind === kind)?.part
    return { main, sheets, strings: partOf('sharedStrings'), styles: partOf('styles'), is1904, isUncalculated }
  }

  async *readRows(part: string, { main, strings, styles, is1904, isUncalculated }: Contents): AsyncGenerator<Row> {
    const cellStyles = styles === undefined ? [] : await readCellStyles(this, styles)
    const pictures = await readRichPictures(this, main)
    const texts = strings === undefined ? undefined : await SharedStrings.read(await this.#open(strings))
    try {
      const merged = await MergedCells.read(await this.#open(part))
      const context = { strings: texts, styles: cellStyles, is1904, isUncalculated, pictures, merged }
      yield* readXml<Row>(await this.#open(part), (emit) => readSheetRows(context, emit))
    } finally {
      await texts?.close()
    }
  }

  async hasValue(part: string): Promise<boolean> {
    let isValue = false
    const values = readXml<true>(await this.#open(part), (emit) => ({
      open(name) {
        isValue = name === 'v' || name === 't'
      },
      text(piece) {
        if (isValue && piece.trim() !== '') emit(true)
      },
      close() {
        isValue = false
      },
    }))
    for await (const found of values) return found
    return false
  }

  async *readPictures({ main }: Contents, sheet: string): AsyncGenerator<SheetPicture> {
    for (const { part, ...place } of await findPictures(this, main, sheet)) {
      const isHere = part !== undefined && this.#parts.has(toPart(part))
      yield {
        ...place,
        file: isHere ? { ending: posix.extname(part).toLowerCase(), open: () => this.#open(part) } : undefined,
      }
    }
  }
}

async function* readWorkbook<T>(path: string, read: (workbook: Workbook) => AsyncIterable<T>): AsyncGenerator<T> {
  const { zip, parts } = await openZip(path)
  try {
    yield* read(new Workbook(zip, parts))
  } catch (error) {
    if (error instanceof Unusable) throw error
    throw new Unusable(`${path} cannot be read as XLSX: ${error instanceof Error ? error.message : String(error)}`)
  } finally {
    zip.close()
  }
}

/**
 * The sheets of an XLSX file, in their order.
 * @throws Unusable if the file cannot be read
 */
export async function listWorksheets(path: string): Promise<Worksheet[]> {
  const found: Worksheet[] = []
  const sheets = readWorkbook(path, async function* (workbook) {
    yield* (await workbook.readContents()).sheets
  })
  for await (const { name, isHidden } of sheets) found.push({ name, isHidden })
  return found
}

function findSheet(path: string, { sheets }: Contents, sheet: string | undefined): Contents['sheets'][number] {
  const found = sheets.find(({ name, isHidden }) => (sheet === undefined ? !isHidden : name === sheet))
  if (found !== undefined) return found
  const names = sheets.map(({ name }) => `"${name}"`).join(', ')
  throw new Unusable(`${path} has no sheet "${sheet ?? ''}": it has ${names}`)
}

/**
 * The rows with a value of a sheet in an XLSX file. Without a name it is the first sheet that is not hidden.
 * @throws Unusable if the file cannot be read
 */
export function readWorksheet(path: string, sheet: string | undefined): AsyncGenerator<Row> {
  return readWorkbook(path, async function* (workbook) {
    const contents = await workbook.readContents()
    yield* workbook.readRows(findSheet(path, contents, sheet).part, contents)
  })
}

/**
 * The names of the visible sheets with a value in an XLSX file, without the one that is read.
 * @throws Unusable if the file cannot be read
 */
export function listUnreadSheets(path: string, sheet: string | undefined): AsyncGenerator<string> {
  return readWorkbook(path, async function* (workbook) {
    const contents = await workbook.readContents()
    const read = findSheet(path, contents, sheet)
    for (const each of contents.sheets)
      if (each !== read && !each.isHidden && (await workbook.hasValue(each.part))) yield each.name
  })
}

/**
 * A picture in or over a cell, on its row. The line of one that stands at no cell is infinite. The ending is that of a file
 * name: `.jpeg`. A linked picture has no file.
 */
export type SheetPicture = {
  line: number
  column: number
  file: { ending: string; open: () => Promise<Readable> } | undefined
}

/**
 * The pictures in and over the cells of a sheet, by rows and in each from left to right. The caller opens a picture before
 * it asks for the next one.
 * @throws Unusable if the file cannot be read
 */
export function readSheetPictures(path: string, sheet: string | undefined): AsyncGenerator<SheetPicture> {
  return readWorkbook(path, async function* (workbook) {
    const contents = await workbook.readContents()
    yield* workbook.readPictures(contents, findSheet(path, contents, sheet).part)
  })
}
