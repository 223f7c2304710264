import { readDrawing } from './drawings.ts'
import type { Parts, PlacedPicture } from './parts.ts'
import { attribute } from './xml.ts'

const lineOf = (place: string | undefined) => Number(/\d+$/.exec(place ?? '')?.[0] ?? 0)
const columnOf = (place: string | undefined) =>
  Buffer.from(/^[A-Z]+/.exec(place ?? '')?.[0] ?? '').reduce((column, letter) => 26 * column + letter - 64, 0)

const formulaOfPicture = /DISPIMG\("([^"]+)"/

/** Whether a cell shows a picture of another place: of `=IMAGE("https://…")`, a file has at most an error as its value. */
export const isLinkedPicture = (type: string | undefined, formula: string | undefined, value: string): boolean =>
  /\bIMAGE\(/.test(formula ?? '') && (type === 'e' || value === '')

const relatedTo = async (parts: Parts, main: string) =>
  new Map(Array.from((await parts.readRelations(main)).values(), ({ kind, part }) => [kind, part]))

/** Reads the numbers of the pictures in the rich values. Undefined for one of another kind, such as an error. */
async function readIdentifiers(
  parts: Parts,
  structures: string,
  values: string,
): Promise<(number | 'linked' | undefined)[]> {
  const keys: { type: string | undefined; names: string[] }[] = []
  await parts.read(structures, {
    open(name, { t, n = '' }) {
      if (name === 's') keys.push({ type: t, names: [] })
      else if (name === 'k') keys.at(-1)?.names.push(n)
    },
  })
  const identifiers: (number | 'linked' | undefined)[] = []
  let [text, left] = ['', -1]
  await parts.read(values, {
    open(name, { s }) {
      text = ''
      if (name !== 'rv') return
      const { type, names = [] } = keys[Number(s)] ?? {}
      identifiers.push(type === '_webimage' ? 'linked' : undefined)
      left = type === '_localImage' ? names.indexOf('_rvRel:LocalImageIdentifier') : -1
    },
    text(piece) {
      text += piece
    },
    close(name) {
      if (name === 'v' && left-- === 0) identifiers[identifiers.length - 1] = Number(text)
    },
  })
  return identifiers
}

/**
 * Reads which picture each value of a cell means that Excel has placed in it: parts by the number of the value, from 1.
 * A linked picture has no part. `main` is the main part of the workbook.
 */
export async function readRichPictures(parts: Parts, main: string): Promise<Map<number, string | undefined>> {
  const related = await relatedTo(parts, main)
  const kinds = ['sheetMetadata', 'rdRichValueStructure', 'rdRichValue', 'richValueRel']
  const [metadata, structures, values, links] = kinds.map((kind) => related.get(kind))
  const pictures = new Map<number, string | undefined>()
  if (!metadata || !structures || !values) return pictures
  const [types, used, ids]: [number[], number[], string[]] = [[], [], []]
  let isValue = false
  await parts.read(metadata, {
    open(name, attributes) {
      if (name === 'valueMetadata') isValue = true
      else if (name === 'rvb') types.push(Number(attributes.i))
      else if (name === 'rc' && isValue) used.push(Number(attributes.v))
    },
  })
  const identifiers = await readIdentifiers(parts, structures, values)
  if (links)
    await parts.read(links, {
      open(name, attributes) {
        if (name === 'rel') ids.push(attribute(attributes, 'id') ?? '')
      },
    })
  const relations = links ? await parts.readRelations(links) : undefined
  for (const [index, type] of used.entries()) {
    const identifier = identifiers[types[type]!]
    if (identifier === undefined) continue
    pictures.set(index + 1, identifier === 'linked' ? undefined : relations?.get(ids[identifier] ?? '')?.part)
  }
  return pictures
}

/** Reads the pictures that WPS has placed in cells: parts by the names that its formulas have. */
async function readNamedPictures(parts: Parts, part: string | undefined): Promise<Map<string, string>> {
  const named = new Map<string, string>()
  if (!part) return named
  const relations = await parts.readRelations(part)
  let last = ''
  await parts.read(part, {
    open(name, attributes) {
      if (name === 'cNvPr') last = attributes.name ?? ''
      const picture = name === 'blip' ? relations.get(attribute(attributes, 'embed') ?? '') : undefined
      if (picture) named.set(last, picture.part)
    },
  })
  return named
}

/** Finds the pictures in the cells of a sheet, placed by Excel or by WPS. */
async function readCells(parts: Parts, main: string, sheet: string): Promise<PlacedPicture[]> {
  const rich = await readRichPictures(parts, main)
  const named = await readNamedPictures(parts, (await relatedTo(parts, main)).get('cellImage'))
  const found: PlacedPicture[] = []
  let cell: Record<string, string> = {}
  let [formula, value, within] = ['', '', '']
  await parts.read(sheet, {
    open(name, attributes) {
      if (name === 'c') [cell, formula, value] = [attributes, '', '']
      within = name
    },
    text(piece) {
      if (within === 'f') formula += piece
      else if (within === 'v') value += piece
    },
    close(name) {
      within = ''
      if (name !== 'c') return
      const { r, t, vm } = cell
      const id = formulaOfPicture.exec(formula)?.[1]
      if (rich.has(Number(vm)) || id !== undefined || isLinkedPicture(t, formula, value))
        found.push({ line: lineOf(r), column: columnOf(r), part: rich.get(Number(vm)) ?? named.get(id ?? '') })
    },
  })
  return found
}

/**
 * Finds the pictures over and in the cells of a sheet, by rows and in each from left to right. `main` is the main part of
 * the workbook.
 */
export async function findPictures(parts: Parts, main: string, sheet: string): Promise<PlacedPicture[]> {
  const drawings = [...(await parts.readRelations(sheet)).values()].filter(({ kind }) => kind === 'drawing')
  const found = await readCells(parts, main, sheet)
  for (const { part } of drawings) found.push(...(await readDrawing(parts, sheet, part)))
  return found.toSorted((a, b) => a.line - b.line || a.column - b.column)
}
