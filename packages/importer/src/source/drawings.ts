import type { Parts, PlacedPicture } from './parts.ts'
import { attribute } from './xml.ts'

/** A corner of a drawing: row and column from 0 on, and the distance from the top of the row in EMU. */
type Corner = { row: number; rowOff: number; col: number }

/** The pictures of a drawing between two corners. One without a lower corner has a height. */
type Anchor = { from?: Corner; to?: Corner; height?: number; parts: (string | undefined)[] }

const emuOfPoint = 12_700

async function readAnchors(parts: Parts, part: string): Promise<Anchor[]> {
  const relations = await parts.readRelations(part)
  const anchors: Anchor[] = []
  let [corner, text]: [Corner | undefined, string] = [undefined, '']
  await parts.read(part, {
    open(name, attributes) {
      text = ''
      if (name.endsWith('Anchor')) anchors.push({ parts: [] })
      const anchor = anchors.at(-1)
      if (anchor === undefined) return
      if (name === 'from' || name === 'to') corner = anchor[name] = { row: 0, rowOff: 0, col: 0 }
      // The first extent is that of the anchor, the others are those of its parts.
      else if (name === 'ext') anchor.height ??= Number(attributes.cy)
      if (name !== 'blip') return
      const embedded = attribute(attributes, 'embed')
      if (embedded || attribute(attributes, 'link')) anchor.parts.push(relations.get(embedded ?? '')?.part)
    },
    text(piece) {
      text += piece
    },
    close(name) {
      if (name === 'from' || name === 'to') corner = undefined
      else if (corner && (name === 'row' || name === 'rowOff' || name === 'col')) corner[name] = Number(text)
    },
  })
  return anchors
}

/** Reads the heights of some rows, in EMU. */
async function readHeights(parts: Parts, sheet: string, rows: Set<number>): Promise<(row: number) => number> {
  const heights = new Map<number, number>()
  let [usual, row] = ['15', -1]
  await parts.read(sheet, {
    open(name, { defaultRowHeight, r, ht }) {
      if (name === 'sheetFormatPr') usual = defaultRowHeight ?? usual
      if (name !== 'row') return
      row = r === undefined ? row + 1 : Number(r) - 1
      if (ht !== undefined && rows.has(row)) heights.set(row, Number(ht) * emuOfPoint)
    },
  })
  return (row) => heights.get(row) ?? Number(usual) * emuOfPoint
}

/**
 * Finds the pictures over the cells of a sheet in a drawing. A picture that begins in the lower half of a row and ends below
 * it belongs to the next row: by hand, few are placed exactly.
 */
export async function readDrawing(parts: Parts, sheet: string, drawing: string): Promise<PlacedPicture[]> {
  const anchors = await readAnchors(parts, drawing)
  const inside = anchors.flatMap(({ from }) => (from && from.rowOff > 0 ? [from.row] : []))
  const heightOf = inside.length > 0 ? await readHeights(parts, sheet, new Set(inside)) : () => Infinity
  return anchors.flatMap(({ from, to, height = 0, parts }) => {
    if (from === undefined) return parts.map((part) => ({ line: Infinity, column: 0, part }))
    const { row, rowOff, col } = from
    const isBelow = to ? to.row > row + 1 || (to.row > row && to.rowOff > 0) : rowOff + height > heightOf(row)
    const line = rowOff > heightOf(row) / 2 && isBelow ? row + 2 : row + 1
    return parts.map((part) => ({ line, column: col + 1, part }))
  })
}
